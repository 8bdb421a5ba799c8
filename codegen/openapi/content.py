"""Request Body, Response and Media Type Objects -> `ir.Body` (OpenAPI 3.1 sections 4.8.13 to
4.8.17).

In: nodes that hold content, each with the name of what owns it. Out: one body for each media type,
with the node of its Media Type Object, and the headers beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from codegen.ir.api import Body, Direction, Name, Parameter
from codegen.openapi import swagger
from codegen.openapi.miswritten import tell_unknown_keys
from codegen.openapi.node import Node
from codegen.openapi.parameter import read_headers
from codegen.openapi.schema import SchemaReader


@dataclass(slots=True)
class Bodies:
    """The bodies of one operation, each with its media type's node, and the headers among them."""

    bodies: list[Body] = field(default_factory=list[Body])
    media: list[Node] = field(default_factory=list[Node])
    headers: list[Parameter] = field(default_factory=list[Parameter])


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A request or a response: what its schemas are named after, and who writes it."""

    name: Name
    status: str
    direction: Direction


def read_content(
    media: dict[str, Node], message: Message, reader: SchemaReader, bodies: Bodies
) -> None:
    """Add a body for each media type; one that differs from JSON, or else from the first by name,
    is called after its format too.
    """
    plain = media.get("application/json") or media.get(min(media, default=""))
    for media_type, node in media.items():
        format_ = () if node == plain else (media_type.partition("/")[2],)
        name = (*message.name[:-1], *format_, message.name[-1])
        key = "itemSchema" if node.child("itemSchema").data is not None else "schema"
        body = Body(
            media_type=media_type,
            status=message.status,
            type=reader.read_at(node.child(key), name),
            direction=message.direction,
            origin=node.origin,
        )
        bodies.bodies.append(body)
        bodies.media.append(node)
        for encoding in _encodings(node):
            bodies.headers += read_headers(encoding, name, message.direction, reader)


def read_media(held: Node, reader: SchemaReader) -> dict[str, Node]:
    """The Media Type Object of each type under `content`."""
    found = ((key, reader.resolver.resolve(node)) for key, node in held.members_of("content"))
    media = {key: node for key, node in found if node is not None}
    for node in media.values():
        tell_unknown_keys("Media Type Object", node, reader.resolver.diagnostics)
    return media


def response_media(
    response: Node, operation: Node, root: Node, reader: SchemaReader
) -> dict[str, Node]:
    """What a response of an operation holds, by media type, in the version of the document."""
    if "swagger" in root.keywords:
        return swagger.response_media(response, operation, root)
    return read_media(response, reader)


def _encodings(media: Node) -> Iterator[Node]:
    yield from (node for _, node in media.members_of("encoding"))
    yield from media.entries_of("prefixEncoding")
    yield media.child("itemEncoding")
