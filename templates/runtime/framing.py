"""What the framings of JSON texts have in common: bytes in, texts out, without I/O.

A framing says where a text starts and ends; what it says is for its reader to judge:
- how a body was cut into reads never changes its texts;
- a text comes out of the read that ends it, without the white space around it;
- no input is malformed: a byte order mark at the start is skipped, and bytes that are
  not UTF-8 become U+FFFD, so that a broken event reaches its reader as an invalid one
  and does not stop the stream. Only a text over the size limit is an error.
"""

import re
from abc import ABC, abstractmethod
from typing import Any, Final, NoReturn

WHITE_SPACE: Final = b" \t\n\r"
"""The white space of JSON, RFC 8259 section 2."""

MAX_EVENT_SIZE: Final = 16 * 1024 * 1024
"""The bytes that an event may have, where its reader does not say otherwise."""

NOT_WHITE_SPACE: Final = re.compile(rb"[^ \t\n\r]")

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class FramedText:
    """One text as its framing delimits it.

    `complete` is False where nothing shows that the text was not cut short. What is
    left of a cut object, array or string is not JSON; but 12 may once have been 123.
    """

    __slots__ = ("complete", "data")

    def __init__(self, data: str, complete: bool = True) -> None:
        self.data = data
        self.complete = complete

    @property
    def event(self) -> str:
        """The name of an event, which these framings do not have."""
        return ""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FramedText):
            return NotImplemented
        return self.data == other.data and self.complete == other.complete

    def __repr__(self) -> str:
        return f"FramedText({self.data!r}, complete={self.complete!r})"


class EventTooLarge(ValueError):
    """An event is larger than `limit` bytes.

    `events` are those that the same read completed before it, of the type that the
    decoder gives.
    """

    def __init__(self, limit: int, events: list[Any]) -> None:
        super().__init__(f"event larger than {limit} bytes")
        self.limit = limit
        self.events = events


class TextDecoder(ABC):
    """Decodes one response body; each framing says how to split it.

    `max_event_size` bounds a text with the white space in and after it, in bytes.
    `ended` says whether the body may end here: anywhere, unless its framing marks the
    end.
    """

    __slots__ = ("_at_start", "_closed", "_pending", "ended", "max_event_size")

    def __init__(self, *, max_event_size: int = MAX_EVENT_SIZE) -> None:
        self.max_event_size = max_event_size
        self.ended = True
        self._at_start = True
        # The start of a text whose end is still to come.
        self._pending = bytearray()
        self._closed = False

    def feed(self, data: bytes) -> list[FramedText]:
        """Return the texts that these bytes complete.

        Raises `EventTooLarge`, which closes the decoder, and `ValueError` once closed.
        """
        if self._closed:
            raise ValueError("the decoder is closed; a new stream needs a new one")
        if self._at_start:
            data = self._skip_mark(data)
        texts: list[FramedText] = []
        if data:
            self._split(data, texts)
            if len(self._pending) > self.max_event_size:
                self._overflow(texts)
        return texts

    def close(self) -> list[FramedText]:
        """Return the text that the end of the body cut off, if there is one."""
        texts: list[FramedText] = []
        if self._pending:
            raw = bytes(self._pending)
            self._add(raw, texts, complete=self._is_whole(raw))
        self._discard()
        return texts

    @abstractmethod
    def _split(self, data: bytes, texts: list[FramedText]) -> None:
        """Add the texts that end in `data`, and make pending what is left."""

    def _is_whole(self, raw: bytes) -> bool:
        """Say whether `raw`, the end of the body, is a text that was surely not cut."""
        return False

    def _add(
        self, raw: bytes, texts: list[FramedText], *, complete: bool = True
    ) -> None:
        if len(raw) > self.max_event_size:
            self._overflow(texts)
        raw = raw.strip(WHITE_SPACE)
        if raw:
            texts.append(FramedText(raw.decode("utf-8", "replace"), complete))

    def _skip_mark(self, data: bytes) -> bytes:
        """Drop a byte order mark; what may become one waits for the next read."""
        data = bytes(self._pending) + data
        self._pending.clear()
        if len(data) < len(_BYTE_ORDER_MARK) and _BYTE_ORDER_MARK.startswith(data):
            self._pending += data
            return b""
        self._at_start = False
        return data.removeprefix(_BYTE_ORDER_MARK)

    def _overflow(self, texts: list[FramedText]) -> NoReturn:
        self._discard()
        raise EventTooLarge(self.max_event_size, texts)

    def _discard(self) -> None:
        self._closed = True
        self._pending.clear()


def encode_text(text: str) -> bytes:
    """Return a text as UTF-8 bytes.

    Raises `ValueError` where there is no text to frame, and for a lone surrogate.
    """
    data = text.encode()
    if not data.strip(WHITE_SPACE):
        raise ValueError("white space is not a JSON text")
    return data
