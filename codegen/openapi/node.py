"""A value in a document together with its place, and the way along a `$ref`.

In: documents of the source stage. Out: nodes, from which every other file here reads. Rules: a node
never changes; a reference that leads nowhere is reported once, at the place that holds it, and then
read as no answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from codegen.diagnostics import Diagnostics, Origin
from codegen.ir.types import DeclId
from codegen.source.document import Document
from codegen.source.pointer import join, lookup
from codegen.source.references import Library
from codegen.source.values import Json

_NOTHING: Mapping[str, Json] = {}


@dataclass(frozen=True, slots=True)
class Node:
    data: Json
    document: Document
    pointer: str

    @property
    def origin(self) -> Origin:
        return Origin(document=self.document.name, pointer=self.pointer)

    @property
    def id(self) -> DeclId:
        return DeclId(self.document.name + self.pointer)

    @property
    def keywords(self) -> Mapping[str, Json]:
        """The members of an object; none for any other value."""
        return self.data if isinstance(self.data, dict) else _NOTHING

    def child(self, key: str) -> Node:
        """The member of that name; its data is None where there is none."""
        return Node(self.keywords.get(key), self.document, join(self.pointer, key))

    def members(self) -> Iterator[tuple[str, Node]]:
        """Each member of an object; none for any other value."""
        for key in self.keywords:
            yield key, self.child(key)

    def entries(self) -> Iterator[Node]:
        """Each entry of an array; none for any other value."""
        if isinstance(self.data, list):
            for index, value in enumerate(self.data):
                yield Node(value, self.document, join(self.pointer, str(index)))

    def text(self, key: str) -> str:
        """The member of that name where it is a string, else an empty one."""
        value = self.keywords.get(key)
        return value if isinstance(value, str) else ""

    def flag(self, key: str) -> bool:
        return self.keywords.get(key) is True


@dataclass(frozen=True, slots=True)
class Assembled(Node):
    """An object that nobody wrote as one: its members stand elsewhere, each in its own place."""

    parts: Mapping[str, Node]

    def child(self, key: str) -> Node:
        part = self.parts.get(key)
        return Node.child(self, key) if part is None else part


@dataclass(frozen=True, slots=True)
class Resolver:
    """Follows references; shared by all readers of one run."""

    library: Library
    diagnostics: Diagnostics

    def target(self, node: Node) -> Node | None:
        """What the `$ref` of a node names, one step along; None after reporting where it leads
        nowhere.
        """
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
        chain = self.chain(node)
        return chain[-1] if chain and not chain[-1].text("$ref") else None

    def chain(self, node: Node) -> tuple[Node, ...]:
        """The node and all that its chain of references passes, as far as it leads somewhere."""
        chain: dict[DeclId, Node] = {}
        current: Node | None = node
        while current is not None:
            if current.id in chain:
                self.diagnostics.add("SB202", "the reference leads to itself", origin=node.origin)
                break
            chain[current.id] = current
            current = self.target(current) if current.text("$ref") else None
        return tuple(chain.values())

    def section(self, root: Node, *path: str) -> Iterator[tuple[str, Node]]:
        """The members of an object inside a root, where each step may be a reference."""
        found: Node | None = root
        for key in path:
            found = found and self.resolve(found.child(key))
        if found is not None:
            yield from found.members()
