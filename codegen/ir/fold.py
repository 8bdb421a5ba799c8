"""How the chunks of a stream become one object: the rules as written, and the plan made from them.

`MergeRule` is what a document says (`x-stream.fold`, or nothing for a member: the structural
default). The plan is a tuple of `Part`, one for each object inside the chunk, the chunk itself
first: every member that is kept has a slot, and `record` declares the object it fills. Each rule is
a monoid whose identity is absence, so chunks may be folded in any grouping; null is no information.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from codegen.diagnostics import Origin
from codegen.ir.types import DeclId


class Simple(Enum):
    FIRST = "first"
    """The first value that is neither null nor an empty string."""
    LAST = "last"
    """The last value that is not null."""
    CONCAT = "concat"
    """All texts, joined."""
    APPEND = "append"
    """All entries of the arrays, in order."""
    DROP = "drop"
    """Of the chunk alone, not of the result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberRule:
    """The rule of one member; `into` is its name in the result where that differs."""

    name: str
    into: str
    rule: Rule | None
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeRule:
    """Rules by member; members without one take the structural default."""

    members: tuple[MemberRule, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedRule:
    """An array whose entries belong together where `key` agrees.

    `keep_key` leaves the key in the result; `append_others` takes an entry without a key for one of
    its own, which comes after all others.
    """

    key: str
    keep_key: bool
    append_others: bool
    of: MergeRule


Rule: TypeAlias = Simple | MergeRule | KeyedRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """An object that fills a record of its own."""

    record: DeclId


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyed:
    """An array whose entries fill a record each."""

    key: str
    append_others: bool
    record: DeclId


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One member of the chunk (`source`) and what becomes of it in the record (`target`)."""

    source: str
    target: str
    how: Simple | Merge | Keyed


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One object of the chunk and the record that its slots fill."""

    chunk: DeclId
    record: DeclId
    slots: tuple[Slot, ...]
