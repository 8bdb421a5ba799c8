"""What annotations say that types cannot: marks, which stand in `Annotated`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Never


class OneOf:
    """Only these constants, which `Literal` cannot hold."""

    def __init__(self, *values: Any) -> None:
        self.values = values

    def __repr__(self) -> str:
        return f"OneOf{self.values!r}"


class Prefix:
    """An array whose first items have types of their own; all others are `rest`."""

    def __init__(self, *first: Any, rest: Any = Never) -> None:
        self.first = first
        self.rest: Any = rest

    @property
    def is_whole(self) -> bool:
        """Whether there are no others."""
        return self.rest is Never

    def item(self, index: int) -> Any:
        """Give the type of the item at an index."""
        return self.first[index] if index < len(self.first) else self.rest


class Either:
    """One of several types, each of which may be a union with a tag of its own."""

    def __init__(self, *types: Any) -> None:
        self.types = types


class Tagged:
    """Objects of a union that a member tells apart: a type for each of its values.

    `untagged` is the type of those that lack the member, if they may.
    """

    def __init__(
        self, name: str, cases: Mapping[str, Any], untagged: Any = None
    ) -> None:
        self.name = name
        self.cases = cases
        self.untagged = untagged
