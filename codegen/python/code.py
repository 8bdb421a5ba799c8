"""Text that is already Python.

In: fixed patterns of ours, and `Code` made before. Out: `Code`.
Rules: only this folder makes `Code` from text; every operation of `str` on it gives a plain `str`,
so that a sliced or formatted piece has to be checked again before a template takes it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from keyword import iskeyword
from typing import LiteralString


class Code(str):
    """Python source text that is safe to write as it is."""

    __slots__ = ()


def code_join(separator: Code, parts: Iterable[Code]) -> Code:
    """Join parts that are all `Code`; raises TypeError for any other text."""
    return Code(_checked(separator).join(map(_checked, parts)))


def snippet(pattern: LiteralString, *holes: Code) -> Code:
    """Fill each `{}` of a pattern: `snippet("type({}) is {}", a, b)`.

    The pattern must be a literal in our own source: it is taken as Python, so text of a document
    may come in through the holes only. Other braces mean themselves and are not doubled. Raises
    TypeError when a hole is not `Code` or when the number of holes is not the pattern's.
    """
    fixed = pattern.split("{}")
    if len(fixed) != len(holes) + 1:
        raise TypeError(f"{len(fixed) - 1} holes in {pattern!r}, {len(holes)} given")
    text = [fixed[0]]
    for hole, rest in zip(holes, fixed[1:], strict=True):
        text += (_checked(hole), rest)
    return Code("".join(text))


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


def _checked(part: Code) -> Code:
    if type(part) is not Code:
        raise TypeError(f"not Code: {part!r}")
    return part
