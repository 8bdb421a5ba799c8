"""Server-sent events: bytes in, events out, and back.

Implements "Interpreting an event stream", section 9.2.6 of the WHATWG HTML standard
(https://html.spec.whatwg.org/multipage/server-sent-events.html), without I/O:
- how a stream was cut into reads never changes its events;
- an event comes out of the read that ends its blank line, never one read later;
- no input is malformed: what the standard ignores is ignored, bytes that are not UTF-8
  become U+FFFD, and only an event over the size limit is an error.
"""

from typing import Final, NoReturn

from .framing import MAX_EVENT_SIZE, EventTooLarge

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_LF: Final = 0x0A
_CR: Final = 0x0D
# No client waits 10**18 ms; int() may refuse a number of thousands of digits.
_RETRY_DIGITS: Final = 18


class ServerSentEvent:
    """One event as the standard dispatches it.

    `event` is its type, "message" where the stream names none. `id` is the last event
    id at that moment, often set by an earlier event. `retry` is the reconnection time
    in milliseconds that this event's own lines set. `complete` is False only where the
    stream ended before the event's blank line.
    """

    __slots__ = ("complete", "data", "event", "id", "retry")

    def __init__(
        self,
        event: str,
        data: str,
        id: str = "",
        retry: int | None = None,
        complete: bool = True,
    ) -> None:
        self.event = event
        self.data = data
        self.id = id
        self.retry = retry
        self.complete = complete

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ServerSentEvent):
            return NotImplemented
        return (
            self.event == other.event
            and self.data == other.data
            and self.id == other.id
            and self.retry == other.retry
            and self.complete == other.complete
        )

    def __repr__(self) -> str:
        return (
            f"ServerSentEvent({self.event!r}, {self.data!r}, id={self.id!r},"
            f" retry={self.retry!r}, complete={self.complete!r})"
        )


class ServerSentEventDecoder:
    """Decodes one event stream: one response body.

    `last_event_id` starts as what an earlier connection left. It and `retry`, in
    milliseconds, always hold what the next connection should use. `max_event_size`
    bounds the data of an event plus the line being read, comments too, in bytes.
    """

    __slots__ = (
        "_between",
        "_closed",
        "_data",
        "_event",
        "_event_retry",
        "_id",
        "_line",
        "_skip",
        "last_event_id",
        "max_event_size",
        "retry",
        "stray",
    )

    def __init__(
        self, last_event_id: str = "", *, max_event_size: int = MAX_EVENT_SIZE
    ) -> None:
        self.last_event_id = last_event_id
        self.retry: int | None = None
        self.max_event_size = max_event_size
        # Lines that the standard ignores, from one that opens an object on: what a
        # server sends that fails outside of its events.
        self.stray = bytearray()
        # The standard's buffers. The id has its own, so that a stream cut before the
        # blank line does not move the place to resume from.
        self._data = bytearray()
        self._event = "message"
        self._id = last_event_id
        self._event_retry: int | None = None
        # The start of a line, what to drop if the next read opens with it, and whether
        # no field came since the last blank line.
        self._line = bytearray()
        self._skip = _BYTE_ORDER_MARK
        self._between = True
        self._closed = False

    def feed(self, data: bytes) -> list[ServerSentEvent]:
        """Return the events that these bytes complete.

        Raises `EventTooLarge`, which closes the decoder, and `ValueError` once closed.
        """
        if self._between and not self._line and not self._skip:
            # The usual read is one event of one line: a short cut to the same result.
            value = data[6:-2]
            if (
                data[:6] == b"data: "
                and data[-2:] == b"\n\n"
                and _LF not in value
                and _CR not in value
                and len(data) - 2 <= self.max_event_size
            ):
                text = value.decode("utf-8", "replace")
                return [ServerSentEvent("message", text, self._id)]
        if self._closed:
            raise ValueError("the decoder is closed; a new stream needs a new one")
        if self._skip or _CR in data:
            data = self._normalize(data)
        events: list[ServerSentEvent] = []
        if _LF in data:
            data = bytes(self._line) + data
            self._line.clear()
            if self._between and data.startswith(b"data: "):
                data = self._skim(data, events)
            *lines, data = data.split(b"\n")
            self._interpret(lines, events)
        self._line += data
        # What may become a byte order mark is no part of a line.
        is_line = self._skip != _BYTE_ORDER_MARK
        if is_line and len(self._data) + len(self._line) > self.max_event_size:
            self._overflow(events)
        return events

    def close(self) -> list[ServerSentEvent]:
        """Return the event that the end of the stream cut off, if there is one.

        The standard discards it, yet some servers omit the last blank line. A last line
        without its line end counts only as data: half an id would be a wrong id.
        """
        if self._line.startswith(b"data:"):
            self._field(bytes(self._line))
        else:
            self._keep_stray(bytes(self._line))
        if not self._data:
            events: list[ServerSentEvent] = []
        else:
            events = [self._take()]
            events[0].complete = False
        self._discard()
        return events

    def _normalize(self, data: bytes) -> bytes:
        """Drop the byte order mark, and make every line end one LF.

        A CR ends its line at once; an LF that opens the next read belongs to it.
        """
        if self._skip == _BYTE_ORDER_MARK:
            data = bytes(self._line) + data
            self._line.clear()
        if len(data) < len(self._skip) and self._skip.startswith(data):
            self._line += data
            return b""
        data = data.removeprefix(self._skip)
        self._skip = b"\n" if data.endswith(b"\r") else b""
        return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")

    def _skim(self, data: bytes, events: list[ServerSentEvent]) -> bytes:
        """Decode events of one line, the bulk of most streams; return what is left.

        A short cut to the same result, without looking at every line.
        """
        longest = self.max_event_size - len(b"data: ")
        *blocks, rest = data[6:].split(b"\n\ndata: ")
        for block in blocks:
            if _LF in block or len(block) > longest:
                lines = (b"data: " + block).split(b"\n")
                self._interpret([*lines, b""], events)
            else:
                text = block.decode("utf-8", "replace")
                events.append(ServerSentEvent("message", text, self._id))
        return b"data: " + rest

    def _interpret(self, lines: list[bytes], events: list[ServerSentEvent]) -> None:
        data, limit = self._data, self.max_event_size
        for line in lines:
            if line:
                if len(data) + len(line) > limit:
                    self._overflow(events)
                self._field(line)
                self._between = False
            else:
                self.last_event_id = self._id
                if data:
                    events.append(self._take())
                self._event = "message"
                self._event_retry = None
                self._between = True

    def _field(self, line: bytes) -> None:
        """Process one line; a comment is a field with an empty name."""
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._data += value
            self._data += b"\n"
        elif name == b"event":
            self._event = value.decode("utf-8", "replace") or "message"
        elif name == b"id":
            if b"\0" not in value:
                self._id = value.decode("utf-8", "replace")
        elif name == b"retry" and value.isdigit():
            digits = value.lstrip(b"0")
            if len(digits) <= _RETRY_DIGITS:
                self.retry = self._event_retry = int(digits or b"0")
        elif name:
            self._keep_stray(line)

    def _keep_stray(self, line: bytes) -> None:
        is_stray = bool(self.stray) or line.startswith(b"{")
        if is_stray and len(self.stray) + len(line) <= self.max_event_size:
            self.stray += line + b"\n"

    def _take(self) -> ServerSentEvent:
        """Make an event of the buffers, without the LF that ends its data."""
        text = self._data[:-1].decode("utf-8", "replace")
        self._data.clear()
        return ServerSentEvent(self._event, text, self._id, self._event_retry)

    def _overflow(self, events: list[ServerSentEvent]) -> NoReturn:
        self._discard()
        raise EventTooLarge(self.max_event_size, events)

    def _discard(self) -> None:
        self._closed = True
        self._between = False
        self._data.clear()
        self._line.clear()


def encode(
    data: str, *, event: str = "", id: str | None = None, retry: int | None = None
) -> bytes:
    r"""Write one event, with its blank line; a decoder gives back the same one.

    Each line of `data` becomes a `data` line. Raises `ValueError` for what the format
    cannot carry: CR in `data`, a line end in `event`, a line end or NUL in `id`, a
    negative `retry` or one of more than 18 digits, a lone surrogate anywhere.
    """
    if "\r" in data:
        raise ValueError("data cannot carry a CR")
    if "\r" in event or "\n" in event:
        raise ValueError("an event type cannot carry a line end")
    lines: list[str] = []
    if event not in ("", "message"):
        lines.append(f"event: {event}\n")
    if id is not None:
        if "\r" in id or "\n" in id or "\0" in id:
            raise ValueError("an id cannot carry a line end or NUL")
        lines.append(f"id: {id}\n")
    if retry is not None:
        if not 0 <= retry < 10**_RETRY_DIGITS:
            raise ValueError(f"a retry of {retry} ms is out of range")
        lines.append(f"retry: {retry}\n")
    lines.append("data: " + data.replace("\n", "\ndata: ") + "\n\n")
    return "".join(lines).encode()
