"""The name of a schema that has none of its own: the schemas and members that lead to it.

In: pointers and schemas. Out: parts of a name, as the document spells them; a back end joins them.
Rules: an entry of an array is named in the singular. Members of unions are named in
`union_names.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from codegen.ir.api import Name
from codegen.ir.names import item_name
from codegen.openapi.node import Node
from codegen.source.pointer import join, lookup, split

# Keywords whose members have names of the document's own.
_TABLES = frozenset("schemas definitions $defs properties paths content responses".split())
_SILENT = _TABLES | {"components", "schema"}


def name_at(node: Node) -> Name:
    """The name of what a reference leads to: its last token where it is declared, else the members
    that lead to it, and for a whole document its own name.
    """
    tokens = split(node.pointer)
    if is_declared(tokens):
        return (tokens[-1],)
    name: list[str] = []
    if tokens[:1] == ("paths",) and len(tokens) > 3:
        name, tokens = _name_in_operation(node, tokens)
    for token, is_keyword in _with_roles(tokens):
        if is_keyword and token == "items" and name:
            name[-1] = item_name(name[-1])
        elif is_keyword and token == "additionalProperties":
            name.append("value")
        elif not is_keyword or token not in _SILENT:
            name.append(token)
    return tuple(name) or (PurePath(node.document.name).stem,)


def leads_to_property(tokens: tuple[str, ...]) -> bool:
    """Whether a pointer leads to the schema of a property."""
    roles = [is_keyword for _, is_keyword in _with_roles(tokens)]
    return tokens[-2:-1] == ("properties",) and roles[-2:] == [True, False]


def _with_roles(tokens: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """Each token of a pointer, and whether it is a keyword, or else a name of the document's."""
    is_keyword = True
    for token in tokens:
        yield token, is_keyword
        is_keyword = not is_keyword or token not in _TABLES


def _name_in_operation(node: Node, tokens: tuple[str, ...]) -> tuple[list[str], tuple[str, ...]]:
    """The name of a schema in `paths`, as its operation gives it, and the tokens further inside."""
    data = lookup(node.document.data, join("#", *tokens[:3]))
    operation = Node(data, node.document, join("#", *tokens[:3]))
    name = operation.text("operationId") or f"{tokens[2]} {tokens[1]}"
    match tokens[3:]:
        case ("parameters", index, "schema", *rest):
            parameters = list(operation.entries_of("parameters"))
            return [name, parameters[int(index)].text("name")], tuple(rest)
        case ("requestBody", "content", _, "schema", *rest):
            return [name, "request"], tuple(rest)
        case ("responses", status, "content", _, "schema", *rest):
            return [name, *status_name(status, operation), "response"], tuple(rest)
        case rest:
            return [name], tuple(rest)


def status_name(status: str, operation: Node) -> Name:
    """How the response of a status is told apart: the lowest success needs no word."""
    statuses = operation.child("responses").keywords
    first = min((status for status in statuses if status.startswith("2")), default=None)
    return () if status == first else (status,)


def component_name(component: Node, kind: str) -> Name:
    """The name of what a component that is no schema holds: `NotFound` and `NotFoundResponse` are
    both good names of a response.
    """
    *outer, last = name_at(component)
    if last.lower().endswith(kind) and len(last) > len(kind):
        return (*outer, last[: -len(kind)], last[-len(kind) :])
    return (*outer, last, kind)


def is_declared(tokens: tuple[str, ...]) -> bool:
    """Whether a pointer leads to a member that stands in a table of names, and not to a property
    of such a name.
    """
    if len(tokens) == 3 and tokens[0] == "components":
        return True
    if len(tokens) == 2:
        return tokens[0] in ("definitions", "$defs", "schemas", "parameters", "responses")
    return (
        len(tokens) > 2
        and tokens[-2] in ("schemas", "definitions", "$defs")
        and tokens[-3] != "properties"
    )
