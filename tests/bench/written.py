"""What `make bench` writes into the project: figures, a page, a picture and the README's table."""

from __future__ import annotations

from pathlib import Path

from tests.bench.picture import draw
from tests.bench.results import Results, format_results, parse_results
from tests.bench.tables import format_budgets, format_page
from tests.support import ROOT

README = ROOT / "README.md"
DOCS = ROOT / "docs"
FIGURES = DOCS / "benchmark.json"
BEGIN = "<!-- made by `make bench`, from here -->\n"
END = "<!-- to here -->\n"


def write_docs(results: Results) -> None:
    # As the figures are read again, which have fewer digits.
    shown = parse_results(format_results(results))
    for path, text in documents(shown).items():
        path.write_text(text, "utf-8")


def documents(results: Results) -> dict[Path, str]:
    """The files as these results make them."""
    page = DOCS / "benchmark.md"
    return {
        FIGURES: format_results(results),
        DOCS / "benchmark.svg": draw(results),
        page: replace_between(page.read_text("utf-8"), format_page(results)),
        README: replace_between(README.read_text("utf-8"), format_budgets(results)),
    }


def replace_between(text: str, made: str) -> str:
    """A text with what stands between the marks replaced."""
    before, _, rest = text.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise ValueError(f"the marks {BEGIN.strip()} and {END.strip()} are missing")
    return f"{before}{BEGIN}\n{made}\n\n{END}{after}"
