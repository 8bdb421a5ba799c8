"""`oneOf` and `anyOf`, and what holds beside them -> the schemas of which one holds (2020-12,
section 10.2.1).

In: facts. Out: choices, each a set of schemas that hold together for one value. Rules: what stands
beside a union is held against each member; of several unions beside each other, each combination
that a value can satisfy is a choice; a member that says all of it already stays as it is, so that a
reference is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

from codegen.ir.api import Name
from codegen.openapi.conjunction import (
    NULL,
    Alternatives,
    Facts,
    gather,
    narrow,
)
from codegen.openapi.constants import fitting
from codegen.openapi.keywords import is_annotation
from codegen.openapi.node import Node
from codegen.openapi.resolver import Resolver
from codegen.openapi.union_names import variant_names

MOST = 64
# Members are compared with each other: ten times as many would take minutes.
MAX_MEMBERS = 1_000
_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Choice:
    """Schemas that hold together, and a part of a name for them; `members` are those of the unions,
    one of each.
    """

    nodes: tuple[Node, ...]
    name: Name
    members: tuple[Node, ...]


def choices(facts: Facts, resolver: Resolver) -> list[Choice] | None:
    """What a value for which the facts hold may be; None where no union has a say in that."""
    unions = [union for union in facts.alternatives if _is_read(union, resolver)]
    unions = _bounded(unions, resolver)
    if not unions:
        return None
    base = tuple(node for node in facts.plain if _says_something(node))
    said = gather(base, resolver)
    found = [Choice((), (), ())]
    for union in unions:
        merged = len(unions) > 1 or any(adds(said, (m,), resolver) for m in union.members)
        names = variant_names(list(union.members), resolver, merged=merged)
        found = [
            Choice((*it.nodes, member), (*it.name, *name), (*it.members, member))
            for it in found
            for member, name in zip(union.members, names, strict=True)
        ]
    possible: list[Choice] = []
    for choice in found:
        if adds(said, choice.nodes, resolver):
            choice = Choice((*base, *choice.nodes), choice.name, choice.members)
        if len(choice.nodes) == 1 or is_possible(choice.nodes, resolver):
            possible.append(choice)
        elif len(unions) == 1:
            message = "no value can be this member: the schemas beside it exclude it"
            resolver.diagnostics.add("SB206", message, origin=choice.members[0].origin)
    return possible


def adds(base: Facts, nodes: tuple[Node, ...], resolver: Resolver, depth: int = _DEPTH) -> bool:
    """Whether facts say of a value what the nodes do not say already."""
    if not _holds_anything(base):
        return False
    held = gather(nodes, resolver)
    if held.never:
        return False
    if held.alternatives and depth:
        members = held.alternatives[0].members
        return any(adds(base, (*held.plain, m), resolver, depth - 1) for m in members)
    kinds = held.kinds
    return (
        (base.types is not None and (kinds is None or narrow(base.types, kinds) != kinds))
        or (base.types is not None and not kinds and not base.nullable)
        or bool(base.properties or base.extra or base.names or base.entries or base.content)
        or not base.required.keys() <= held.required.keys()
        or not (base.values is None or base.values == held.values)
        or not (base.format is None or base.format == held.format)
        or any(limit not in held.constraints for limit in base.constraints)
    )


def sole_reference(nodes: tuple[Node, ...], resolver: Resolver) -> Node | None:
    """The one of several schemas that is a reference and says all that the others say."""
    for index, node in enumerate(nodes):
        others = (*nodes[:index], *nodes[index + 1 :])
        if not others or not node.text("$ref"):
            continue
        said = gather(others, resolver)
        allows_null = gather(nodes, resolver).nullable == gather((node,), resolver).nullable
        if allows_null and not said.alternatives and not adds(said, (node,), resolver):
            return node
    return None


def is_possible(nodes: tuple[Node, ...], resolver: Resolver, depth: int = _DEPTH) -> bool:
    """Whether some value can satisfy all nodes, as far as types, constants and required members
    tell.
    """
    facts = gather(nodes, resolver)
    if facts.never:
        return False
    if facts.nullable or not depth:
        return True
    if facts.types == frozenset() or facts.values == ():
        return False
    if facts.values is not None:
        return any(True for _ in fitting(facts.values, facts, resolver))
    required = (facts.properties[name] for name in facts.required if name in facts.properties)
    if facts.kinds == frozenset({"object"}) and not all(
        is_possible(tuple(members), resolver, depth - 1) for members in required
    ):
        return False
    return all(
        any(is_possible((*facts.plain, member), resolver, depth - 1) for member in union.members)
        for union in facts.alternatives
    )


def _is_read(union: Alternatives, resolver: Resolver) -> bool:
    # What `nullable` adds to a union is no member of its own.
    stated = (it for it in union.members if it.data is not NULL)
    if not all(map(_only_requires, stated)):
        return True
    message = "which of the members are required together is not checked"
    resolver.diagnostics.add("SB204", message, origin=union.node.origin)
    return False


def _bounded(unions: list[Alternatives], resolver: Resolver) -> list[Alternatives]:
    """The unions in their order, as long as there are not too many combinations."""
    kept: list[Alternatives] = []
    count = 1
    for union in unions:
        if len(union.members) > MAX_MEMBERS:
            message = f"a union of more than {MAX_MEMBERS:,} members"
            resolver.diagnostics.add("SB105", message, origin=union.node.origin)
        elif kept and count * len(union.members) > MOST:
            message = f"more than {MOST} combinations with the unions beside it: it is not checked"
            resolver.diagnostics.add("SB204", message, origin=union.node.origin)
        else:
            kept.append(union)
            count *= len(union.members)
    return kept


def _only_requires(node: Node) -> bool:
    """A member of a union that only says which properties come together."""
    return (
        isinstance(node.data, dict)
        and "required" in node.data
        and all(key in ("required", "type") or is_annotation(key) for key in node.keywords)
    )


def _says_something(node: Node) -> bool:
    return any(not is_annotation(key) or key in ("nullable", "x-nullable") for key in node.keywords)


def _holds_anything(facts: Facts) -> bool:
    return facts != Facts(nullable=facts.nullable)
