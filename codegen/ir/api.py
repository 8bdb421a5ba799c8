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
from codegen.ir.rules import FoldRules, Path, Rule
from codegen.ir.types import Anything, Constraint, DeclId, JsonScalar, Never, Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Doc:
    """What the document says of something, as Markdown."""

    text: str = ""
    deprecated: bool = False


_NO_DOC = Doc()

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
    """A declared member; `rule` is how its values join where the object is part of events, and
    `spelled` a name that someone chose for it.
    """

    wire: str
    spelled: str | None = None
    type: Type
    required: bool
    default: str | None = None
    access: Access = Access.BOTH
    rule: Rule | None = None
    doc: Doc = _NO_DOC
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Object:
    """An object with declared members; `extra` is the type of all others (`Never`: there are none).

    `home` is the named schema that it lies in: itself where it is one. `spelled` is a name that
    someone chose for it.
    """

    id: DeclId
    name: Name
    spelled: str | None = None
    doc: Doc = _NO_DOC
    origin: Origin
    home: DeclId
    fields: tuple[Field, ...]
    extra: Type
    constraints: tuple[Constraint, ...] = ()

    @property
    def is_closed(self) -> bool:
        """Whether undeclared members are refused."""
        return isinstance(self.extra, Never)

    @property
    def has_typed_others(self) -> bool:
        """Whether undeclared members are of a type."""
        return not isinstance(self.extra, Never | Anything)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """A name for a type that is no object of its own: a union, an enum, an array, a scalar."""

    id: DeclId
    name: Name
    spelled: str | None = None
    doc: Doc = _NO_DOC
    origin: Origin
    home: DeclId
    type: Type


Decl: TypeAlias = Object | Alias


class Direction(Enum):
    """Who writes a value: the client (requests), or the server (responses)."""

    REQUEST = "request"
    RESPONSE = "response"

    @property
    def reverse(self) -> Direction:
        return Direction.RESPONSE if self is Direction.REQUEST else Direction.REQUEST


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The content of a request or response in one media type."""

    media_type: str
    status: str
    type: Type
    direction: Direction
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A value beside the bodies: a parameter of the request, or a header of a response."""

    type: Type
    direction: Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method of a path, or of a webhook or callback, whose requests the server writes.

    `callback_of` is the operation that asks for it.
    """

    id: str
    method: str
    path: str
    tags: tuple[str, ...]
    bodies: tuple[Body, ...]
    parameters: tuple[Parameter, ...]
    callback_of: str | None = None
    doc: Doc = _NO_DOC
    origin: Origin

    @property
    def parts(self) -> tuple[Parameter | Body, ...]:
        """All that travels, either way."""
        return (*self.parameters, *self.bodies)


class Framing(Enum):
    """How items are told apart in a stream of bytes."""

    SSE = "sse"
    JSON_LINES = "jsonl"
    JSON_SEQUENCE = "json-seq"
    JSON_ARRAY = "json-array"
    MULTIPART = "multipart"


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
class When:
    """A request is answered with the stream if it holds this value there."""

    path: Path
    value: JsonScalar


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume:
    """How a request asks for what comes after the last event: by a header that holds the id of that
    event, or, where the event has a path to it, by a query parameter with the value there.
    """

    name: str
    path: Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """Events whose type describes the server-sent event around the data.

    `members` are those declared beside `data`; `texts` names the events whose data is text and not
    JSON, `is_text` says that of all.
    """

    members: tuple[str, ...]
    texts: tuple[str, ...]
    is_text: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """A response whose media type streams; `event` is the type of one item.

    `has_envelopes` is what the document says of the items, None where it says nothing; `envelope`
    is what a pass makes of it.
    `stop` says what ends it; `stated_eof`, whether input which ends without is an error, None where
    that is not said; `skip`, which events only keep the connection alive; `rules` say how events
    accumulate, and `fold` is the plan that a pass makes of them; `result` is the type of the whole.
    """

    name: Name
    operation: Operation
    media_type: str
    framing: Framing
    event: Type
    has_envelopes: bool | None
    envelope: Envelope | None = None
    kinds: Kinds | None
    unknown: Unknown
    stop: tuple[Stop, ...]
    stated_eof: bool | None
    skip: tuple[str, ...]
    when: When | None
    resume: Resume | None
    errors: tuple[ErrorAt, ...]
    rules: FoldRules | None
    result: Type | None
    fold: Fold | None = None
    doc: Doc
    origin: Origin

    @property
    def eof_is_error(self) -> bool:
        """Whether the input may not end but for a `stop`."""
        return bool(self.stop) if self.stated_eof is None else self.stated_eof


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """Everything a package is made from. Digests are those of the document, of its overlays and, by
    their paths as seen from it, of the files that it refers to; `types` is what the user has
    strings of a format read as.
    """

    title: str
    version: str
    document: str
    digest: str
    overlays: tuple[str, ...] = ()
    types: tuple[tuple[str, str], ...] = ()
    references: tuple[tuple[str, str], ...] = ()
    decls: tuple[Decl, ...]
    operations: tuple[Operation, ...]
    streams: tuple[Stream, ...]
