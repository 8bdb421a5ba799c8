"""Where a schema stands: what an object there is called, and what is being read around it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from codegen.ir.api import Name
from codegen.ir.names import item_name
from codegen.ir.types import DeclId
from codegen.openapi.node import Node


@dataclass(frozen=True, slots=True)
class Place:
    """The name an object would take, the named schema it lies in, and, where it is that schema, the
    id it is referred to by; `around` are the schemas that hold for this same value.
    """

    name: Name
    home: DeclId
    id: DeclId | None = None
    around: frozenset[DeclId] = frozenset()

    def inside(self, *parts: str) -> Place:
        """The place of a member of an object that stands here."""
        return Place((*self.name, *parts), self.home)

    def entry(self) -> Place:
        """The place of one entry of an array that stands here."""
        return Place((*self.name[:-1], item_name(self.name[-1])), self.home)

    def choosing(self, key: DeclId) -> Place:
        """This place, while what a value may be is chosen."""
        return replace(self, around=self.around | {key})

    def choice(self, name: Name) -> Place:
        """The place of one choice; the only one has no name of its own."""
        return replace(self, name=(*self.name, *name), id=None if name else self.id)


def key_of(nodes: tuple[Node, ...]) -> DeclId:
    """The id of what several schemas say together."""
    return DeclId("|".join(node.id for node in nodes))
