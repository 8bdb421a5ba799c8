"""Arrays whose entries may continue the entry before them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .accumulator import Accumulator, Pieces
from .decoding import is_array, is_object


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
    a member that is not named here. An array under `concat` goes on the same way.
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
            before = array.latest = Accumulator()
            array.unkeyed.append(before)
        for name, value in entry.items():
            if name in concat and isinstance(value, str):
                before.concat(name, value)
            elif name in concat and is_array(value) and all(map(is_object, value)):
                before.array(name)
                glue(before, name, value, same=same, concat=concat, last=last)
            elif value is not None or name not in before:
                before[name] = value


def join_parts(
    held: Accumulator,
    key: Any,
    value: Any,
    *,
    text: str,
    make: Mapping[str, Any] | None = None,
    same: tuple[str, ...] = (),
    concat: tuple[str, ...] = (),
    last: tuple[str, ...] = (),
) -> None:
    """Join a text to a text, or entries to entries.

    Where both come, a text that is not empty is an entry: `make` with its `text`.
    """
    came = held.get(key)
    entries: list[Any]
    if isinstance(value, str):
        if came is None or isinstance(came, Pieces):
            held.concat(key, value)
            return
        entries = [{**(make or {}), text: value}] if value else []
    else:
        entries = value if is_array(value) else [value]
        if isinstance(came, Pieces):
            del held[key]
            if before := came.show(whole=False):
                entries = [{**(make or {}), text: before}, *entries]
    held.array(key)
    glue(held, key, entries, same=same, concat=concat, last=last)


def _continues(
    entry: dict[str, Any],
    before: Accumulator,
    same: tuple[str, ...],
    known: frozenset[str],
) -> bool:
    if not (before.keys() | entry.keys()) <= known:
        return False
    return all(before.get(name) == entry.get(name) for name in same)
