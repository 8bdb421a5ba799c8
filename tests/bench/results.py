"""What a run of the benchmark gives, and its JSON: `docs/benchmark.json`."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from tests.bench.measure import Figures


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A table: `rows` by label, each with figures by column; `floor` is the row that is 1.0."""

    title: str
    columns: tuple[str, ...]
    rows: dict[str, Figures]
    floor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """All tables of a run, and what has to be known to read them.

    `peers` are the versions of what we are compared with, and `left_out` says what was not
    measured, and why.
    """

    machine: str
    document: str | None
    peers: dict[str, str]
    left_out: tuple[str, ...]
    sections: dict[str, Section]

    def figure(self, section: str, row: str, column: str) -> float | None:
        """One figure; None where it was not measured."""
        table = self.sections.get(section)
        return None if table is None else table.rows.get(row, {}).get(column)


def format_results(results: Results) -> str:
    return json.dumps(_shorten(asdict(results)), indent=2) + "\n"


def parse_results(text: str) -> Results:
    data = json.loads(text)
    sections = {
        name: Section(**{**section, "columns": tuple(section["columns"])})
        for name, section in data["sections"].items()
    }
    return Results(**{**data, "left_out": tuple(data["left_out"]), "sections": sections})


def _shorten(value: Any) -> Any:
    """Nobody measures more than four digits."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {name: _shorten(member) for name, member in value.items()}
    return value
