"""A value in a document together with its place, and the way along a `$ref`.

In: documents of the source stage. Out: nodes, from which every other file here reads. Rules: a node never changes; a
reference that leads nowhere is reported once, at the place that holds it, and then read as no answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from codegen.diagnostics import Diagnostics, Origin
from codegen.ir.types import DeclId
from codegen.source.document import Document
from codegen.source.pointer import join, lookup
from codegen.source.references import Library


@dataclass(frozen=True, slots=True)
class Node:
    """`data` is plain JSON: dict, list, str, int, float, bool or None."""

    data: Any
    document: Document
    pointer: str

    @property
    def origin(self) -> Origin:
        return Origin(document=self.document.name, pointer=self.pointer)

    @property
    def id(self) -> DeclId:
        return DeclId(self.document.name + self.pointer)

    def child(self, key: str) -> Node:
        """The member of that name; its data is None where there is none."""
        data = self.data.get(key) if isinstance(self.data, dict) else None
        return Node(data, self.document, join(self.pointer, key))

    def members(self) -> Iterator[tuple[str, Node]]:
        """The members of an object; none for any other value."""
        if isinstance(self.data, dict):
            for key in self.data:
                yield key, self.child(key)

    def entries(self) -> Iterator[Node]:
        """The entries of an array; none for any other value."""
        if isinstance(self.data, list):
            for index, value in enumerate(self.data):
                yield Node(value, self.document, join(self.pointer, str(index)))

    def text(self, key: str) -> str:
        """The member of that name where it is a string, else an empty one."""
        value = self.data.get(key) if isinstance(self.data, dict) else None
        return value if isinstance(value, str) else ""

    def flag(self, key: str) -> bool:
        return isinstance(self.data, dict) and self.data.get(key) is True


@dataclass(frozen=True, slots=True)
class Resolver:
    """Follows references; shared by all readers of one run."""

    library: Library
    diagnostics: Diagnostics

    def target(self, node: Node) -> Node | None:
        """What the `$ref` of a node names, one step along; None after reporting where it leads nowhere."""
        reference = node.text("$ref")
        place = join(node.pointer, "$ref")
        found = self.library.open(reference, node.document, place)
        if found is None:
            return None
        document, pointer = found
        try:
            data = lookup(document.data, pointer)
        except LookupError:
            origin = Origin(document=node.document.name, pointer=place)
            self.diagnostics.add("SB201", f"nothing at {reference!r}", origin=origin)
            return None
        return Node(data, document, pointer)

    def resolve(self, node: Node) -> Node | None:
        """The node itself, or what its chain of references ends at."""
        seen: set[DeclId] = set()
        current: Node | None = node
        while current is not None and current.text("$ref"):
            if current.id in seen:
                self.diagnostics.add("SB202", "the reference leads to itself", origin=node.origin)
                return None
            seen.add(current.id)
            current = self.target(current)
        return current
