"""Declarations, operations and streams: one whole API, as the back ends receive it.

Four facts about a field stay independent: presence (`required`), nullability (in its type), default
and access. Names hold the spelling of the document beside the words it is made of; casing is a back
end's affair.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from codegen.diagnostics import Origin
from codegen.ir.fold import Fold
from codegen.ir.rules import FoldRules, Path
from codegen.ir.types import DeclId, JsonScalar, Never, Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Doc:
    """What the document says of something, as Markdown."""

    text: str = ""
    deprecated: bool = False


Name: TypeAlias = tuple[str, ...]
"""The parts a name is made of, as the document spells them: a schema's name, then the members that
lead inside.
"""


class Access(Enum):
    BOTH = "both"
    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    wire: str
    type: Type
    required: bool
    default: str | None
    access: Access
    doc: Doc
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Object:
    """An object with declared members; `extra` is the type of all others (`Never`: there are none).

    `home` is the named schema that it lies in: itself where it is one.
    """

    id: DeclId
    name: Name
    doc: Doc
    origin: Origin
    home: DeclId
    fields: tuple[Field, ...]
    extra: Type

    @property
    def is_closed(self) -> bool:
        """Whether undeclared members are refused."""
        return isinstance(self.extra, Never)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """A name for a type that is no object of its own: a union, an enum, an array, a scalar."""

    id: DeclId
    name: Name
    doc: Doc
    origin: Origin
    home: DeclId
    type: Type


Decl: TypeAlias = Object | Alias


class Direction(Enum):
    """Who writes a value: the client (requests), the server (responses), or both."""

    REQUEST = "request"
    RESPONSE = "response"


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The content of a request or response in one media type."""

    media_type: str
    status: str
    type: Type
    direction: Direction
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    id: str
    method: str
    path: str
    bodies: tuple[Body, ...]
    parameters: tuple[Type, ...]
    doc: Doc
    origin: Origin


class Framing(Enum):
    """How items are told apart in a stream of bytes."""

    SSE = "sse"
    JSON_LINES = "jsonl"
    JSON_SEQUENCE = "json-seq"
    JSON_ARRAY = "json-array"


@dataclass(frozen=True, slots=True, kw_only=True)
class StopData:
    """The stream ends with an event whose data is this text."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StopEvent:
    """The stream ends with an event of this name, which is delivered."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StopAt:
    """The stream ends with an event that holds this value at a place; it is delivered."""

    path: Path
    value: JsonScalar


Stop: TypeAlias = StopData | StopEvent | StopAt


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorAt:
    """An event of this name, or any, with a value there that is not null, is an error."""

    path: Path
    event: str | None


class Unknown(Enum):
    """What becomes of events that the document does not list."""

    KEEP = "keep"
    SKIP = "skip"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kinds:
    """Events of several kinds: the framing names them if `on_wire`, else `field` of the JSON does.

    `names` are those that the document lists; empty where it lists none.
    """

    field: str | None
    on_wire: bool = False
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """A response whose media type streams; `event` is the type of one item.

    `stop` says what ends it; `eof_is_error`, that input which ends without is truncated; `skip`,
    which events only keep the connection alive; `rules` say how events accumulate, and `fold` is
    the plan that a pass makes of them; `result` is the type of the whole.
    """

    name: Name
    operation: Operation
    media_type: str
    framing: Framing
    event: Type
    kinds: Kinds | None
    unknown: Unknown
    stop: tuple[Stop, ...]
    eof_is_error: bool
    skip: tuple[str, ...]
    errors: tuple[ErrorAt, ...]
    rules: FoldRules | None
    result: Type | None
    fold: Fold | None = None
    doc: Doc
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """Everything a package is made from; digests are those of the document and of its overlays."""

    title: str
    version: str
    document: str
    digest: str
    overlays: tuple[str, ...] = ()
    decls: tuple[Decl, ...]
    operations: tuple[Operation, ...]
    streams: tuple[Stream, ...]
