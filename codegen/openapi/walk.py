"""The objects of a description, each where it is written (OpenAPI 3.1 section 4.8, Swagger 2.0).

In: the root of a document. Out: every object that is a schema or leads to one, with its kind and
who writes what it describes. Rules: the table says what holds what; references are not followed, so
that nothing is met twice; extensions hold nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from codegen.ir.api import Direction
from codegen.openapi.node import Node
from codegen.openapi.path_item import METHODS

_ONE = (
    "items additionalProperties contains propertyNames not if then else contentSchema "
    "unevaluatedItems unevaluatedProperties"
)
_SCHEMAS = (
    "allOf anyOf oneOf prefixItems properties patternProperties dependentSchemas $defs definitions"
)
_COMPONENTS = {
    "schemas": "schema",
    "definitions": "schema",
    "responses": "response",
    "requestBodies": "request",
    "parameters": "parameter",
    "headers": "header",
    "mediaTypes": "media type",
    "callbacks": "callback",
    "pathItems": "path item",
}
# The kinds of objects that stand under a member: one, or in an array or under names.
_SINGLE: Mapping[str, Mapping[str, str]] = {
    "schema": dict.fromkeys(_ONE.split(), "schema"),
    "description": {"components": "components"},
    "path item": dict.fromkeys(METHODS, "operation"),
    "operation": {"requestBody": "request"},
    "parameter": {"schema": "schema"},
    "header": {"schema": "schema"},
    "response": {"schema": "schema"},
    "media type": {"schema": "schema", "itemSchema": "schema"},
}
_SEVERAL: Mapping[str, Mapping[str, str]] = {
    "schema": dict.fromkeys(_SCHEMAS.split(), "schema"),
    "description": {
        "paths": "path item",
        "webhooks": "webhook",
        **{key: _COMPONENTS[key] for key in ("definitions", "responses", "parameters")},
    },
    "components": _COMPONENTS,
    "path item": {"parameters": "parameter", "additionalOperations": "operation"},
    "operation": {"parameters": "parameter", "responses": "response", "callbacks": "callback"},
    "parameter": {"content": "media type"},
    "header": {"content": "media type"},
    "request": {"content": "media type"},
    "response": {"content": "media type", "headers": "header"},
}
# What the other side writes; and under names that may be extensions.
_ANSWERS = frozenset({"response", "callback", "webhook"})
_PATTERNED = frozenset({"path item", "webhook", "response", "callback"})


@dataclass(frozen=True, slots=True)
class Visit:
    """An object of a description, and who writes what it describes: for a schema that has a name,
    the client, whoever refers to it.
    """

    kind: str
    node: Node
    writer: Direction


def walk(root: Node) -> Iterator[Visit]:
    """Every object, before those inside it; deep ones cost no stack."""
    work = [Visit("description", root, Direction.REQUEST)]
    while work:
        visit = work.pop()
        if visit.kind == "schema" or not visit.node.text("$ref"):
            yield visit
            work += reversed(list(_held(visit)))


def _held(visit: Visit) -> Iterator[Visit]:
    kind, node = visit.kind, visit.node
    if kind == "callback":
        yield from _several("path item", node, visit)
    # A webhook is a path item that the server calls.
    kind = "path item" if kind == "webhook" else kind
    single, several = _SINGLE.get(kind, {}), _SEVERAL.get(kind, {})
    for key in node.keywords:
        if key in several:
            yield from _several(several[key], node.child(key), visit)
        elif key in single:
            yield from _single(single[key], node.child(key), visit)


def _several(kind: str, holder: Node, visit: Visit) -> Iterator[Visit]:
    for node in holder.entries():
        yield from _single(kind, node, visit)
    for name, node in holder.members():
        if kind not in _PATTERNED or not name.startswith("x-"):
            yield from _single(kind, node, visit)


def _single(kind: str, node: Node, visit: Visit) -> Iterator[Visit]:
    if not isinstance(node.data, dict):
        return
    is_answer = kind in _ANSWERS or (kind == "header" and visit.kind == "components")
    yield Visit(kind, node, visit.writer.reverse if is_answer else visit.writer)
