"""A recorded body in a terminal: a line for each event, and indented what it changed.

In: events as they come, and how the body ended. Out: lines of at most a width. An event is told by
what it has that the one before it, of the same name, had not.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from codegen.inspection.notation import (
    clip,
    format_change,
    format_deviation,
    format_path,
    format_value,
)
from codegen.recording.events import Deviation, Effect, Ending, Event, Kind, Role
from codegen.recording.places import Locate
from codegen.recording.typed import Path, leaves
from codegen.report import Style, counted, escape, measure

_OFFSET, _INDENT, _PLACE = 9, 13, 32
_MOST_CHANGES = 8
_DIM, _BOLD, _RED, _GREEN, _YELLOW, _BLUE = "2", "1", "31", "32", "33", "36"
_COLORS = {
    Role.TYPED: _BOLD,
    Role.UNKNOWN: _YELLOW,
    Role.INVALID: _RED,
    Role.ERROR: _RED,
    Role.STOP: _BLUE,
    Role.PASSED: _DIM,
    Role.CUT: _RED,
}
_OUTCOMES = {"open": _YELLOW, "complete": _GREEN, "truncated": _RED, "failed": _RED}
_Place = tuple[str, str, Kind, str]


@dataclass(slots=True)
class Terminal:
    """Writes a view in `width` columns."""

    width: int
    style: Style
    locate: Locate
    only_deviations: bool = False
    names: tuple[str, ...] = ()
    name_width: int = 24
    _before: dict[str, dict[Path, object]] = field(default_factory=dict[str, dict[Path, object]])
    _roles: Counter[Role] = field(default_factory=Counter[Role])
    _found: dict[_Place, list[Deviation]] = field(default_factory=dict[_Place, list[Deviation]])

    def format_head(self, name: str, about: str) -> Iterator[str]:
        """What is read."""
        yield f"{self.style.paint(escape(name), _BOLD)}  {escape(about)}"
        yield ""

    def format_event(self, event: Event) -> Iterator[str]:
        """One event, unless it is not asked for."""
        self._roles[event.role] += 1
        for deviation in event.deviations:
            self._count(deviation)
        told = self._tell(event)
        if self.names and event.name not in self.names:
            return
        if self.only_deviations and not event.deviations:
            return
        yield self._line(event, told)
        if not self.only_deviations:
            yield from self._changes(event)
        for deviation in event.deviations:
            yield self._deviation(deviation)

    def format_ending(self, ending: Ending, *, is_over: bool) -> Iterator[str]:
        """The snapshot, how the body ended, and how many events it had."""
        for deviation in ending.deviations if is_over else ():
            self._count(deviation)
        yield from self._section("snapshot")
        for line in json.dumps(ending.snapshot, indent=2, ensure_ascii=False).splitlines():
            yield from self._wrap(line)
        yield from self._section("outcome")
        yield f"  {self.style.paint(ending.outcome, _OUTCOMES[ending.outcome])}"
        if is_over:
            for pointer in ending.missing:
                yield f"  the result lacks {escape(pointer)}"
            for deviation in ending.deviations:
                yield self.style.paint(f"  {format_deviation(deviation)}", _YELLOW)
        counts = [f"{self._roles[it]:,} {it.value}" for it in Role if self._roles[it]]
        total = sum(self._roles.values())
        yield f"  {counted(total, 'event')} in {counted(ending.size, 'byte')}"
        if len(counts) > 1:
            yield f"  {', '.join(counts)}"
        yield from self._summary()

    def _line(self, event: Event, told: str) -> str:
        offset = f"{event.offset:>{_OFFSET},}"
        name = clip(escape(event.name or event.role.value), self.width // 2)
        pad = " " * max(0, self.name_width - measure(name))
        rest = clip(told, max(0, self.width - _OFFSET - 4 - len(pad) - measure(name)))
        painted = self.style.paint(name, _COLORS[event.role])
        return f"{self.style.paint(offset, _DIM)}  {painted}{pad}  {rest}".rstrip()

    def _tell(self, event: Event) -> str:
        """What is new of an event."""
        match event.role:
            case Role.TYPED:
                now: dict[Path, object] = dict(leaves(event.typed))
                before = self._before.get(event.name, {})
                self._before[event.name] = now
                told = ((p, v) for p, v in leaves(event.typed) if v != event.name)
                new = ((p, v) for p, v in told if p not in before or before[p] != v)
                return ", ".join(f"{format_path(p)}={format_value(v)}" for p, v in new)
            case Role.STOP | Role.CUT:
                return escape(event.raw.decode("utf-8", "replace").strip())
            case Role.UNKNOWN | Role.INVALID | Role.ERROR | Role.PASSED:
                return f"{event.role.value}: {format_value(event.json)}"

    def _changes(self, event: Event) -> Iterator[str]:
        for change in event.changes[:_MOST_CHANGES]:
            line = clip(format_change(change), self.width - _INDENT)
            color = _RED if change.effect is Effect.REMOVED else _GREEN
            yield " " * _INDENT + self.style.paint(line, color)
        if (more := len(event.changes) - _MOST_CHANGES) > 0:
            yield " " * _INDENT + self.style.paint(f"and {counted(more, 'change')} more", _DIM)

    def _deviation(self, deviation: Deviation) -> str:
        line = clip(f"! {format_deviation(deviation)}", self.width - _INDENT)
        return " " * _INDENT + self.style.paint(line, _YELLOW)

    def _count(self, deviation: Deviation) -> None:
        place = deviation.place
        key = (place.document, place.pointer, deviation.kind, deviation.name)
        self._found.setdefault(key, []).append(deviation)

    def _summary(self) -> Iterator[str]:
        if not self._found:
            return
        yield from self._section("deviations")
        for (*_, name), found in self._found.items():
            first = found[0]
            count = f"{len(found):>{_OFFSET - 2},}"
            told = f"{first.kind.value}{f' {escape(name)}' if name else ''}"
            yield clip(f"  {count}  {told}", self.width)
            place = escape(self.locate(first.place))
            place = place if len(place) <= _PLACE else f"…{place[1 - _PLACE :]}"
            line = clip(f"{place}  {escape(first.place.pointer)}", self.width - _OFFSET - 2)
            yield " " * (_OFFSET + 2) + self.style.paint(line, _DIM)

    def _section(self, title: str) -> Iterator[str]:
        yield ""
        yield self.style.paint(title, _BOLD)

    def _wrap(self, line: str) -> Iterator[str]:
        """A line of JSON in several, each below where the first begins."""
        line = escape(line)
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        rest, room = line.lstrip(), self.width - len(indent)
        while measure(rest) > room > 20:
            cut = len(clip(rest, room)) - 1
            yield indent + rest[:cut]
            rest = rest[cut:]
        yield indent + rest
