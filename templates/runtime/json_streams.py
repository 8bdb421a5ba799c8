"""Streams of JSON texts: one a line, a record, an item of an array, a part."""

from __future__ import annotations

from typing import ClassVar

from . import multipart
from .framing import MAX_EVENT_SIZE, TextDecoder
from .json_array import JsonArrayDecoder
from .json_lines import JsonLinesDecoder
from .json_sequence import JsonSequenceDecoder
from .stream import E, OnInvalid, Parser, TypedStream


class JsonStream(TypedStream[E]):
    """Reads JSON texts, which `DECODER` takes out of the body.

    `on_invalid` says what `iter` and `aiter` do with an event that is not what its
    type says: raise `DecodeError`, or deliver an `InvalidEvent` in its place. An event
    of more than `max_event_size` bytes is an error. `parse` reads JSON text in place of
    the standard library, faster if it is `orjson.loads` or `msgspec.json.decode`, and
    to the same end: what it refuses or cannot hold, the standard library reads.
    """

    DECODER: ClassVar[type[TextDecoder]]

    def __init__(
        self,
        *,
        on_invalid: OnInvalid = "raise",
        max_event_size: int = MAX_EVENT_SIZE,
        parse: Parser | None = None,
    ) -> None:
        self._decoder = self.DECODER(max_event_size=max_event_size)
        super().__init__(self._decoder, on_invalid, parse)

    def _has_ended(self) -> bool:
        return self._decoder.ended


class JsonLinesStream(JsonStream[E]):
    """Reads JSON lines."""

    DECODER = JsonLinesDecoder


class JsonSequenceStream(JsonStream[E]):
    """Reads the records of a JSON text sequence (RFC 7464)."""

    DECODER = JsonSequenceDecoder


class JsonArrayStream(JsonStream[E]):
    """Reads the items of one JSON array as they come."""

    DECODER = JsonArrayDecoder


class MultipartStream(TypedStream[E]):
    """Reads the parts of a multipart body as they come.

    `boundary` is that of the Content-Type header; without it, the first line that
    starts with `--` says it. The others are those of `JsonStream`.
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
