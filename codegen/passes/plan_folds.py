"""After this, every stream with rules has a plan, and a record is declared for what its events
accumulate into.

A record has every member optional, since at any time some have not come yet. Events of one kind
fill records that are made of the members they keep; events of several kinds fill places of the
result, so that the objects on the way to these places are records, and all others as they are in
the result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from codegen.diagnostics import Diagnostics
from codegen.ir.api import Access, Api, Decl, Field, Name, Object, Stream
from codegen.ir.fold import Fold, Keyed, Merge, Part, PartId, Slot
from codegen.ir.members import Known, member_of
from codegen.ir.names import item_name
from codegen.ir.rules import FoldRules, JsonRule, MergeRule, PatchRule, Simple
from codegen.ir.types import Anything, Array, DeclId, Map, Nullable, Ref, Scalar, Type
from codegen.ir.walk import decls_by_id, resolve, without_null
from codegen.passes.plan_events import ENTRY, EventPlanner, Touched
from codegen.passes.plan_parts import PartPlanner


def plan_folds(api: Api, diagnostics: Diagnostics) -> Api:
    """Plan each stream that has rules."""
    decls = decls_by_id(api)
    streams: list[Stream] = []
    records: list[Object] = []
    for stream in api.streams:
        if stream.rules is not None:
            made = _Records(stream, decls)
            fold = _plan(stream, stream.rules, decls, made, diagnostics)
            stream = replace(stream, fold=fold)
            records += made.records
        streams.append(stream)
    return replace(api, decls=(*api.decls, *records), streams=tuple(streams))


def _plan(
    stream: Stream,
    rules: FoldRules,
    decls: Mapping[DeclId, Decl],
    records: _Records,
    diagnostics: Diagnostics,
) -> Fold | None:
    known = Known(decls)
    match rules.how:
        case MergeRule() as merge:
            objects = known.objects(stream.event)
            if len(objects) != 1:
                diagnostics.add("SB304", "only objects merge", origin=stream.origin)
                return None
            parts = PartPlanner(known, diagnostics)
            start = parts.part(objects, merge, ())
            return Fold(
                record=records.of_part((), parts.planned),
                part=start,
                parts=parts.parts(),
                extra=rules.extra,
                constants=rules.constants,
            )
        case events:
            result = known.objects(stream.result) if stream.result is not None else []
            if len(result) != 1 or stream.result is None:
                message = "events of several kinds fill a `result`, which is an object"
                help_ = "name its schema with `result: {$ref: ...}`"
                diagnostics.add("SB304", message, origin=rules.origin, help=help_)
                return None
            planner = EventPlanner(stream, known, stream.result, diagnostics)
            cases = planner.cases(events)
            return Fold(
                record=records.of_result(result[0], planner.touched),
                cases=cases,
                parts=tuple(part for part in planner.parts.values() if part is not None),
                extra=rules.extra,
                constants=rules.constants,
            )


@dataclass(slots=True)
class _Records:
    """Declares what has come of the objects of one stream."""

    stream: Stream
    decls: Mapping[DeclId, Decl]
    records: list[Object] = field(default_factory=list[Object])
    _by_part: dict[PartId, DeclId] = field(default_factory=dict[PartId, DeclId])

    def of_part(self, id_: PartId, parts: Mapping[PartId, Part | None]) -> DeclId:
        """The record of what a part keeps."""
        if id_ in self._by_part:
            return self._by_part[id_]
        record = self._by_part[id_] = self._id(id_)
        part = parts[id_]
        assert part is not None
        chunk = self.decls[part.objects[0]]
        assert isinstance(chunk, Object)
        fields = tuple(
            _optional(source, slot.target, self._held(slot, parts))
            for slot in part.slots
            if (source := member_of(chunk, slot.source.path[0])) is not None
        )
        self._declare(chunk, id_, fields)
        return record

    def _held(self, slot: Slot, parts: Mapping[PartId, Part | None]) -> Type:
        """The type of what has come of a member; null is held only where it replaces a value."""
        match slot.how:
            case Merge(part=part):
                return Ref(self.of_part(part, parts))
            case Keyed(part=part):
                return Array(Ref(self.of_part(part, parts)))
            case JsonRule():
                return Anything()
            case PatchRule():
                return Map(Anything())
            case Simple.REPLACE:
                return slot.source.type
            case how:
                type_ = without_null(slot.source.type, self.decls)
                if how is Simple.CONCAT and isinstance(type_, Scalar):
                    # A text that is still growing need not be one of its format.
                    return replace(type_, format=None)
                type_ = resolve(slot.source.type, self.decls)
                return type_.type if isinstance(type_, Nullable) else slot.source.type

    def of_result(self, result: Object, touched: Touched, id_: PartId = ()) -> DeclId:
        """The record of an object that is filled place by place."""
        fields = tuple(
            _optional(it, it.wire, self._filled(it.type, touched.inside.get(it.wire), id_, it.wire))
            for it in result.fields
        )
        return self._declare(result, id_, fields)

    def _filled(self, type_: Type, touched: Touched | None, id_: PartId, name: str) -> Type:
        """The type of a member: an object that is filled inside is a record."""
        if touched is None or not touched.inside:
            return type_
        match resolve(type_, self.decls):
            case Nullable(type=inner):
                filled = self._filled(inner, touched, id_, name)
                return type_ if filled is inner else Nullable(filled)
            case Array(item=item) as array:
                filled = self._filled(item, touched.inside.get(ENTRY), id_, item_name(name))
                return type_ if filled is item else replace(array, item=filled)
            case Map(value=value) as map_:
                filled = self._filled(value, touched.inside.get(ENTRY), id_, item_name(name))
                return type_ if filled is value else replace(map_, value=filled)
            case Ref(target=target):
                decl = self.decls[target]
                assert isinstance(decl, Object)
                return Ref(self.of_result(decl, touched, (*id_, name)))
            case _:
                return type_

    def _id(self, id_: PartId) -> DeclId:
        name = "/".join(self._name(id_))
        origin = self.stream.origin
        return DeclId(f"{origin.document}{origin.pointer}/{name}")

    def _name(self, id_: PartId) -> Name:
        return (*self.stream.name, "snapshot", *id_)

    def _declare(self, like: Object, id_: PartId, fields: tuple[Field, ...]) -> DeclId:
        record = self._id(id_)
        self.records.append(
            Object(
                id=record,
                name=self._name(id_),
                doc=like.doc,
                origin=like.origin,
                home=self._id(()),
                fields=fields,
                extra=Anything(),
            )
        )
        return record


def _optional(source: Field, name: str, type_: Type) -> Field:
    return replace(source, wire=name, type=type_, required=False, access=Access.BOTH)
