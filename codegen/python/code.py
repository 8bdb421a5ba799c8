"""Text that is already Python.

In: fixed patterns of ours, and `Code` made before. Out: `Code`.
Rules: only this folder makes `Code` from text; every operation of `str` on it gives a plain `str`,
so that a sliced or formatted piece has to be checked again before a template takes it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from keyword import iskeyword
from typing import LiteralString, NoReturn


class Code(str):
    """Python source text that is safe to write as it is."""

    __slots__ = ()


# Each piece of each line passes by here, so no call of Python's is spent on it.
_ALLOWED = frozenset({Code})


def code_join(separator: Code, parts: Iterable[Code]) -> Code:
    """Join parts that are all `Code`; raises TypeError for any other text."""
    pieces = tuple(parts)
    if type(separator) is not Code or not _ALLOWED.issuperset(map(type, pieces)):
        _refuse((separator, *pieces))
    return Code(separator.join(pieces))


def snippet(pattern: LiteralString, *holes: Code) -> Code:
    """Fill each `{}` of a pattern: `snippet("type({}) is {}", a, b)`.

    The pattern must be a literal in our own source: it is taken as Python, so text of a document
    may come in through the holes only. Other braces mean themselves and are not doubled. Raises
    TypeError when a hole is not `Code` or when the number of holes is not the pattern's.
    """
    form, wanted = _form(pattern)
    if len(holes) != wanted:
        raise TypeError(f"{wanted} holes in {pattern!r}, {len(holes)} given")
    if not _ALLOWED.issuperset(map(type, holes)):
        _refuse(holes)
    return Code(form % holes)


@cache
def _form(pattern: LiteralString) -> tuple[str, int]:
    """A pattern as the `%` operator takes it, and the number of its holes."""
    return pattern.replace("%", "%%").replace("{}", "%s"), pattern.count("{}")


@lru_cache(maxsize=65536)
def identifier(name: str) -> Code:
    """Take a name, or names joined by dots, as Code; raises ValueError for anything else.

    A name that Python would read as another one (it normalises to NFKC) is refused too.
    """
    for part in name.split("."):
        if not part.isidentifier() or iskeyword(part):
            raise ValueError(f"not an identifier: {part!r}")
    if unicodedata.normalize("NFKC", name) != name:
        raise ValueError(f"not in normal form: {name!r}")
    return Code(name)


def _refuse(parts: Iterable[str]) -> NoReturn:
    wrong = next(part for part in parts if type(part) is not Code)
    raise TypeError(f"not Code: {wrong!r}")
