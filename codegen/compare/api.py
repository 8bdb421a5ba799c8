"""Two APIs -> the changes between their packages, the worst first.

Everything is known by its name in Python: a schema that is called otherwise is one that goes and
one that comes. A change of a schema is told once, at the schema, and not wherever it is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from codegen.compare.change import Change, Kind, Tier
from codegen.compare.objects import Objects, told_limits, values_changed
from codegen.compare.relations import Relations
from codegen.compare.spelling import Package
from codegen.compare.streams import compare_streams
from codegen.ir.api import Alias, Api, Decl, Object
from codegen.ir.types import Ref, Type

_TIERS = {tier: index for index, tier in enumerate(Tier)}
_KINDS = {kind: index for index, kind in enumerate(Kind)}


def compare_apis(old: Api, new: Api, variants: tuple[str, ...]) -> tuple[Change, ...]:
    """The changes for users of some variants; one that differs between them comes for each."""
    comparison = _Comparison(Package(old), Package(new))
    found: dict[object, Change] = {}
    for variant in variants:
        for change in comparison.changes(variant):
            # One that hurts alike is one change, in the words of the first variant.
            name = change.symbol if change.is_of_a_stream else change.symbol.partition(".")[0]
            first = found.setdefault((change.tier, change.kind, name, change.origin), change)
            found[change.tier, change.kind, name, change.origin] = replace(
                first, variants=(*first.variants, variant)
            )
    return tuple(sorted(found.values(), key=_rank))


def _rank(change: Change) -> tuple[int, int, str, tuple[str, ...]]:
    return _TIERS[change.tier], _KINDS[change.kind], change.symbol, change.variants


class _Comparison:
    def __init__(self, old: Package, new: Package) -> None:
        self._old, self._new = old, new
        self._relations = Relations(old, new)
        self._objects = Objects(old, new, self._relations)
        self._olds = {old.classes[decl.id]: decl for decl in old.api.decls}
        self._news = {new.classes[decl.id]: decl for decl in new.api.decls}
        self._records = {it.fold.record for it in new.api.streams if it.fold is not None}

    def changes(self, variant: str) -> Iterator[Change]:
        for name, decl in self._olds.items():
            if name not in self._news:
                yield self._gone(name, decl)
        for name, decl in self._news.items():
            if name not in self._olds:
                yield _plain(Tier.NONE, Kind.CLASS_ADDED, name, decl)
            else:
                changes = self._compare(name, self._olds[name], decl, variant)
                yield from _of_record(changes) if decl.home in self._records else changes
        olds, news = self._old.naming.streams, self._new.naming.streams
        yield from compare_streams(olds, news, self._old, self._new)

    def _compare(self, name: str, old: Decl, new: Decl, variant: str) -> Iterator[Change]:
        if new.doc.deprecated and not old.doc.deprecated:
            yield _plain(Tier.SOFT, Kind.DEPRECATED, name, new)
        match old, new:
            case Object(), Object():
                yield from self._objects.compare(name, old, new, variant)
            case Alias(type=before), Alias(type=now):
                yield from self._compare_types(name, before, now, new, variant)
            case _:
                is_taken = self._relations.accepts(_type(new), _type(old))
                tier = Tier.SOURCE if is_taken else Tier.WIRE
                change = _plain(tier, Kind.CLASS_CHANGED, name, new)
                was, becomes = _what(old, self._old, variant), _what(new, self._new, variant)
                yield replace(change, was=was, becomes=becomes)

    def _compare_types(
        self, name: str, old: Type, new: Type, decl: Alias, variant: str
    ) -> Iterator[Change]:
        was = self._old.spellings[variant].type(old)
        becomes = self._new.spellings[variant].type(new)
        change = _plain(Tier.SOURCE, Kind.TYPE_CHANGED, name, decl)
        change = replace(change, was=was, becomes=becomes)
        if not self._relations.accepts(new, old):
            yield told_limits(replace(change, tier=Tier.WIRE), old, new)
        elif was != becomes and self._relations.grows(new, old):
            yield values_changed(change, old, new, self._old, self._new)
        elif was != becomes:
            yield change

    def _gone(self, name: str, decl: Decl) -> Change:
        """A name that is gone; what has it no more may live on under another one."""
        key = decl.id.removeprefix(self._old.api.document)
        becomes = next(
            (
                self._new.classes[it.id]
                for it in self._new.api.decls
                if it.id.removeprefix(self._new.api.document) == key
            ),
            None,
        )
        return replace(_plain(Tier.SOURCE, Kind.CLASS_REMOVED, name, decl), becomes=becomes)


def _of_record(changes: Iterator[Change]) -> Iterator[Change]:
    """Changes of what a stream adds up to: no data is refused by that."""
    for change in changes:
        if change.kind is not Kind.LIMITS_CHANGED:
            yield replace(change, tier=Tier.SOURCE) if change.tier is Tier.WIRE else change


def _plain(tier: Tier, kind: Kind, symbol: str, decl: Decl) -> Change:
    return Change(tier=tier, kind=kind, symbol=symbol, origin=decl.origin)


def _type(decl: Decl) -> Type:
    """What a name stands for."""
    return decl.type if isinstance(decl, Alias) else Ref(decl.id)


def _what(decl: Decl, package: Package, variant: str) -> str:
    return "a class" if isinstance(decl, Object) else package.spellings[variant].type(decl.type)
