"""What is told of a recorded body, event by event."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from codegen.diagnostics import Origin
from codegen.ir.types import DeclId
from codegen.recording.typed import Path, Typed
from codegen.source.values import Json


class Kind(Enum):
    """How data is not what the document says."""

    MISSING = "missing though required"
    NULL = "null though not nullable"
    TYPE = "other type"
    VALUE = "value outside the enum"
    FIELD = "undeclared field"
    EVENT = "undeclared event"
    ORDER = "order or end not allowed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    """One place of an event (`pointer`, RFC 6901) that is not what its schema (`place`) says.

    `name` is that of the member, or of the event, if it has one; `value` is what was there;
    `owner` is the object that a member is missing from.
    """

    kind: Kind
    pointer: str
    place: Origin
    name: str
    value: Json
    expected: str
    owner: DeclId | None = None


class Effect(Enum):
    """What became of a value of the snapshot."""

    ADDED = "added"
    EXTENDED = "extended"
    REPLACED = "replaced"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One place of the snapshot; `value` is what is there now, or what a text grew by."""

    effect: Effect
    path: Path
    value: Json


class Role(Enum):
    """What the stream made of an event."""

    TYPED = "typed"
    UNKNOWN = "unknown"
    INVALID = "invalid"
    ERROR = "error"
    STOP = "stop"
    PASSED = "passed over"
    CUT = "cut off"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event of a body: `raw` are its bytes, at `offset`; `name` is empty for the end of a body.

    `typed` describes its typed form, None where it has none.
    """

    offset: int
    raw: bytes
    name: str
    role: Role
    json: Json
    typed: Typed
    changes: tuple[Change, ...]
    deviations: tuple[Deviation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a body ended: `missing` are the pointers that its result lacks, `deviations` what the
    rules of the stream do not allow.
    """

    outcome: str
    size: int
    snapshot: Json
    missing: tuple[str, ...]
    deviations: tuple[Deviation, ...]
