"""What the extensions of other generators say of streams.

In: an operation, or one of its media types. Out: what `x-stream` would say, which goes before.

    x-speakeasy-sse-sentinel: TEXT            in a media type: `stop: [{data: TEXT}]`
    x-speakeasy-stream-request-field: NAME    in an operation: `when: {request: /NAME, is: true}`
    x-ogen-sse-event-shape: data-only, full   in a media type: `item: data`, `item: envelope`
    x-ms-sse-terminal-event: true             in the schema of an event: `stop: [{event: NAME}]`
    x-fern-streaming: true, or an object      in an operation: its response streams. `format` is sse
        or json, `terminator` a text that ends it, `stream-condition` a member of the request,
        `response-stream` the schema of an event, `response` that of the whole.
    x-oaiMeta: {example: TEXT}                in a schema: JSON texts, each from the start of a line
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from codegen.ir.api import Framing, Stop, StopData, StopEvent, When
from codegen.openapi.node import Node
from codegen.openapi.resolver import Resolver

_SHAPES = {"data-only": False, "full": True}
_FORMATS = {"sse": Framing.SSE, "json": Framing.JSON_LINES}


def read_stops(operation: Node, media: Node, schema: Node, resolver: Resolver) -> Iterator[Stop]:
    """What ends a stream of events that have this schema."""
    sentinels = (
        media.text("x-speakeasy-sse-sentinel"),
        operation.child("x-fern-streaming").text("terminator"),
    )
    yield from (StopData(text=text) for text in sentinels if text)
    union = resolver.resolve(schema)
    for held in () if union is None else union.entries_of("oneOf"):
        member = resolver.resolve(held)
        if member is not None and member.flag("x-ms-sse-terminal-event"):
            name = member.child("properties").child("event").text("const")
            if name:
                yield StopEvent(name=name)


def read_when(operation: Node) -> When | None:
    """Which requests are answered with a stream."""
    condition = operation.child("x-fern-streaming").text("stream-condition")
    member = operation.text("x-speakeasy-stream-request-field")
    member = member or condition.removeprefix("$request.")
    return When(path=tuple(member.split(".")), value=True) if member else None


def read_item(media: Node) -> bool | None:
    """Whether a schema describes events with their envelope."""
    return _SHAPES.get(media.text("x-ogen-sse-event-shape"))


def read_framing(operation: Node) -> Framing | None:
    """How a response streams whose media type does not say so."""
    streaming = operation.child("x-fern-streaming")
    if streaming.data in (None, False):
        return None
    return _FORMATS.get(streaming.text("format"), Framing.JSON_LINES)


def read_schemas(operation: Node) -> tuple[Node, Node]:
    """The schemas of an event and of the whole; their data is None where they are not said."""
    streaming = operation.child("x-fern-streaming")
    return streaming.child("response-stream"), streaming.child("response")


def read_examples(schema: Node) -> Iterator[Node]:
    """Values that the schema should allow, all at the place of the text that shows them."""
    example = schema.child("x-oaiMeta").child("example")
    if not isinstance(example.data, str):
        return
    decoder, text, start = json.JSONDecoder(), example.data, 0
    while start < len(text):
        if text[start] in "{[":
            try:
                value, start = decoder.raw_decode(text, start)
            except ValueError:
                pass
            else:
                yield replace(example, data=value)
        start = text.find("\n", start) + 1 or len(text)
