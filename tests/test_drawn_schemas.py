"""Schemas drawn at random: a value is right or wrong for all variants as it is for JSON Schema."""

from __future__ import annotations

import json
import os
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import given as for_all

from codegen.loading import loaded
from tests.instances import Values, near
from tests.schemas import NAMED, schemas
from tests.support import VARIANTS, run
from tests.verdicts import document, judge, judge_of, meant

COUNT = int(os.environ.get("STREAMBIND_SCHEMAS", "100"))
BATCH = 50
VALUES = 8
"""How many schemas are drawn, how many of them stand in one document, and the values of each."""

drawing = partial(
    settings,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@cache
def draw_schemas() -> list[Any]:
    """Different schemas, each as a member of an object: the name of a class does not mean null."""
    found: dict[str, Any] = {}

    @drawing(max_examples=COUNT * 2, phases=[Phase.generate])
    @for_all(schema=schemas())
    def collect(schema: dict[str, Any]) -> None:
        found.setdefault(json.dumps(schema, sort_keys=True), schema)

    collect()
    held = [*found.values()][:COUNT]
    return [{"type": "object", "required": ["v"], "properties": {"v": it}} for it in held]


@pytest.mark.parametrize("start", range(0, COUNT, BATCH))
def test_drawn_schemas(start: int, tmp_path: Path) -> None:
    drawn = {f"s{start + n}": it for n, it in enumerate(draw_schemas()[start : start + BATCH])}
    assert drawn
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps(document(NAMED | drawn)), "utf-8")
    outcome = run(spec)
    assert outcome.files, outcome.diagnostics
    names = json.loads(outcome.files["manifest.json"])["schemas"]
    wanted = {name: meant(it) for name, it in (NAMED | drawn).items()}
    with loaded(outcome.files) as package:
        variants = [import_module(f"{package}.{it}") for it in VARIANTS]
        for name in drawn:
            compare(names[name], near(wanted[name], wanted), judge_of(name, wanted), variants)


def compare(exported: str, values: Values, wanted: Any, variants: list[Any]) -> None:
    @drawing(max_examples=VALUES)
    @for_all(value=values)
    def agree(value: Any) -> None:
        found = [judge(it, exported, json.dumps(value)) for it in variants]
        assert found.count(found[0]) == len(found)
        assert (found[0] is None) == wanted.is_valid(value)

    agree()
