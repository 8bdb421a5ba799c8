"""Where each value of a document starts in the text it was read from.

A place is that of a member's name or of an item. They are noted beside the values, never on them,
and only by a reader that can do so for next to nothing or was asked to. Lines end in LF, CR or CRLF
and nothing else, in YAML 1.2 as in JSON.
"""

import re
from bisect import bisect_right
from typing import TypeAlias

from codegen.diagnostics import Position
from codegen.source.pointer import child
from codegen.source.values import Json

_LINE_END = re.compile(r"\r\n|\r|\n")


# Line and column from 1, without the cost of an object each.
Place: TypeAlias = tuple[int, int]


class Places:
    """The positions of one text's values, by the identity of their containers."""

    def __init__(self) -> None:
        self._by_container: dict[int, dict[str | int, Place]] = {}

    def open(self, container: Json) -> dict[str | int, Place]:
        """Return the table of a new container's places; the container must outlive it."""
        return self._by_container.setdefault(id(container), {})

    def of(self, container: Json) -> dict[str | int, Place]:
        return self._by_container[id(container)]

    def find(self, data: Json, tokens: tuple[str, ...]) -> Position:
        """Return where a value starts; for one that is not there, where its nearest parent does."""
        line, column = 1, 1
        for token in tokens:
            try:
                value = child(data, token)
            except LookupError:
                break
            line, column = self.of(data)[int(token) if isinstance(data, list) else token]
            data = value
        return Position(line=line, column=column)


class Lines:
    """A text by lines."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends = [match.span() for match in _LINE_END.finditer(text)]
        self._starts = [0, *(end for _, end in self._ends)]

    def position(self, offset: int) -> Position:
        """Return the line and column of an offset into the text."""
        line = bisect_right(self._starts, offset)
        return Position(line=line, column=offset - self._starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """Return a line by its number from 1, without its end; empty beyond the last."""
        if number > len(self._starts):
            return ""
        end = self._ends[number - 1][0] if number <= len(self._ends) else len(self._text)
        return self._text[self._starts[number - 1] : end]
