"""What several schemas say together: `allOf`, and keywords beside a `$ref`, gathered into one set
of facts.

In: nodes that must all hold for one value. Out: `Facts`, with every reference and `allOf` followed
to its end. Members that several schemas declare keep all their nodes, so that they are read as a
conjunction again, one level down. This is how composition becomes one flat record instead of
inheritance.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from codegen.ir.types import Constraint, DeclId
from codegen.openapi.constraints import read_constraints
from codegen.openapi.keywords import ASSERTIONS_UNREAD, is_annotation
from codegen.openapi.listed import are_unfit, listed_values, meant_values
from codegen.openapi.media_type import is_json
from codegen.openapi.miswritten import tell_no_schema, tell_unread_keywords
from codegen.openapi.node import Node
from codegen.openapi.resolver import REFERENCES, Resolver
from codegen.source.values import Json, identity

_HOLDING = ("$ref", "allOf")
_CLOSING = ("additionalProperties", "unevaluatedProperties")
_OF_OBJECTS = ("properties", "required", *_CLOSING, "patternProperties", "propertyNames")
NULL: Json = {"type": "null"}
COMPOSITION = frozenset([*REFERENCES, "allOf", "oneOf", "anyOf", "discriminator"])


@dataclass(frozen=True, slots=True)
class Alternatives:
    """One `oneOf` or `anyOf`: its members, and the Discriminator Object beside it (data None where
    there is none).
    """

    members: tuple[Node, ...]
    discriminator: Node
    node: Node


@dataclass(frozen=True, slots=True)
class Entries:
    """What one schema says of the entries of an array: of the first ones, and of all others."""

    first: tuple[Node, ...]
    rest: Node | None

    def at(self, index: int) -> Node | None:
        return self.first[index] if index < len(self.first) else self.rest


@dataclass(slots=True)
class Facts:
    """The facts about one value, filled by `gather` and then only read."""

    types: frozenset[str] | None = None
    nullable: bool = False
    never: bool = False
    values: tuple[Json, ...] | None = None
    format: str | None = None
    properties: dict[str, list[Node]] = field(default_factory=dict[str, list[Node]])
    required: dict[str, Node] = field(default_factory=dict[str, Node])
    extra: list[tuple[Node, ...]] = field(default_factory=list[tuple[Node, ...]])
    """For each schema that speaks of undeclared members, what one of them may be."""
    names: list[Node] = field(default_factory=list[Node])
    entries: list[Entries] = field(default_factory=list[Entries])
    content: list[Node] = field(default_factory=list[Node])
    alternatives: list[Alternatives] = field(default_factory=list[Alternatives])
    plain: list[Node] = field(default_factory=list[Node])
    """Where there are alternatives, what holds beside them: each node but for composition."""
    constraints: list[Constraint] = field(default_factory=list[Constraint])

    @property
    def describes_object(self) -> bool:
        return bool(self.properties or self.required)

    @property
    def kinds(self) -> frozenset[str] | None:
        """The types that are named, or else described; None for any."""
        if self.types is not None:
            return self.types
        if self.describes_object or self.extra or self.names:
            return frozenset({"object"})
        if self.entries:
            return frozenset({"array"})
        return frozenset({"string"}) if self.content else None

    def entry(self, index: int) -> list[Node]:
        """All that is said of the entry of an array at an index."""
        said = (entries.at(index) for entries in self.entries)
        return [node for node in said if node is not None]


def declared_types(node: Node) -> set[str]:
    """The types that a schema's `type` names: one, several, or none."""
    types = node.keywords.get("type")
    named = {t for t in (types if isinstance(types, list) else [types]) if isinstance(t, str)}
    # Swagger 2.0, section "Parameter Object": a file is bytes, as a binary string is in 3.0.
    return {"string" if name == "file" else name for name in named}


def stated_references(node: Node) -> list[str]:
    """The keywords by which a schema refers to others."""
    stated = node.keywords
    return [word for word in REFERENCES if word in stated and node.text(word)]


def is_nullable(node: Node) -> bool:
    """Whether null is allowed beside the type, in the words of 3.0 or of many 2.0 documents."""
    stated = node.keywords
    return stated.get("nullable") is True or stated.get("x-nullable") is True


def says(node: Node, flag: str, resolver: Resolver, seen: frozenset[DeclId] = frozenset()) -> bool:
    """Whether a schema, or one that holds with it, sets a flag such as `readOnly`: any of them is
    enough (2020-12, validation 9.4).
    """
    if node.flag(flag) or node.keywords.keys().isdisjoint(_HOLDING):
        return node.flag(flag)
    target = resolver.target(node) if node.text("$ref") else None
    held = [*node.entries_of("allOf"), *([target] if target is not None else [])]
    passed = seen | {node.id}
    return any(says(it, flag, resolver, passed) for it in held if it.id not in passed)


def gather(nodes: tuple[Node, ...], resolver: Resolver) -> Facts:
    """All facts of the nodes; a schema that leads back to itself through `allOf` counts once."""
    facts = resolver.gathered.get(nodes)
    if facts is None:
        facts = resolver.gathered[nodes] = _gather(nodes, resolver)
    return facts


def _gather(nodes: tuple[Node, ...], resolver: Resolver) -> Facts:
    facts = Facts()
    nulls: _Nulls = {}
    facts.nullable = _all_allow([_add(node, facts, resolver, nulls) for node in nodes]) is True
    facts.plain = [own_keywords(node) for node in facts.plain] if facts.alternatives else []
    return facts


# Whether null is allowed; None where nothing is said of that. And what each schema said that was
# added, on its own or inside of one that says `nullable`.
_Null: TypeAlias = bool | None
_Nulls: TypeAlias = dict[tuple[DeclId, bool], _Null]


def _all_allow(nulls: Iterable[_Null]) -> _Null:
    said = [null for null in nulls if null is not None]
    return all(said) if said else None


def _add(
    node: Node, facts: Facts, resolver: Resolver, nulls: _Nulls, is_inside: bool = False
) -> _Null:
    """Add what a schema says, and return whether it allows null.

    `nullable` adds null to all that its own Schema Object says, and to nothing that holds beside
    that (3.0.4, Schema Object); `is_inside` says whether one around this has it.
    """
    id_, data = node.id, node.data
    if (id_, is_inside) in nulls:
        return nulls[id_, is_inside]
    is_new = (id_, not is_inside) not in nulls
    nulls[id_, is_inside] = None
    if isinstance(data, bool):
        facts.never |= not data
        return None
    if not isinstance(data, dict):
        tell_no_schema(node, resolver.diagnostics)
        return None
    has_null = is_inside or is_nullable(node)
    targets = [resolver.target(node, keyword) for keyword in stated_references(node)]
    held = [*(it for it in targets if it is not None), *node.entries_of("allOf")]
    said = [_add(it, facts, resolver, nulls, has_null) for it in held]
    said.append(_add_type(node, facts, resolver))
    if is_new:
        facts.constraints += read_constraints(node, resolver.diagnostics)
        _add_object(node, facts, resolver)
        _add_entries(node, facts)
        _add_content(node, facts)
        _tell_unread(node, facts, resolver)
    _add_unions(node, facts, has_null)
    null = nulls[id_, is_inside] = is_nullable(node) or _all_allow(said)
    return null


def _add_unions(node: Node, facts: Facts, has_null: bool) -> None:
    for keyword in ("oneOf", "anyOf"):
        if members := tuple(map(_as_null, node.entries_of(keyword))):
            if has_null:
                members += (replace(node.child("nullable"), data=NULL),)
            facts.alternatives.append(Alternatives(members, node.child("discriminator"), node))
    data: Json = {**node.keywords, "nullable": True}
    facts.plain.append(replace(node, data=data) if has_null else node)


def _tell_unread(node: Node, facts: Facts, resolver: Resolver) -> None:
    tell_unread_keywords(node, resolver.diagnostics)
    data = node.keywords
    facts.never |= "not" in data and data["not"] in (True, {})
    for keyword in ASSERTIONS_UNREAD:
        if keyword in data and not (keyword == "not" and facts.never):
            resolver.diagnostics.add(
                "SB204", f"`{keyword}` is not checked", origin=node.child(keyword).origin
            )


def _as_null(member: Node) -> Node:
    """A member of a union that says `nullable: true` and nothing else means null, in the words of
    documents that have no `type: "null"`.
    """
    if is_nullable(member) and all(map(is_annotation, member.keywords)):
        return replace(member, data=NULL)
    return member


def _add_type(node: Node, facts: Facts, resolver: Resolver) -> _Null:
    names = declared_types(node)
    listed = listed_values(node)
    null = "null" in names or is_nullable(node) or None in (listed or ())
    types = frozenset(names - {"null"})
    if names:
        facts.types = types if facts.types is None else narrow(facts.types, types)
    values = meant_values(node, types, resolver)
    if values is not None:
        known = None if facts.values is None else frozenset(map(identity, facts.values))
        facts.values = tuple(v for v in values if known is None or identity(v) in known)
    # OpenAPI 3.1, 4.8.24.5: `contentEncoding: base64` is what `format: byte` was before.
    encoded = "byte" if node.text("contentEncoding") == "base64" else None
    facts.format = node.text("format") or encoded or facts.format
    return null if names or null or values is not None else None


def narrow(left: frozenset[str], right: frozenset[str]) -> frozenset[str]:
    """The types that both name, apart from null: an integer is a number."""
    both = left & right
    if ("number" in left and "integer" in right) or ("integer" in left and "number" in right):
        both |= {"integer"}
    return both


def _add_object(node: Node, facts: Facts, resolver: Resolver) -> None:
    data = node.keywords
    if data.keys().isdisjoint(_OF_OBJECTS):
        return
    for name, member in node.members_of("properties"):
        facts.properties.setdefault(name, []).append(member)
    for entry in node.entries_of("required"):
        if isinstance(entry.data, str):
            facts.required.setdefault(entry.data, entry)
    # Properties are gathered from all schemas, so what none of them evaluates is what is left.
    closing = (keyword for keyword in _CLOSING if keyword in data)
    stated = [node.child(keyword) for keyword in closing if data[keyword] not in (True, {})]
    patterns = tuple(member for _, member in node.members_of("patternProperties"))
    if patterns:
        message = "names are not matched: an undeclared member is one of those that are listed"
        origin = node.child("patternProperties").origin
        resolver.diagnostics.add("SB204", message, origin=origin)
    facts.extra += [(it, *patterns) for it in stated]
    if "propertyNames" in data:
        facts.names.append(node.child("propertyNames"))


def _add_entries(node: Node, facts: Facts) -> None:
    """2020-12, section 10.3.1; an array as `items` is the older form of `prefixItems`."""
    first = tuple(node.entries_of("prefixItems"))
    rest = node.child("items") if "items" in node.keywords else None
    if rest is not None and isinstance(rest.data, list):
        more = "additionalItems" in node.keywords
        first, rest = tuple(rest.entries()), node.child("additionalItems") if more else None
    if first or rest is not None:
        facts.entries.append(Entries(first, rest))
    listed = listed_values(node) or []
    if declared_types(node) - {"null"} == {"array"} and are_unfit(listed, frozenset({"array"})):
        meant: list[Json] = [value for value in listed if value is not None]
        facts.entries.append(Entries((), replace(node.child("enum"), data={"enum": meant})))


def _add_content(node: Node, facts: Facts) -> None:
    """2020-12, section 8: what a string holds is told, and not checked."""
    if is_json(node.text("contentMediaType")) and "contentSchema" in node.keywords:
        facts.content.append(node.child("contentSchema"))


def own_keywords(node: Node) -> Node:
    """The node's own keywords alone, to be read together with each member of a union."""
    data: dict[str, Json] = {k: v for k, v in node.keywords.items() if k not in COMPOSITION}
    return replace(node, data=data)
