"""After this, the objects of a union that no tag tells apart stand in the order they are tried in:
one that requires a member which another does not declare comes before that other. So do those that
share a value of a tag, and those that need none.

The first that fits is taken, and an object with everything optional fits nearly all. Where nothing
that two of them require differs, only the order of the document decides, and that is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from codegen.diagnostics import Diagnostics
from codegen.ir.api import Alias, Api, Decl, Object
from codegen.ir.members import Decls, member_of
from codegen.ir.schemas import has_name
from codegen.ir.types import Array, Literal, Map, Ref, Scalar, ScalarKind, Type, Union
from codegen.ir.walk import decls_by_id, objects_of, without_null


def order_members(api: Api, diagnostics: Diagnostics) -> Api:
    """Sort the members of each union without a tag, and of each case of a tag."""
    decls = decls_by_id(api)
    changed: list[Decl] = []
    for decl in api.decls:
        if isinstance(decl, Alias) and isinstance(decl.type, Union):
            union = _sorted(decl.type, decls)
            decl = replace(decl, type=union)
            _tell(decl, union, decls, diagnostics)
        changed.append(decl)
    return replace(api, decls=tuple(changed))


def _sorted(union: Union, decls: Decls) -> Union:
    members, tag = union.members, union.tag
    if tag is None:
        return replace(union, members=tuple(members[it] for it in _order(members, decls)))

    def sort(indices: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(indices[it] for it in _order([members[it] for it in indices], decls))

    cases = tuple((value, sort(indices)) for value, indices in tag.cases)
    return replace(union, tag=replace(tag, cases=cases, untagged=sort(tag.untagged)))


@dataclass(frozen=True, slots=True)
class _Form:
    """What a member of a union declares, and what each of its objects requires."""

    declared: frozenset[str]
    required: tuple[frozenset[str], ...]


def _order(members: Sequence[Type], decls: Decls) -> Sequence[int]:
    """The places of members in the order they are tried in."""
    forms = [_form(member, decls) for member in members]
    rest = dict.fromkeys(range(len(members)))
    ahead = {it: {other for other in rest if _goes_before(forms[other], forms[it])} for it in rest}
    placed: list[int] = []
    while rest:
        following = next((it for it in rest if ahead[it].isdisjoint(rest)), next(iter(rest)))
        del rest[following]
        placed.append(following)
    return placed


def _form(member: Type, decls: Decls) -> _Form:
    objects = objects_of(member, decls)
    return _Form(
        frozenset(field.wire for object_ in objects for field in object_.fields),
        tuple(frozenset(it.wire for it in object_.fields if it.required) for object_ in objects),
    )


def _goes_before(one: _Form, other: _Form) -> bool:
    return _requires_more(one, other) and not _requires_more(other, one)


def _requires_more(one: _Form, other: _Form) -> bool:
    """Whether each object of one requires a member that no object of the other declares."""
    if not one.required or not other.required:
        return False
    return not any(required <= other.declared for required in one.required)


def _tell(alias: Alias, union: Union, decls: Decls, diagnostics: Diagnostics) -> None:
    """Tell of the objects that nothing but the order of the document tells apart."""
    alike = [it for pair in _rivals(union, decls) if not _differ(*pair, decls) for it in pair]
    if alike:
        names = ", ".join(dict.fromkeys(map(_called, alike)))
        message = f"the first that fits is taken of objects that are alike: {names}"
        diagnostics.add("SB404", message, origin=alias.origin)


def _called(object_: Object) -> str:
    """The name that the document gives an object, or else where it is."""
    return object_.name[0] if has_name(object_) else object_.origin.pointer


def _rivals(union: Union, decls: Decls) -> Iterator[tuple[Object, Object]]:
    """Each two objects of which the first that fits is taken."""
    groups = [range(len(union.members))] if union.tag is None else [it for _, it in union.tag.cases]
    for indices in groups:
        objects = [o for it in indices for o in objects_of(union.members[it], decls)]
        distinct = {object_.id: object_ for object_ in objects}
        if len(indices) > 1:
            yield from combinations(distinct.values(), 2)


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
