"""A body read event by event: bytes in as they come, what is told of them out.

The stream of the package is fed, and watched while it turns frames into items; nothing of it is
done here once more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, cast

from codegen.ir.api import Framing, StopData
from codegen.ir.types import DeclId, Ref
from codegen.recording.changes import find_changes
from codegen.recording.deviations import find_deviations
from codegen.recording.events import Deviation, Ending, Event, Kind, Role
from codegen.recording.package import Package
from codegen.recording.typed import describe
from codegen.recording.watching import count_frames, start_watched, wrap
from codegen.source.values import Json

# An event comes out of the read that ends it. Read to each byte that may end one, its place is
# known.
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_VALUE = re.compile(rb'[^\]},"\x1e\r\n]*(?:\r\n|[\]},"\x1e\r\n])|[^\]},"\x1e\r\n]+')
_PIECES = {
    Framing.SSE: _LINE,
    Framing.JSON_LINES: _LINE,
    Framing.MULTIPART: _LINE,
    Framing.JSON_SEQUENCE: _VALUE,
    Framing.JSON_ARRAY: _VALUE,
}
_ROLES = {
    "UnknownEvent": Role.UNKNOWN,
    "InvalidEvent": Role.INVALID,
    "StreamError": Role.ERROR,
}


class Reader:
    """Reads one body with a package that has the stream."""

    def __init__(self, package: Package) -> None:
        assert isinstance(package.stream.event, Ref), "an event is declared"
        self._package = package
        self._event: DeclId = package.stream.event.target
        self._stops = {it.text for it in package.stream.stop if isinstance(it, StopData)}
        self._pieces = _PIECES[package.stream.framing]
        self._stream = start_watched(package, self._watch)
        # What came since the last event, and where it starts.
        self._raw = bytearray()
        self._start = 0
        # Whether the end came before that of the input.
        self._is_over = False
        self._events: list[Event] = []
        self._last: Any = None
        self._snapshot: Json = {}

    def read(self, body: Iterable[bytes]) -> Iterator[Event]:
        """Yield the events of a body as its bytes come."""
        for data in body:
            yield from self.feed(data)
        yield from self.close()

    def feed(self, data: bytes) -> list[Event]:
        """Take the bytes of one read and return the events that they complete."""
        for piece in self._pieces.findall(data):
            self._raw += piece
            self._take(self._stream.feed(piece))
        return self._flush()

    def close(self) -> list[Event]:
        """Take the end of the body and return what it completes."""
        self._is_over = self._stream.outcome.value == "complete"
        self._take(self._stream.close())
        return self._flush()

    def end(self) -> Ending:
        """Tell how the body stands, or ended."""
        outcome = self._stream.outcome.value
        found: list[Deviation] = []
        if outcome == "truncated":
            found.append(self._disorder("a declared end", "the end of the input"))
        elif self._is_over and (more := count_frames(self._package, bytes(self._raw))):
            found.append(self._disorder("nothing after the end", f"{more} more"))
        return Ending(
            outcome=outcome,
            size=self._start + len(self._raw),
            snapshot=self._snapshot,
            missing=self._missing(),
            deviations=tuple(found),
        )

    def _watch(self, frame: Any, item: Any) -> None:
        """Note what became of an event."""
        self._last = item
        self._note(frame, item)

    def _take(self, items: list[Any]) -> None:
        """Note what is delivered without an event: one that is too large."""
        if items and items[-1] is not self._last and type(items[-1]).__name__ == "InvalidEvent":
            self._note(None, items[-1])

    def _flush(self) -> list[Event]:
        events, self._events = self._events, []
        return events

    def _note(self, frame: Any, item: Any) -> None:
        raw = bytes(self._raw)
        text = raw.lstrip(b"\r\n")
        offset = self._start + len(raw) - len(text)
        self._start += len(raw)
        self._raw.clear()
        role = self._role(frame, item)
        json = self._json(frame, item, role)
        before, self._snapshot = self._snapshot, self._show()
        self._events.append(
            Event(
                offset=offset,
                raw=text,
                # The end of a body is no event of the API, whatever its framing calls it.
                name="" if role in (Role.STOP, Role.CUT) else self._name(frame, item, json),
                role=role,
                json=json,
                typed=describe(item) if role is Role.TYPED else None,
                changes=tuple(find_changes(before, self._snapshot)),
                deviations=self._deviations(item, json, role),
            )
        )

    def _role(self, frame: Any, item: Any) -> Role:
        if item is not None:
            return _ROLES.get(type(item).__name__, Role.TYPED)
        if frame.data in self._stops:
            return Role.STOP
        return Role.PASSED if frame.complete else Role.CUT

    def _json(self, frame: Any, item: Any, role: Role) -> Json:
        match role:
            case Role.TYPED:
                return cast(Json, self._package.variant.to_json(item))
            case Role.UNKNOWN:
                return cast(Json, item.data)
            case Role.ERROR:
                return cast(Json, item.payload)
            case Role.INVALID | Role.PASSED if frame is not None:
                return self._wrap(frame)
            case _:
                return None

    def _wrap(self, frame: Any) -> Json:
        """The JSON of an event that the stream did not keep; None where it has none."""
        envelope = self._package.stream.envelope
        try:
            is_text = envelope and (envelope.is_text or frame.event in envelope.texts)
            data = frame.data if is_text else self._package.parse(frame.data)
        except (ValueError, RecursionError):
            return None
        return wrap(self._stream, data, envelope) if envelope else cast(Json, data)

    def _name(self, frame: Any, item: Any, json: Json) -> str:
        """What the event is called: by itself, else by its framing."""
        kinds = self._package.stream.kinds
        if type(item).__name__ == "UnknownEvent":
            return str(item.name)
        if kinds and kinds.field and isinstance(json, dict):
            named = json.get(kinds.field)
            if isinstance(named, str):
                return named
        return str(frame.event) if frame is not None else ""

    def _deviations(self, item: Any, json: Json, role: Role) -> tuple[Deviation, ...]:
        package, event = self._package, self._event
        match role:
            case Role.TYPED:
                return find_deviations(package, event, json, ())
            case Role.UNKNOWN:
                return (self._undeclared(item.name, json),)
            case Role.INVALID if json is None or package.errors(event, json):
                return find_deviations(package, event, json, item.errors)
            case Role.INVALID:
                problem = item.errors[0]
                kinds = package.stream.kinds
                name = self._name(None, item, json)
                if kinds and kinds.names and problem.found not in kinds.names and name:
                    return (self._undeclared(name, json),)
                return (self._disorder(problem.expected, problem.found),)
            case _:
                return ()

    def _undeclared(self, name: str, json: Json) -> Deviation:
        return Deviation(
            kind=Kind.EVENT,
            pointer="",
            place=self._package.decls[self._event].origin,
            name=name,
            value=json,
            expected="an event that the document lists",
        )

    def _disorder(self, expected: str, found: str) -> Deviation:
        place = self._package.stream.origin
        return Deviation(
            kind=Kind.ORDER, pointer="", place=place, name="", value=found, expected=expected
        )

    def _show(self) -> Json:
        if not hasattr(self._stream, "snapshot"):
            return {}
        return cast(Json, self._package.variant.to_json(self._stream.snapshot()))

    def _missing(self) -> tuple[str, ...]:
        if not hasattr(self._stream, "result"):
            return ()
        try:
            self._stream.result()
        except self._package.variant.DecodeError as error:
            return tuple(problem.pointer for problem in error.errors)
        return ()
