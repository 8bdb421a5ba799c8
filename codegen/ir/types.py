"""The types of the intermediate representation: what JSON value may stand somewhere.

A closed set of frozen nodes, matched exhaustively. Rules: no OpenAPI keyword and no Python text in
here; a type refers to a declaration by its id, never by the object; null is a fact of its own
(`Nullable`), never a member of a `Union`; what constraints and formats say is kept beside the type
they narrow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NewType, TypeAlias

DeclId = NewType("DeclId", str)
"""Document and pointer of the schema that declares something:
`openapi.yaml#/components/schemas/Pet`.
"""

JsonScalar: TypeAlias = str | int | float | bool | None


class ScalarKind(Enum):
    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"


class Conversion(Enum):
    """What a string is read as, where it is written in the form of its format."""

    DATE_TIME = "date-time"
    DATE = "date"
    TIME = "time"
    UUID = "uuid"
    BYTES = "bytes"
    DECIMAL = "decimal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint:
    """One assertion beyond the type, such as `maximum: 10`; `open` says that the writer may do
    without it one day, so that it is only told.
    """

    keyword: str
    value: JsonScalar
    open: bool = False


@dataclass(frozen=True, slots=True)
class Anything:
    """Any JSON value, null included."""


@dataclass(frozen=True, slots=True)
class Never:
    """No value at all (`false` as a schema)."""


@dataclass(frozen=True, slots=True)
class Null:
    """Only null."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """One value of a kind; `content` is the type of the JSON text that a string is said to hold,
    `conversion` what it is read as.
    """

    kind: ScalarKind
    format: str | None = None
    constraints: tuple[Constraint, ...] = ()
    content: Type | None = None
    conversion: Conversion | None = None


@dataclass(frozen=True, slots=True)
class Literal:
    """One of the listed values, compared as JSON: 1 is not true. A whole number is a float where
    `1.0` is meant too. `open` says that others of the same kinds are let through: the document
    allows them (`others`), or the writer may use them one day.
    """

    values: tuple[JsonScalar, ...]
    open: bool = False
    others: bool = False

    @property
    def kinds(self) -> tuple[ScalarKind, ...]:
        """The kinds among the values, each once, in the order of `ScalarKind`."""
        present = {scalar_kind(value) for value in self.values}
        return tuple(kind for kind in ScalarKind if kind in present)


@dataclass(frozen=True, slots=True)
class Constant:
    """One array or object, as JSON text."""

    text: str


@dataclass(frozen=True, slots=True)
class Array:
    """An array; `first` are the types of its first entries, and `item` that of all others."""

    item: Type
    constraints: tuple[Constraint, ...] = ()
    first: tuple[Type, ...] = ()


@dataclass(frozen=True, slots=True)
class Map:
    """An object whose member names are free."""

    value: Type
    constraints: tuple[Constraint, ...] = ()


@dataclass(frozen=True, slots=True)
class Ref:
    target: DeclId


@dataclass(frozen=True, slots=True)
class Nullable:
    """The type, or null."""

    type: Type


@dataclass(frozen=True, slots=True)
class Tag:
    """The member that tells the objects of a union apart.

    `cases` maps each of its values to the members of the union (by position) that answer to it,
    tried in order; `untagged` are those that an object without it may be, since they do not require
    it.
    """

    field: str
    cases: tuple[tuple[str, tuple[int, ...]], ...]
    untagged: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Union:
    """One of the members; `open` says that objects with an unlisted tag are to be kept as they
    came.
    """

    members: tuple[Type, ...]
    tag: Tag | None = None
    open: bool = False


Type: TypeAlias = (
    Anything | Never | Null | Scalar | Literal | Constant | Array | Map | Ref | Nullable | Union
)


def scalar_kind(value: JsonScalar) -> ScalarKind:
    """The kind of a scalar that is not null."""
    match value:
        case bool():
            return ScalarKind.BOOLEAN
        case int():
            return ScalarKind.INTEGER
        case float():
            return ScalarKind.NUMBER
        case str():
            return ScalarKind.STRING
        case None:
            raise ValueError("null has no scalar kind")


def nullable(type_: Type) -> Type:
    """The type with null allowed, at most once; null alone where there is nothing else."""
    if isinstance(type_, Never):
        return Null()
    return type_ if isinstance(type_, Nullable | Null | Anything) else Nullable(type_)


def children(type_: Type) -> tuple[Type, ...]:
    """The types directly inside one."""
    match type_:
        case Array(item=item, first=first):
            return (*first, item)
        case Map(value=inner) | Nullable(type=inner):
            return (inner,)
        case Scalar(content=content) if content is not None:
            return (content,)
        case Union(members=members):
            return members
        case _:
            return ()


def refs(type_: Type) -> Iterator[DeclId]:
    """Every declaration that a type names, in order, repeats included."""
    if isinstance(type_, Ref):
        yield type_.target
        return
    for child in children(type_):
        yield from refs(child)
