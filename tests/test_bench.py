"""The benchmark runs, and the project shows what it gave. No time is asserted anywhere."""

from pathlib import Path
from unittest.mock import patch
from xml.etree import ElementTree

import pytest

from tests.bench.__main__ import main
from tests.bench.budgets import BUDGETS, Budget, Measure, judge, verdict_of
from tests.bench.picture import CHARTS, draw, figures_of
from tests.bench.plan import PEERS, TINY
from tests.bench.results import Results, Section, format_results, parse_results
from tests.bench.run import SECTIONS, run
from tests.bench.written import FIGURES, documents, replace_between
from tests.support import ROOT

DOCUMENT = ROOT / "tests/recorded/orders.yaml"
SHOWN = parse_results(FIGURES.read_text("utf-8"))


def results(**rows: float) -> Results:
    """Results with one section of one column."""
    section = Section(title="", columns=("us",), rows={row: {"us": it} for row, it in rows.items()})
    return Results(machine="", document=None, peers={}, left_out=(), sections={"streams": section})


def budget(measure: Measure, bound: float) -> Budget:
    return Budget(
        what="",
        section="streams",
        column="us",
        row="ours",
        beside=None if measure == "alone" else "theirs",
        measure=measure,
        bound=bound,
    )


@pytest.mark.parametrize("path", documents(SHOWN), ids=lambda path: path.name)
def test_what_is_shown_is_what_was_measured(path: Path) -> None:
    assert path.read_text("utf-8") == documents(SHOWN)[path]


def test_all_that_is_promised_is_measured_and_shown() -> None:
    assert SHOWN.sections.keys() == SECTIONS.keys()
    assert len(judge(SHOWN)) == len(BUDGETS)
    assert [len(figures_of(chart, SHOWN)) for chart in CHARTS] == [len(it.bars) for it in CHARTS]


def test_the_picture_is_xml_that_refers_to_nothing() -> None:
    picture = ElementTree.fromstring(draw(SHOWN))
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    names = {name for element in picture.iter() for name in element.attrib}
    assert not {name for name in names if "href" in name}


def test_results_come_back_from_their_json() -> None:
    made = results(ours=1.25, theirs=2.5)
    assert parse_results(format_results(made)) == made


@pytest.mark.parametrize(
    ("measure", "bound", "measured", "is_met"),
    [
        ("times", 0.5, "0.5x", True),
        ("times", 0.4, "0.5x", False),
        ("times faster", 2, "2x faster", True),
        ("times faster", 3, "2x faster", False),
        ("more", 0, "-3 us more", True),
        ("more", -4, "-3 us more", False),
        ("alone", 3, "3 us", True),
        ("alone", 2, "3 us", False),
    ],
)
def test_a_budget_is_met_or_not(
    measure: Measure, bound: float, measured: str, is_met: bool
) -> None:
    verdict = verdict_of(budget(measure, bound), results(ours=3, theirs=6))
    assert verdict is not None
    assert (verdict.measured, verdict.is_met) == (measured, is_met)


def test_nothing_is_said_of_what_was_not_measured() -> None:
    assert verdict_of(budget("times", 1), results(ours=1)) is None
    assert verdict_of(budget("times", 1), results(theirs=1)) is None


def test_a_text_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="marks"):
        replace_between("# A page", "| |")


@pytest.mark.checker
def test_every_section_runs(tmp_path: Path) -> None:
    said: list[str] = []
    made = run(SECTIONS, DOCUMENT, tmp_path, TINY, said.append)
    assert made.left_out == ()
    assert made.peers.keys() == {*PEERS.values()}
    assert made.sections.keys() == SECTIONS.keys()
    for name, section in made.sections.items():
        assert section.rows
        assert all(row.keys() <= {*section.columns} for row in section.rows.values())
        assert f"{name}: round 1 of 1: {next(iter(section.rows))}" in said
        assert section.floor is None or section.floor in section.rows


def test_what_is_not_there_is_left_out_and_named(tmp_path: Path) -> None:
    with patch("tests.bench.plan.find_spec", return_value=None):
        names = ("generation", "streams", "framing", "imports")
        made = run(names, None, tmp_path, TINY, lambda text: None)
    assert made.sections.keys() == {"streams", "framing", "imports"}
    assert made.peers == {}
    assert made.left_out == (
        *(f"{peer}, which is not installed" for peer in PEERS.values()),
        "generation, as there is no document",
        "imports, in part, as there is no document",
    )
    assert not [row for row in made.sections["streams"].rows if "openai" in row]


def test_what_is_no_section_and_no_document_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["streams", "nonsense.yaml"]) == 2
    assert capsys.readouterr().err == (
        "neither sections nor one document: nonsense.yaml\n"
        f"the sections are {', '.join(SECTIONS)}\n"
    )
