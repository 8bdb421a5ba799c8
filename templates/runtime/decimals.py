"""Decimal numbers, as texts of the form that JSON has for numbers.

A sign before them, zeros in front and a point at either end are read too; a value that
would be written otherwise than it came remembers its text.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Any, Final, TypeAlias

from .texts import TEXTS, Text, Written, read

_match: Final = re.compile(
    r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[Ee][+-]?\d++)?", re.ASCII
).fullmatch

DecimalText: TypeAlias = Annotated[str, Decimal]


def read_decimal(json: Any) -> Decimal:
    """Decode a decimal number; raises Mismatch."""
    return read(Decimal, json)


class _WrittenDecimal(Written, Decimal):
    __slots__ = ("text",)

    def __reduce_ex__(self, protocol: Any, /) -> Any:
        return read_decimal, (self.text,)


def _parse(text: str) -> Decimal:
    if _match(text) is None:
        raise ValueError("no number")
    value = Decimal(text)
    if not value.is_finite():
        raise ValueError("beyond all numbers")
    if str(value) == text:
        return value
    written = _WrittenDecimal(value)
    written.text = text
    return written


def _format(value: Decimal) -> str:
    if not value.is_finite():
        raise ValueError(f"{value} is no JSON")
    return str(value)


TEXTS[Decimal] = Text("a decimal number", _parse, _format)
