"""Arrays whose entries may continue the entry before them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .accumulator import Accumulator
from .decoding import is_object


def glue(
    held: Accumulator,
    key: Any,
    entries: Iterable[Any],
    *,
    same: tuple[str, ...] = (),
    concat: tuple[str, ...] = (),
    last: tuple[str, ...] = (),
) -> None:
    """Add entries to an array, or to the one before.

    An entry continues the one before if their `same` members are equal and neither has
    a member that is not named here.
    """
    known = frozenset((*same, *concat, *last))
    for entry in entries:
        array = held.array(key)
        before = array.latest
        if not is_object(entry):
            array.latest = None
            array.unkeyed.append(entry)
            continue
        if before is None or not _continues(entry, before, same, known):
            array.latest = Accumulator(entry)
            array.unkeyed.append(array.latest)
            continue
        for name, value in entry.items():
            if name in concat and isinstance(value, str):
                before.concat(name, value)
            elif name not in same:
                before[name] = value


def _continues(
    entry: dict[str, Any],
    before: Accumulator,
    same: tuple[str, ...],
    known: frozenset[str],
) -> bool:
    if not (before.keys() | entry.keys()) <= known:
        return False
    return all(before.get(name) == entry.get(name) for name in same)
