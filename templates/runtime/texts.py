"""Values that JSON writes as texts, such as dates: how each type is read and written.

A module for each kind of value adds its types; a package has those that it uses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

from .decoding import Decoder, Mismatch

T = TypeVar("T")


class Text(NamedTuple):
    """How the values of a type are written; `expected` says it in words."""

    expected: str
    parse: Callable[[str], Any]
    """Raises ValueError or ArithmeticError for a text that is no such value."""
    format: Callable[[Any], str]


TEXTS: Final[dict[Any, Text]] = {}
"""The types that are read from texts."""


class Written:
    """A value that its own type would write otherwise: `text` is what it came as."""

    __slots__ = ()
    text: str


def read(tp: type[T], json: Any) -> T:
    """Decode a text as a value of a type; raises Mismatch."""
    if type(json) is not str:
        raise Mismatch
    try:
        value: T = TEXTS[tp].parse(json)
    except (ValueError, ArithmeticError):
        raise Mismatch from None
    return value


def verbatim(decode: Decoder[Any]) -> Decoder[str]:
    """Make a decoder that checks a text with another, and keeps it a text."""

    def decode_verbatim(value: Any) -> str:
        decode(value)
        text: str = value
        return text

    return decode_verbatim


def write(value: Any) -> Any:
    """Encode a value whose type is written as a text, and leave any other."""
    if isinstance(value, Written):
        return value.text
    tp = text_type(value)
    return value if tp is None else TEXTS[tp].format(value)


def text_type(value: Any) -> Any:
    """Find the type that a value is written as; None if it is none of a text."""
    return next((tp for tp in type(value).__mro__ if tp in TEXTS), None)
