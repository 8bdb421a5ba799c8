"""Data nested deeply, in a type that holds itself: refused at some depth, and nothing worse.

`feed` and `loads` meet it in what others sent, so a recursion error of Python's must never come
out of them; and what is accepted can be written back. Below the limit nothing is special.
"""

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codegen.diagnostics import Diagnostics
from codegen.emit.write import write_package
from codegen.pipeline import VARIANTS, build_package, load_api

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
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("trees")
    (folder / "spec.yaml").write_text(SPEC)
    api = load_api(str(folder / "spec.yaml"), (), Diagnostics())
    name = f"trees_as_{request.param}"
    files = build_package(api, (request.param,))
    write_package(Path(folder / name), files, Diagnostics())
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield importlib.import_module(f"{name}.{request.param}")


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
