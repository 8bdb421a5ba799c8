"""No text of a document becomes code, whatever it says and wherever it stands.

Each hostile text is put in the places of a small document that hold text. Then generation
succeeds, or refuses with a diagnostic; what it writes has the syntax tree of a harmless twin, the
same comments, no name of the text's own, and imports in every variant. The two locks that see to it
are tried one without the other at the end.
"""

from __future__ import annotations

import ast
import importlib
import io
import json
import sys
import tokenize
import typing
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest

import codegen.render
from codegen.backends import VARIANTS as BACKENDS
from codegen.backends.naming import name_api
from codegen.backends.package import build_files
from codegen.backends.views import ClassView, File, ModuleView
from codegen.python.code import Code
from codegen.python.verify import Surplus
from codegen.render import render
from codegen.source.pointer import join
from tests.hostile.facts import MARK
from tests.hostile.texts import TEXTS, twin_of
from tests.support import VARIANTS, Outcome, outcome, parameters, run, write

PLACES = (
    "title version schema property description member_description enum constant default format"
    " pattern required tag mapping operation operation_description path media_type status stop"
    " error error_event fold into key variant_title reference type example extension header"
    " python_type base_path enum_description"
).split()


def document(places: Collection[str], text: str) -> dict[str, Any]:
    """A document with a text in some places, and harmless ones in the others."""
    at = {name: PLAIN.get(name, f"{name} text") for name in PLACES}
    # Where two members of one object meet, or words with a meaning of their own, it has company.
    at |= {name: f"{text} again" if name == "into" else text for name in places}
    return {
        "openapi": "3.1.0",
        "info": {"title": at["title"], "version": at["version"]},
        "paths": {at["path"]: {"post": operation(at)}},
        "components": {"schemas": {**schemas(at), at["schema"]: {"type": "object", **PART}}},
        "x-more": at["extension"],
    }


PLAIN = {"reference": "#/components/schemas/Part", "type": "integer"}
PART: dict[str, Any] = {"required": ["n"], "properties": {"n": {"type": "integer"}}}


def schemas(at: dict[str, str]) -> dict[str, Any]:
    told = {"type": "object", "required": [at["tag"]], "properties": {at["tag"]: STRING}}
    return {
        "Thing": {
            "type": "object",
            "description": at["description"],
            "required": ["id", at["required"]],
            "example": {at["example"]: at["example"]},
            "customBasePath": at["base_path"],
            "properties": {
                "id": {"type": at["type"]},
                "part": {"$ref": at["reference"]},
                "state": {
                    "enum": [at["enum"], "other"],
                    "x-ms-enum": {
                        "values": [{"value": "other", "description": at["enum_description"]}]
                    },
                },
                "kind": {"const": at["constant"], "x-python-type": at["python_type"]},
                at["property"]: {
                    "type": "string",
                    "description": at["member_description"],
                    "default": at["default"],
                    "format": at["format"],
                    "pattern": at["pattern"],
                },
            },
        },
        "Part": {"type": "object", **PART},
        "Left": told,
        "Right": told,
        "Either": {
            "oneOf": [{"$ref": f"#/components/schemas/{side}"} for side in ("Left", "Right")],
            "discriminator": {
                "propertyName": at["tag"],
                "mapping": {at["mapping"]: "Left", "right": "Right"},
            },
        },
        "Or": {"anyOf": [{"title": at["variant_title"], **PART}, {"properties": {"m": STRING}}]},
        "Chunk": chunk(at),
    }


STRING = {"type": "string"}


def chunk(at: dict[str, str]) -> dict[str, Any]:
    entry = {
        "type": "object",
        "required": [at["key"]],
        "properties": {at["key"]: STRING, "of it": STRING},
    }
    entries = {"type": "array", "items": entry}
    return {
        "type": "object",
        "properties": {at["fold"]: STRING, "gone": STRING, "entries": entries},
    }


def operation(at: dict[str, str]) -> dict[str, Any]:
    body = {"schema": {"type": "object", **PART}}
    return {
        "operationId": at["operation"],
        "description": at["operation_description"],
        "parameters": [{"name": at["header"], "in": "header", "schema": STRING}],
        "responses": {
            "200": {
                "content": {"text/event-stream": stream(at), at["media_type"]: body},
            },
            at["status"]: {"content": {"application/json": body}},
        },
    }


def stream(at: dict[str, str]) -> dict[str, Any]:
    return {
        "schema": {"$ref": "#/components/schemas/Chunk"},
        "x-stream": {
            "stop": [{"data": at["stop"]}],
            "error": [{"at": join("#", at["error"])[1:], "event": at["error_event"]}],
            "fold": {
                "merge": {
                    at["fold"]: "concat",
                    "gone": {"rule": "last", "into": at["into"]},
                    "entries": {"keyed": at["key"], "keep-key": True, "of": {"of it": "first"}},
                }
            },
        },
    }


def generate(places: Collection[str], text: str, folder: Path) -> Outcome:
    spec = folder / "spec.json"
    spec.write_text(json.dumps(document(places, text)), "utf-8")
    return run(spec)


def nodes(files: dict[str, str]) -> Counter[str]:
    """How often each kind of syntax node occurs in the files."""
    trees = (ast.parse(text) for text in files.values() if text.startswith(MARK))
    return Counter(type(node).__name__ for tree in trees for node in ast.walk(tree))


def identifiers(text: str) -> Iterator[str]:
    """Every name in a module that means something to Python."""
    for node in ast.walk(ast.parse(text)):
        for _, value in ast.iter_fields(node):
            if isinstance(value, str) and not isinstance(node, ast.Constant):
                yield value


def comments(text: str) -> set[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {token.string for token in tokens if token.type == tokenize.COMMENT}


MODULES = {"__future__", "dataclasses", "typing", "pydantic"}
# Places where most texts are refused, which would leave the others untried.
STRICT = ("reference", "type", "stop")
FREE = [place for place in PLACES if place not in STRICT]
SINGLE = [f"{place}: {name}" for place in STRICT for name in TEXTS]


@pytest.mark.parametrize("name", parameters("hostile", TEXTS))
def test_text_stays_text(name: str, tmp_path: Path) -> None:
    made = generate(FREE, TEXTS[name], tmp_path)
    assert made.files, made.diagnostics
    check(made, tmp_path, f"hostile_{[*TEXTS].index(name)}")
    # A constant that is not Unicode has no place in typing.Literal: it is a `str` there.
    if TEXTS[name].strip() and "surrogate" not in name:
        twin = generate(FREE, twin_of(TEXTS[name]), tmp_path)
        assert nodes(made.files) == nodes(twin.files)


@pytest.mark.parametrize("case", parameters("hostile in strict places", SINGLE))
def test_text_stays_text_or_is_refused(case: str, tmp_path: Path) -> None:
    place, name = case.split(": ")
    made = generate([place], TEXTS[name], tmp_path)
    if made.files:
        check(made, tmp_path, f"single_{SINGLE.index(case)}")
    else:
        assert ": error SB" in made.diagnostics


def check(made: Outcome, folder: Path, package: str) -> None:
    for path, text in made.files.items():
        if text.startswith(MARK):
            assert comments(text) == {MARK}, path
            assert not [name for name in identifiers(text) if "__canary__" in name], path
            imported = {node.module for node in ast.walk(ast.parse(text)) if is_absolute(node)}
            assert imported <= MODULES, path
    check_imports(made, folder, package)


def is_absolute(node: ast.AST) -> typing.TypeGuard[ast.ImportFrom]:
    assert not isinstance(node, ast.Import)
    return isinstance(node, ast.ImportFrom) and node.level == 0


def check_imports(made: Outcome, folder: Path, package: str) -> None:
    write(folder / package, made.files)
    sys.path.insert(0, str(folder))
    try:
        manifest = json.loads(made.files["manifest.json"])
        for name in VARIANTS:
            module = importlib.import_module(f"{package}.{name}")
            for exported in manifest["schemas"].values():
                getattr(module, exported)
            for exported in manifest["streams"]:
                getattr(module.streams, exported)
    finally:
        sys.path.remove(str(folder))


# What a faulty back end could put in a view: text that nobody quoted.
EVIL = cast(Code, 'x: int = 1\n"""\n__import__("os")\n"""')


def plant(file: File, where: str) -> File:
    view = file.view
    assert isinstance(view, ModuleView)
    if where == "doc":
        return replace(file, view=replace(view, doc=EVIL))
    if where == "imports":
        return replace(file, view=replace(view, imports=(*view.imports, EVIL)))
    item = view.items[0]
    assert isinstance(item, ClassView)
    if where == "head":
        item = replace(item, head=EVIL)
    elif where == "class doc":
        item = replace(item, doc=EVIL)
    elif where == "method":
        item = replace(item, method=(*item.method, EVIL))
    else:
        item = replace(item, fields=(replace(item.fields[0], code=EVIL), *item.fields[1:]))
    return replace(file, view=replace(view, items=(item, *view.items[1:])))


@cache
def healthy() -> File:
    api = outcome("descriptions").api
    assert api is not None
    files = build_files(api, name_api(api), [BACKENDS["dataclasses"]])
    return next(file for file in files if file.path == "dataclasses/models/described.py")


PLANTS = ["doc", "imports", "head", "class doc", "method", "field"]


def skip_verify(text: str, shape: object, file: str) -> None:
    """Stands in for the second lock, open."""


def any_text(value: object) -> object:
    """Stands in for the first lock, open."""
    return value


@pytest.fixture
def fresh_templates() -> Iterator[None]:
    # They remember the `finalize` they were made with.
    caches = [getattr(codegen.render, name) for name in ("_template", "_environment")]
    for made in caches:
        made.cache_clear()
    yield
    for made in caches:
        made.cache_clear()


@pytest.mark.parametrize("where", PLANTS)
def test_the_first_lock_alone(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codegen.render, "verify", skip_verify)
    render(healthy())
    with pytest.raises(TypeError, match="only print Code"):
        render(plant(healthy(), where))


@pytest.mark.usefixtures("fresh_templates")
@pytest.mark.parametrize("where", PLANTS)
def test_the_second_lock_alone(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codegen.render, "only_code", any_text)
    render(healthy())
    with pytest.raises(Surplus):
        render(plant(healthy(), where))


@pytest.mark.usefixtures("fresh_templates")
def test_with_both_locks_open_the_plants_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codegen.render, "only_code", any_text)
    monkeypatch.setattr(codegen.render, "verify", skip_verify)
    for where in PLANTS:
        assert EVIL in render(plant(healthy(), where))
