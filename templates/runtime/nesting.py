"""Where a JSON value ends, found over any number of reads in linear time.

Only strings, escapes and brackets count: what is not JSON has an end too, or none, and
whoever parses it refuses it. No byte of a longer UTF-8 sequence looks like one of them.
"""

import re
from typing import Final

SELF_DELIMITING: Final = (b"{", b"[", b'"')
"""What opens a value that shows its own end; only what follows shows that of others."""

# Possessive throughout: a byte taken is never given back, and no search starts over.
_STRING: Final = rb'[^"\\]*+(?:\\.[^"\\]*+)*+"'
_BETWEEN: Final = rb'[^"\[\]{}]*+'
_STRING_END: Final = re.compile(_STRING, re.DOTALL)
# Skips whole strings; stops at a bracket, a string without its end, or the end of all.
_STOP: Final = re.compile(
    rb'%b(?:"%b%b)*+(?:([\[{])|([\]}])|("))?' % (_BETWEEN, _STRING, _BETWEEN), re.DOTALL
)
_OPENING: Final = 1
_CLOSING: Final = 2
_QUOTE: Final = 3


class Nesting:
    """Follows one object, array or string at a time."""

    __slots__ = ("_depth", "_escaped", "_in_string")

    def __init__(self) -> None:
        self._depth = 0
        self._in_string = False
        # Whether the next byte ends an escape.
        self._escaped = False

    def begin(self, data: bytes, start: int) -> int:
        """Return the index after the value that opens at `start`.

        It is -1 where `data` holds no end; then `resume` takes the data that follow.
        """
        self._depth = 0
        self._escaped = False
        self._in_string = data.startswith(b'"', start)
        return self._find_end(data, start + self._in_string)

    def resume(self, data: bytes) -> int:
        """Return the index after the value that earlier data began, or -1.

        `data` is not empty.
        """
        return self._find_end(data, 0)

    def _find_end(self, data: bytes, at: int) -> int:
        if self._in_string:
            at = self._leave_string(data, at)
            if at < 0 or not self._depth:
                return at
        for match in _STOP.finditer(data, at):
            stop = match.lastindex
            if stop == _OPENING:
                self._depth += 1
            elif stop == _CLOSING:
                self._depth -= 1
                if not self._depth:
                    return match.end()
            elif stop == _QUOTE:
                return self._leave_string(data, match.end())
        return -1

    def _leave_string(self, data: bytes, at: int) -> int:
        """Return the index after the closing quote, or -1."""
        at += self._escaped
        end = _STRING_END.match(data, at)
        self._in_string = end is None
        rest = b"" if end else data[at:]
        self._escaped = (len(rest) - len(rest.rstrip(b"\\"))) % 2 == 1
        return end.end() if end else -1
