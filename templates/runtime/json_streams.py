"""Streams of JSON texts: one a line, a record, an item of an array, a part.

`on_invalid` says what `iter` and `aiter` do with an event that is not what its type
says: raise `DecodeError`, or deliver an `InvalidEvent` in its place. An event of more
than `max_event_size` bytes is an error.
"""

from __future__ import annotations

from typing import ClassVar

from . import multipart
from .framing import MAX_EVENT_SIZE
from .json_array import JsonArrayDecoder
from .json_lines import JsonLinesDecoder
from .json_sequence import JsonSequenceDecoder
from .stream import E, OnInvalid, TypedStream


class JsonLinesStream(TypedStream[E]):
    """Reads JSON lines."""

    def __init__(
        self,
        *,
        on_invalid: OnInvalid = "raise",
        max_event_size: int = MAX_EVENT_SIZE,
    ) -> None:
        super().__init__(JsonLinesDecoder(max_event_size=max_event_size), on_invalid)


class JsonSequenceStream(TypedStream[E]):
    """Reads the records of a JSON text sequence (RFC 7464)."""

    def __init__(
        self,
        *,
        on_invalid: OnInvalid = "raise",
        max_event_size: int = MAX_EVENT_SIZE,
    ) -> None:
        super().__init__(JsonSequenceDecoder(max_event_size=max_event_size), on_invalid)


class JsonArrayStream(TypedStream[E]):
    """Reads the items of one JSON array as they come."""

    def __init__(
        self,
        *,
        on_invalid: OnInvalid = "raise",
        max_event_size: int = MAX_EVENT_SIZE,
    ) -> None:
        self._array = JsonArrayDecoder(max_event_size=max_event_size)
        super().__init__(self._array, on_invalid)

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
    ) -> None:
        self._parts = multipart.MultipartDecoder(
            boundary=boundary, max_event_size=max_event_size
        )
        super().__init__(self._parts, on_invalid)

    def _has_ended(self) -> bool:
        return self._parts.ended
