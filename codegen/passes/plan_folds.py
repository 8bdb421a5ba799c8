"""After this, every stream with rules has a plan, and a record is declared for what its events
accumulate into.

A record has the members of the chunk that are kept, each optional, since at any time some have not
come yet. A member without a rule takes the structural default: objects merge; arrays whose entries
require an integer `index` are keyed by it, others are appended; a plain string is set once;
anything else is the last that came.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from codegen.diagnostics import Diagnostics, Origin
from codegen.ir.api import Access, Api, Decl, Field, Name, Object, Stream
from codegen.ir.fold import (
    Keyed,
    KeyedRule,
    MemberRule,
    Merge,
    MergeRule,
    Part,
    Rule,
    Simple,
    Slot,
)
from codegen.ir.names import item_name
from codegen.ir.types import (
    Anything,
    Array,
    DeclId,
    Nullable,
    Ref,
    Scalar,
    ScalarKind,
    Type,
)
from codegen.ir.walk import decls_by_id, resolve


def plan_folds(api: Api, diagnostics: Diagnostics) -> Api:
    """Plan each stream that has rules."""
    decls = decls_by_id(api)
    streams: list[Stream] = []
    records: list[Object] = []
    for stream in api.streams:
        if stream.rules is not None:
            planner = _Planner(decls, diagnostics, stream)
            stream = replace(stream, fold=planner.plan(stream.rules))
            records += planner.records
        streams.append(stream)
    return replace(api, decls=(*api.decls, *records), streams=tuple(streams))


@dataclass(slots=True)
class _Planner:
    decls: Mapping[DeclId, Decl]
    diagnostics: Diagnostics
    stream: Stream
    parts: dict[DeclId, Part | None] = field(default_factory=dict[DeclId, Part | None])
    records: list[Object] = field(default_factory=list[Object])
    # An object that holds itself, by rules that say no more of it, fills the same record again.
    inside: dict[tuple[DeclId, MergeRule], DeclId] = field(
        default_factory=dict[tuple[DeclId, MergeRule], DeclId]
    )

    def plan(self, rules: MergeRule) -> tuple[Part, ...] | None:
        chunk = self._object(self.stream.event)
        if chunk is None:
            self.diagnostics.add("SB304", "only objects merge", origin=self.stream.origin)
            return None
        self._part(chunk, rules, (*self.stream.name, "snapshot"), None)
        return tuple(part for part in self.parts.values() if part is not None)

    def _object(self, type_: Type) -> Object | None:
        type_ = resolve(type_, self.decls)
        if isinstance(type_, Nullable):
            type_ = resolve(type_.type, self.decls)
        decl = self.decls[type_.target] if isinstance(type_, Ref) else None
        return decl if isinstance(decl, Object) else None

    def _part(self, chunk: Object, rules: MergeRule, name: Name, home: DeclId | None) -> DeclId:
        """Plan an object; the record that it fills."""
        if (chunk.id, rules) in self.inside:
            return self.inside[chunk.id, rules]
        id_ = DeclId(
            self.stream.origin.document + self.stream.origin.pointer + "/" + "/".join(name)
        )
        self.inside[chunk.id, rules] = id_
        self.parts[id_] = None
        slots: list[Slot] = []
        fields: list[Field] = []
        for source, rule in self._kept(chunk, rules):
            planned = self._slot(source, rule, (*name, rule.into), home or id_)
            if planned is not None:
                slot, type_ = planned
                slots.append(slot)
                fields.append(
                    replace(
                        source, wire=slot.target, type=type_, required=False, access=Access.BOTH
                    )
                )
        self.records.append(
            Object(
                id=id_,
                name=name,
                doc=chunk.doc,
                origin=chunk.origin,
                home=home or id_,
                fields=tuple(fields),
                extra=Anything(),
            )
        )
        self.parts[id_] = Part(chunk=chunk.id, record=id_, slots=tuple(slots))
        del self.inside[chunk.id, rules]
        return id_

    def _kept(self, chunk: Object, rules: MergeRule) -> Iterator[tuple[Field, MemberRule]]:
        """The members that have a place in the result, with their rules."""
        by_name = {member.name: member for member in rules.members}
        known = {source.wire for source in chunk.fields}
        for name in [n for n in by_name if n not in known]:
            message = f"the event has no member {name!r}"
            self.diagnostics.add("SB305", message, origin=by_name[name].origin)
        taken: set[str] = set()
        for source in chunk.fields:
            rule = by_name.get(source.wire) or MemberRule(
                name=source.wire, into=source.wire, rule=None, origin=source.origin
            )
            if rule.rule is Simple.DROP:
                continue
            if rule.into in taken:
                message = f"two members become {rule.into!r} of the result"
                help_ = "name one of them otherwise with `into`"
                self.diagnostics.add("SB304", message, origin=rule.origin, help=help_)
                continue
            taken.add(rule.into)
            yield source, rule

    def _slot(
        self, source: Field, member: MemberRule, name: Name, home: DeclId
    ) -> tuple[Slot, Type] | None:
        type_, held = resolve(source.type, self.decls), source.type
        if isinstance(type_, Nullable):
            # Null is no information, so it is not held.
            held = type_.type
            type_ = resolve(held, self.decls)
        rule = member.rule if member.rule is not None else self._default(type_)
        match rule:
            case Simple():
                self._check(rule, type_, member.origin)
                how: Simple | Merge | Keyed = rule
            case MergeRule():
                chunk = self._object(type_)
                if chunk is None:
                    self.diagnostics.add("SB304", "only objects merge", origin=member.origin)
                    return None
                record = self._part(chunk, rule, name, home)
                how, held = Merge(record=record), Ref(record)
            case KeyedRule():
                entry = self._object(type_.item) if isinstance(type_, Array) else None
                if entry is None or not any(_is_key(f, rule) for f in entry.fields):
                    message = f"only arrays of objects that require {rule.key!r} are keyed by it"
                    self.diagnostics.add("SB304", message, origin=member.origin)
                    return None
                item = (*name[:-1], item_name(name[-1]))
                record = self._part(entry, _with_key(rule), item, home)
                how = Keyed(key=rule.key, append_others=rule.append_others, record=record)
                held = Array(Ref(record))
        return Slot(source=source.wire, target=member.into, how=how), held

    def _default(self, type_: Type) -> Rule:
        if self._object(type_) is not None:
            return MergeRule(members=())
        if isinstance(type_, Array):
            entry = self._object(type_.item)
            if entry is not None and any(_is_index(f) for f in entry.fields):
                return KeyedRule(
                    key="index", keep_key=True, append_others=False, of=MergeRule(members=())
                )
            return Simple.APPEND
        plain = isinstance(type_, Scalar) and type_.kind is ScalarKind.STRING and not type_.format
        return Simple.FIRST if plain else Simple.LAST

    def _check(self, rule: Simple, type_: Type, origin: Origin) -> None:
        text = isinstance(type_, Scalar) and type_.kind is ScalarKind.STRING
        if rule is Simple.CONCAT and not text:
            self.diagnostics.add("SB304", "only strings are joined", origin=origin)
        if rule is Simple.APPEND and not isinstance(type_, Array):
            self.diagnostics.add("SB304", "only arrays are appended", origin=origin)


def _is_key(field_: Field, rule: KeyedRule) -> bool:
    type_ = field_.type
    if rule.append_others:
        type_ = type_.type if isinstance(type_, Nullable) else type_
        integer = isinstance(type_, Scalar) and type_.kind is ScalarKind.INTEGER
        return field_.wire == rule.key and integer
    kinds = (ScalarKind.INTEGER, ScalarKind.STRING)
    scalar = isinstance(type_, Scalar) and type_.kind in kinds
    return field_.wire == rule.key and field_.required and scalar


def _is_index(field_: Field) -> bool:
    type_ = field_.type
    integer = isinstance(type_, Scalar) and type_.kind is ScalarKind.INTEGER
    return field_.wire == "index" and field_.required and integer


def _with_key(rule: KeyedRule) -> MergeRule:
    """The rules of an entry, the key among them: kept as it first came, or dropped."""
    if any(member.name == rule.key for member in rule.of.members):
        return rule.of
    word = Simple.FIRST if rule.keep_key else Simple.DROP
    key = MemberRule(
        name=rule.key,
        into=rule.key,
        rule=word,
        origin=rule.of.members[0].origin if rule.of.members else Origin(document="", pointer="#"),
    )
    return MergeRule(members=(*rule.of.members, key))
