"""Every recorded body of the corpus, told by both commands with the document that it belongs to."""

from __future__ import annotations

from functools import cache
from itertools import groupby

import pytest

from codegen.conformance.findings import Witness, group
from codegen.conformance.report import format_json, format_markdown, format_text
from codegen.diagnostics import Diagnostics
from codegen.inspection.page import format_page
from codegen.inspection.terminal import Terminal
from codegen.ir.api import Api
from codegen.pipeline import load_api
from codegen.profiles import find_profiles
from codegen.recording.events import Role
from codegen.recording.package import Package, choose_stream, load_package
from codegen.recording.reading import Reading, start_reading
from codegen.report import Style, escape, measure
from tests.recordings.bodies import HERE, RECORDINGS, Recording, needs_corpus

DELIVERED = (Role.TYPED, Role.UNKNOWN, Role.INVALID)
WIDTH = 80


def reader(recording: Recording) -> tuple[str, str, str, str]:
    return recording.document, recording.profile, recording.overlay, recording.stream


GROUPS = [[*bodies] for _, bodies in groupby(sorted(RECORDINGS, key=reader), reader)]


@cache
def load(document: str, profile: str, overlay: str) -> Api:
    recording = next(it for it in RECORDINGS if reader(it)[:3] == (document, profile, overlay))
    diagnostics = Diagnostics()
    overlays = [*find_profiles((profile,), diagnostics)] if profile else []
    if overlay:
        overlays.append(HERE / "documents" / overlay)
    return load_api(str(recording.spec()), tuple(overlays), diagnostics)


@needs_corpus
@pytest.mark.parametrize(
    "bodies", GROUPS, ids=lambda bodies: "-".join(filter(None, reader(bodies[0])))
)
def test_bodies(bodies: list[Recording]) -> None:
    """Each event is told once, where its bytes are; the ends are those of the table."""
    api = load(*reader(bodies[0])[:3])
    diagnostics = Diagnostics()
    stream = choose_stream(api, bodies[0].stream, diagnostics)
    with load_package(api, stream, diagnostics) as package:
        for recording in bodies:
            check(recording, package)
            shown(recording, start_reading(package, [recording.body()], redact=True))


def check(recording: Recording, package: Package) -> None:
    body = recording.body()
    reading = start_reading(package, [body], redact=False)
    events = [*reading.events()]
    assert all(body[it.offset :].startswith(it.raw) for it in events)
    assert [it.offset for it in events] == sorted({it.offset for it in events})
    assert sum(it.role in DELIVERED for it in events) == recording.events
    ending = reading.end()
    assert (ending.outcome, ending.missing) == (recording.outcome, recording.missing)


def shown(recording: Recording, reading: Reading) -> None:
    """What is shown fits the terminal, and acts on none."""
    terminal = Terminal(width=WIDTH, style=Style(False), locate=lambda origin: origin.document)
    events = [*reading.events()]
    lines = [line for event in events for line in terminal.format_event(event)]
    lines += terminal.format_ending(reading.end(), is_over=True)
    assert max(map(measure, lines)) <= WIDTH
    assert all(escape(line) == line for line in lines)
    assert format_page("", "", events, reading.end(), lambda origin: origin.document)
    witnesses = (
        Witness(recording.file, it.offset, found) for it in events for found in it.deviations
    )
    findings = group(witnesses)
    locate = terminal.locate
    assert all(escape(it) == it for it in format_text(findings, locate, Style(False)))
    assert len([*format_markdown(findings, locate)]) == len(findings) + 2
    assert format_json(findings, locate)
