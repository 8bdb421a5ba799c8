"""A value in a document together with its place.

In: documents of the source stage. Out: nodes, from which every other file here reads. A node never
changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from codegen.diagnostics import Origin
from codegen.ir.types import DeclId
from codegen.source.document import Document
from codegen.source.pointer import join
from codegen.source.values import Json

_NOTHING: Mapping[str, Json] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A value and where it stands; nodes are equal that hold the same value at the same place.

    `scope` holds the URIs of the schemas it was reached through that give anchors in it another
    meaning (JSON Schema 2020-12 core, section 8.2.3.2).
    """

    data: Json
    document: Document
    pointer: str
    scope: tuple[str, ...] = field(default=(), kw_only=True)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Node)
            and self.data is other.data
            and self.pointer == other.pointer
            and self.document is other.document
            and self.scope == other.scope
        )

    def __hash__(self) -> int:
        return hash((self.pointer, id(self.data)))

    @property
    def origin(self) -> Origin:
        return Origin(document=self.document.name, pointer=self.pointer)

    @property
    def id(self) -> DeclId:
        place = self.document.name + self.pointer
        return DeclId("@".join((place, *self.scope)) if self.scope else place)

    @property
    def keywords(self) -> Mapping[str, Json]:
        """The members of an object; none for any other value."""
        data = self.data
        return data if isinstance(data, dict) else _NOTHING

    def child(self, key: str) -> Node:
        """The member of that name; its data is None where there is none."""
        place = join(self.pointer, key)
        return Node(self.keywords.get(key), self.document, place, scope=self.scope)

    def members(self) -> Iterator[tuple[str, Node]]:
        """Each member of an object; none for any other value."""
        for key in self.keywords:
            yield key, self.child(key)

    def entries(self) -> Iterator[Node]:
        """Each entry of an array; none for any other value."""
        if isinstance(self.data, list):
            for index, value in enumerate(self.data):
                place = join(self.pointer, index)
                yield Node(value, self.document, place, scope=self.scope)

    def members_of(self, key: str) -> Iterator[tuple[str, Node]]:
        """Each member of the object of that name."""
        return self.child(key).members() if key in self.keywords else iter(())

    def entries_of(self, key: str) -> Iterator[Node]:
        """Each entry of the array of that name."""
        return self.child(key).entries() if key in self.keywords else iter(())

    def text(self, key: str) -> str:
        """The member of that name where it is a string, else an empty one."""
        data = self.data
        value = data.get(key) if isinstance(data, dict) else None
        return value if isinstance(value, str) else ""

    def flag(self, key: str) -> bool:
        data = self.data
        return isinstance(data, dict) and data.get(key) is True


@dataclass(frozen=True, slots=True, eq=False)
class Assembled(Node):
    """An object that nobody wrote as one: its members stand elsewhere, each in its own place."""

    parts: Mapping[str, Node]

    def child(self, key: str) -> Node:
        part = self.parts.get(key)
        return Node.child(self, key) if part is None else part
