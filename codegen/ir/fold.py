"""How the events of a stream become one value: the plan, made from the rules and the schemas.

Every default is decided here, every member and place is known to exist, and what the event surely
holds is told from what it may hold. An object inside an event is a `Part`; a `Case` is what events
of some names do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from codegen.ir.rules import (
    Extra,
    GlueRule,
    JsonRule,
    KeyedRule,
    KindRule,
    Member,
    PatchRule,
    Path,
    Simple,
)
from codegen.ir.types import DeclId, JsonScalar, Type

PartId: TypeAlias = tuple[str, ...]
"""The words that a part is called by."""


@dataclass(frozen=True, slots=True)
class Merge:
    """An object joins by the rules of a part."""

    part: PartId


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyed:
    """The entries of an array join by the rules of a part; `default` is the key of an entry that
    has none.
    """

    rule: KeyedRule
    part: PartId
    default: int | None


How: TypeAlias = Simple | Merge | Keyed | GlueRule | JsonRule | PatchRule | KindRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A value inside the JSON of an event; the first `sure` tokens of its path always lead to
    something that is not null, and that is an object if `in_object`.
    """

    path: Path
    type: Type
    sure: int
    in_object: bool

    @property
    def is_certain(self) -> bool:
        return self.sure == len(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One member of an object, and what becomes of it in the result."""

    source: Source
    target: str
    how: How


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One object inside an event, one of `objects`: the members it may declare, and the slots of
    those that are kept.
    """

    id: PartId
    objects: tuple[DeclId, ...]
    declared: tuple[str, ...]
    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class At:
    """A step to an entry, its key read from the event; `default` is the key where none is there."""

    source: Source
    default: int | None
    is_map: bool


Target: TypeAlias = tuple[Member | At, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PutStep:
    target: Target
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldStep:
    target: Target
    source: Source
    how: How
    make: tuple[tuple[str, JsonScalar], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetStep:
    target: Target
    value: JsonScalar


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseStep:
    target: Target
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchStep:
    source: Source
    cases: tuple[tuple[str, tuple[Step, ...]], ...]


Step: TypeAlias = PutStep | FoldStep | SetStep | CloseStep | SwitchStep


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """The steps that events of these names take."""

    names: tuple[str, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """`record` declares what has come at any time; `part` takes whole events if there is one kind,
    else `cases` do by their names.
    """

    record: DeclId
    part: PartId | None = None
    cases: tuple[Case, ...] = ()
    parts: tuple[Part, ...]
    extra: Extra
    constants: tuple[tuple[str, JsonScalar], ...]
