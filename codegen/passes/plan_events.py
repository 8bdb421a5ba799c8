"""The plan of events of several kinds: the steps that each kind takes.

An operation is planned if the event has its value and the result has its place; otherwise that is
said, and the operation left out: an older document has fewer events and members.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from codegen.diagnostics import Diagnostics, Origin
from codegen.ir.api import Stream
from codegen.ir.fold import (
    At,
    Case,
    CloseStep,
    FoldStep,
    Merge,
    Part,
    PartId,
    PutStep,
    SetStep,
    Source,
    Step,
    SwitchStep,
    Target,
)
from codegen.ir.members import Known, default_number, member_of
from codegen.ir.rules import (
    Close,
    Entry,
    EventRule,
    FoldInto,
    GlueRule,
    Member,
    Operation,
    Path,
    Place,
    Put,
    Set,
    Simple,
    Switch,
)
from codegen.ir.types import Array, Nullable, Scalar, ScalarKind, Type
from codegen.ir.walk import resolve
from codegen.passes.plan_parts import PartPlanner

# What stands for any entry of an array or a map in the path to it.
ENTRY = "0"


@dataclass(frozen=True, slots=True)
class Touched:
    """The places of a result that steps reach, each with those inside it."""

    inside: dict[str, Touched] = field(default_factory=dict[str, "Touched"])

    def add(self, path: Path) -> None:
        place = self
        for token in path:
            place = place.inside.setdefault(token, Touched())


class EventPlanner:
    """Plans the cases of one stream whose result is of this type."""

    def __init__(
        self, stream: Stream, known: Known, result: Type, diagnostics: Diagnostics
    ) -> None:
        self.parts: dict[PartId, Part | None] = {}
        self.touched = Touched()
        self._stream = stream
        self._known = known
        self._result = result
        self._diagnostics = diagnostics

    def cases(self, rules: tuple[EventRule, ...]) -> tuple[Case, ...]:
        """One case for all events that take the same steps."""
        names: dict[tuple[Step, ...], list[str]] = {}
        kinds = self._stream.kinds
        for rule in rules:
            if kinds is not None and kinds.names and rule.name not in kinds.names:
                self._unmatched(f"the document has no event {rule.name!r}", rule.origin)
                continue
            known = self._known
            if kinds is not None and kinds.field is not None:
                known = known.also((kinds.field,), rule.name)
            steps = tuple(self._steps(rule.operations, known, (rule.name,)))
            if steps:
                names.setdefault(steps, []).append(rule.name)
        return tuple(Case(names=tuple(them), steps=steps) for steps, them in names.items())

    def _steps(
        self, operations: tuple[Operation, ...], known: Known, id_: PartId
    ) -> Iterator[Step]:
        for operation in operations:
            step = self._step(operation, known, id_)
            if step is not None:
                yield step

    def _step(self, operation: Operation, known: Known, id_: PartId) -> Step | None:
        if isinstance(operation, Switch):
            return self._switch(operation, known, id_)
        target = self._target(operation.place, known, operation.origin)
        if target is None:
            return None
        match operation:
            case Put():
                source = self._source(operation.source, known, operation.origin)
                if source is None:
                    return None
                if not target and not known.objects(source.type, source.path):
                    self._no_object(operation.origin)
                    return None
                return PutStep(target=target, source=source)
            case FoldInto():
                return self._fold(operation, target, known, id_)
            case Set():
                if not target:
                    self._no_object(operation.origin)
                    return None
                return SetStep(target=target, value=operation.value)
            case Close():
                return CloseStep(target=target, members=operation.members)

    def _switch(self, operation: Switch, known: Known, id_: PartId) -> Step | None:
        source = self._source(operation.source, known, operation.origin)
        if source is None:
            return None
        kept: list[tuple[str, tuple[Step, ...]]] = []
        for text, operations in operation.cases:
            inside = known.also(operation.source, text)
            if not self._is_listed(operation.source, known, inside):
                message = f"no event says {text!r} at {_pointer(operation.source)}"
                self._unmatched(message, operation.origin)
            elif steps := tuple(self._steps(operations, inside, (*id_, text))):
                kept.append((text, steps))
        return SwitchStep(source=source, cases=tuple(kept)) if kept else None

    def _is_listed(self, path: Path, known: Known, inside: Known) -> bool:
        """Whether an object that holds a text at a path is one of those that may be there."""
        owner = known.follow(self._stream.event, path[:-1])
        if owner is None or not known.objects(owner.type, path[:-1]):
            return True
        return bool(inside.objects(owner.type, path[:-1]))

    def _fold(self, operation: FoldInto, target: Target, known: Known, id_: PartId) -> Step | None:
        source = self._source(operation.source, known, operation.origin)
        if source is None:
            return None
        type_ = source.type
        if isinstance(operation.rule, GlueRule) or operation.rule is Simple.APPEND:
            # Entries may come one by one.
            type_ = type_ if self._is_array(type_) else Array(type_)
        names = tuple(step.name for step in operation.place if isinstance(step, Member))
        planner = PartPlanner(self._known, self._diagnostics, self.parts)
        how = planner.how(type_, operation.rule, (*id_, *names), operation.origin)
        if how is None:
            return None
        if not target and not isinstance(how, Merge):
            self._no_object(operation.origin)
            return None
        if isinstance(how, Merge):
            self._touch(_path(operation.place), how, frozenset())
        return FoldStep(target=target, source=source, how=how, make=operation.make)

    def _touch(self, path: Path, how: Merge, seen: frozenset[PartId]) -> None:
        """What rules of members reach is reached too."""
        part = self.parts[how.part]
        if part is not None and how.part not in seen:
            for slot in part.slots:
                self.touched.add((*path, slot.target))
                if isinstance(slot.how, Merge):
                    self._touch((*path, slot.target), slot.how, seen | {how.part})

    def _source(self, path: Path, known: Known, origin: Origin) -> Source | None:
        source = known.follow(self._stream.event, path)
        if source is None:
            self._unmatched(f"the event has no value at {_pointer(path)}", origin)
        return source

    def _target(self, place: Place, known: Known, origin: Origin) -> Target | None:
        """The place with its keys found in the event."""
        if self._known.follow(self._result, _path(place)) is None:
            self._unmatched(f"the result has no place {_pointer(_path(place))}", origin)
            return None
        steps: list[Member | At] = []
        for step in place:
            at = step if isinstance(step, Member) else self._at(step, known, origin)
            if at is None:
                return None
            steps.append(at)
        self.touched.add(_path(place))
        return tuple(steps)

    def _at(self, entry: Entry, known: Known, origin: Origin) -> At | None:
        source = self._source(entry.path, known, origin)
        if source is None:
            return None
        kind = ScalarKind.STRING if entry.is_map else ScalarKind.INTEGER
        type_ = self._plain(source.type)
        default = self._default(entry.path, known)
        is_there = source.is_certain or default is not None
        if not is_there or not isinstance(type_, Scalar) or type_.kind is not kind:
            what = f"a {kind.value}" if entry.is_map else f"an {kind.value}"
            message = f"{_pointer(entry.path)} names no entry: it is {what} that the event requires"
            self._diagnostics.add("SB304", message, origin=origin)
            return None
        return At(source=source, default=default, is_map=entry.is_map)

    def _default(self, path: Path, known: Known) -> int | None:
        """The default that the schema of the event has for a number, if it has one."""
        fields = [
            found
            for object_ in known.objects(self._stream.event)
            if len(path) == 1 and (found := member_of(object_, path[0])) is not None
        ]
        return default_number(fields[0]) if fields else None

    def _plain(self, type_: Type) -> Type:
        type_ = resolve(type_, self._known.decls)
        return self._plain(type_.type) if isinstance(type_, Nullable) else type_

    def _is_array(self, type_: Type) -> bool:
        return isinstance(self._plain(type_), Array)

    def _no_object(self, origin: Origin) -> None:
        self._diagnostics.add("SB304", "the result is an object, and this is none", origin=origin)

    def _unmatched(self, message: str, origin: Origin) -> None:
        self._diagnostics.add("SB305", message, origin=origin)


def _path(place: Place) -> Path:
    return tuple(step.name if isinstance(step, Member) else ENTRY for step in place)


def _pointer(path: Path) -> str:
    return "/" + "/".join(path)
