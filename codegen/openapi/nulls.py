"""`type: "null"` beside a union or a reference that null is none of.

In: the schemas that hold for one value. Out: the same, with `nullable: true` where such a type
excludes all that stands beside it: converters from 3.0 to 3.1 write one for the other, and taken by
the word (2020-12, validation 6.1.1) no value were allowed.
"""

from __future__ import annotations

from dataclasses import replace

from codegen.openapi.conjunction import COMPOSITION, gather
from codegen.openapi.node import Node
from codegen.openapi.resolver import Resolver


def with_null_beside(nodes: tuple[Node, ...], resolver: Resolver) -> tuple[Node, ...]:
    """The schemas as they are meant."""
    if not any(map(_is_null_beside, nodes)) or _allows_null(nodes, resolver):
        return nodes
    return tuple(_as_nullable(node, resolver) for node in nodes)


def _is_null_beside(node: Node) -> bool:
    stated = node.keywords
    return stated.get("type") in ("null", ["null"]) and not COMPOSITION.isdisjoint(stated)


def _allows_null(nodes: tuple[Node, ...], resolver: Resolver) -> bool:
    facts = gather(nodes, resolver)
    return facts.nullable and all(
        any(gather((member,), resolver).nullable for member in union.members)
        for union in facts.alternatives
    )


def _as_nullable(node: Node, resolver: Resolver) -> Node:
    if not _is_null_beside(node):
        return node
    message = "this excludes all that stands beside it: null is read as one more choice"
    resolver.diagnostics.add("SB215", message, origin=node.child("type").origin)
    others = {key: value for key, value in node.keywords.items() if key != "type"}
    return replace(node, data={**others, "nullable": True})
