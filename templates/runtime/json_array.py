r"""One JSON array, item by item: bytes in, the JSON text of each item out, and back.

This is how an API streams whose response is declared as an array: `[{...},\n{...}]`. An
item comes out of the read that ends it; only a number, true, false or null needs the
byte after it. Where the body stops being an array, all that is left of it is one text,
given at its end: an error object in place of the array, what stands between items,
what follows the array. Its reader decides what it says.
"""

import re
from typing import Final, Literal, TypeAlias

from .framing import (
    MAX_EVENT_SIZE,
    NOT_WHITE_SPACE,
    FramedText,
    TextDecoder,
    encode_text,
)
from .nesting import SELF_DELIMITING, Nesting

_State: TypeAlias = Literal[
    "before array",
    "first item or end",
    "item",
    "comma or end",
    "after array",
    "in value",
    "in token",
    "no array",
]
# The array's own bytes. Any other byte starts an item, where one may stand.
_STEPS: Final[dict[tuple[_State, bytes], _State]] = {
    ("before array", b"["): "first item or end",
    ("first item or end", b"]"): "after array",
    ("comma or end", b","): "item",
    ("comma or end", b"]"): "after array",
}
_TOKEN_END: Final = re.compile(rb"[ \t\n\r,\]]")


class JsonArrayDecoder(TextDecoder):
    """Decodes one response body that is a JSON array.

    It has `ended` with the array's `]`: without it the body was cut, even where no item
    was.
    """

    __slots__ = ("_nesting", "_state")

    def __init__(self, *, max_event_size: int = MAX_EVENT_SIZE) -> None:
        super().__init__(max_event_size=max_event_size)
        self.ended = False
        self._nesting = Nesting()
        self._state: _State = "before array"

    def _split(self, data: bytes, texts: list[FramedText]) -> None:
        start = 0
        while start < len(data):
            if not self._pending:
                start = self._find_start(data, start)
            end = self._find_end(data, start) if start < len(data) else -1
            if end < 0:
                self._pending += data[start:]
                return
            self._add(bytes(self._pending) + data[start:end], texts)
            self._pending.clear()
            self._state = "comma or end"
            start = end

    def _find_start(self, data: bytes, at: int) -> int:
        """Return the index of the next text, after the array's own bytes."""
        for byte in NOT_WHITE_SPACE.finditer(data, at):
            step = _STEPS.get((self._state, byte[0]))
            if step is None:
                self._state = self._text_state(byte[0])
                return byte.start()
            self._state = step
            self.ended = step == "after array"
        return len(data)

    def _text_state(self, first: bytes) -> _State:
        if self._state not in ("first item or end", "item") or first in (b",", b"]"):
            return "no array"
        return "in value" if first in SELF_DELIMITING else "in token"

    def _find_end(self, data: bytes, start: int) -> int:
        """Return the index after the text that starts here or is pending, or -1."""
        if self._state == "in value":
            if self._pending:
                return self._nesting.resume(data)
            return self._nesting.begin(data, start)
        end = _TOKEN_END.search(data, start) if self._state == "in token" else None
        return -1 if end is None else end.start()

    def _is_whole(self, raw: bytes) -> bool:
        return self._state == "no array"


START: Final = b"["
END: Final = b"]"


def encode(text: str, *, first: bool) -> bytes:
    """Write one JSON text as an item; a body is START, the items, END.

    Raises `ValueError` where there is no text, and for a lone surrogate.
    """
    return encode_text(text) if first else b",\n" + encode_text(text)
