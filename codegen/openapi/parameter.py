"""Parameter and Header Objects -> `ir.Parameter` (OpenAPI 3.1 sections 4.8.12 and 4.8.21).

In: the nodes that hold them. Out: the type of each value, and who writes it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from codegen.ir.api import Direction, Name, Parameter
from codegen.openapi.names import component_name
from codegen.openapi.node import Node
from codegen.openapi.schema import SchemaReader


def read_parameter(
    parameter: Node, name: Name, direction: Direction, reader: SchemaReader
) -> Parameter:
    """The type of a parameter or header."""
    return Parameter(type=reader.read_at(value_schema(parameter), name), direction=direction)


def value_schema(parameter: Node) -> Node:
    """What the value of a parameter or header should fit: its `schema`, or that of its `content`;
    the data is None where it has neither.
    """
    if "content" in parameter.keywords:  # 4.8.12.4: a map of one media type
        parameter = next((it for _, it in parameter.members_of("content")), parameter)
    elif "schema" not in parameter.keywords and "type" in parameter.keywords:
        return parameter  # Swagger 2.0: it is like a schema itself
    return parameter.child("schema")


def read_headers(
    holder: Node, name: Name, direction: Direction, reader: SchemaReader
) -> list[Parameter]:
    """The headers that a response, or the encoding of a part, declares."""
    headers: list[Parameter] = []
    for key, held in holder.members_of("headers"):
        header = reader.resolver.resolve(held)
        if header is not None:
            own = (*name, key) if header is held else component_name(header, "header")
            headers.append(read_parameter(header, own, direction, reader))
    return headers


@dataclass(frozen=True, slots=True)
class HeldParameter:
    """A Parameter Object, and its own name where it is a component."""

    node: Node
    name: Name


def effective_parameters(
    holders: Iterable[Node], reader: SchemaReader
) -> tuple[HeldParameter, ...]:
    """The parameters of an operation.

    A parameter of an outer holder gives way to one of the same name and place (4.8.9.1).
    """
    found: dict[tuple[str, str], HeldParameter] = {}
    for holder in holders:
        for held in holder.entries_of("parameters"):
            parameter = reader.resolver.resolve(held)
            if parameter is not None:
                kind = "request" if parameter.text("in") == "body" else "parameter"
                name = () if parameter is held else component_name(parameter, kind)
                key = (parameter.text("in"), parameter.text("name"))
                found[key] = HeldParameter(parameter, name)
    return tuple(found.values())
