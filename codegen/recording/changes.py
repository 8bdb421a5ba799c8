"""What an event changed: the difference between two snapshots.

In: JSON data before and after. Out: changes that, applied in order, lead from one to the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.recording.events import Change, Effect
from codegen.recording.typed import Path
from codegen.source.values import Json


def find_changes(before: Json, after: Json, path: Path = ()) -> Iterator[Change]:
    """Yield the smallest values that differ; a text that only grew is told by what came."""
    match before, after:
        case dict(), dict():
            yield from _in_object(before, after, path)
        case list(), list() if len(before) <= len(after):
            yield from _in_array(before, after, path)
        case str(), str() if before and before != after and after.startswith(before):
            yield Change(effect=Effect.EXTENDED, path=path, value=after[len(before) :])
        case _ if type(before) is not type(after) or before != after:
            yield Change(effect=Effect.REPLACED, path=path, value=after)
        case _:
            pass


def _in_object(before: dict[str, Json], after: dict[str, Json], path: Path) -> Iterator[Change]:
    for name in before:
        if name not in after:
            yield Change(effect=Effect.REMOVED, path=(*path, name), value=None)
    for name, value in after.items():
        if name in before:
            yield from find_changes(before[name], value, (*path, name))
        else:
            yield Change(effect=Effect.ADDED, path=(*path, name), value=value)


def _in_array(before: list[Json], after: list[Json], path: Path) -> Iterator[Change]:
    for index, value in enumerate(after):
        if index < len(before):
            yield from find_changes(before[index], value, (*path, index))
        else:
            yield Change(effect=Effect.ADDED, path=(*path, index), value=value)
