"""Streams of JSON texts: one a line, a record, an item of an array, a part.

`on_invalid` says what `iter` and `aiter` do with an event that is not what its type
says: raise `DecodeError`, or deliver an `InvalidEvent` in its place. An event of more
than `max_event_size` bytes is an error. `parse` reads JSON text in place of the
standard library, faster if it is `orjson.loads` or `msgspec.json.decode`, and to the
same end: what it refuses or cannot hold, the standard library reads.
"""

from __future__ import annotations

from typing import ClassVar

from . import multipart
from .framing import MAX_EVENT_SIZE
from .json_array import JsonArrayDecoder
from .json_lines import JsonLinesDecoder
from .json_sequence import JsonSequenceDecoder
from .stream import E, OnInvalid, Parser, TypedStream


class JsonLinesStream(TypedStream[E]):
    """Reads JSON lines."""

    def __init__(
        self,
        *,
        on_invalid: OnInvalid = "raise",
        max_event_size: int = MAX_EVENT_SIZE,
        parse: Parser | None = None,
    ) -> None:
        lines = JsonLinesDecoder(max_event_size=max_event_size)
        super().__init__(lines, on_invalid, parse)


class JsonSequenceStream(TypedStream[E]):
    """Reads the records of a JSON text sequence (RFC 7464)."""

    def __init__(
        self,
        *,
        on_invalid: OnInvalid = "raise",
        max_event_size: int = MAX_EVENT_SIZE,
        parse: Parser | None = None,
    ) -> None:
        records = JsonSequenceDecoder(max_event_size=max_event_size)
        super().__init__(records, on_invalid, parse)


class JsonArrayStream(TypedStream[E]):
    """Reads the items of one JSON array as they come."""

    def __init__(
        self,
        *,
        on_invalid: OnInvalid = "raise",
        max_event_size: int = MAX_EVENT_SIZE,
        parse: Parser | None = None,
    ) -> None:
        self._array = JsonArrayDecoder(max_event_size=max_event_size)
        super().__init__(self._array, on_invalid, parse)

    def _has_ended(self) -> bool:
        return self._array.ended


class MultipartStream(TypedStream[E]):
    """Reads the parts of a multipart body as they come.

    `boundary` is that of the Content-Type header; without it, the first line that
    starts with `--` says it.
    """

    BOUNDARY: ClassVar[str] = multipart.BOUNDARY
    """What a Content-Type header has to say of parts that `encode` wrote."""

    def __init__(
        self,
        *,
        boundary: str = "",
        on_invalid: OnInvalid = "raise",
        max_event_size: int = MAX_EVENT_SIZE,
        parse: Parser | None = None,
    ) -> None:
        self._parts = multipart.MultipartDecoder(
            boundary=boundary, max_event_size=max_event_size
        )
        super().__init__(self._parts, on_invalid, parse)

    def _has_ended(self) -> bool:
        return self._parts.ended
