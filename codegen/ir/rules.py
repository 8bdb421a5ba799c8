"""How the events of a stream become one value: the rules of `x-stream.fold`, as written.

A rule says what becomes of one member of an event. Events of one kind merge (`MergeRule`); where
there are several kinds, each has operations, which take a value of the event to a place in the
result. Null is no information, like absence, but for `replace`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from codegen.diagnostics import Origin
from codegen.ir.types import JsonScalar


class Simple(Enum):
    FIRST = "first"
    """The first value that is neither null nor an empty string."""
    LAST = "last"
    """The last value that is not null."""
    REPLACE = "replace"
    """The last value, null included."""
    CONCAT = "concat"
    """All texts, joined."""
    APPEND = "append"
    """All entries of the arrays, in order."""
    SUM = "sum"
    """The numbers, added."""
    MAX = "max"
    """The greatest number."""
    DROP = "drop"
    """Of the event alone, not of the result."""


class JsonKind(Enum):
    """What a JSON value is, as far as rules tell values apart by it."""

    STRING = "string"
    ARRAY = "array"
    OBJECT = "object"


class Rest(Enum):
    """What a JSON text amounts to that never came to its end."""

    PARTIAL = "partial"
    """The members and entries that are whole."""
    RAW = "raw"
    """The text."""
    ERROR = "error"
    """Nothing: the result is incomplete."""


class Otherwise(Enum):
    """What becomes of an entry without the key that entries are told apart by."""

    ERROR = "error"
    """There is no such entry: the schema requires the key, or has a default for it."""
    APPEND = "append"
    """It is an entry of its own, after all others."""
    LAST = "last"
    """It belongs to the entry that came before it."""


class Extra(Enum):
    """What becomes of members that the schema of the event does not declare."""

    LIST = "list"
    """Every value that came."""
    LAST = "last"
    """The last value."""
    CONCAT = "concat"
    """Texts are joined; of anything else, the last."""


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

    `keep_key` leaves the key in the result; an entry whose `apart` differs from the one that has
    its key is another; `by_arrival` keeps the order in which entries began; of more than `limit`
    entries the stream is refused.
    """

    key: str
    keep_key: bool
    otherwise: Otherwise
    apart: str | None
    by_arrival: bool
    limit: int | None
    of: MergeRule

    @classmethod
    def by_index(cls) -> KeyedRule:
        """What arrays are whose entries require an integer `index`, where nothing is said."""
        return cls(
            key="index",
            keep_key=True,
            otherwise=Otherwise.ERROR,
            apart=None,
            by_arrival=False,
            limit=None,
            of=MergeRule(members=()),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Glue:
    """Entries that continue the entry before them: those whose `same` members are equal.

    An entry with any member that is not named here stands for itself. An array under `concat` goes
    on as the entries themselves do.
    """

    same: tuple[str, ...]
    concat: tuple[str, ...]
    last: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GlueRule:
    """`append`, with entries that continue the one before."""

    glue: Glue


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonRule:
    """Pieces of a JSON text, which is parsed when it is whole; `early` shows what has come."""

    rest: Rest
    early: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchRule:
    """Entries that say where in the result they belong: `path` holds a JSONPath, and the first of
    `values` that is there is the value. Texts are joined.
    """

    path: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextEntry:
    """What a text is among entries: the constants of `make`, and the text as `member`."""

    member: str
    make: tuple[tuple[str, JsonScalar], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KindRule:
    """A rule for each kind of JSON value that may come; `text` for texts that meet entries."""

    rules: tuple[tuple[JsonKind, Simple | GlueRule], ...]
    text: TextEntry | None = None


Rule: TypeAlias = Simple | MergeRule | KeyedRule | GlueRule | JsonRule | PatchRule | KindRule

Path: TypeAlias = tuple[str, ...]
"""The names of the members that lead to a value inside an event's JSON."""


@dataclass(frozen=True, slots=True)
class Member:
    """A step into a member of an object."""

    name: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A step into the entry that the event names at `path`: of an array, or of a map."""

    path: Path
    is_map: bool


Place: TypeAlias = tuple[Member | Entry, ...]
"""Where in the result something goes; empty for the whole of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    """A value of the event takes a place."""

    place: Place
    source: Path
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldInto:
    """A value of the event joins what is at a place; `make` is what is there first."""

    place: Place
    source: Path
    rule: Rule | None
    make: tuple[tuple[str, JsonScalar], ...]
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Set:
    """A constant takes a place."""

    place: Place
    value: JsonScalar
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """The JSON texts of these members of an object are whole."""

    place: Place
    members: tuple[str, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """Operations that depend on the text at a path."""

    source: Path
    cases: tuple[tuple[str, tuple[Operation, ...]], ...]
    origin: Origin


Operation: TypeAlias = Put | FoldInto | Set | Close | Switch


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRule:
    """What an event of one name does."""

    name: str
    operations: tuple[Operation, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldRules:
    """`x-stream.fold`: rules for events of one kind, or for each kind; `constants` are members of
    the result from the start.
    """

    how: MergeRule | tuple[EventRule, ...]
    extra: Extra
    constants: tuple[tuple[str, JsonScalar], ...]
    origin: Origin
