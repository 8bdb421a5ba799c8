"""The values of a document: JSON, whatever format it was written in."""

from typing import TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

# The deepest nesting that is read, in every format, so that later stages may walk by recursion:
# Python's stack has 1,000 frames, and real documents stay under 60 levels.
MAX_DEPTH = 200


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
