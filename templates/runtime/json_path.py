"""JSONPaths that lead to one place: singular queries, RFC 9535 section 2.3.5.1."""

from __future__ import annotations

import re
from typing import Final

from .jsontext import parse

_STEP: Final = re.compile(
    r"""\.(?P<name>[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*)|"""
    r"""\[(?P<index>0|[1-9][0-9]{0,8})\]|\[(?P<double>"(?:[^"\\]|\\.)*")\]|\['(?P<single>(?:[^'\\]|\\.)*)'\]"""
)


def steps_of(path: str) -> list[str | int]:
    """Give the names and indices on the way; raises ValueError for any other path."""
    steps: list[str | int] = []
    at = 1
    while match := _STEP.match(path, at):
        at = match.end()
        if match["index"]:
            steps.append(int(match["index"]))
        elif match["name"]:
            steps.append(match["name"])
        else:
            single = (match["single"] or "").replace("\\'", "'").replace('"', '\\"')
            steps.append(parse(match["double"] or f'"{single}"'))
    if not path.startswith("$") or at != len(path):
        raise ValueError(f"not a path to one place: {path!r}")
    return steps
