"""What a document may ask for: each bound at its last good value, and one past it with its error.

Bounds of the text alone (depth, aliases, digits) are tried where documents are read, in `unit/`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen.diagnostics import Diagnostics
from codegen.passes.break_alias_cycles import MAX_STEPS
from codegen.pipeline import load_api
from tests.support import Outcome, run


def write(schemas: dict[str, Any], folder: Path) -> Path:
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Bounds", "version": "1"},
        "paths": {},
        "components": {"schemas": schemas},
    }
    (folder / "spec.json").write_text(json.dumps(document))
    return folder / "spec.json"


def generate(schemas: dict[str, Any], folder: Path) -> Outcome:
    return run(write(schemas, folder))


def refer(number: int) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/S{number}"}


def aliases(count: int) -> dict[str, Any]:
    """So many schemas that stand for each other in a chain, the last for a string."""
    chain = {f"S{number}": refer(number + 1) for number in range(count - 1)}
    return {**chain, f"S{count - 1}": {"type": "string"}}


@pytest.mark.parametrize("order", [1, -1])
def test_a_chain_of_aliases(order: int, tmp_path: Path) -> None:
    assert generate(dict([*aliases(MAX_STEPS).items()][::order]), tmp_path).files
    refused = generate(dict([*aliases(MAX_STEPS + 1).items()][::order]), tmp_path)
    assert refused.files == {}
    message = "error SB105 more than 100 schemas stand for each other from here on"
    assert f"{message} [#/components/schemas/S0]" in refused.diagnostics


def doubling(levels: int) -> dict[str, Any]:
    """So many unions, each of which says the next one in two ways."""
    ways = [
        [{"allOf": [refer(n + 1), {"required": [way]}]} for way in ("a", "b")]
        for n in range(levels)
    ]
    unions = {f"S{number}": {"anyOf": members} for number, members in enumerate(ways)}
    return {**unions, f"S{levels}": {"type": "object", "properties": {"a": {"type": "string"}}}}


def test_unions_of_unions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codegen.openapi.schema.MAX_READS", 2_000)
    assert generate(doubling(4), tmp_path).files
    refused = generate(doubling(25), tmp_path)
    assert refused.files == {}
    message = "error SB105 by here, schemas combine to more than 2,000 types"
    assert f"{message} [#/components/schemas/S" in refused.diagnostics


def test_a_chain_of_objects_has_no_bound(tmp_path: Path) -> None:
    chain = {f"S{n}": {"type": "object", "properties": {"next": refer(n + 1)}} for n in range(1500)}
    spec = write({**chain, "S1500": {"type": "object"}}, tmp_path)
    api = load_api(str(spec), (), Diagnostics())
    assert len(api.decls) == 1501
