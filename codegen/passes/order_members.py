"""After this, the objects of a union that no tag tells apart stand in the order they are tried in:
one that requires a member which another does not declare comes before that other.

The first that fits is taken, and an object with everything optional fits nearly all. Where nothing
that two of them require differs, only the order of the document decides, and that is told.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from codegen.diagnostics import Diagnostics
from codegen.ir.api import Alias, Api, Decl, Object
from codegen.ir.members import Decls, member_of
from codegen.ir.types import Array, Literal, Map, Ref, Scalar, ScalarKind, Type, Union
from codegen.ir.walk import decls_by_id, objects_of, without_null


def order_members(api: Api, diagnostics: Diagnostics) -> Api:
    """Sort the members of each union without a tag."""
    decls = decls_by_id(api)
    changed: list[Decl] = []
    for decl in api.decls:
        if isinstance(decl, Alias) and isinstance(decl.type, Union) and decl.type.tag is None:
            members = _sorted(decl.type.members, decls)
            decl = replace(decl, type=replace(decl.type, members=members))
            _tell(decl, members, decls, diagnostics)
        changed.append(decl)
    return replace(api, decls=tuple(changed))


def _sorted(members: tuple[Type, ...], decls: Decls) -> tuple[Type, ...]:
    rest, placed = list(members), list[Type]()
    while rest:
        free = (it for it in rest if not any(_goes_before(other, it, decls) for other in rest))
        following = next(free, rest[0])
        rest.remove(following)
        placed.append(following)
    return tuple(placed)


def _goes_before(one: Type, other: Type, decls: Decls) -> bool:
    return _requires_more(one, other, decls) and not _requires_more(other, one, decls)


def _requires_more(one: Type, other: Type, decls: Decls) -> bool:
    """Whether each object of one requires a member that no object of the other declares."""
    objects, others = objects_of(one, decls), objects_of(other, decls)
    declared = {field.wire for object_ in others for field in object_.fields}
    return bool(objects and others) and all(
        any(field.required and field.wire not in declared for field in object_.fields)
        for object_ in objects
    )


def _tell(alias: Alias, members: tuple[Type, ...], decls: Decls, diagnostics: Diagnostics) -> None:
    objects = dict.fromkeys(it.id for member in members for it in objects_of(member, decls))
    found = (decls[id_] for id_ in objects)
    pairs = combinations((it for it in found if isinstance(it, Object)), 2)
    alike = [it.name for pair in pairs if not _differ(*pair, decls) for it in pair]
    if alike:
        names = ", ".join(dict.fromkeys(" ".join(name) for name in alike))
        message = f"the first that fits is taken of objects that are alike: {names}"
        diagnostics.add("SB404", message, origin=alias.origin)


def _differ(one: Object, other: Object, decls: Decls) -> bool:
    """Whether a member that one of them requires is never in the other, or never the same there."""
    for object_, rival in ((one, other), (other, one)):
        for field in object_.fields:
            held = member_of(rival, field.wire)
            if field.required and (held is None or _exclude(field.type, held.type, decls)):
                return True
    return False


def _exclude(one: Type, other: Type, decls: Decls) -> bool:
    """Whether no value is of both types, as far as kinds and constants tell."""
    one, other = without_null(one, decls), without_null(other, decls)
    if isinstance(one, Literal) and isinstance(other, Literal):
        return not {repr(it) for it in one.values} & {repr(it) for it in other.values}
    kinds, others = _kinds(one), _kinds(other)
    return bool(kinds and others) and not kinds & others


def _kinds(type_: Type) -> frozenset[str]:
    """The kinds of JSON values that a type has; none where that is not plain."""
    match type_:
        case Scalar(kind=ScalarKind.NUMBER):
            return frozenset({"integer", "number"})
        case Scalar(kind=kind):
            return frozenset({kind.value})
        case Literal(kinds=kinds):
            return frozenset(kind.value for kind in kinds)
        case Array():
            return frozenset({"array"})
        case Map() | Ref():
            return frozenset({"object"})
        case _:
            return frozenset()
