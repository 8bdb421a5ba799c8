"""JSON text sequences, RFC 7464: bytes in, JSON texts out, and back.

A text stands between an RS (0x1E) and an LF (section 2.2). Read more widely:
- an RS ends whatever came before it: a broken text harms no other (2.1, 2.3), and
  several RS in a row are one (2.1). It is given like any other, to be reported;
- an LF outside brackets and strings ends a text too, so that none waits for the next
  one (2.4 lets a decoder give a text it knows to be whole). What then stands before
  the next RS, or before the first, is a text of its own: nothing is lost;
- a number, true, false or null that no white space ends may be cut (2.4).
"""

from .framing import (
    MAX_EVENT_SIZE,
    NOT_WHITE_SPACE,
    WHITE_SPACE,
    FramedText,
    TextDecoder,
    encode_text,
)
from .nesting import SELF_DELIMITING, Nesting


class JsonSequenceDecoder(TextDecoder):
    """Decodes one response body that is a JSON text sequence.

    A number, true, false or null that is not `complete` must not be used (2.4).
    """

    __slots__ = ("_in_value", "_nesting")

    def __init__(self, *, max_event_size: int = MAX_EVENT_SIZE) -> None:
        super().__init__(max_event_size=max_event_size)
        self._nesting = Nesting()
        # Whether the pending text is still inside brackets or a string.
        self._in_value = False

    def _split(self, data: bytes, texts: list[FramedText]) -> None:
        *elements, last = data.split(b"\x1e")
        for element in elements:
            is_line = element.find(b"\n") == len(element) - 1
            if is_line and not self._pending and len(element) <= self.max_event_size:
                # A short cut to the same result: most elements are one line.
                self._add(element, texts)
            else:
                self._scan(element, texts)
                self._end_element(texts)
        self._scan(last, texts)

    def _scan(self, data: bytes, texts: list[FramedText]) -> None:
        """Split what holds no RS."""
        start = 0
        while start < len(data):
            at = start
            if self._pending:
                if self._in_value:
                    at = self._nesting.resume(data)
            elif first := NOT_WHITE_SPACE.search(data, start):
                at = start = first.start()
                if data.startswith(SELF_DELIMITING, start):
                    at = self._nesting.begin(data, start)
            else:
                return
            self._in_value = at < 0
            end = at if at < 0 else data.find(b"\n", at)
            if end < 0:
                self._pending += data[start:]
                return
            self._add(bytes(self._pending) + data[start:end], texts)
            self._pending.clear()
            start = end + 1

    def _end_element(self, texts: list[FramedText]) -> None:
        """End the pending text where an RS does."""
        if self._pending:
            raw = bytes(self._pending)
            self._pending.clear()
            whole = raw.startswith(SELF_DELIMITING) or self._is_whole(raw)
            self._add(raw, texts, complete=whole)

    def _is_whole(self, raw: bytes) -> bool:
        return not raw.startswith(SELF_DELIMITING) and raw[-1] in WHITE_SPACE


def encode(text: str) -> bytes:
    """Write one JSON text, which may have several lines, as an element.

    Raises `ValueError` for an RS in the text, no text, and a lone surrogate.
    """
    if "\x1e" in text:
        raise ValueError("a JSON text holds an RS only as an escape")
    return b"\x1e" + encode_text(text) + b"\n"
