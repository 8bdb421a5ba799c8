"""Where an event is not what the document says, and where the document says so.

In: the JSON of an event, the IR type that it has, and what its decoder found wrong. Out:
deviations, each with the place of its schema. Rules: whether a value fits is for the decoder to
say; here it is only found in the document. What open types take on purpose (a value outside an
enum, a member or a kind of object that is not declared) is told too, since the decoder does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeGuard

from codegen.diagnostics import Origin
from codegen.ir.api import Alias, Object
from codegen.ir.types import (
    Anything,
    Array,
    Constant,
    DeclId,
    JsonScalar,
    Literal,
    Map,
    Never,
    Null,
    Nullable,
    Ref,
    Scalar,
    ScalarKind,
    Tag,
    Type,
    Union,
    scalar_kind,
)
from codegen.ir.walk import without_null
from codegen.recording.events import Deviation, Kind
from codegen.recording.package import Package, Problem
from codegen.source.pointer import join
from codegen.source.values import Json


def find_deviations(
    package: Package, target: DeclId, json: Json, problems: Iterable[Problem]
) -> tuple[Deviation, ...]:
    """All deviations of JSON data that is meant to be a declared type, in its order.

    `problems` are those that the decoder found; each of them is one deviation.
    """
    walk = _Walk(package, {problem.pointer: problem for problem in problems})
    origin = package.decls[target].origin
    walk.value(Ref(target), json, "", origin, origin)
    walk.place_the_rest(origin)
    return tuple(walk.found)


class _Walk:
    """`place` is where a value is declared, `written` where its type is: a schema may be shared."""

    def __init__(self, package: Package, problems: dict[str, Problem]) -> None:
        self._package = package
        self._problems = problems
        self._places: dict[str, Origin] = {}
        self.found: list[Deviation] = []

    def value(self, type_: Type, json: Json, at: str, place: Origin, written: Origin) -> None:
        """Walk a value that is there."""
        self._places.setdefault(at, place)
        problem = self._problems.pop(at, None)
        if problem is not None:
            self._add_problem(problem, type_, json, at, place)
            return
        self._inside(type_, json, at, place, written)

    def place_the_rest(self, origin: Origin) -> None:
        """Place what the decoder found where the walk did not come by: around it."""
        for pointer, problem in self._problems.items():
            around = pointer
            while around and around not in self._places:
                around = around.rpartition("/")[0]
            place = self._places.get(around, origin)
            self._add(Kind.TYPE, pointer, place, value=None, expected=problem.expected)

    def _add_problem(
        self, problem: Problem, type_: Type, json: Json, at: str, place: Origin
    ) -> None:
        inner = without_null(type_, self._package.decls)
        if json is None:
            kind = Kind.NULL
        elif isinstance(inner, Literal) and _has_kind(json, inner):
            kind = Kind.VALUE
        else:
            kind = Kind.TYPE
        self._add(kind, at, place, value=json, expected=problem.expected)

    def _inside(self, type_: Type, json: Json, at: str, place: Origin, written: Origin) -> None:
        match type_:
            case Nullable(type=inner):
                if json is not None:
                    self._inside(inner, json, at, place, written)
            case Ref(target=target):
                self._declared(target, json, at, place)
            case Union():
                self._in_union(type_, json, at, place, written)
            case Literal(values=values, others=others):
                if not others and _has_kind(json, type_) and json not in values:
                    self._add(Kind.VALUE, at, written, value=json, expected=_listed(values))
            case Array(item=item, first=first):
                if isinstance(json, list):
                    for index, entry in enumerate(json):
                        is_first = index < len(first)
                        steps = ("prefixItems", str(index)) if is_first else ("items",)
                        entries = _below(written, *steps)
                        inner = first[index] if is_first else item
                        self.value(inner, entry, join(at, index), entries, entries)
            case Map(value=inner):
                if isinstance(json, dict):
                    members = _below(written, "additionalProperties")
                    for name, member in json.items():
                        self.value(inner, member, join(at, name), members, members)
            case Scalar() | Constant() | Anything() | Never() | Null():
                pass

    def _declared(self, target: DeclId, json: Json, at: str, place: Origin) -> None:
        decl = self._package.decls[target]
        match decl:
            case Alias(type=type_, origin=origin):
                self._inside(type_, json, at, place, origin)
            case Object():
                if isinstance(json, dict):
                    self._members(decl, json, at)

    def _members(self, object_: Object, json: dict[str, Json], at: str) -> None:
        for field in object_.fields:
            pointer = join(at, field.wire)
            if field.wire in json:
                self.value(field.type, json[field.wire], pointer, field.origin, field.origin)
            elif (problem := self._problems.pop(pointer, None)) is not None:
                self._add(
                    Kind.MISSING,
                    pointer,
                    field.origin,
                    name=field.wire,
                    value=None,
                    expected=problem.expected,
                    owner=object_.id,
                )
        declared = {field.wire for field in object_.fields}
        if not isinstance(object_.extra, Anything | Never):
            return
        for name, value in json.items():
            if name not in declared:
                # Where an object is closed, the decoder has named the member too.
                self._problems.pop(join(at, name), None)
                self._add(
                    Kind.FIELD,
                    join(at, name),
                    object_.origin,
                    name=name,
                    value=value,
                    expected="no such member",
                )

    def _in_union(self, union: Union, json: Json, at: str, place: Origin, written: Origin) -> None:
        tag, members = union.tag, union.members
        name = json.get(tag.field) if tag and isinstance(json, dict) else None
        if tag is not None and isinstance(name, str):
            listed = dict(tag.cases)
            if name not in listed:
                self._add_unlisted(tag, name, json, at, written)
                return
            members = tuple(members[index] for index in listed[name])
        member = self._meant(members, json)
        if member is not None:
            self._inside(member, json, at, place, written)

    def _add_unlisted(self, tag: Tag, name: str, json: Json, at: str, written: Origin) -> None:
        pointer = join(at, tag.field)
        self._problems.pop(pointer, None)
        kind = Kind.EVENT if not at else Kind.VALUE
        expected = _listed([value for value, _ in tag.cases])
        self._add(kind, pointer, written, name=name, value=json, expected=expected)

    def _meant(self, members: Sequence[Type], json: Json) -> Type | None:
        """The member of a union that a value is, or is nearest to; None where it is of no kind
        that any has.
        """
        best: tuple[int, int, int] | None = None
        for index, member in enumerate(members):
            if not self._is_of_kind(member, json):
                continue
            found = self._package.errors(member.target, json) if isinstance(member, Ref) else ()
            walk = _Walk(self._package, {})
            nowhere = Origin(document="", pointer="#")
            walk._inside(member, json, "", nowhere, nowhere)
            rank = (len(found), len(walk.found), index)
            best = rank if best is None else min(best, rank)
        return None if best is None else members[best[2]]

    def _is_of_kind(self, type_: Type, json: Json) -> bool:
        type_ = without_null(type_, self._package.decls)
        match type_:
            case Ref() | Map():
                return isinstance(json, dict)
            case Array():
                return isinstance(json, list)
            case Constant(text=text):
                return isinstance(json, list if text.startswith("[") else dict)
            case Scalar(kind=kind):
                return _is_scalar(json) and (
                    scalar_kind(json) is kind
                    or (kind is ScalarKind.NUMBER and scalar_kind(json) is ScalarKind.INTEGER)
                )
            case Literal():
                return _has_kind(json, type_)
            case Union(members=members):
                return any(self._is_of_kind(member, json) for member in members)
            case Anything():
                return True
            case Never() | Null() | Nullable():
                return False

    def _add(
        self,
        kind: Kind,
        pointer: str,
        place: Origin,
        *,
        value: Json,
        expected: str,
        name: str = "",
        owner: DeclId | None = None,
    ) -> None:
        self.found.append(
            Deviation(
                kind=kind,
                pointer=pointer,
                place=place,
                name=name,
                value=value,
                expected=expected,
                owner=owner,
            )
        )


def _is_scalar(json: Json) -> TypeGuard[str | int | float | bool]:
    return isinstance(json, str | int | float | bool)


def _has_kind(json: Json, literal: Literal) -> bool:
    return _is_scalar(json) and scalar_kind(json) in literal.kinds


def _listed(values: Sequence[JsonScalar]) -> str:
    return " or ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in values)


def _below(origin: Origin, *steps: str) -> Origin:
    return Origin(document=origin.document, pointer=join(origin.pointer, *steps))
