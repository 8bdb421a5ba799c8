"""What accumulators are made of: fragments, kept as they come and joined on read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Folded(Protocol[T_co]):
    """An object that grows with the stream."""

    def snapshot(self) -> T_co: ...


def key_for(parts: Mapping[tuple[bool, int], Any], key: int | None) -> tuple[bool, int]:
    """Find the place of an entry; one that came without a key is after all others."""
    return (True, len(parts)) if key is None else (False, key)


def joined(fragments: list[str]) -> str | None:
    """Join the texts that came; None if none did."""
    return "".join(fragments) if fragments else None


def listed(items: list[T]) -> list[T] | None:
    """Copy the entries that came; None if none did."""
    return items.copy() if items else None


def snapshot_of(part: Folded[T] | None) -> T | None:
    """Show an object as far as it has come; None if it has not."""
    return None if part is None else part.snapshot()


def snapshots_of(parts: Mapping[Any, Folded[T]]) -> list[T] | None:
    """Show the entries of an array in the order of their keys; None if none came."""
    return [parts[key].snapshot() for key in sorted(parts)] if parts else None


def collect(kept: dict[str, list[Any]], members: Mapping[str, Any]) -> None:
    """Keep the values of undeclared members, each in the order they came."""
    for name, value in members.items():
        kept.setdefault(name, []).append(value)
