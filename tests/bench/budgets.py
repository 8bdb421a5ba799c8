"""What is promised of speed, as sentences about the rows of the tables, and whether it holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tests.bench import checkers, generation, growth, imports, streams
from tests.bench.plan import FULL, VARIANTS
from tests.bench.results import Results

Measure: TypeAlias = Literal["times", "times faster", "more", "alone"]
"""A multiple of what is beside, how many times less than that, what is more than it, or neither."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    what: str
    section: str
    column: str
    row: str
    beside: str | None = None
    measure: Measure
    bound: float
    least: str | None = None
    """The row of what does less than we do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a run says of a budget, as the cells of a table."""

    what: str
    figure: str
    beside: str
    measured: str
    least: str
    budget: str
    is_met: bool


BUDGETS = (
    Budget(
        what="three variants generated",
        section="generation",
        column="s",
        row=generation.COLD,
        beside=generation.TOTAL,
        measure="times faster",
        bound=20,
    ),
    Budget(
        what="the same, its memory",
        section="generation",
        column="MB",
        row=generation.COLD,
        beside=generation.one_run("typeddicts"),
        measure="times",
        bound=1,
    ),
    Budget(
        what="the same, nothing to do",
        section="generation",
        column="s",
        row=generation.IDLE,
        measure="alone",
        bound=0.2,
    ),
    Budget(
        what="bytes to a dataclass",
        section="streams",
        column="us",
        row=streams.DECODE.format("dataclasses"),
        beside=streams.FLOOR,
        measure="times",
        bound=1.5,
        least=streams.HAND.format("json.loads"),
    ),
    Budget(
        what="the same, and accumulated",
        section="streams",
        column="us",
        row=streams.FEED.format("dataclasses"),
        beside=streams.DECODE.format("dataclasses"),
        measure="more",
        bound=1,
    ),
    Budget(
        what="bytes to a TypedDict",
        section="streams",
        column="us",
        row=streams.DECODE.format("typeddicts"),
        beside=streams.DECODE.format("dataclasses"),
        measure="times",
        bound=1,
    ),
    Budget(
        what="bytes to a pydantic model",
        section="streams",
        column="us",
        row=streams.DECODE.format("pydantic"),
        beside=streams.VALIDATE,
        measure="times",
        bound=1.5,
    ),
    Budget(
        what="bytes to a dataclass, accumulated, by orjson.loads",
        section="streams",
        column="us",
        row=streams.FEED_ORJSON.format("dataclasses"),
        beside=streams.ORJSON,
        measure="times",
        bound=3,
        least=streams.HAND.format("orjson.loads"),
    ),
    Budget(
        what="a stream through an HTTP client",
        section="streams",
        column="us",
        row=streams.THROUGH.format("dataclasses"),
        beside=streams.ITERATE,
        measure="times faster",
        bound=18,
        least=streams.THROUGH_HAND,
    ),
    Budget(
        what="the same, and accumulated",
        section="streams",
        column="us",
        row=streams.THROUGH.format("dataclasses"),
        beside=streams.ACCUMULATE,
        measure="times faster",
        bound=30,
        least=streams.THROUGH_HAND,
    ),
    Budget(
        what="a chunk of many, and of few",
        section="growth-of-streams",
        column="us",
        row=growth.TEXT.format(FULL.growth[-1]),
        beside=growth.TEXT.format(FULL.growth[0]),
        measure="times",
        bound=1.1,
    ),
    *(
        Budget(
            what=f"import of one type of chunk, {variant}",
            section="imports",
            column="ms",
            row=imports.ONE.format(variant),
            beside=imports.PYDANTIC if variant == "pydantic" else imports.BARE,
            measure="more",
            bound=30,
            least=imports.MODEL if variant == "pydantic" else None,
        )
        for variant in VARIANTS
    ),
    *(
        Budget(
            what=f"mypy over one variant, {variant}",
            section="checkers",
            column="cpu s",
            row=checkers.OURS.format("mypy", variant),
            beside=checkers.PEER.format("mypy", variant),
            measure="times",
            bound=1,
            least=checkers.MODULES,
        )
        for variant in VARIANTS
    ),
)


def judge(results: Results) -> list[Verdict]:
    """A verdict for each budget that the run measured."""
    return [verdict for budget in BUDGETS if (verdict := verdict_of(budget, results)) is not None]


def verdict_of(budget: Budget, results: Results) -> Verdict | None:
    figure, beside, least = (
        0.0 if row is None else results.figure(budget.section, row, budget.column)
        for row in (budget.row, budget.beside, budget.least)
    )
    if figure is None or beside is None:
        return None
    unit = budget.column.removeprefix("cpu ")
    measured, ending = compare(budget, figure, beside, unit)
    is_least = budget.measure == "times faster"
    return Verdict(
        what=budget.what,
        figure=f"{number(figure)} {unit}",
        beside=f"{budget.beside}: {number(beside)} {unit}" if budget.beside else "",
        measured=f"{number(measured)}{ending}",
        least=f"{number(compare(budget, least, beside, unit)[0])}{ending}" if least else "",
        budget=f"at {'least' if is_least else 'most'} {budget.bound:g}{ending}",
        is_met=measured >= budget.bound if is_least else measured <= budget.bound,
    )


def compare(budget: Budget, figure: float, beside: float, unit: str) -> tuple[float, str]:
    """What counts, and what it is counted in."""
    match budget.measure:
        case "times":
            return figure / beside, "x"
        case "times faster":
            return beside / figure, "x faster"
        case "more":
            return figure - beside, f" {unit} more"
        case "alone":
            return figure, f" {unit}"


def number(figure: float) -> str:
    """Three digits, or all that stand before the point."""
    return f"{figure:,.0f}" if abs(figure) >= 100 else f"{figure:.3g}"
