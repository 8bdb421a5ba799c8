"""What a value is held to beyond its type: bounds, lengths, items that differ.

The length of a string counts code points, that of an array its items, and that of an
object its members (JSON Schema 2020-12, validation sections 6.2 to 6.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from .decoding import Decoder, Mismatch, is_array, is_object

T = TypeVar("T")


class Limits:
    """Bounds of a number, of a length, and whether the items of an array differ.

    None equals another: typing takes types for the same whose marks are equal, and the
    marks of the variants are not.
    """

    __slots__ = (
        *("ge", "gt", "le", "lt", "multiple_of"),
        *("min_length", "max_length", "unique"),
    )

    def __init__(
        self,
        *,
        ge: float | None = None,
        gt: float | None = None,
        le: float | None = None,
        lt: float | None = None,
        multiple_of: float | None = None,
        min_length: int | None = None,
        max_length: int | None = None,
        unique: bool = False,
    ) -> None:
        self.ge, self.gt, self.le, self.lt = ge, gt, le, lt
        self.multiple_of = multiple_of
        self.min_length, self.max_length = min_length, max_length
        self.unique = unique

    def hold(self, value: T) -> T:
        """Return a value that is within the limits; raises ValueError for others."""
        if beyond := [*unmet((self,), value)]:
            raise ValueError(f"not {' and '.join(beyond)}")
        return value


def limited(decode: Decoder[T], limits: Limits) -> Decoder[T]:
    """Make a decoder that also holds what it takes to limits."""

    def decode_limited(value: Any) -> T:
        decoded = decode(value)
        if any(unmet((limits,), value)):
            raise Mismatch
        return decoded

    return decode_limited


def unmet(marks: Iterable[Any], value: Any) -> Iterator[str]:
    """Tell in words what a value of the right type should be, and is not.

    Of the marks, those count that have attributes called as in `Limits`.
    """
    for mark in _parts(marks):
        yield from _unmet_bounds(mark, value)
        at_least = getattr(mark, "min_length", None)
        if at_least is not None and len(value) < at_least:
            yield f"at least {at_least} {_unit(value, at_least)}"
        at_most = getattr(mark, "max_length", None)
        if at_most is not None and len(value) > at_most:
            yield f"at most {at_most} {_unit(value, at_most)}"
        if getattr(mark, "unique", False) and not is_unique(value):
            yield "items that differ"


def _parts(marks: Iterable[Any]) -> Iterator[Any]:
    """Give the marks; what pydantic calls a field has them inside."""
    for mark in marks:
        yield from getattr(mark, "metadata", (mark,))


def _unmet_bounds(mark: Any, value: Any) -> Iterator[str]:
    bound = getattr(mark, "ge", None)
    if bound is not None and value < bound:
        yield f"at least {bound}"
    bound = getattr(mark, "gt", None)
    if bound is not None and value <= bound:
        yield f"more than {bound}"
    bound = getattr(mark, "le", None)
    if bound is not None and value > bound:
        yield f"at most {bound}"
    bound = getattr(mark, "lt", None)
    if bound is not None and value >= bound:
        yield f"less than {bound}"
    bound = getattr(mark, "multiple_of", None)
    if bound is not None and not is_multiple(value, bound):
        yield f"a multiple of {bound}"


def _unit(value: Any, count: int) -> str:
    unit = "item" if is_array(value) else "member" if is_object(value) else "character"
    return unit if count == 1 else f"{unit}s"


def is_multiple(value: float, of: float) -> bool:
    """Tell whether a number is a multiple of another, as both are written."""
    if isinstance(value, int) and isinstance(of, int):
        return value % of == 0
    from fractions import Fraction

    # The shortest text that means a float is how it was written.
    number, unit = (
        Fraction(it if isinstance(it, int) else repr(it)) for it in (value, of)
    )
    return (number / unit).denominator == 1


def is_unique(items: Any) -> bool:
    """Tell whether no two items are equal; unlike in Python, 1 is not true."""
    keys = [_key(item) for item in items]
    return len({*keys}) == len(keys)


def _key(value: Any) -> Any:
    """Give the same key to the values that JSON Schema calls equal (core 4.2.2)."""
    if is_object(value):
        return dict, frozenset((name, _key(item)) for name, item in value.items())
    if is_array(value):
        return list, tuple(map(_key, value))
    return isinstance(value, bool), value
