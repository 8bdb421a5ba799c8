"""Components Object (OpenAPI 3.1 section 4.8.7), and where Swagger 2.0 has the same: at the root.

In: the root of a document. Out: a declaration for each named schema, and for the objects inside
responses, parameters, headers and request bodies, whether or not an operation uses them.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.ir.api import Direction
from codegen.openapi.content import Bodies, Message, read_content, read_media
from codegen.openapi.names import component_name, name_at
from codegen.openapi.node import Node
from codegen.openapi.parameter import read_headers, read_parameter
from codegen.openapi.schema import SchemaReader


def read_schemas(root: Node, reader: SchemaReader) -> None:
    """Declare each named schema."""
    path = ("definitions",) if "swagger" in root.keywords else ("components", "schemas")
    schemas = dict(reader.resolver.section(root, *path))
    for name, schema in schemas.items():
        reader.lend((name,), schema)
    for name, schema in schemas.items():
        reader.declare(schema, (name,))


def read_components(root: Node, reader: SchemaReader) -> None:
    """Declare what components other than schemas hold."""
    is_swagger = "swagger" in root.keywords
    for node in _own(root, "responses", reader):
        media = {"": node} if is_swagger else read_media(node, reader)
        _read_message(node, media, "response", Direction.RESPONSE, reader)
        read_headers(node, name_at(node), Direction.RESPONSE, reader)
    for node in _own(root, "requestBodies", reader):
        _read_message(node, read_media(node, reader), "request", Direction.REQUEST, reader)
    for node in _own(root, "parameters", reader):
        if is_swagger and node.text("in") == "body":
            _read_message(node, {"": node}, "request", Direction.REQUEST, reader)
        else:
            read_parameter(node, component_name(node, "parameter"), Direction.REQUEST, reader)
    for node in _own(root, "headers", reader):
        read_parameter(node, component_name(node, "header"), Direction.RESPONSE, reader)


def _read_message(
    node: Node, media: dict[str, Node], kind: str, direction: Direction, reader: SchemaReader
) -> None:
    message = Message(name=component_name(node, kind), status="", direction=direction)
    read_content(media, message, reader, Bodies())


def _own(root: Node, section: str, reader: SchemaReader) -> Iterator[Node]:
    """The components of a kind that stand here; references are read where they lead."""
    path = (section,) if "swagger" in root.keywords else ("components", section)
    for _, node in reader.resolver.section(root, *path):
        if not node.text("$ref"):
            yield node
