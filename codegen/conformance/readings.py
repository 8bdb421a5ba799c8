"""Recordings read with the package that a document gives."""

from __future__ import annotations

from dataclasses import dataclass

from codegen.conformance.findings import Finding, Witness, group
from codegen.conformance.rules import Rules
from codegen.diagnostics import Diagnostics
from codegen.ir.api import Api
from codegen.recording.body import read_body
from codegen.recording.package import choose_stream, load_package
from codegen.recording.reading import start_reading


@dataclass(frozen=True, slots=True)
class Readings:
    """What recordings of one stream deviate in, and the stream as the document has it."""

    findings: tuple[Finding, ...]
    rules: Rules


def read_recordings(
    api: Api,
    recordings: tuple[str, ...],
    stream: str | None,
    diagnostics: Diagnostics,
    *,
    redact: bool,
) -> Readings:
    """Read each recording from its start; raises Refused after SB621 to SB623."""
    chosen = choose_stream(api, stream, diagnostics)
    witnesses: list[Witness] = []
    with load_package(api, chosen, diagnostics) as package:
        for recording in recordings:
            reading = start_reading(package, read_body(recording, diagnostics), redact=redact)
            for event in reading.events():
                witnesses += (Witness(recording, event.offset, it) for it in event.deviations)
            ending = reading.end()
            witnesses += (Witness(recording, ending.size, it) for it in ending.deviations)
        return Readings(group(witnesses), Rules(package.stream, package.decls))
