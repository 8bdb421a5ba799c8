"""All sections, one after the other, into one set of results."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path

from tests.bench import checkers, framing, generation, growth, imports, streams
from tests.bench.measure import Tell
from tests.bench.plan import PEERS, Effort, Plan, has
from tests.bench.results import Results, Section

SECTIONS: dict[str, Callable[[Plan], Section | None]] = {
    "generation": generation.measure,
    "streams": streams.measure,
    "framing": framing.measure,
    "imports": imports.measure,
    "checkers": checkers.measure,
    "growth-of-streams": growth.measure_streams,
    "growth-of-events": growth.measure_events,
    "growth-of-documents": growth.measure_documents,
}


# What is left out without a document, or does without what peers make of it.
NEED_DOCUMENT = {"generation", "imports", "checkers"}


def run(
    names: Iterable[str], document: Path | None, folder: Path, effort: Effort, tell: Tell
) -> Results:
    """Measure these sections. `folder` is an empty one to work in."""
    made: dict[str, Section | None] = {}
    for name in names:
        tell_of = partial(_tell_of, name, tell)
        plan = Plan(folder=folder, document=document, effort=effort, tell=tell_of)
        made[name] = SECTIONS[name](plan)
    return Results(
        machine=machine(),
        document=None if document is None else document.name,
        peers={name: version(name) for peer, name in PEERS.items() if has(peer)},
        left_out=(*left_out(made, document),),
        sections={name: section for name, section in made.items() if section is not None},
    )


def _tell_of(name: str, tell: Tell, text: str) -> None:
    tell(f"{name}: {text}")


def left_out(made: dict[str, Section | None], document: Path | None) -> Iterator[str]:
    for peer, name in PEERS.items():
        if not has(peer):
            yield f"{name}, which is not installed"
    if document is None:
        for name in sorted(NEED_DOCUMENT & made.keys()):
            yield f"{name}{', in part' if made[name] else ''}, as there is no document"


def machine() -> str:
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, {python}"
