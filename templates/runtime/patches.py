"""Values that say where they belong, by a JSONPath beside them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .accumulator import Accumulator
from .decoding import Unfit
from .json_path import steps_of


def apply_patches(
    held: Accumulator,
    key: Any,
    entries: Iterable[dict[str, Any]],
    path: str,
    values: tuple[str, ...],
) -> None:
    """Put the first of the `values` in each entry where its `path` says, below a key.

    Null counts where no other of them is there. Texts are joined. Raises Unfit for a
    path that does not lead to one place.
    """
    for entry in entries:
        names = [name for name in values if name in entry]
        if names and entry.get(path) is not None:
            name = next((it for it in names if entry[it] is not None), names[0])
            owner, last = _walk(held, key, str(entry[path]))
            if isinstance(entry[name], str):
                owner.concat(last, entry[name])
            else:
                owner[last] = entry[name]


def _walk(held: Accumulator, key: Any, path: str) -> tuple[Accumulator, Any]:
    """Find what holds the place that a JSONPath leads to, and the last step."""
    try:
        steps = steps_of(path)
    except ValueError:
        raise Unfit("a JSONPath to one place", path) from None
    for step in steps:
        held = held.array(key) if isinstance(step, int) else held.object(key)
        key = step
    return held, key
