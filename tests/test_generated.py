"""The committed package: it is what `spec/` gives, it stands alone, and it is lazy.

Contract: `generated/` equals a fresh build, file by file; the manifest says what it holds; nothing
is imported but the standard library and, in one variant, pydantic; the run time is a plain copy.
"""

import ast
import hashlib
import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Self, get_type_hints

import pytest

from codegen import __version__
from codegen.pipeline import VARIANTS

ROOT = Path(__file__).parent.parent
GENERATED = ROOT / "generated"
MANIFEST = "manifest.json"

SCHEMAS = (
    "ChatCompletionMessageToolCallChunk",
    "ChatCompletionStreamResponseDelta",
    "ChatCompletionTokenLogprob",
    "CreateChatCompletionStreamResponse",
)
# All that each folder imports from outside the package.
IMPORTS = {
    "": set[str](),
    "_runtime": {
        *("__future__", "abc", "collections.abc", "enum", "functools", "importlib", "json", "re"),
        *("fractions", "sys", "types", "typing"),
    },
    "dataclasses": {"__future__", "collections.abc", "dataclasses", "functools", "typing"},
    "typeddicts": {"__future__", "collections.abc", "functools", "sys", "types", "typing"},
    "pydantic": {
        *("__future__", "ast", "collections.abc", "contextvars", "functools", "inspect", "sys"),
        "threading",
        *("pydantic", "pydantic.fields", "pydantic.json_schema", "pydantic_core", "typing"),
    },
}


@pytest.fixture(scope="session")
def manifest(fresh_files: dict[str, bytes]) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(fresh_files[MANIFEST])
    return content


def find_names(init: bytes) -> Iterator[str]:
    """What type checkers see a module offer: `from x import y as y`."""
    for node in ast.walk(ast.parse(init)):
        if isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names if alias.asname == alias.name)


# Files


def test_the_committed_package_is_what_the_spec_gives(fresh_files: dict[str, bytes]) -> None:
    """Where this fails: `make generate`, and look at the difference."""
    files = [it for it in GENERATED.rglob("*") if it.is_file() and it.suffix != ".pyc"]
    assert {it.relative_to(GENERATED).as_posix() for it in files} == fresh_files.keys()
    stale = [it for it, new in fresh_files.items() if (GENERATED / it).read_bytes() != new]
    assert stale == []


def test_the_manifest(manifest: dict[str, Any]) -> None:
    assert manifest.keys() == {"spec", "generator", "options", "files", "schemas", "streams"}
    assert manifest["spec"].keys() == {"title", "version", "digest", "overlays", "references"}
    assert (manifest["spec"]["title"], manifest["spec"]["version"]) == ("OpenAI API", "2.3.0")
    assert manifest["generator"] == f"streambind {__version__}"
    assert manifest["options"] == {"variants": list(VARIANTS), "types": {}}
    assert manifest["schemas"] == {name: name for name in SCHEMAS}
    assert manifest["streams"] == {
        "CreateChatCompletionStream": {
            "operation": "createChatCompletion",
            "media_type": "text/event-stream",
            "framing": "sse",
            "event": "CreateChatCompletionStreamResponse",
            "result": "CreateChatCompletionStreamSnapshot",
        }
    }


def test_the_digests(manifest: dict[str, Any], fresh_files: dict[str, bytes]) -> None:
    digests = {path: hashlib.sha256(text).hexdigest() for path, text in fresh_files.items()}
    del digests[MANIFEST]
    assert manifest["files"] == digests


def test_it_is_typed_without_suppressions(fresh_files: dict[str, bytes]) -> None:
    assert fresh_files["py.typed"] == b""
    for path, content in fresh_files.items():
        assert b"type: ignore" not in content, path
        assert b"noqa" not in content, path
        assert b"pyright:" not in content, path


def test_the_run_time_is_a_plain_copy(fresh_files: dict[str, bytes]) -> None:
    folders = {"_runtime/": "runtime", **{f"{name}/_": name for name in VARIANTS}}
    sources = {
        prefix + source.name: source.read_bytes()
        for prefix, folder in folders.items()
        for source in (ROOT / "templates" / folder).glob("*.py")
    }
    copied = {path: it for path, it in fresh_files.items() if is_plain(path)}
    assert copied.keys() <= sources.keys()
    assert copied == {path: sources[path] for path in copied}


def is_plain(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    return folder == "_runtime" or (folder in VARIANTS and name != "__init__.py")


def test_the_run_time_holds_what_is_needed(fresh_files: dict[str, bytes]) -> None:
    """The seed streams server-sent events, so no other framing comes along."""
    needed = {
        node.module.rpartition(".")[2]
        for path, content in fresh_files.items()
        if path.endswith(".py")
        for node in ast.walk(ast.parse(content))
        if isinstance(node, ast.ImportFrom) and node.level and node.module
    } | {"sse", "jsontext"}  # also as `from .. import`
    there = {Path(path).stem for path in fresh_files if path.startswith("_runtime/")}
    assert there - {"__init__"} <= needed
    assert "sse" in there
    assert not {it for it in there if it.startswith("json_")}


# Imports


def test_imports(fresh_files: dict[str, bytes]) -> None:
    found: dict[str, set[str]] = {folder: set() for folder in IMPORTS}
    for path, content in fresh_files.items():
        if not path.endswith(".py"):
            continue
        *folders, _ = path.split("/")
        imported = found["".join(folders[:1])]
        for node in ast.walk(ast.parse(content)):
            match node:
                case ast.Import(names=names):
                    imported |= {alias.name for alias in names}
                case ast.ImportFrom(level=0, module=str(module)):
                    imported.add(module)
                case ast.ImportFrom(level=level):
                    assert level <= len(folders) + 1, f"{path} leads out of the package"
    assert found == IMPORTS


def loaded(package: ModuleType, *statements: str) -> set[str]:
    """The modules that a fresh interpreter, bare of site packages' own imports, has after it."""
    parent = str(Path(str(package.__file__)).parents[1])
    lines = [f"import sys; sys.path.insert(0, {parent!r})", *statements, "print(*sys.modules)"]
    command = [sys.executable, "-c", "\n".join(lines)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def models(package: ModuleType, variant: str, modules: set[str]) -> set[str]:
    prefix = f"{package.__name__}.{variant}.models."
    return {it.removeprefix(prefix) for it in modules if it.startswith(prefix)}


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_schema_loads_what_it_reaches(package: ModuleType, variant: str) -> None:
    name = f"{package.__name__}.{variant}"
    assert models(package, variant, loaded(package, f"import {name}")) == set()
    leaf = loaded(package, f"from {name} import ChatCompletionTokenLogprob")
    assert models(package, variant, leaf) == {"chat_completion_token_logprob"}
    chunk = loaded(package, f"from {name} import CreateChatCompletionStreamResponse")
    assert models(package, variant, chunk) == {
        "chat_completion_message_tool_call_chunk",
        "chat_completion_stream_response_delta",
        "chat_completion_token_logprob",
        "create_chat_completion_stream_response",
    }
    assert not [it for it in chunk if it.startswith(f"{name}.streams")]


@pytest.mark.parametrize("variant", VARIANTS)
def test_preload_leaves_nothing_to_load(package: ModuleType, variant: str) -> None:
    name = f"{package.__name__}.{variant}"
    before = loaded(package, f"import {name}", f"{name}.preload()")
    uses = f"for module in ({name}, {name}.streams): [getattr(module, it) for it in dir(module)]"
    folder = Path(str(package.__file__)).parent / variant / "models"
    assert models(package, variant, before) == {it.stem for it in folder.glob("[a-z]*.py")}
    assert loaded(package, f"import {name}", f"{name}.preload()", uses) == before


def test_preload_builds_the_validators(package: ModuleType) -> None:
    name = f"{package.__name__}.pydantic"
    built = "from pydantic_core import SchemaValidator as V"
    check = f"assert type({name}.CreateChatCompletionStreamResponse.__pydantic_validator__) is V"
    loaded(package, built, f"import {name}", f"{name}.preload()", check)
    with pytest.raises(subprocess.CalledProcessError):
        loaded(package, built, f"import {name}", check)


def test_a_model_inside_others_is_built_once(package: ModuleType) -> None:
    """What holds it takes it as it was built, by whatever way the building began."""
    name = f"{package.__name__}.pydantic"
    chunk, inside = "CreateChatCompletionStreamResponse", "ChatCompletionStreamResponseDelta"
    built = f"assert {name}.{inside}.__pydantic_complete__"
    same = f"assert 'Prebuilt' in repr({name}.{chunk}.__pydantic_validator__)"
    for begin in (f"{name}.from_json({name}.{chunk}, {{}})", f"{name}.{chunk}.model_rebuild()"):
        begins = f"try: {begin}\nexcept {name}.DecodeError: pass"
        loaded(package, f"import {name}", begins, built, same)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_loads_nothing_heavy(package: ModuleType, variant: str) -> None:
    name = f"{package.__name__}.{variant}"
    modules = loaded(package, f"from {name}.streams import CreateChatCompletionStream")
    others = {f"{package.__name__}.{other}" for other in VARIANTS if other != variant}
    assert not modules & {"codegen", "jinja2", "yaml", *others}
    if variant != "pydantic":
        assert not modules & {"pydantic", "asyncio", "typing_extensions", "decimal", "datetime"}
    if variant == "typeddicts":
        assert not modules & {"dataclasses", "inspect"}


BARE = "import __future__, collections.abc, functools, importlib, json, typing"
# What a program has loaded that uses of the same libraries what a variant does.
USED_BY = {
    "dataclasses": [
        *(BARE, "import dataclasses"),
        "dataclasses.make_dataclass('Record', ['x'], slots=True)",
    ],
    "typeddicts": [BARE, "class Keys(typing.TypedDict): x: int"],
    "pydantic": [
        *(BARE, "from pydantic import BaseModel, TypeAdapter, model_serializer"),
        "class Model(BaseModel): x: int",
    ],
}
OF_CHUNKS = {"codec", "decoding", "errors", "jsontext", "lazy", "registry"}
OF_STREAMS = OF_CHUNKS | {"accumulator", "event_stream", "framing", "sse", "stream"}
MORE_OF = {
    "dataclasses": {"texts"},
    "typeddicts": set[str](),
    "pydantic": {"texts"},
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("use", "runtime"),
    [
        (" import CreateChatCompletionStreamResponse", OF_CHUNKS),
        (".streams import CreateChatCompletionStream", OF_STREAMS),
    ],
    ids=["chunk", "stream"],
)
def test_only_what_is_used_is_loaded(
    package: ModuleType, variant: str, use: str, runtime: set[str]
) -> None:
    """Above all not what explains data that does not fit."""
    modules = loaded(package, f"from {package.__name__}.{variant}{use}")
    ours = f"{package.__name__}."
    theirs = {it for it in modules if it != package.__name__ and not it.startswith(ours)}
    assert theirs - loaded(package, *USED_BY[variant]) == set()
    inside = {it.removeprefix(f"{ours}_runtime.") for it in modules if f"{ours}_runtime." in it}
    registry = {"registry"} if variant == "pydantic" else set[str]()
    assert inside == (runtime | MORE_OF[variant]) - registry
    assert f"{ours}{variant}._description" not in modules


# Names


def test_every_name_resolves(variant: Any, fresh_files: dict[str, bytes]) -> None:
    folder = variant.__name__.rpartition(".")[2]
    for module, path in ((variant, folder), (variant.streams, f"{folder}/streams")):
        names = list(find_names(fresh_files[f"{path}/__init__.py"]))
        assert len(names) == len(set(names))
        assert set(names) <= set(dir(module))
        for name in names:
            value = getattr(module, name)
            if isinstance(value, type):
                get_type_hints(value)


def test_what_every_variant_offers(variant: Any) -> None:
    functions = ("loads", "dumps", "from_json", "to_json", "unknown_fields", "preload")
    assert {*SCHEMAS, *functions, "DecodeError", "streams"} <= set(dir(variant))
    assert "CreateChatCompletionStream" in dir(variant.streams)


def test_what_is_decoded_is_never_none(package: ModuleType) -> None:
    chunk = importlib.import_module(
        f"{package.__name__}.dataclasses"
    ).CreateChatCompletionStreamResponse
    assert get_type_hints(chunk.from_dict)["return"] is Self


def test_the_variants_have_the_same_types(fresh_files: dict[str, bytes]) -> None:
    own = {"dataclasses": {"Record", "UnknownVariant"}, "pydantic": {"Model", "UnknownVariant"}}
    names = {
        variant: set(find_names(fresh_files[f"{variant}/__init__.py"])) - own.get(variant, set())
        for variant in VARIANTS
    }
    assert names["dataclasses"] == names["typeddicts"] == names["pydantic"]


def test_a_name_that_is_not_there(variant: Any) -> None:
    for module in (variant, variant.streams):
        with pytest.raises(
            AttributeError, match=f"module '{module.__name__}' has no attribute 'x'"
        ):
            _ = module.x
    with pytest.raises(ImportError):
        importlib.import_module(f"{variant.__name__}.nonsense")
