"""Results as a picture: bars, ours in blue. Its colours are readable on white and on black."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from tests.bench import generation, imports, streams
from tests.bench.budgets import number
from tests.bench.results import Results

WIDTH, LEFT, ROW, BAR = 860, 330, 24, 13
OURS, OTHERS, TEXT = "#2f81f7", "#8b949e", "#6e7781"
FONT = "13px -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    label: str
    row: str
    is_ours: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Rows of one column of a section, under labels of their own."""

    title: str
    section: str
    column: str
    bars: tuple[Bar, ...]


CHARTS = (
    Chart(
        title="Generate the OpenAI document, three variants: seconds",
        section="generation",
        column="s",
        bars=(
            Bar(label="streambind", row=generation.COLD, is_ours=True),
            Bar(label="streambind, nothing to do", row=generation.IDLE, is_ours=True),
            Bar(label="datamodel-code-generator", row=generation.TOTAL),
            Bar(label="openapi-python-client", row="openapi-python-client"),
        ),
    ),
    Chart(
        title="Read a chunk of a chat, through an HTTP client: microseconds",
        section="streams",
        column="us",
        bars=(
            *(
                Bar(label=f"streambind, {name}", row=streams.THROUGH.format(name), is_ours=True)
                for name in ("typeddicts", "dataclasses", "pydantic")
            ),
            Bar(label="openai, iterate alone", row=streams.ITERATE),
            Bar(label="openai, .stream()", row=streams.ACCUMULATE),
        ),
    ),
    Chart(
        title="Import one type of chunk: milliseconds",
        section="imports",
        column="ms",
        bars=(
            *(
                Bar(label=f"streambind, {name}", row=imports.ONE.format(name), is_ours=True)
                for name in ("typeddicts", "dataclasses", "pydantic")
            ),
            Bar(label="pydantic itself", row=imports.PYDANTIC),
            Bar(
                label="datamodel-code-generator, dataclasses",
                row=imports.PEER.format("dataclasses"),
            ),
            Bar(label="openai", row=imports.OPENAI),
        ),
    ),
)


def draw(results: Results) -> str:
    """An SVG with all charts, one below the other."""
    parts: list[str] = []
    top = 0
    for chart in CHARTS:
        figures = figures_of(chart, results)
        parts += [heading(chart.title, top + 18), *bars(figures, top + 32)]
        top += 32 + ROW * len(figures) + 18
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" role="img">'
    style = f"text {{ font: {FONT}; fill: {TEXT} }} .title {{ font-weight: 600 }}"
    lines = [head, "<title>What streambind costs, beside others</title>", f"<style>{style}</style>"]
    return "\n".join([*lines, *parts, "</svg>", ""])


def figures_of(chart: Chart, results: Results) -> list[tuple[Bar, float]]:
    found = ((bar, results.figure(chart.section, bar.row, chart.column)) for bar in chart.bars)
    return [(bar, figure) for bar, figure in found if figure is not None]


def heading(title: str, y: int) -> str:
    return f'<text class="title" x="0" y="{y}">{escape(title)}</text>'


def bars(figures: list[tuple[Bar, float]], top: int) -> list[str]:
    """A label, a bar as long as its share of the longest, and the figure."""
    most = max(figure for _, figure in figures)
    lines: list[str] = []
    for index, (bar, figure) in enumerate(figures):
        y = top + ROW * index
        length = max(1.0, figure / most * (WIDTH - LEFT - 70))
        color = OURS if bar.is_ours else OTHERS
        at = f'x="{LEFT}" y="{y}" width="{length:.1f}" height="{BAR}"'
        lines += [
            f'<text x="{LEFT - 12}" y="{y + 11}" text-anchor="end">{escape(bar.label)}</text>',
            f'<rect {at} rx="2" fill="{color}"/>',
            f'<text x="{LEFT + length + 8:.1f}" y="{y + 11}">{number(figure)}</text>',
        ]
    return lines
