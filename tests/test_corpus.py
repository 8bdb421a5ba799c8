"""The OpenAI document, 1,422 schemas: all of it is generated, imports, type-checks and decodes.

The document is not ours to ship: where the checkout has no corpus beside it, this is skipped. The
package is made once for all workers, by the command. `corpus/openai-refused.txt` lists each example
of the document that contradicts its own schema, with the first place where it does.
"""

import importlib
import json
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import pytest

from codegen.pipeline import VARIANTS
from codegen.source.yaml12 import load_yaml

ROOT = Path(__file__).parent.parent
SPEC = ROOT.parent / "shared/corpus/specs/openai.yaml"
REFUSED = Path(__file__).parent / "corpus/openai-refused.txt"
NAME = "corpus_openai"
JSONSCHEMA: Any = importlib.import_module("jsonschema")  # it has no types

pytestmark = pytest.mark.skipif(not SPEC.exists(), reason="no corpus beside the checkout")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Where the package lies, as `corpus_openai`: the first worker makes it, others wait for it."""
    base = tmp_path_factory.getbasetemp()
    shared = (base if worker_id == "master" else base.parent) / "corpus"
    try:
        shared.mkdir()
    except FileExistsError:
        deadline = time.monotonic() + 180
        while not (shared / "done").exists():
            assert time.monotonic() < deadline, "the worker that makes the package has failed"
            time.sleep(0.1)
        return shared
    try:
        run("codegen", "generate", str(SPEC), "-o", str(shared / NAME))
    finally:
        (shared / "done").touch()
    return shared


def run(module: str, *arguments: str, folder: Path = ROOT) -> None:
    """Run a tool in a folder; what it finds is the failure."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]


@pytest.fixture(scope="session")
def variants(folder: Path) -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        return {name: importlib.import_module(f"{NAME}.{name}") for name in VARIANTS}


@pytest.fixture(scope="session")
def manifest(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / NAME / "manifest.json").read_bytes())
    return content


@pytest.fixture(scope="session")
def schemas() -> dict[str, Any]:
    """The named schemas of the document."""
    document: Any = load_yaml(SPEC.read_text("utf-8"))[0]
    named: dict[str, Any] = document["components"]["schemas"]
    return named


# The package


def test_every_schema_is_there(manifest: dict[str, Any], schemas: dict[str, Any]) -> None:
    assert len(schemas) == 1422
    assert manifest["schemas"].keys() == schemas.keys()
    assert len(set(manifest["schemas"].values())) == 1422


def test_every_stream_is_there(manifest: dict[str, Any]) -> None:
    assert {name: it["event"] for name, it in manifest["streams"].items()} == {
        "BetaCreateResponseStream": "BetaResponseStreamEvent",
        "CreateChatCompletionStream": "CreateChatCompletionStreamResponse",
        "CreateImageEditStream": "ImageEditStreamEvent",
        "CreateImageStream": "ImageGenStreamEvent",
        "CreateResponseStream": "ResponseStreamEvent",
        "CreateSpeechStream": "CreateSpeechResponseStreamEvent",
        "CreateTranscriptionStream": "CreateTranscriptionResponseStreamEvent",
    }


@pytest.mark.parametrize("name", VARIANTS)
def test_every_name_resolves(variants: dict[str, Any], manifest: dict[str, Any], name: str) -> None:
    variant = variants[name]
    assert {*manifest["schemas"].values(), "loads", "dumps", "streams"} <= set(dir(variant))
    assert manifest["streams"].keys() <= set(dir(variant.streams))
    for module in (variant, variant.streams):
        for exported in dir(module):
            value = getattr(module, exported)
            if isinstance(value, type):
                get_type_hints(value)


def test_no_number_in_a_name_is_ours(variants: dict[str, Any], schemas: dict[str, Any]) -> None:
    """A name that ends in a digit ends as some name of the document does."""
    theirs = {letters(it) for it in find_names(schemas) if it[-1:].isdigit()}
    numbered = [it for it in dir(variants["dataclasses"]) if it[-1].isdigit()]
    assert numbered
    ours = [it for it in numbered if not letters(it).endswith(tuple(theirs))]
    assert ours == []


def letters(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()


def find_names(node: Any) -> Iterator[str]:
    """Titles, and the names of schemas and properties."""
    if isinstance(node, dict):
        if isinstance(title := node.get("title"), str):
            yield title
        yield from node
    for inner in node.values() if isinstance(node, dict) else node:
        if isinstance(inner, dict | list):
            yield from find_names(inner)


# What tools find in it: nothing


def test_ruff_format(folder: Path) -> None:
    run("ruff", "format", "--check", "--isolated", "--no-cache", NAME, folder=folder)


@pytest.mark.checker
def test_mypy(folder: Path) -> None:
    cache = str(folder / "mypy")
    run("mypy", "--strict", "--config-file=", "--cache-dir", cache, "-p", NAME, folder=folder)


@pytest.mark.checker
def test_pyright(folder: Path) -> None:
    config = folder / "pyrightconfig.json"
    config.write_text(json.dumps({"include": [NAME], "typeCheckingMode": "strict"}))
    run("pyright", "-p", str(config), "--pythonpath", sys.executable, folder=folder)


# The examples of the document


class Example(NamedTuple):
    """A JSON document under a named schema, which it should be an instance of."""

    schema: str
    value: Any


@pytest.fixture(scope="session")
def examples(schemas: dict[str, Any]) -> list[Example]:
    return [Example(name, value) for name in schemas for value in find_examples(schemas[name])]


def find_examples(schema: Any) -> Iterator[Any]:
    match schema:
        case {"x-oaiMeta": {"example": str(text)}}:
            yield from parse_all(text)
        case {"x-oaiMeta": {"example": value}}:
            yield value
    if "example" in schema:
        yield schema["example"]
    if isinstance(several := schema.get("examples"), list):
        yield from several


def parse_all(text: str) -> Iterator[Any]:
    """The JSON documents of a text: each starts at the start of a line."""
    decoder = json.JSONDecoder()
    starts = [0, *(at + 1 for at, letter in enumerate(text) if letter == "\n")]
    end = 0
    for start in starts:
        if start >= end and text[start : start + 1] in ("{", "["):
            try:
                value, end = decoder.raw_decode(text, start)
            except ValueError:
                continue
            yield value


class Verdict(NamedTuple):
    """What a variant makes of an example: JSON again, or the places of its errors."""

    written: str | None
    pointers: tuple[str, ...]


def judge(variant: Any, name: str, value: Any) -> Verdict:
    tp = getattr(variant, name)
    try:
        decoded = variant.loads(tp, json.dumps(value))
    except variant.DecodeError as error:
        return Verdict(None, tuple(problem.pointer for problem in error.errors))
    return Verdict(text_of(json.loads(variant.dumps(decoded, tp))), ())


def text_of(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


@pytest.fixture(scope="session")
def verdicts(
    variants: dict[str, Any], manifest: dict[str, Any], examples: list[Example]
) -> list[Verdict]:
    """The verdict on each example, the same in each variant."""
    agreed = []
    for schema, value in examples:
        name = manifest["schemas"][schema]
        answers = {judge(variant, name, value) for variant in variants.values()}
        assert len(answers) == 1, (schema, value, answers)
        agreed.append(answers.pop())
    return agreed


def test_an_example_that_is_accepted_is_written_back_equal(
    examples: list[Example], verdicts: list[Verdict]
) -> None:
    accepted = [
        (text_of(example.value), verdict.written)
        for example, verdict in zip(examples, verdicts, strict=True)
        if verdict.written is not None
    ]
    assert (len(examples), len(accepted)) == (367, 307)
    assert [it for it, written in accepted if it != written] == []


def test_what_is_refused_is_listed(examples: list[Example], verdicts: list[Verdict]) -> None:
    refused = sorted(
        f"{example.schema} {verdict.pointers[0]}"
        for example, verdict in zip(examples, verdicts, strict=True)
        if verdict.written is None
    )
    assert refused == REFUSED.read_text("utf-8").splitlines()


def test_another_validator_refuses_the_same(
    schemas: dict[str, Any], examples: list[Example], verdicts: list[Verdict]
) -> None:
    """In the same places. It alone refuses what a server says that the document does not list."""
    root = {"components": {"schemas": {name: plain(schemas[name], name) for name in schemas}}}
    stricter = []
    for (schema, value), verdict in zip(examples, verdicts, strict=True):
        named = {**root, "$ref": f"#/components/schemas/{schema}"}
        places = set(find_places(JSONSCHEMA.Draft202012Validator(named).iter_errors(value)))
        assert places >= set(verdict.pointers), schema
        if places and not verdict.pointers:
            stricter.append(schema)
    assert sorted(stricter) == [
        "RealtimeBetaServerEventResponseOutputItemDone",
        "RealtimeServerEventConversationItemRetrieved",
        "RealtimeServerEventResponseOutputItemDone",
    ]


def find_places(errors: Iterable[Any]) -> Iterator[str]:
    """The pointers at which another validator sees errors, those inside of unions included."""
    for error in errors:
        at = "".join(f"/{step}" for step in error.absolute_path)
        if error.validator == "required":
            yield from (f"{at}/{it}" for it in error.validator_value if it not in error.instance)
        else:
            yield at
        yield from find_places(error.context)


def plain(schema: Any, name: str, in_properties: bool = False) -> Any:
    """A schema as JSON Schema 2020-12 has it; without formats and patterns, which we do not check.

    `oneOf` becomes `anyOf`: the document's own alternatives overlap.
    """
    if isinstance(schema, list):
        return [plain(item, name) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if in_properties:
        return {key: plain(value, name) for key, value in schema.items()}
    if "$recursiveRef" in schema:
        return {"$ref": f"#/components/schemas/{name}"}
    unchecked = ("example", "examples", "x-oaiMeta", "format", "pattern", "nullable")
    result = {
        {"oneOf": "anyOf"}.get(key, key): plain(value, name, key == "properties")
        for key, value in schema.items()
        if key not in unchecked
    }
    return {"anyOf": [result, {"type": "null"}]} if schema.get("nullable") is True else result
