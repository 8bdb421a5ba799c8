"""How things are measured: they take turns, round after round, and the best of each counts.

What else the machine does disturbs all of them alike then. So compare the ratios of one run, not
the times of two.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from timeit import timeit
from typing import TypeAlias

Figures: TypeAlias = dict[str, float]
"""What was measured, by the column of the table it stands in."""
Tell: TypeAlias = Callable[[str], None]

CHILD = Path(__file__).with_name("child.py")


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing that is measured, and how that is done once."""

    label: str
    measure: Callable[[], Figures]


def take_turns(subjects: Sequence[Subject], rounds: int, tell: Tell) -> dict[str, Figures]:
    """Measure each subject so many times; the least of every figure, by label."""
    best: dict[str, Figures] = {subject.label: {} for subject in subjects}
    for number in range(rounds):
        for subject in subjects:
            tell(f"round {number + 1} of {rounds}: {subject.label}")
            row = best[subject.label]
            for column, figure in subject.measure().items():
                row[column] = min(row.get(column, figure), figure)
    return best


def per_item(label: str, run: Callable[[], object], count: int) -> Subject:
    """What `run` costs for each of its `count` items, in microseconds of the processor."""
    return Subject(label, lambda: {"us": timeit(run, timer=process_time, number=1) / count * 1e6})


def command(label: str, arguments: Sequence[str], folder: Path, returns: int | None = 0) -> Subject:
    """What a program costs from its start to its end: seconds, those of the processor, and MB.

    Fails where the program ends with another exit status than `returns`, if that is told.
    """
    return Subject(label, lambda: run_command(arguments, folder, returns))


def run_command(arguments: Sequence[str], folder: Path, returns: int | None = 0) -> Figures:
    launcher = [sys.executable, "-S", str(CHILD), *arguments]
    done = subprocess.run(launcher, cwd=folder, capture_output=True, text=True, check=True)
    figures: Figures = json.loads(done.stdout)
    status = figures.pop("status")
    if returns is not None and status != returns:
        raise RuntimeError(f"{' '.join(arguments)} ended with {status:.0f}: {done.stderr[-2000:]}")
    return figures
