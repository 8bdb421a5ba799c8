"""A `type` that excludes all of a reference or a union beside it.

In: the schemas that hold for one value. Out: the same, as they are meant: null is one more choice,
as converters from 3.0 write `nullable: true`; of another type and a reference, the reference holds
(3.0.3, section 4.7.23: what stands beside it is ignored). Read literally (2020-12, validation
6.1.1), they would allow no value.
"""

from __future__ import annotations

from dataclasses import replace

from codegen.openapi.conjunction import COMPOSITION, gather
from codegen.openapi.node import Node
from codegen.openapi.resolver import Resolver


def without_excluding_types(nodes: tuple[Node, ...], resolver: Resolver) -> tuple[Node, ...]:
    """The schemas as they are meant."""
    if not any(_is_null(node) or _is_beside_reference(node) for node in nodes):
        return nodes
    return tuple(_meant(node, resolver) if _excludes(node, resolver) else node for node in nodes)


def _is_null(node: Node) -> bool:
    stated = node.keywords
    return stated.get("type") in ("null", ["null"]) and not COMPOSITION.isdisjoint(stated)


def _is_beside_reference(node: Node) -> bool:
    return "$ref" in node.keywords and "type" in node.keywords


def _excludes(node: Node, resolver: Resolver) -> bool:
    """Whether no value is of the type and of what stands beside it, null included."""
    if not (_is_null(node) or _is_beside_reference(node)):
        return False
    facts = gather((node,), resolver)
    allows_null = facts.nullable and all(
        any(gather((member,), resolver).nullable for member in union.members)
        for union in facts.alternatives
    )
    return facts.types == frozenset() and not allows_null


def _meant(node: Node, resolver: Resolver) -> Node:
    meant = "null is read as one more choice" if _is_null(node) else "it is not read"
    message = f"the type excludes all that stands beside it: {meant}"
    resolver.diagnostics.add("SB215", message, origin=node.child("type").origin)
    others = {key: value for key, value in node.keywords.items() if key != "type"}
    return replace(node, data=others | {"nullable": True} if _is_null(node) else others)
