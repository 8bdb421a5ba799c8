"""One body, read from its start: as it came, or with neutral texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from codegen.recording.events import Ending, Event
from codegen.recording.package import Package
from codegen.recording.reader import Reader
from codegen.recording.redaction import Redaction


@dataclass(frozen=True, slots=True)
class Reading:
    """The events of a body, which is read while they are asked for, and how it ended."""

    reader: Reader
    body: Iterable[bytes]
    redaction: Redaction | None

    def events(self) -> Iterator[Event]:
        """Yield the events as their bytes come."""
        for event in self.reader.read(self.body):
            yield self.redaction.event(event) if self.redaction else event

    def end(self) -> Ending:
        """Tell how the body stands, or ended."""
        ending = self.reader.end()
        return self.redaction.ending(ending) if self.redaction else ending


def start_reading(package: Package, body: Iterable[bytes], *, redact: bool) -> Reading:
    """The reading of a body by the package of its stream."""
    return Reading(Reader(package), body, Redaction(package) if redact else None)
