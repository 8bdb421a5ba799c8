"""The values of a document: JSON, whatever format it was written in."""

from collections.abc import Iterable
from typing import TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

# The deepest nesting that is read, in every format, so that later stages may walk by recursion, as
# `codegen.stack` gives them room for; libyaml itself ends at 1,000. Real documents stay under 60
# levels.
MAX_DEPTH = 900


def is_too_deep(data: Json) -> bool:
    """Tell whether containers nest deeper than any reader allows."""
    level = [data]
    for _ in range(MAX_DEPTH + 1):
        containers = [value for value in level if isinstance(value, dict | list)]
        level = [
            child
            for value in containers
            for child in (value.values() if isinstance(value, dict) else value)
        ]
        if not containers:
            return False
    return True


def is_equal(one: Json, other: Json) -> bool:
    """Whether two values are the same as JSON: 1 is 1.0, and is not true."""
    match one, other:
        case (bool(), _) | (_, bool()):
            return one is other
        case (list(), list()):
            return len(one) == len(other) and all(map(is_equal, one, other))
        case (dict(), dict()):
            return one.keys() == other.keys() and all(is_equal(one[k], other[k]) for k in one)
        case _:
            return one == other


def is_among(value: Json, values: Iterable[Json]) -> bool:
    """Whether one of the values is the same as JSON."""
    return any(is_equal(value, it) for it in values)
