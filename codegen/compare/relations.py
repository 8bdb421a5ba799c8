"""How the types of two APIs are to each other, whatever the documents are called.

Declarations of one name are taken for the same: what changes in them is told of them, and not of
all that holds them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from codegen.ir.api import Alias, Decl, Object
from codegen.ir.types import (
    Anything,
    Array,
    Constraint,
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
    Type,
    Union,
    scalar_kind,
)

_LEAST = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_MOST = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})


class Side(Protocol):
    """One of the two APIs: its declarations, and their names in Python."""

    @property
    def decls(self) -> Mapping[DeclId, Decl]: ...
    @property
    def classes(self) -> Mapping[DeclId, str]: ...


@dataclass(slots=True)
class Relations:
    old: Side
    new: Side
    _known: dict[tuple[Type, Type], bool] = field(default_factory=dict[tuple[Type, Type], bool])

    def accepts(self, new: Type, old: Type) -> bool:
        """Whether all JSON of the old type is taken by the new one."""
        if not isinstance(old, Ref) and not isinstance(new, Ref):
            return self._accepts(new, old)
        if (old, new) not in self._known:
            # What leads back to itself is taken unless something else is not.
            self._known[old, new] = True
            self._known[old, new] = self._accepts(new, old)
        return self._known[old, new]

    def _accepts(self, new: Type, old: Type) -> bool:
        match old, new:
            case _, Anything():
                return True
            case Never(), _:
                return True
            case Ref(target=target), _ if self._is_alias(self.old, target):
                return self._same(old, new) or self.accepts(new, self._alias(self.old, target))
            case Union(members=members), _:
                return all(self.accepts(new, member) for member in members)
            case Nullable(type=inner), _:
                return self.accepts(new, Null()) and self.accepts(new, inner)
            case Literal(open=True), _:
                return all(self.accepts(new, Scalar(kind)) for kind in old.kinds)
            case Literal(values=values), _ if not isinstance(new, Literal):
                return all(self._takes_value(new, value) for value in values)
            case _, Ref(target=target) if self._is_alias(self.new, target):
                return self._same(old, new) or self.accepts(self._alias(self.new, target), old)
            case _, Nullable(type=inner):
                return isinstance(old, Null) or self.accepts(inner, old)
            case _, Union(members=members, open=is_open, tag=tag):
                keeps = is_open and tag is not None and isinstance(old, Ref | Map)
                return keeps or any(self.accepts(member, old) for member in members)
            case _:
                return self._accepts_plain(new, old)

    def grows(self, new: Type, old: Type) -> bool:
        """Whether the types are one but for values and variants, so that code still fits."""
        match old, new:
            case Literal(open=True), Literal(open=True):
                return old.kinds == new.kinds
            case Literal(), Literal():
                return not new.open and {*map(_exactly, old.values)} <= {*map(_exactly, new.values)}
            case Array(), Array():
                return all(self.grows(now, before) for before, now in _entries(old, new))
            case Map(value=before), Map(value=now):
                return self.grows(now, before)
            case Nullable(type=before), Nullable(type=now):
                return self.grows(now, before)
            case Union(), Union():
                return old.open == new.open and all(
                    any(self.grows(now, before) for now in new.members) for before in old.members
                )
            case Ref(), Ref():
                return self._same(old, new)
            case Scalar(), Scalar():
                return (old.kind, old.conversion) == (new.kind, new.conversion)
            case _:
                return old == new

    def _accepts_plain(self, new: Type, old: Type) -> bool:
        match old, new:
            case Scalar(kind=before), Scalar(kind=now):
                is_wider = (now, before) == (ScalarKind.NUMBER, ScalarKind.INTEGER)
                return (now is before or is_wider) and allows(new.constraints, old.constraints)
            case Scalar(kind=kind), Literal(open=True):
                return kind in new.kinds
            case Literal(values=values), Literal():
                return all(self._takes_value(new, value) for value in values)
            case Array(), Array():
                return allows(new.constraints, old.constraints) and all(
                    self.accepts(now, before) for before, now in _entries(old, new)
                )
            case Map(value=before), Map(value=now):
                return allows(new.constraints, old.constraints) and self.accepts(now, before)
            case Ref(target=before), Ref(target=now):
                return self._same(old, new) or self._accepts_object(now, before)
            case Ref(target=before), Map(value=now):
                object_ = self.old.decls[before]
                assert isinstance(object_, Object)
                members = (*(it.type for it in object_.fields), object_.extra)
                return allows(new.constraints, object_.constraints) and all(
                    self.accepts(now, member) for member in members
                )
            case _:
                return old == new

    def _accepts_object(self, now: DeclId, before: DeclId) -> bool:
        old, new = self.old.decls[before], self.new.decls[now]
        assert isinstance(old, Object)
        assert isinstance(new, Object)
        fields = {it.wire: it for it in old.fields}
        if new.is_closed and not (
            old.is_closed and fields.keys() <= {it.wire for it in new.fields}
        ):
            return False
        return allows(new.constraints, old.constraints) and all(
            self.accepts(it.type, fields[it.wire].type)
            and (fields[it.wire].required or not it.required)
            if it.wire in fields
            else not it.required
            for it in new.fields
        )

    def _takes_value(self, new: Type, value: JsonScalar) -> bool:
        if value is None:
            return self.accepts(new, Null())
        if isinstance(new, Literal):
            kind = scalar_kind(value)
            return (new.open and kind in new.kinds) or _exactly(value) in map(_exactly, new.values)
        if isinstance(new, Union):
            return any(self._takes_value(member, value) for member in new.members)
        if isinstance(new, Nullable):
            return self._takes_value(new.type, value)
        if isinstance(new, Ref) and self._is_alias(self.new, new.target):
            return self._takes_value(self._alias(self.new, new.target), value)
        return self.accepts(new, Scalar(scalar_kind(value)))

    def _same(self, old: Type, new: Type) -> bool:
        """Whether both are declarations of one name."""
        return (
            isinstance(old, Ref)
            and isinstance(new, Ref)
            and self.old.classes[old.target] == self.new.classes[new.target]
        )

    @staticmethod
    def _is_alias(side: Side, target: DeclId) -> bool:
        return isinstance(side.decls[target], Alias)

    @staticmethod
    def _alias(side: Side, target: DeclId) -> Type:
        decl = side.decls[target]
        assert isinstance(decl, Alias)
        return decl.type


def allows(new: tuple[Constraint, ...], old: tuple[Constraint, ...]) -> bool:
    """Whether what keeps to the old limits keeps to the new ones."""
    limits = {it.keyword: it.value for it in old}
    return all(it.open or _is_looser(it, limits.get(it.keyword)) for it in new)


def _is_looser(new: Constraint, old: JsonScalar) -> bool:
    match new.value, old:
        case int() | float() as now, int() | float() as before if new.keyword in _LEAST:
            return now <= before
        case int() | float() as now, int() | float() as before if new.keyword in _MOST:
            return now >= before
        case int() as now, int() as before if new.keyword == "multipleOf" and now:
            return before % now == 0
        case _:
            return new.value == old


def _entries(old: Array, new: Array) -> Iterator[tuple[Type, Type]]:
    """The types of entries that stand at one place of two arrays."""
    for index in range(1 + max(len(old.first), len(new.first))):
        yield _entry(old, index), _entry(new, index)


def _entry(array: Array, index: int) -> Type:
    return array.first[index] if index < len(array.first) else array.item


def _exactly(value: JsonScalar) -> tuple[type, JsonScalar]:
    """A value that is told from its like: 1 is not true."""
    return type(value), value
