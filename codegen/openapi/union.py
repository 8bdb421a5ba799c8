"""Several schemas of which one holds -> `ir.Type` (`oneOf`, `anyOf`, lists of types; Discriminator
Object 4.8.25).

In: the types of the members, and the discriminator beside them. Out: one type, as flat as it can
be: null becomes `Nullable`, constants join into one `Literal`, a plain string beside constants
leaves that literal open. What tells objects apart is completed by a pass, when all of them are
known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from codegen.ir.types import (
    Anything,
    DeclId,
    Literal,
    Never,
    Null,
    Nullable,
    Scalar,
    Tag,
    Type,
    Union,
    nullable,
    scalar_kind,
)
from codegen.openapi.node import Node
from codegen.openapi.resolver import Resolver
from codegen.source.pointer import join


def join_types(
    types: Iterable[Type], tag_field: str = "", mapping: Mapping[str, Type] | None = None
) -> Type:
    """The type of a value that one of the types describes, told apart by a member where a
    discriminator names it.
    """
    members: list[Type] = []
    null = False
    for type_ in types:
        if isinstance(type_, Nullable):
            null, type_ = True, type_.type
        if isinstance(type_, Null):
            null = True
        elif isinstance(type_, Union) and type_.tag is None:
            members += type_.members
        elif not isinstance(type_, Never):
            members.append(type_)
    members = _join_literals(members)
    # To hash a type takes a call for each level of it: one alone is not compared.
    if len(members) > 1:
        members = list(dict.fromkeys(members))
    if not members:
        return Null() if null else Never()
    if any(isinstance(member, Anything) for member in members):
        return Anything()
    joined = members[0] if len(members) == 1 else Union(tuple(members))
    if isinstance(joined, Union) and tag_field:
        joined = Union(joined.members, _tag(tag_field, joined.members, mapping or {}))
    return nullable(joined) if null else joined


def replace_member(type_: Type, old: Type, new: Type) -> Type:
    """The type with another one in place of one that the value may be."""
    match type_:
        case Nullable(type=inner):
            return nullable(replace_member(inner, old, new))
        case Union(members=members):
            return replace(type_, members=tuple(replace_member(it, old, new) for it in members))
        case _:
            return new if type_ == old else type_


def _join_literals(members: list[Type]) -> list[Type]:
    literals = [member for member in members if isinstance(member, Literal)]
    if not literals:
        return members
    # 1 == True == 1.0 in Python, but not in JSON: the kind belongs to the identity of a value.
    values = {
        (scalar_kind(value), value): value for literal in literals for value in literal.values
    }
    joined = Literal(
        tuple(values.values()),
        any(literal.open for literal in literals),
        any(literal.others for literal in literals),
    )
    plain = [
        member
        for member in members
        if isinstance(member, Scalar) and member.kind in joined.kinds and not member.constraints
    ]
    if plain and len(joined.kinds) == 1:
        joined = Literal(joined.values, open=True, others=True)
        members = [member for member in members if member not in plain]
    place = members.index(literals[0])
    rest = [member for member in members[place:] if not isinstance(member, Literal)]
    return [*members[:place], joined, *rest]


def _tag(field: str, members: tuple[Type, ...], mapping: Mapping[str, Type]) -> Tag:
    cases: list[tuple[str, tuple[int, ...]]] = []
    for value, type_ in mapping.items():
        meant = type_.type if isinstance(type_, Nullable) else type_
        indices = tuple(i for i, member in enumerate(members) if member == meant)
        if indices:
            cases.append((value, indices))
    return Tag(field, tuple(cases))


def is_reference(text: str) -> bool:
    """Whether a value of a mapping refers to a schema, and does not name one."""
    return "/" in text or "#" in text or "." in text


def tag_name(discriminator: Node) -> str:
    """The member that tells objects apart: in Swagger 2.0, and often after it, all that is said."""
    held = discriminator.data
    return held if isinstance(held, str) else discriminator.text("propertyName")


def read_mapping(discriminator: Node, resolver: Resolver) -> dict[str, DeclId]:
    """The schema for each value of the mapping; a value may name a schema or refer to it.

    One that leads nowhere is left out: tools that bring many files into one do not change mappings.
    """
    mapping: dict[str, DeclId] = {}
    dangling: list[str] = []
    for value, entry in discriminator.members_of("mapping"):
        text = entry.data if isinstance(entry.data, str) else ""
        if not is_reference(text):
            text = join("#/components/schemas", text)
        held = Node({"$ref": text}, entry.document, discriminator.child("mapping").pointer)
        target = resolver.seek(held)
        if target is None:
            dangling.append(text)
        else:
            mapping[value] = target.id
    if dangling:
        values = "value is" if len(dangling) == 1 else "values are"
        message = f"nothing at {', '.join(map(repr, dangling))}: the {values} not read"
        resolver.diagnostics.add("SB214", message, origin=discriminator.child("mapping").origin)
    return mapping
