"""Results as tables: for a terminal, and in Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from tests.bench.budgets import Verdict, judge, number
from tests.bench.results import Results, Section

Table = list[list[str]]


def format_tables(results: Results) -> str:
    """All tables, for a terminal."""
    parts = [_about(results)]
    for section in results.sections.values():
        parts.append("\n".join([section.title, *_lines(section_table(section))]))
    if len(budgets := budget_table(results)) > 1:
        parts.append("\n".join(["budgets", *_lines(budgets)]))
    return "\n\n".join(parts)


def format_page(results: Results) -> str:
    """The body of `docs/benchmark.md`: all tables, in Markdown."""
    tables = (
        f"## {section.title[0].upper()}{section.title[1:]}\n\n"
        + "\n".join(_markdown(section_table(section)))
        for section in results.sections.values()
    )
    return "\n\n".join([_about(results), *tables])


def format_budgets(results: Results) -> str:
    """The table of the README, in Markdown."""
    table = "\n".join(_markdown(budget_table(results)))
    return f"{table}\n\nMeasured on {results.machine}."


def section_table(section: Section) -> Table:
    """A header and the rows; the last column compares with the row that is the floor."""
    head = ["", *section.columns]
    first = section.columns[0]
    floor = section.rows[section.floor][first] if section.floor else None
    rows = [
        [label, *(number(row[column]) if column in row else "" for column in section.columns)]
        for label, row in section.rows.items()
    ]
    if floor is None:
        return [head, *rows]
    ratios = (row[first] / floor for row in section.rows.values())
    compared = ([*row, f"{ratio:.2f}x"] for row, ratio in zip(rows, ratios, strict=True))
    return [[*head, "compared"], *compared]


def budget_table(results: Results) -> Table:
    """A header and the budgets, each with what is beside it in the same row."""
    head = ["", "streambind", "beside", "measured", "by hand", "budget", "met"]
    rows = (
        [it.what, it.figure, it.beside, it.measured, it.least, it.budget, _met(it)]
        for it in judge(results)
    )
    return [head, *rows]


def _met(verdict: Verdict) -> str:
    return "yes" if verdict.is_met else "no"


def _about(results: Results) -> str:
    peers = ", ".join(f"{name} {version}" for name, version in results.peers.items())
    lines = [f"Measured on {results.machine}.", f"Beside {peers}."]
    lines += [f"Left out: {it}." for it in results.left_out]
    return "\n".join(lines)


def _lines(table: Table) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for first, *others in table:
        cells = zip(others, widths[1:], strict=True)
        yield "  ".join([f"  {first:<{widths[0]}}", *(f"{it:>{width}}" for it, width in cells)])


def _markdown(table: Table) -> Iterator[str]:
    head, *rows = table
    rule = ["---", *("---:" for _ in head[1:])]
    for row in chain([head, rule], rows):
        yield f"| {' | '.join(row)} |"
