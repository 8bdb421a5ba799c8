"""Two objects of one name -> the changes of their members."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from codegen.compare.change import Change, Kind, Tier
from codegen.compare.relations import Relations, allows
from codegen.compare.spelling import Package
from codegen.ir.api import Field, Object
from codegen.ir.types import Array, Constraint, Literal, Map, Ref, Scalar, Type, children


@dataclass(frozen=True, slots=True)
class Objects:
    old: Package
    new: Package
    relations: Relations

    def compare(self, name: str, old: Object, new: Object, variant: str) -> Iterator[Change]:
        """Yield what changes between two forms of one object."""
        yield from self._compare_rest(name, old, new)
        before, now = self.old.spellings[variant], self.new.spellings[variant]
        names, new_names = before.names(old), now.names(new)
        olds = {field.wire: field for field in old.fields}
        news = {field.wire: field for field in new.fields}
        for wire, field in olds.items():
            if wire not in news:
                tier = Tier.WIRE if new.is_closed else Tier.SOURCE
                change = _member(tier, Kind.MEMBER_REMOVED, f"{name}.{names[wire]}", field)
                yield replace(change, was=before.member(field))
        for wire, field in news.items():
            symbol = f"{name}.{new_names[wire]}"
            if wire not in olds:
                tier, kind = Tier.NONE, Kind.MEMBER_ADDED
                if field.required:
                    tier, kind = Tier.WIRE, Kind.MEMBER_REQUIRED
                yield replace(_member(tier, kind, symbol, field), becomes=now.member(field))
                continue
            if names[wire] != new_names[wire]:
                change = _member(Tier.SOURCE, Kind.MEMBER_RENAMED, f"{name}.{names[wire]}", field)
                yield replace(change, becomes=symbol)
            spelled = before.member(olds[wire]), now.member(field)
            yield from self._compare_members(symbol, olds[wire], field, spelled)

    def _compare_rest(self, name: str, old: Object, new: Object) -> Iterator[Change]:
        change = Change(tier=Tier.NONE, kind=Kind.OPENED, symbol=name, origin=new.origin)
        if old.is_closed and not new.is_closed:
            yield change
        elif not self.relations.accepts(new.extra, old.extra):
            yield replace(change, tier=Tier.WIRE, kind=Kind.CLOSED)
        if not allows(new.constraints, old.constraints):
            was, becomes = (_spell_limits(it.constraints) for it in (old, new))
            limits = replace(change, tier=Tier.WIRE, kind=Kind.LIMITS_CHANGED)
            yield replace(limits, was=was, becomes=becomes)

    def _compare_members(
        self, symbol: str, old: Field, new: Field, spelled: tuple[str, str]
    ) -> Iterator[Change]:
        was, becomes = spelled
        change = _member(Tier.SOURCE, Kind.TYPE_CHANGED, symbol, new)
        change = replace(change, was=was, becomes=becomes)
        is_stricter = new.required and not old.required
        if is_stricter or not self.relations.accepts(new.type, old.type):
            yield told_limits(replace(change, tier=Tier.WIRE), old.type, new.type)
        elif was != becomes:
            if old.required == new.required and self.relations.grows(new.type, old.type):
                change = values_changed(change, old.type, new.type, self.old, self.new)
            yield change
        if new.doc.deprecated and not old.doc.deprecated:
            yield _member(Tier.SOFT, Kind.DEPRECATED, symbol, new)
        if new.default != old.default:
            change = _member(Tier.SOFT, Kind.DEFAULT_CHANGED, symbol, new)
            yield replace(change, was=old.default, becomes=new.default)


def told_limits(change: Change, old: Type, new: Type) -> Change:
    """Say of a type that reads as before what it is that refuses data: its limits."""
    if change.was != change.becomes:
        return change
    was, becomes = (_spell_limits(_limits(type_)) for type_ in (old, new))
    return replace(change, kind=Kind.LIMITS_CHANGED, was=was, becomes=becomes)


def _limits(type_: Type) -> Iterator[Constraint]:
    if isinstance(type_, Scalar | Array | Map):
        yield from type_.constraints
    for child in children(type_):
        yield from _limits(child)


def _spell_limits(limits: Iterable[Constraint]) -> str | None:
    return " ".join(f"{it.keyword}: {it.value}" for it in limits) or None


def values_changed(change: Change, old: Type, new: Type, before: Package, now: Package) -> Change:
    """Say of a change of types that only values and variants go (`was`) or come (`becomes`)."""
    olds, news = _alternatives(old, before), _alternatives(new, now)
    return replace(
        change,
        tier=Tier.SOFT,
        kind=Kind.VALUES_CHANGED,
        was=", ".join(it for it in olds if it not in news) or None,
        becomes=", ".join(it for it in news if it not in olds) or None,
    )


def _alternatives(type_: Type, package: Package) -> dict[str, None]:
    """The constants and the names in a type, in order."""
    found: dict[str, None] = {}
    match type_:
        case Literal(values=values):
            found = dict.fromkeys(map(repr, values))
        case Ref(target=target):
            found = {package.classes[target]: None}
        case _:
            pass
    for child in children(type_):
        found |= _alternatives(child, package)
    return found


def _member(tier: Tier, kind: Kind, symbol: str, field: Field) -> Change:
    return Change(tier=tier, kind=kind, symbol=symbol, origin=field.origin)
