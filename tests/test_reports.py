"""`reports.yaml`: what users ran into, and that a test of ours shows each.

The reports are not ours to ship: where the checkout has none beside it, only the tests that the
table names are checked.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support import ROOT

HERE = Path(__file__).parent
REPORTS = ROOT.parent / "shared/reports/reports.jsonl"
TABLE: dict[str, dict[str, dict[str, Any]]] = yaml.safe_load(
    (HERE / "reports.yaml").read_text("utf-8")
)
TESTED = {it: tests for group in TABLE.values() for it, tests in group["tested"].items()}


@pytest.mark.skipif(not REPORTS.exists(), reason="no reports beside the checkout")
@pytest.mark.parametrize("group", TABLE)
def test_every_report_of_a_group_is_in_the_table_once(group: str) -> None:
    reports = map(json.loads, REPORTS.read_bytes().splitlines())
    wanted = sorted(report["id"] for report in reports if report["group"] == group)
    assert sorted([*TABLE[group]["tested"], *TABLE[group]["not yet"]]) == wanted


def nodes(tests: list[str | dict[str, str]]) -> Iterator[str]:
    """The tests of a report as pytest names them; of a body, the one that says what comes of it."""
    for test in tests:
        if isinstance(test, str):
            yield test
        else:
            ((case, body),) = test.items()
            yield f"test_stream_cases.py::test_what_comes_of_a_body[{case}: {body}]"


def is_among(test: str, collected: list[str]) -> bool:
    """Whether a test was collected, with the parameter named last or with any."""
    function, _, parameter = test.partition("[")
    ends = (f"[{parameter}", f"-{parameter}") if parameter else ("",)
    return any(it.partition("[")[0] == function and it.endswith(ends) for it in collected)


def test_every_test_of_the_table_exists() -> None:
    assert all(TESTED.values())
    named = sorted({node for tests in TESTED.values() for node in nodes(tests)})
    files = sorted({node.partition("::")[0] for node in named})
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-n0", "-m", "", *files]
    done = subprocess.run(
        [*command, f"--rootdir={ROOT}", "-p", "no:cacheprovider"],
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    collected = [line.removeprefix("tests/") for line in done.stdout.splitlines()]
    assert [node for node in named if not is_among(node, collected)] == []
