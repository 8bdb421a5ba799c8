"""Paths Object -> `ir.Operation` (OpenAPI 3.1 sections 4.8.8 to 4.8.17).

In: the nodes of path items. Out: operations with the types of their parameters and bodies, each
with the direction it travels in. Rules: an operation without an `operationId` is named after its
method and path.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.ir.api import Body, Direction, Operation
from codegen.ir.types import Type
from codegen.openapi.node import Node
from codegen.openapi.schema import Place, SchemaReader, read_doc

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")


def read_operations(
    root: Node, reader: SchemaReader
) -> Iterator[tuple[Operation, Node, tuple[Node, ...]]]:
    """Every operation of a document, in its order, with its node and the Media Type Object of each
    of its bodies.
    """
    seen: set[str] = set()
    for path, held in root.child("paths").members():
        item = reader.resolver.resolve(held)
        if item is None:
            continue
        for method in METHODS:
            node = item.child(method)
            if isinstance(node.data, dict):
                id_ = _name(node, f"{method} {path}", seen, reader)
                seen.add(id_)
                operation, media = _read_operation(id_, node, item, method, path, reader)
                yield operation, node, media


def _name(node: Node, place: str, seen: set[str], reader: SchemaReader) -> str:
    id_ = node.text("operationId")
    if id_ in seen:
        message = f"another operation is called {id_!r} too"
        origin = node.child("operationId").origin
        reader.resolver.diagnostics.add("SB208", message, origin=origin)
        return place
    return id_ or place


def _read_operation(
    id_: str, node: Node, item: Node, method: str, path: str, reader: SchemaReader
) -> tuple[Operation, tuple[Node, ...]]:
    bodies = tuple(_read_bodies(node, id_, reader))
    operation = Operation(
        id=id_,
        method=method.upper(),
        path=path,
        bodies=tuple(body for body, _ in bodies),
        parameters=tuple(
            _read_parameter(parameter, id_, reader)
            for held in (*item.child("parameters").entries(), *node.child("parameters").entries())
            if (parameter := reader.resolver.resolve(held)) is not None
        ),
        doc=read_doc(node),
        origin=node.origin,
    )
    return operation, tuple(media for _, media in bodies)


def _read_parameter(parameter: Node, operation: str, reader: SchemaReader) -> Type:
    schema = parameter.child("schema")
    if schema.data is None:  # OpenAPI 3.1, 4.8.12.3: `content` instead, with one media type
        content = next((media for _, media in parameter.child("content").members()), parameter)
        schema = content.child("schema")
    return _read_schema(schema, (operation, parameter.text("name")), reader)


def _read_bodies(node: Node, operation: str, reader: SchemaReader) -> Iterator[tuple[Body, Node]]:
    request = reader.resolver.resolve(node.child("requestBody"))
    if request is not None:
        yield from _read_content(request, "", (operation, "request"), Direction.REQUEST, reader)
    responses = node.child("responses")
    success = next((status for status in responses.keywords if status.startswith("2")), None)
    for status, held in responses.members():
        response = reader.resolver.resolve(held)
        if response is not None:
            name = (operation, "response") if status == success else (operation, status, "response")
            yield from _read_content(response, status, name, Direction.RESPONSE, reader)


def _read_content(
    node: Node, status: str, name: tuple[str, ...], direction: Direction, reader: SchemaReader
) -> Iterator[tuple[Body, Node]]:
    content = node.child("content")
    plain = next(iter(content.keywords), None)
    if "application/json" in content.keywords:
        plain = "application/json"
    for media_type, media in content.members():
        # Beside others, a body is called after its format too.
        format_ = () if media_type == plain else (media_type.partition("/")[2],)
        key = "itemSchema" if media.child("itemSchema").data is not None else "schema"
        body = Body(
            media_type=media_type,
            status=status,
            type=_read_schema(media.child(key), (*name[:-1], *format_, name[-1]), reader),
            direction=direction,
            origin=media.origin,
        )
        yield body, media


def _read_schema(schema: Node, name: tuple[str, ...], reader: SchemaReader) -> Type:
    if schema.data is None:
        schema = Node({}, schema.document, schema.pointer)
    return reader.read((schema,), Place(name, schema.id))
