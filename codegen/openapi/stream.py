"""Media types that stream, and their `x-stream` rules -> `ir.Stream`.

In: an operation and the nodes of its media types. Out: one stream for each response in a media type
that streams, or that `x-stream` says does. The older form (`schema`) and OpenAPI 3.2's `itemSchema`
(section 4.14.3) both describe one event. Rules: an unknown key is an error with a place; what
`x-stream` does not say has one default, written beside its key below.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from codegen.diagnostics import Diagnostics
from codegen.ir.api import (
    Body,
    Direction,
    ErrorAt,
    Framing,
    Kinds,
    Name,
    Operation,
    Resume,
    Stop,
    StopAt,
    StopData,
    StopEvent,
    Stream,
    Unknown,
    When,
)
from codegen.ir.types import Array, Type
from codegen.ir.walk import resolve
from codegen.openapi import vendors
from codegen.openapi.fold import read_fold
from codegen.openapi.media_type import essence
from codegen.openapi.node import Node
from codegen.openapi.place import Place
from codegen.openapi.schema import SchemaReader
from codegen.openapi.stream_values import (
    check_keys,
    read_entries,
    read_names,
    read_path,
    read_word,
)

# OpenAPI 3.2 section 4.14.3.1, and what servers call these besides.
_MEDIA_TYPES = {
    "text/event-stream": Framing.SSE,
    "application/jsonl": Framing.JSON_LINES,
    "application/json-lines": Framing.JSON_LINES,
    "application/jsonlines": Framing.JSON_LINES,
    "application/x-jsonl": Framing.JSON_LINES,
    "application/x-jsonlines": Framing.JSON_LINES,
    "application/ndjson": Framing.JSON_LINES,
    "application/x-ndjson": Framing.JSON_LINES,
    "application/stream+json": Framing.JSON_LINES,
    "application/json-seq": Framing.JSON_SEQUENCE,
}
_KEYS = (
    *("frame", "item", "event", "when", "stop", "eof", "skip", "error", "unknown", "resume"),
    *("fold", "result"),
)


@dataclass(frozen=True, slots=True)
class _Response:
    """A response of an operation in one media type; `node` is that of the operation."""

    operation: Operation
    node: Node
    body: Body
    media: Node
    reader: SchemaReader

    @property
    def diagnostics(self) -> Diagnostics:
        return self.reader.resolver.diagnostics

    @property
    def rules(self) -> Node:
        return self.media.child("x-stream")


def read_streams(
    operation: Operation, node: Node, media: tuple[Node, ...], reader: SchemaReader
) -> Iterator[Stream]:
    """The streams among the responses of an operation; `media` holds the node of each body."""
    responses = [
        _Response(operation, node, body, held, reader)
        for body, held in zip(operation.bodies, media, strict=True)
        if body.direction is Direction.RESPONSE
    ]
    framings = [_read_framing(response) for response in responses]
    if not any(framings):
        framings = [
            vendors.read_framing(it.node) if _is_json(it.body) else None for it in responses
        ]
    found = [(it, framing) for it, framing in zip(responses, framings, strict=True) if framing]
    names: set[Name] = set()
    for response, framing in sorted(found, key=_rank):
        stream = _read_stream(response, framing)
        name = _free_name(stream, response.body.status, names)
        names.add(name)
        yield replace(stream, name=name)


def _rank(found: tuple[_Response, Framing]) -> tuple[str, str]:
    """Which of the streams of an operation comes first, whatever the order of the document."""
    body = found[0].body
    return body.media_type, body.status


def _free_name(stream: Stream, status: str, taken: set[Name]) -> Name:
    """An operation that streams in several ways names the others after what differs."""
    framing = stream.framing.value
    id_ = stream.operation.id
    return next(
        name
        for parts in ((), (framing,), (framing, status), (status, stream.media_type))
        if (name := (id_, *parts, "stream")) not in taken
    )


def _read_stream(response: _Response, framing: Framing) -> Stream:
    rules, diagnostics = response.rules, response.diagnostics
    check_keys(rules, _KEYS, diagnostics)
    fold = read_fold(rules.child("fold"), diagnostics)
    stop = (*_read_stop(rules.child("stop"), response), *fold.stop)
    errors = (*_read_errors(rules.child("error"), diagnostics), *fold.errors)
    return Stream(
        name=(response.operation.id, "stream"),
        operation=response.operation,
        media_type=response.body.media_type,
        framing=framing,
        event=_read_event(response),
        has_envelopes=_read_item(rules.child("item"), framing, response),
        kinds=_read_kinds(rules.child("event"), diagnostics),
        unknown=read_word(rules.child("unknown"), Unknown, Unknown.KEEP, diagnostics),
        # Two overlays may say the same: what they add to a list is put behind what is there.
        stop=tuple(dict.fromkeys(stop)),
        stated_eof=_read_eof(rules.child("eof"), diagnostics),
        skip=tuple(read_names(rules.child("skip"), diagnostics)),
        when=_read_when(rules.child("when"), response),
        resume=_read_resume(rules.child("resume"), framing, diagnostics),
        errors=tuple(dict.fromkeys(errors)),
        rules=fold.rules,
        result=_read_result(rules.child("result"), response),
        doc=response.operation.doc,
        origin=response.media.origin,
    )


def _read_event(response: _Response) -> Type:
    """An array in the older form describes the whole body: its entries are the events."""
    schema, _ = vendors.read_schemas(response.node)
    if schema.data is not None:
        return _read_schema(schema, "event", response)
    body, reader = response.body, response.reader
    whole = resolve(body.type, {decl.id: decl for decl in reader.read_declared()})
    is_whole = response.media.child("itemSchema").data is None
    return whole.item if is_whole and isinstance(whole, Array) else body.type


def _read_schema(schema: Node, name: str, response: _Response) -> Type:
    return response.reader.read((schema,), Place((response.operation.id, name), schema.id))


def _read_framing(response: _Response) -> Framing | None:
    """`frame: sse | jsonl | json-seq | json-array | multipart`; default: the media type says."""
    node = response.rules.child("frame")
    frames = {framing.value: framing for framing in Framing}
    if isinstance(node.data, str) and node.data in frames:
        return frames[node.data]
    if node.data is not None:
        message = f"`frame` is one of {', '.join(frames)}"
        response.diagnostics.add("SB302", message, origin=node.origin)
    name = essence(response.body.media_type)
    if name.endswith("+json-seq"):
        return Framing.JSON_SEQUENCE
    has_rules = response.rules.data is not None
    if name.startswith("multipart/"):
        return Framing.MULTIPART if has_rules or _has_equal_parts(response.media) else None
    return _MEDIA_TYPES.get(name, Framing.JSON_ARRAY if has_rules else None)


def _has_equal_parts(media: Node) -> bool:
    """`schema` may name the parts of a form; an encoding says that parts may be no JSON."""
    stated = media.keywords.keys() & {"itemSchema", "itemEncoding", "prefixEncoding"}
    return stated == {"itemSchema"}


def _is_json(body: Body) -> bool:
    return essence(body.media_type) == "application/json" and body.status.startswith("2")


def _read_item(node: Node, framing: Framing, response: _Response) -> bool | None:
    """`item: data | envelope`; default: an envelope if the schema can be nothing else."""
    if node.data not in (None, "data", "envelope"):
        response.diagnostics.add("SB302", "`item` is data or envelope", origin=node.origin)
    if node.data == "envelope" and framing is not Framing.SSE:
        message = "only server-sent events have an envelope"
        response.diagnostics.add("SB302", message, origin=node.origin)
    if node.data is None:
        return vendors.read_item(response.media)
    return bool(node.data == "envelope")


def _read_kinds(node: Node, diagnostics: Diagnostics) -> Kinds | None:
    """`event: sse | /MEMBER`; default: the member that tells the events' schemas apart, if any."""
    if node.data is None:
        return None
    if node.data == "sse":
        return Kinds(field=None, on_wire=True)
    path = read_path(node, diagnostics)
    if len(path) != 1:
        diagnostics.add("SB302", "`event` is sse, or a pointer to one member", origin=node.origin)
        return None
    return Kinds(field=path[0])


def _read_stop(node: Node, response: _Response) -> Iterator[Stop]:
    """`stop: [{data: TEXT} | {event: NAME} | {at: POINTER, is: VALUE}]`; default: no such event."""
    diagnostics, media = response.diagnostics, response.media
    schema = media.child("schema" if media.child("itemSchema").data is None else "itemSchema")
    for stop in vendors.read_stops(response.node, media, schema, response.reader.resolver):
        yield from _checked(stop, media, diagnostics)
    for entry in read_entries(node, diagnostics):
        check_keys(entry, ("data", "event", "at", "is"), diagnostics)
        value = entry.keywords.get("is")
        if entry.text("data"):
            yield from _checked(StopData(text=entry.text("data")), entry.child("data"), diagnostics)
        elif entry.text("event"):
            yield StopEvent(name=entry.text("event"))
        elif "is" in entry.keywords and not isinstance(value, dict | list):
            yield StopAt(path=read_path(entry.child("at"), diagnostics), value=value)
        else:
            forms = "{data: TEXT}, {event: NAME} or {at: POINTER, is: VALUE}"
            diagnostics.add("SB302", f"an entry of `stop` is {forms}", origin=entry.origin)


def _checked(stop: Stop, node: Node, diagnostics: Diagnostics) -> Iterator[Stop]:
    text = stop.text if isinstance(stop, StopData) else ""
    if any(char in "\r\n" or "\ud800" <= char <= "\udfff" for char in text):
        message = "no event can hold this text: it has line ends, or is not Unicode"
        diagnostics.add("SB302", message, origin=node.origin)
    else:
        yield stop


def _read_eof(node: Node, diagnostics: Diagnostics) -> bool | None:
    """`eof: error | ok`; default: an error where `stop` says how the stream ends."""
    if node.data not in (None, "error", "ok"):
        diagnostics.add("SB302", "`eof` is error or ok", origin=node.origin)
    return None if node.data is None else bool(node.data == "error")


def _read_errors(node: Node, diagnostics: Diagnostics) -> Iterator[ErrorAt]:
    """`error: [{at: POINTER, event: NAME}]`, one of them at least; default: no event is one."""
    for entry in read_entries(node, diagnostics):
        check_keys(entry, ("at", "event"), diagnostics)
        path = read_path(entry.child("at"), diagnostics) if "at" in entry.keywords else ()
        if path or entry.text("event"):
            yield ErrorAt(path=path, event=entry.text("event") or None)
        elif "at" not in entry.keywords:
            diagnostics.add("SB302", "say where: `at` or `event`", origin=entry.origin)


def _read_when(node: Node, response: _Response) -> When | None:
    """`when: {request: POINTER, is: VALUE}`; default: nothing is said."""
    diagnostics = response.diagnostics
    if node.data is None:
        return vendors.read_when(response.node)
    check_keys(node, ("request", "is"), diagnostics)
    path = read_path(node.child("request"), diagnostics)
    value = node.keywords.get("is")
    if isinstance(value, dict | list) or "is" not in node.keywords:
        message = "`is` is a text, a number, true, false or null"
        diagnostics.add("SB302", message, origin=node.origin)
        return None
    return When(path=path, value=value)


def _read_resume(node: Node, framing: Framing, diagnostics: Diagnostics) -> Resume | None:
    """`resume: {header: NAME} | {query: NAME, from: POINTER}`; default: nothing is said."""
    if node.data is None:
        return None
    check_keys(node, ("header", "query", "from"), diagnostics)
    if node.text("header") and framing is not Framing.SSE:
        message = "only server-sent events have an id: say where another value is"
        help_ = "resume: {query: NAME, from: POINTER}"
        diagnostics.add("SB302", message, origin=node.origin, help=help_)
        return None
    if node.text("header") and len(node.keywords) == 1:
        return Resume(name=node.text("header"), path=None)
    if node.text("query") and len(node.keywords) == 2:
        return Resume(name=node.text("query"), path=read_path(node.child("from"), diagnostics))
    forms = "{header: NAME} or {query: NAME, from: POINTER}"
    diagnostics.add("SB302", f"`resume` is {forms}", origin=node.origin)
    return None


def _read_result(node: Node, response: _Response) -> Type | None:
    """`result: {$ref: ...}`; default: the `application/json` schema of the same response."""
    events, whole = vendors.read_schemas(response.node)
    for schema in (node, whole):
        if schema.data is not None:
            return _read_schema(schema, "result", response)
    body = response.body
    return next(
        (
            other.type
            for other in response.operation.bodies
            if other.direction is Direction.RESPONSE
            and other.status == body.status
            and essence(other.media_type) == "application/json"
            and (other is not body or events.data is not None)
        ),
        None,
    )
