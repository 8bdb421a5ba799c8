"""Documents nested deeply are read and generated; those beyond the limit are told where.

Data nested deeply, in a type that holds itself: refused at some depth, and nothing worse.

`feed` and `loads` meet it in what others sent, so a recursion error of Python's must never come
out of them; and what is accepted can be written back. Below the limit nothing is special.
"""

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from codegen.diagnostics import Diagnostics
from codegen.loading import loaded
from codegen.pipeline import VARIANTS, build_package, load_api
from codegen.stack import deep
from tests.support import Importer, run

SPEC = """
openapi: 3.1.0
info: {title: Trees, version: "1"}
paths:
  /trees:
    get:
      operationId: watchTrees
      responses:
        "200":
          description: A tree an event.
          content: {text/event-stream: {schema: {$ref: "#/components/schemas/Tree"}}}
components:
  schemas:
    Tree:
      type: object
      properties:
        inside: {type: array, items: {$ref: "#/components/schemas/Tree"}}
"""
# Python gives up somewhere between, how deep depends on its version and on the caller.
DEPTHS = [*range(10, 1010, 10), 5_000, 100_000]


@pytest.fixture(scope="module", params=VARIANTS)
def trees(
    importer: Importer, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Any:
    spec = tmp_path_factory.mktemp("trees") / "spec.yaml"
    spec.write_text(SPEC)
    api = load_api(str(spec), (), Diagnostics())
    name = importer(build_package(api, (request.param,)))
    return importlib.import_module(f"{name}.{request.param}")


def nest(depth: int) -> str:
    return '{"inside":[' * depth + "{}" + "]}" * depth


def test_what_is_not_too_deep(trees: Any) -> None:
    text = nest(50)
    value = trees.loads(trees.Tree, text)
    assert json.loads(trees.dumps(value, trees.Tree)) == json.loads(text)
    (item,) = trees.streams.WatchTreesStream().feed(f"data: {text}\n\n".encode())
    assert json.loads(trees.dumps(item)) == json.loads(text)


def test_loads_takes_or_refuses(trees: Any) -> None:
    taken = [depth for depth in DEPTHS if loads(trees, depth) is not None]
    assert taken == DEPTHS[: len(taken)]
    assert 100 <= taken[-1] < 1000


def loads(trees: Any, depth: int) -> Any:
    try:
        return trees.loads(trees.Tree, nest(depth))
    except trees.DecodeError:
        return None


def test_feed_never_raises(trees: Any) -> None:
    stream = trees.streams.WatchTreesStream()
    for depth in DEPTHS:
        (item,) = stream.feed(f"data: {nest(depth)}\n\n".encode())
    assert type(item).__name__ == "InvalidEvent"
    assert stream.outcome.value == "open"


def test_what_is_accepted_can_be_written(trees: Any) -> None:
    for depth in DEPTHS:
        if (value := loads(trees, depth)) is not None:
            assert trees.dumps(value).decode() == nest(depth)


# Schemas inside schemas, and a value for each.


def objects(depth: int) -> tuple[Any, Any]:
    schema: Any = {"type": "string"}
    value: Any = "x"
    for _ in range(depth):
        schema = {"type": "object", "required": ["a"], "properties": {"a": schema}}
        value = {"a": value}
    return schema, value


def arrays(depth: int) -> tuple[Any, Any]:
    schema: Any = {"type": "string"}
    value: Any = "x"
    for _ in range(depth):
        schema, value = {"type": "array", "items": schema}, [value]
    return schema, value


def maps(depth: int) -> tuple[Any, Any]:
    schema: Any = {"type": "string"}
    value: Any = "x"
    for _ in range(depth):
        schema, value = {"type": "object", "additionalProperties": schema}, {"a": value}
    return schema, value


def conjunctions(depth: int) -> tuple[Any, Any]:
    schema: Any = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}
    for _ in range(depth):
        schema = {"allOf": [schema, {"required": ["a"]}]}
    return schema, {"a": "x"}


def unions(depth: int) -> tuple[Any, Any]:
    schema: Any = {"type": "string"}
    value: Any = "x"
    for _ in range(depth):
        holder = {"type": "object", "required": ["a"], "properties": {"a": schema}}
        schema, value = {"oneOf": [holder, {"type": "integer"}]}, {"a": value}
    return schema, value


def constants(depth: int) -> tuple[Any, Any]:
    value: Any = "x"
    for level in range(depth):
        value = [value] if level % 2 else {"a": value}
    return {"enum": [value, "y"]}, value


def document(schema: Any) -> str:
    """The text of a document with one schema; JSON is YAML too."""
    described = {"openapi": "3.1.0", "info": {"title": "Deep", "version": "1"}}
    return json.dumps({**described, "components": {"schemas": {"Deep": schema}}})


@deep
def write_document(path: Path, schema: Any) -> None:
    path.write_text(document(schema))


@pytest.mark.parametrize(
    ("nested", "depth", "suffix"),
    [
        (objects, 300, "yaml"),
        (arrays, 300, "yaml"),
        (maps, 300, "json"),
        (conjunctions, 300, "json"),
        (unions, 100, "json"),
        (constants, 100, "json"),
        (constants, 300, "json"),
    ],
)
def test_levels_of_schemas(nested: Any, depth: int, suffix: str, tmp_path: Path) -> None:
    schema, value = nested(depth)
    write_document(tmp_path / f"spec.{suffix}", schema)
    api = load_api(str(tmp_path / f"spec.{suffix}"), (), Diagnostics())
    with loaded(build_package(api, VARIANTS)) as name:
        for variant in VARIANTS:
            made = importlib.import_module(f"{name}.{variant}")
            read = made.loads(made.Deep, json.dumps(value))
            if variant == "pydantic" and nested is objects:
                continue  # it can, but takes half a minute to build each of the models apart
            assert json.loads(made.dumps(read, made.Deep)) == value


@pytest.mark.parametrize("suffix", ["json", "yaml"])
def test_an_error_far_inside_has_its_place(suffix: str, tmp_path: Path) -> None:
    schema, _ = arrays(800)
    write_document(tmp_path / f"spec.{suffix}", {**schema, "items": {"items": [schema, 1]}})
    assert "error SB203" in run(tmp_path / f"spec.{suffix}").diagnostics


@pytest.mark.parametrize("suffix", ["json", "yaml"])
@pytest.mark.parametrize("depth", [2_000, 100_000])
def test_a_document_too_deep_is_refused_where_it_is(
    depth: int, suffix: str, tmp_path: Path
) -> None:
    text = '{"openapi": "3.1.0", "components": ' + '{"a": [' * depth + "]}" * depth + "}"
    (tmp_path / f"spec.{suffix}").write_text(text)
    said = run(tmp_path / f"spec.{suffix}").diagnostics
    assert said.startswith(f"spec.{suffix}:1:")
    assert "error SB105 nested deeper than 900 levels" in said
