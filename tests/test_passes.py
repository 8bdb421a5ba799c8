"""What the passes promise in their docstrings holds for every case, after all of them have run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import pytest

from codegen.formats import DEFAULTS
from codegen.ir.api import Access, Alias, Api, Decl, Direction, Framing, Object
from codegen.ir.fold import Keyed, Merge
from codegen.ir.types import (
    DeclId,
    Literal,
    Never,
    Nullable,
    Ref,
    Scalar,
    ScalarKind,
    Type,
    Union,
    children,
    refs,
)
from codegen.ir.walk import (
    all_types,
    decls_by_id,
    holds_objects,
    objects_of,
    reached,
    resolve,
    roots,
    tag_fields,
    types_of,
)
from codegen.passes import PASSES
from codegen.passes.split_deep_types import DEPTH
from tests.support import good_cases, outcome, parameters

Decls = Mapping[DeclId, Decl]


def after_passes(case: str) -> tuple[Api, dict[DeclId, Decl]]:
    api = outcome(case).api
    assert api is not None
    return api, decls_by_id(api)


def deep(type_: Type) -> Iterator[Type]:
    """A type and all types inside it."""
    yield type_
    for child in children(type_):
        yield from deep(child)


def unions(api: Api) -> Iterator[Union]:
    return (type_ for type_ in all_types(api) if isinstance(type_, Union))


@pytest.mark.parametrize("case", parameters("ids", good_cases()))
def test_nothing_is_declared_twice(case: str) -> None:
    api, decls = after_passes(case)
    assert len(decls) == len(api.decls)
    assert {target for type_ in all_types(api) for target in refs(type_)} <= decls.keys()


def named(pass_: str) -> pytest.MarkDecorator:
    assert pass_ in {step.__name__ for step in PASSES}
    return pytest.mark.parametrize("case", parameters(pass_, good_cases()))


def test_each_pass_has_a_test_here() -> None:
    assert {f"test_{step.__name__}" for step in PASSES} <= globals().keys()


@named("lift_null")
def test_lift_null(case: str) -> None:
    api, decls = after_passes(case)
    for decl in api.decls:
        if isinstance(decl, Alias) and isinstance(decl.type, Nullable):
            inner = decl.type.type
            held = decls[inner.target] if isinstance(inner, Ref) else None
            assert held is None or held.name != decl.name


@named("break_alias_cycles")
def test_break_alias_cycles(case: str) -> None:
    api, decls = after_passes(case)
    for decl in api.decls:
        assert decl.id not in aliases_inside(decl, decls)


def aliases_inside(decl: Decl, decls: Decls) -> set[DeclId]:
    """The aliases that are met from one without passing an object."""
    found: set[DeclId] = set()
    pending = [decl]
    while pending:
        current = pending.pop()
        if isinstance(current, Alias):
            for type_ in deep(current.type):
                if isinstance(type_, Ref) and type_.target not in found:
                    found.add(type_.target)
                    pending.append(decls[type_.target])
    return found


@named("split_deep_types")
def test_split_deep_types(case: str) -> None:
    api, _ = after_passes(case)
    assert all(levels(type_) <= DEPTH for decl in api.decls for type_ in types_of(decl))


def levels(type_: Type) -> int:
    return 1 + max(map(levels, children(type_)), default=0)


@named("find_envelopes")
def test_find_envelopes(case: str) -> None:
    api, decls = after_passes(case)
    held = [type_ for decl in api.decls for outer in types_of(decl) for type_ in deep(outer)]
    assert not [it for it in held if isinstance(it, Scalar) and it.content is not None]
    for stream in api.streams:
        if stream.envelope is not None:
            names = [{f.wire for f in it.fields} for it in objects_of(stream.event, decls)]
            assert all("data" in members for members in names)
            assert set.union(*names) == {"data", *stream.envelope.members}
            assert stream.framing is Framing.SSE


@named("find_tags")
def test_find_tags(case: str) -> None:
    api, decls = after_passes(case)
    for union in unions(api):
        members = [objects_of(member, decls) for member in union.members]
        if union.tag is None:
            assert telling_members(members, decls) == set()
            continue
        cases = dict(union.tag.cases)
        # A value may mean another member, as a mapping says; none is without one.
        assert {index for its in cases.values() for index in its} == {*range(len(members))}
        for object_ in (object_ for objects in members for object_ in objects):
            assert {*constants(object_, union.tag.field, decls)} <= cases.keys()


@named("order_members")
def test_order_members(case: str) -> None:
    """An object that another one's required members are unknown to does not hide that other."""
    api, decls = after_passes(case)
    for union in unions(api):
        together: list[Sequence[int]] = [range(len(union.members))]
        if union.tag is not None:
            together = [indices for _, indices in union.tag.cases]
        for indices in together:
            groups = [objects_of(union.members[index], decls) for index in indices]
            for first, later in combinations([it[0] for it in groups if len(it) == 1], 2):
                assert not unknown(later, first) or unknown(first, later)


@pytest.mark.parametrize("case", parameters("type_tags", good_cases()))
def test_type_tags(case: str) -> None:
    """What tells an object apart that only one union holds is no free text."""
    api, decls = after_passes(case)
    tagged = (union for union in unions(api) if union.tag is not None)
    holders = Counter(member for union in tagged for member in set(union.members))
    elsewhere = {t for decl in api.decls for type_ in types_of(decl) for t in outside_unions(type_)}
    for union in unions(api):
        for member in union.members:
            if union.tag is None or holders[member] != 1 or not isinstance(member, Ref):
                continue
            if member.target in elsewhere:
                continue
            object_ = decls[member.target]
            if isinstance(object_, Object):
                told = [field.type for field in object_.fields if field.wire == union.tag.field]
                assert told != [Scalar(ScalarKind.STRING)]


def outside_unions(type_: Type) -> Iterator[DeclId]:
    """The declarations that a type refers to, but for the members of a union that has a tag."""
    for inner in deep(type_):
        members = set(inner.members) if isinstance(inner, Union) and inner.tag else set[Type]()
        for child in children(inner):
            if isinstance(child, Ref) and child not in members:
                yield child.target
    if isinstance(type_, Ref):
        yield type_.target


def unknown(object_: Object, to: Object) -> set[str]:
    """The members that an object requires and another one does not declare."""
    return {it.wire for it in object_.fields if it.required} - {it.wire for it in to.fields}


def telling_members(members: list[list[Object]], decls: Decls) -> set[str]:
    """The members that every object of a union requires, with constants that no other has."""
    objects = [object_ for group in members for object_ in group]
    if sum(bool(group) for group in members) < 2:
        return set()
    found: set[str] = set()
    for wire in set.intersection(*({f.wire for f in o.fields if f.required} for o in objects)):
        values = [constants(object_, wire, decls) for object_ in objects]
        if all(values) and len({v for each in values for v in each}) == sum(map(len, values)):
            found.add(wire)
    return found


def constants(object_: Object, wire: str, decls: Decls) -> list[str]:
    type_ = next((resolve(f.type, decls) for f in object_.fields if f.wire == wire), None)
    if not isinstance(type_, Literal) or type_.open:
        return []
    return [value for value in type_.values if isinstance(value, str)]


@named("name_unions")
def test_name_unions(case: str) -> None:
    api, decls = after_passes(case)
    for decl in api.decls:
        if isinstance(decl, Object):
            inside = [*(field.type for field in decl.fields), decl.extra]
        else:
            inside = [*children(decl.type.type if isinstance(decl.type, Nullable) else decl.type)]
        held = [type_ for outer in inside for type_ in deep(outer)]
        assert not [t for t in held if isinstance(t, Union) and holds_objects(t, decls)]
    assert all(isinstance(stream.event, Ref) for stream in api.streams)


@named("plan_folds")
def test_plan_folds(case: str) -> None:
    api, decls = after_passes(case)
    for stream in api.streams:
        assert (stream.fold is None) == (stream.rules is None)
        if stream.fold is None:
            continue
        record = decls[stream.fold.record]
        assert isinstance(record, Object)
        assert not any(field.required for field in record.fields)
        ids = [part.id for part in stream.fold.parts]
        assert stream.fold.part in ids or stream.fold.cases
        for part in stream.fold.parts:
            objects = [decls[id_] for id_ in part.objects]
            members = {f.wire for o in objects if isinstance(o, Object) for f in o.fields}
            assert set(part.declared) == members
            assert {slot.source.path for slot in part.slots} <= {(name,) for name in members}
            named = {slot.how.part for slot in part.slots if isinstance(slot.how, Merge | Keyed)}
            assert named <= set(ids)


@named("find_kinds")
def test_find_kinds(case: str) -> None:
    api, decls = after_passes(case)
    for stream in api.streams:
        event = resolve(stream.event, decls)
        if isinstance(event, Union) and event.tag is not None:
            assert stream.kinds is not None
            if stream.kinds.field == event.tag.field:
                assert set(stream.kinds.names) == {value for value, _ in event.tag.cases}


def extended(ids: set[DeclId], decls: Mapping[DeclId, Decl]) -> set[DeclId]:
    """What objects are composed of, with all that this holds."""
    origins = [field.origin for id_ in ids for field in getattr(decls[id_], "fields", ())]
    places = {f"{it.document}{it.pointer}" for it in origins}
    holders = [[id_ for id_ in decls if place.startswith(f"{id_}/")] for place in places]
    return reached([Ref(max(it, key=len)) for it in holders if it], decls)


@named("open_responses")
def test_open_responses(case: str) -> None:
    api, decls = after_passes(case)
    asked, answered = (reached(roots(api, it), decls) for it in Direction)
    composed = extended(asked, decls) - extended(answered, decls)
    closed = (asked | composed) - answered
    tags = tag_fields(api)
    kept = {
        target
        for id_, wire in tags
        for field in getattr(decls[id_], "fields", ())
        if field.wire == wire
        for target in reached([field.type], decls)
    }
    for decl in api.decls:
        if isinstance(decl, Object):
            assert decl.id in closed or not isinstance(decl.extra, Never)
            for field in decl.fields:
                is_closed = decl.id in closed or (decl.id, field.wire) in tags
                check_open(field.type, not is_closed)
                if (decl.id, field.wire) in tags:
                    type_ = resolve(field.type, decls)
                    assert not (isinstance(type_, Literal) and type_.open)
        else:
            check_open(decl.type, decl.id not in closed | kept)


def check_open(type_: Type, is_open: bool) -> None:
    for inner in deep(type_):
        if isinstance(inner, Literal) and len(inner.values) > 1 and is_open:
            assert inner.open
        if isinstance(inner, Literal) and len(inner.values) == 1:
            assert not inner.open
        if isinstance(inner, Union) and inner.tag is not None:
            assert inner.open == is_open


@named("split_access")
def test_split_access(case: str) -> None:
    api, decls = after_passes(case)
    tags = tag_fields(api)
    for direction, other in ((Direction.REQUEST, Access.READ), (Direction.RESPONSE, Access.WRITE)):
        for id_ in reached(roots(api, direction), decls):
            for field in getattr(decls[id_], "fields", ()):
                assert field.access is not other or (id_, field.wire) in tags
    for decl in api.decls:
        written = decls.get(DeclId(f"{decl.id}!"))
        assert written is None or shape(written) != shape(decl)


def shape(decl: Decl) -> object:
    return decl.fields if isinstance(decl, Object) else decl.type


@pytest.mark.parametrize("case", parameters("convert_formats", good_cases()))
def test_convert_formats(case: str) -> None:
    """After the passes: only strings are converted, and those of a known format all are."""
    api, _ = after_passes(case)
    for type_ in all_types(api):
        if isinstance(type_, Scalar):
            is_string = type_.kind is ScalarKind.STRING and type_.content is None
            assert (type_.conversion is not None) == (is_string and type_.format in DEFAULTS)
