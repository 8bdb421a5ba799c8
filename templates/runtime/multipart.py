r"""Multipart bodies, RFC 2046 section 5.1: bytes in, JSON texts out, and back.

A line that starts with `--` and the boundary ends a part, whatever the part holds:
what follows on that line is padding, or `--` after the last part (5.1.1). What comes
before the first such line or after the last is ignored; so are the headers of a part.
Lines end at CRLF or LF. Read more widely:
- an object, array or string comes out of the read that ends it and does not wait for
  the next part; what else its part may hold is a text of its own: nothing is lost;
- without a boundary, the first line that starts with `--` says what it is.
"""

import re
from typing import Final, Literal, TypeAlias

from .framing import (
    MAX_EVENT_SIZE,
    NOT_WHITE_SPACE,
    WHITE_SPACE,
    FramedText,
    TextDecoder,
    encode_text,
)
from .nesting import SELF_DELIMITING, Nesting

_State: TypeAlias = Literal["preamble", "headers", "body", "epilogue"]

# A boundary has 70 bytes at most; the others are for padding.
_LONGEST_LINE: Final = 100
_FIRST_LINE: Final = re.compile(rb"\n(--[^ \t\r\n][^\n]{0,%d}\n)" % (_LONGEST_LINE - 4))
_SHORTEST_CLOSING: Final = len(b"--b--")
_BLANK_LINE: Final = re.compile(rb"\n\r*\n")
_START_OF_LINE: Final = re.compile(rb"\n\r*\Z")


class MultipartDecoder(TextDecoder):
    """Decodes one response body that has several parts.

    It has `ended` with the delimiter that closes it.
    """

    __slots__ = (
        "_at_line_start",
        "_closing",
        "_delimiter",
        "_held",
        "_in_value",
        "_nesting",
        "_state",
    )

    def __init__(
        self, *, boundary: str = "", max_event_size: int = MAX_EVENT_SIZE
    ) -> None:
        super().__init__(max_event_size=max_event_size)
        self.ended = False
        self._state: _State = "preamble"
        # Among headers: whether a line end here makes a blank line.
        self._at_line_start = False
        self._nesting = Nesting()
        # Whether the pending text is still inside brackets or a string.
        self._in_value = False
        # What may become a delimiter, from its line end on; the body starts a line.
        self._held: bytes = b"\n"
        self._delimiter: re.Pattern[bytes] | None = None
        self._closing = b""
        if boundary:
            self._set_delimiter(b"--" + boundary.encode())

    def close(self) -> list[FramedText]:
        """Return the text that the end of the body cut off, if there is one."""
        if self._delimiter is None and not self._closed:
            # The end of the body ends its first line too.
            self._learn_delimiter(self._held + b"\n")
        if self._state == "body":
            return super().close()
        self._discard()
        return []

    def _split(self, data: bytes, texts: list[FramedText]) -> None:
        if self._state == "epilogue":
            return
        data = self._held + data
        if self._delimiter is None:
            data = self._learn_delimiter(data)
        if self._delimiter is None:
            return
        start, end = 0, self._find_held(data)
        self._held = data[end:]
        for delimiter in self._delimiter.finditer(data, 0, end):
            self._take(data[start : delimiter.start()], texts)
            self._end_part(texts)
            if delimiter[1]:
                self.ended = True
                self._state = "epilogue"
                self._held = b""
                return
            self._state = "headers"
            self._at_line_start = False
            start = delimiter.end()
        self._take(data[start:end], texts)

    def _set_delimiter(self, delimiter: bytes) -> None:
        self._closing = b"\n" + delimiter + b"--"
        self._delimiter = re.compile(b"\n" + re.escape(delimiter) + b"(--)?")

    def _learn_delimiter(self, data: bytes) -> bytes:
        """Return what starts with the first delimiter; hold what may become one."""
        first = _FIRST_LINE.search(data)
        if first is None:
            last = data[data.rfind(b"\n") :]
            may_be = b"\n--".startswith(last[:3]) and len(last) <= _LONGEST_LINE
            self._held = last if may_be else b""
            return b""
        line = first[1].rstrip(WHITE_SPACE)
        self._set_delimiter(line)
        # Where nothing follows, it closes a body that has no parts.
        self.ended = len(line) >= _SHORTEST_CLOSING and line.endswith(b"--")
        return data[first.start() :]

    def _find_held(self, data: bytes) -> int:
        """Return the index of what only the next read can show to be a delimiter."""
        at = data.rfind(b"\n")
        is_open = at >= 0 and len(data) - at < len(self._closing)
        return at if is_open and self._closing.startswith(data[at:]) else len(data)

    def _take(self, data: bytes, texts: list[FramedText]) -> None:
        """Take what holds no delimiter."""
        if self.ended and data.strip(WHITE_SPACE):
            self.ended = False
        if self._state == "headers":
            data = self._skip_headers(data)
        if self._state == "body":
            self._scan(data, texts)

    def _skip_headers(self, data: bytes) -> bytes:
        if self._at_line_start:
            data = b"\n" + data
        if blank := _BLANK_LINE.search(data):
            self._state = "body"
            return data[blank.end() :]
        self._at_line_start = _START_OF_LINE.search(data) is not None
        return b""

    def _scan(self, data: bytes, texts: list[FramedText]) -> None:
        start, end = 0, -1
        while start < len(data):
            if self._pending:
                end = self._nesting.resume(data) if self._in_value else -1
            elif first := NOT_WHITE_SPACE.search(data, start):
                start = first.start()
                self._in_value = first[0] in SELF_DELIMITING
                end = self._nesting.begin(data, start) if self._in_value else -1
            else:
                return
            if end < 0:
                self._pending += data[start:]
                return
            self._add(bytes(self._pending) + data[start:end], texts)
            self._pending.clear()
            start = end

    def _end_part(self, texts: list[FramedText]) -> None:
        if self._pending:
            raw = bytes(self._pending)
            self._pending.clear()
            self._add(raw, texts)

    def _is_whole(self, raw: bytes) -> bool:
        # A line end that is held is white space after the text.
        return not self._in_value and (bool(self._held) or raw[-1] in WHITE_SPACE)


BOUNDARY: Final = "json-text"
END: Final = b"--json-text--\r\n"

_PART: Final = b"--json-text\r\nContent-Type: application/json\r\n\r\n"


def encode(text: str) -> bytes:
    """Write one JSON text as a part; a body is the parts, END.

    Raises `ValueError` for a line that is a delimiter, no text, and a lone surrogate.
    """
    if f"\n--{BOUNDARY}" in f"\n{text}":
        raise ValueError("a JSON text holds no line that is a delimiter")
    return _PART + encode_text(text) + b"\r\n"
