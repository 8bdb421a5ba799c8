"""A schema whose discriminator tells apart the schemas that extend it (OpenAPI 3.1 section 4.8.25;
Swagger 2.0, Schema Object).

In: a schema with a `discriminator` and no union beside it. Out: the schemas of its document whose
`allOf` refers to it, and the values that mean each. Rules: whoever refers to the schema means one
of those; the schema itself is one of them where its mapping names it, where its own constants have
a value for which nobody else stands, and where only one schema extends it. In an `allOf` it stays
what it is.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from codegen.ir.types import DeclId
from codegen.openapi.conjunction import gather
from codegen.openapi.node import Node
from codegen.openapi.resolver import Resolver
from codegen.openapi.union import read_mapping, tag_name
from codegen.source.pointer import split

_SECTIONS = (("components", "schemas"), ("definitions",), ("$defs",))


@dataclass(frozen=True, slots=True)
class Family:
    """The member that tells the schemas apart, the schemas, and who stands for each value."""

    field: str
    heirs: tuple[Node, ...]
    cases: dict[str, DeclId]


@dataclass(frozen=True, slots=True)
class Families:
    """Finds who extends whom, once for each document."""

    resolver: Resolver
    _heirs: dict[str, dict[DeclId, list[Node]]] = field(
        default_factory=dict[str, dict[DeclId, list[Node]]]
    )

    def find(self, node: Node) -> Family | None:
        """The family of a schema; None where nobody extends it, or nothing tells them apart."""
        held = node.child("discriminator")
        name = tag_name(held)
        if not name or "oneOf" in node.keywords or "anyOf" in node.keywords:
            return None
        heirs = self._heirs_in(node).get(node.id, [])
        if not heirs:
            return None
        known = {node.id, *(heir.id for heir in heirs)}
        mapping = read_mapping(held, self.resolver)
        cases = {value: id_ for value, id_ in mapping.items() if id_ in known}
        own = self._constants(node, name)
        for heir in heirs:
            if heir.id not in cases.values():
                values = self._constants(heir, name)
                narrowed = values if values != own else [split(heir.pointer)[-1]]
                cases |= {value: heir.id for value in narrowed if value not in cases}
        cases |= {value: node.id for value in own if value not in cases}
        if len(heirs) == 1 and node.id not in cases.values():
            cases.setdefault(split(node.pointer)[-1], node.id)
        return Family(name, tuple(heirs), cases)

    def _constants(self, node: Node, name: str) -> list[str]:
        members = gather((node,), self.resolver).properties.get(name, [])
        values = gather(tuple(members), self.resolver).values or ()
        return [value for value in values if isinstance(value, str)]

    def _heirs_in(self, node: Node) -> dict[DeclId, list[Node]]:
        document = node.document
        if document.name not in self._heirs:
            found: defaultdict[DeclId, list[Node]] = defaultdict(list)
            root = Node(document.data, document, "#")
            for section in _SECTIONS:
                for _, schema in self.resolver.section(root, *section):
                    for part in schema.entries_of("allOf"):
                        target = self.resolver.target(part) if part.text("$ref") else None
                        if target is not None:
                            found[target.id].append(schema)
            self._heirs[document.name] = dict(found)
        return self._heirs[document.name]
