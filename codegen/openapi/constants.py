"""`enum` and `const` -> `ir.Type`, and names that are listed (2020-12, validation 6.1.2, 6.1.3).

In: the values that a schema lists. Out: those that the rest of the schema allows, as one type.
Rules: null is a fact of its own; whole numbers beside others are numbers too, so that `1.0` is
`1`; true and false are every boolean; arrays and objects are compared whole.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cache, cached_property, partial

from codegen.ir.types import (
    Anything,
    Array,
    Constant,
    JsonScalar,
    Literal,
    Map,
    Scalar,
    ScalarKind,
    Type,
)
from codegen.openapi.conjunction import Facts, gather
from codegen.openapi.listed import has_type
from codegen.openapi.node import Node
from codegen.openapi.resolver import Resolver
from codegen.openapi.union import join_types
from codegen.source.values import Json, identity, is_too_deep

_DEPTH = 8
# Python takes brackets inside of 200 others, and a constant stands inside of some.
_DEEPEST = 100


def read_constants(values: Iterable[Json], node: Node, resolver: Resolver) -> Type:
    """One of the values, null aside; `Never` where there is none. Of one that no expression of
    Python's spells, any array or object may be in its place.
    """
    listed = list(values)
    has_float = any(isinstance(value, float) for value in listed)
    has_both = any(value is True for value in listed) and any(value is False for value in listed)
    types: list[Type] = []
    for value in listed:
        match value:
            case None:
                pass
            case dict() | list() if is_too_deep(value, _DEEPEST):
                message = f"a constant is not compared that nests deeper than {_DEEPEST} levels"
                resolver.diagnostics.add("SB204", message, origin=node.origin)
                types.append(Map(Anything()) if isinstance(value, dict) else Array(Anything()))
            case dict() | list():
                types.append(Constant(json.dumps(value, ensure_ascii=False, sort_keys=True)))
            case bool() if has_both:
                types.append(Scalar(ScalarKind.BOOLEAN))
            case _:
                types.append(Literal((_as_number(value) if has_float else value,)))
    return join_types(types)


def fits(value: Json, facts: Facts, resolver: Resolver) -> bool:
    """Whether facts hold for a value, as far as `fitting` tells."""
    return any(True for _ in fitting((value,), facts, resolver))


def fitting(values: Iterable[Json], facts: Facts, resolver: Resolver) -> Iterator[Json]:
    """The values that facts hold for, as far as types, constants, members and entries tell."""
    test = _Test(facts, resolver, _DEPTH)
    return (value for value in values if test.passes(value))


class _Test:
    """What facts say of values: gathered once for however many there are."""

    def __init__(self, facts: Facts, resolver: Resolver, depth: int) -> None:
        self._facts = facts
        self._resolver = resolver
        self._depth = depth

    @cached_property
    def _values(self) -> frozenset[Hashable] | None:
        values = self._facts.values
        return None if values is None else frozenset(map(identity, values))

    @cached_property
    def _unions(self) -> list[list[Callable[[], _Test]]]:
        """A test for each member of each union, made when it is asked for."""
        plain = tuple(self._facts.plain)
        return [
            [cache(partial(self._inside, (*plain, member))) for member in union.members]
            for union in self._facts.alternatives
        ]

    def _inside(self, nodes: tuple[Node, ...]) -> _Test:
        return _Test(gather(nodes, self._resolver), self._resolver, self._depth - 1)

    def passes(self, value: Json) -> bool:
        facts = self._facts
        if not self._depth:
            return True
        if facts.never or not self._is_listed(value):
            return False
        if not all(any(test().passes(value) for test in union) for union in self._unions):
            return False
        if isinstance(value, dict):
            return facts.required.keys() <= value.keys() and all(
                self._inside(tuple(members)).passes(value[name])
                for name, members in facts.properties.items()
                if name in value
            )
        if isinstance(value, list):
            return all(self._inside(tuple(facts.entry(i))).passes(it) for i, it in enumerate(value))
        return True

    def _is_listed(self, value: Json) -> bool:
        """Whether a value is among the types and constants, as far as there are any."""
        kinds, values = self._facts.kinds, self._values
        if value is None:
            return self._facts.nullable or (kinds is None and values is None)
        is_constant = values is None or identity(value) in values
        return is_constant and (kinds is None or has_type(value, kinds))


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
