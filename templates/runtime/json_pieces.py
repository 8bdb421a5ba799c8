"""JSON texts that come in pieces, such as the arguments of a call."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Literal, TypeAlias

from .accumulator import NOTHING, Accumulator, Pieces, shown
from .errors import IncompleteResult, Problem
from .jsontext import parse
from .partial_json import parse_partial

Rest: TypeAlias = Literal["partial", "raw", "error"]
"""What a text that was cut amounts to: its whole members and entries, the text, or
nothing.
"""


class JsonPieces(Pieces):
    """A JSON text in pieces; `before` stands in its place until it is read."""

    def __init__(self, before: Any, rest: Rest, early: bool) -> None:
        super().__init__()
        self._before = before
        self._rest = rest
        self._early = early

    def show(self, whole: bool) -> Any:
        """Parse what has come; raises IncompleteResult if a cut text is an error."""
        text = "".join(self)
        if not text.strip() or not (whole or self._early):
            return shown(self._before, whole)
        if not whole:
            return self._show_early(text)
        try:
            return parse(text)
        except ValueError as error:
            if self._rest == "error":
                problem = Problem("", "a whole JSON text", str(error))
                raise IncompleteResult((problem,)) from None
        try:
            return text if self._rest == "raw" else parse_partial(text)
        except ValueError:
            return text

    def _show_early(self, text: str) -> Any:
        """Give what is whole of a text that may go on: 12 may be on its way to 123."""
        try:
            return parse_partial(text)
        except ValueError:
            return shown(self._before, False)


def join_json(
    held: Accumulator,
    key: Any,
    text: str,
    rest: Rest = "partial",
    *,
    early: bool = False,
) -> None:
    """Join a piece of a JSON text; `early` shows what has come before all has."""
    pieces = held.get(key, NOTHING)
    if not isinstance(pieces, JsonPieces):
        pieces = held[key] = JsonPieces(pieces, rest, early)
    pieces.append(text)


def close_json(whole: Accumulator, path: tuple[Any, ...], *keys: str) -> None:
    """Read the JSON texts under these keys of an object: no more of them will come.

    One that was cut, where that is an error, stays: the result tells.
    """
    held: Any = whole
    for key in path:
        held = held.get(key) if isinstance(held, Accumulator) else None
    if not isinstance(held, Accumulator):
        return
    for key in keys:
        pieces = held.get(key)
        if isinstance(pieces, JsonPieces):
            with suppress(IncompleteResult):
                if (value := pieces.show(True)) is not NOTHING:
                    held[key] = value
