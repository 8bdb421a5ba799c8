"""Deviations of several recordings, grouped by their place in the schema."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from codegen.diagnostics import Origin
from codegen.ir.types import DeclId
from codegen.recording.events import Deviation, Kind
from codegen.source.values import Json


@dataclass(frozen=True, slots=True)
class Witness:
    """A deviation, and the event it is of: where it starts in which recording."""

    recording: str
    offset: int
    deviation: Deviation


@dataclass(frozen=True, slots=True)
class Finding:
    """All deviations of one kind at one place, in the order they came."""

    witnesses: tuple[Witness, ...]

    @property
    def first(self) -> Deviation:
        return self.witnesses[0].deviation

    @property
    def kind(self) -> Kind:
        return self.first.kind

    @property
    def place(self) -> Origin:
        return self.first.place

    @property
    def name(self) -> str:
        return self.first.name

    @property
    def owner(self) -> DeclId | None:
        return self.first.owner

    @property
    def values(self) -> tuple[Json, ...]:
        """What was there, each time."""
        return tuple(witness.deviation.value for witness in self.witnesses)

    @property
    def recordings(self) -> tuple[str, ...]:
        """Those that hold a witness, each once."""
        return tuple(dict.fromkeys(witness.recording for witness in self.witnesses))


def group(witnesses: Iterable[Witness]) -> tuple[Finding, ...]:
    """The findings, in the order of their first witnesses."""
    groups: dict[tuple[str, str, Kind, str, str | None], list[Witness]] = {}
    for witness in witnesses:
        it = witness.deviation
        key = (it.place.document, it.place.pointer, it.kind, it.name, it.owner)
        groups.setdefault(key, []).append(witness)
    return tuple(Finding(tuple(found)) for found in groups.values())
