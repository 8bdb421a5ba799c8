"""The values of a document: JSON, whatever format it was written in."""

from collections.abc import Hashable
from math import isfinite
from typing import TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

# The deepest nesting that is read, in every format, so that later stages may walk by recursion, as
# `codegen.stack` gives them room for; libyaml itself ends at 1,000. Real documents stay under 60
# levels.
MAX_DEPTH = 900

# The digits that an integer may have: Python reads and writes no more, unless it is told to.
MAX_DIGITS = 4_300
_BEYOND = 10**MAX_DIGITS


class OutOfRange(ValueError):
    """A number that cannot be written as JSON again, or not in bounded time."""


def read_integer(text: str) -> int:
    """Return the integer that decimal digits spell; OutOfRange for too many of them."""
    if len(text) > MAX_DIGITS:
        digits = text.lstrip("+-0") or "0"
        if len(digits) > MAX_DIGITS:
            raise OutOfRange(f"a number of more than {MAX_DIGITS:,} digits")
        return -int(digits) if text[0] == "-" else int(digits)
    return int(text)


def check_number(number: int | float) -> None:
    """Raise OutOfRange for infinity, NaN and an integer of too many digits."""
    if isinstance(number, float) and not isfinite(number):
        raise OutOfRange("a number that JSON cannot hold")
    if isinstance(number, int) and not -_BEYOND < number < _BEYOND:
        raise OutOfRange(f"a number of more than {MAX_DIGITS:,} digits")


def is_too_deep(data: Json, most: int = MAX_DEPTH) -> bool:
    """Tell whether containers nest deeper than that, by default than any reader allows."""
    level = [data]
    for _ in range(most + 1):
        containers = [value for value in level if isinstance(value, dict | list)]
        level = [
            child
            for value in containers
            for child in (value.values() if isinstance(value, dict) else value)
        ]
        if not containers:
            return False
    return True


def count_values(value: Json, most: int) -> int:
    """How many values there are in one, each as often as it occurs; beyond `most` none is counted.

    Overlays and aliases share values, so that few may occur very often.
    """
    pending, count = [value], 0
    while pending and count <= most:
        part = pending.pop()
        count += 1
        if isinstance(part, dict | list):
            pending += part.values() if isinstance(part, dict) else part
    return count


def identity(value: Json) -> Hashable:
    """What two values share that are the same as JSON: 1 is 1.0, and is not true."""
    match value:
        case bool():
            return bool, value
        case list():
            return list, tuple(map(identity, value))
        case dict():
            return dict, frozenset((name, identity(member)) for name, member in value.items())
        case _:
            return value
