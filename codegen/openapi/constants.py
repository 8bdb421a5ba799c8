"""`enum` and `const` -> `ir.Type`, and names that are listed (2020-12, validation 6.1.2, 6.1.3).

In: the values that a schema lists. Out: those that the rest of the schema allows, as one type.
Rules: null is a fact of its own; whole numbers beside others are numbers too, so that `1.0` is
`1`; arrays and objects are compared whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from codegen.ir.types import Constant, JsonScalar, Literal, Type
from codegen.openapi.conjunction import Facts, gather
from codegen.openapi.node import Node
from codegen.openapi.resolver import Resolver
from codegen.openapi.union import join_types
from codegen.source.values import Json, is_among

_DEPTH = 8


def read_constants(values: Iterable[Json]) -> Type:
    """One of the values, null aside; `Never` where there is none."""
    listed = list(values)
    has_float = any(isinstance(value, float) for value in listed)
    types: list[Type] = []
    for value in listed:
        match value:
            case None:
                pass
            case dict() | list():
                types.append(Constant(json.dumps(value, ensure_ascii=False, sort_keys=True)))
            case _:
                types.append(Literal((_as_number(value) if has_float else value,)))
    return join_types(types)


def fits(value: Json, facts: Facts, resolver: Resolver, depth: int = _DEPTH) -> bool:
    """Whether facts hold for a value, as far as types, constants, members and entries tell."""
    if not depth:
        return True
    if facts.never or (value is None and not facts.nullable and facts.kinds is not None):
        return False
    if facts.values is not None and not is_among(value, facts.values):
        return False
    if value is not None and facts.kinds is not None and not _has_type(value, facts.kinds):
        return False

    def fit(value: Json, *nodes: Node) -> bool:
        return fits(value, gather(nodes, resolver), resolver, depth - 1)

    plain = facts.plain if facts.alternatives else ()
    if not all(
        any(fit(value, *plain, member) for member in union.members) for union in facts.alternatives
    ):
        return False
    if isinstance(value, dict):
        return facts.required.keys() <= value.keys() and all(
            fit(value[name], *members)
            for name, members in facts.properties.items()
            if name in value
        )
    if isinstance(value, list):
        return all(fit(it, *facts.entry(i)) for i, it in enumerate(value))
    return True


def listed_names(facts: Facts, resolver: Resolver) -> dict[str, Node] | None:
    """The only names that the members of an object may have, if `propertyNames` lists them, each
    with the schema that does.
    """
    if not facts.names:
        return None
    said = gather(tuple(facts.names), resolver)
    if said.never:
        return {}
    if said.values is None:
        for node in facts.names:
            message = "`propertyNames` is not checked"
            resolver.diagnostics.add("SB204", message, origin=node.origin)
        return None
    return {name: facts.names[0] for name in said.values if isinstance(name, str)}


def _as_number(value: JsonScalar) -> JsonScalar:
    """A whole number as a float, where that is exact."""
    if isinstance(value, bool) or not isinstance(value, int):
        return value
    exact = abs(value) <= 2**53
    return float(value) if exact else value


def _has_type(value: Json, types: frozenset[str]) -> bool:
    match value:
        case bool():
            return "boolean" in types
        case int():
            return bool(types & {"integer", "number"})
        case float():
            return "number" in types
        case str():
            return "string" in types
        case list():
            return "array" in types
        case _:
            return "object" in types
