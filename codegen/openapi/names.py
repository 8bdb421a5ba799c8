"""The name of a schema that has none of its own: the schemas and members that lead to it.

In: pointers and schemas. Out: parts of a name, as the document spells them; a back end joins them.
Rules: an entry of an array is named in the singular; a member of a union by its title, by the
constant that tells it apart, or by the first property that only it declares; a number only where
the document offers nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from pathlib import PurePath

from codegen.ir.api import Name
from codegen.ir.names import item_name
from codegen.openapi.node import Node
from codegen.openapi.resolver import Resolver
from codegen.source.pointer import join, lookup, split
from codegen.source.values import Json

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
    """How the response of a status is told apart: the first success needs no word."""
    statuses = operation.child("responses").keywords
    first = next((status for status in statuses if status.startswith("2")), None)
    return () if status == first else (status,)


def component_name(component: Node, kind: str) -> Name:
    """The name of what a component that is no schema holds: `NotFound` and `NotFoundResponse` are
    both good names of a response.
    """
    *outer, last = name_at(component)
    if last.lower().endswith(kind) and len(last) > len(kind):
        last = last[: -len(kind)]
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


def variant_names(members: list[Node], resolver: Resolver, *, merged: bool) -> list[Name]:
    """A part of a name for each member of a union; none for the only member that is not null.

    `merged` says that each member becomes an object of its own, because others hold beside it.
    """
    held = [resolver.resolve(node) if node.text("$ref") else node for node in members]
    if sum(node is not None and not _is_null(node) for node in held) < 2:
        return [()] * len(members)
    inline = [node for node in members if _declares(node)]
    titles = Counter(_title(node).lower() for node in members)
    declared = Counter(key for node in inline for key, _ in node.members_of("properties"))
    names: list[Name] = []
    for index, node in enumerate(members):
        title = _title(node)
        own = [key for key, _ in node.members_of("properties") if declared[key] == 1]
        if merged and node.text("$ref"):
            names.append(name_at(it) if (it := resolver.target(node)) else ())
        elif node not in inline:
            names.append(())
        elif title and titles[title.lower()] == 1:
            names.append((title,))
        elif len(inline) == 1:
            names.append(("object",))
        else:
            names.append((own[0] if own else _constant(node) or str(index + 1),))
    return names


def _is_null(node: Node) -> bool:
    return node.text("type") == "null"


def _declares(node: Node) -> bool:
    """Whether a member may be an object of its own, and so needs a name."""
    if not isinstance(node.data, dict) or node.text("$ref"):
        return False
    return node.keywords.get("type", "object") == "object" and "enum" not in node.keywords


def _title(node: Node) -> str:
    """What a schema calls itself: its title, or the only value of one of its required members."""
    if title := node.text("title").strip():
        return title
    return _constant(node, [entry.data for entry in node.entries_of("required")])


def _constant(node: Node, names: Container[Json] | None = None) -> str:
    """The only value of the first member, among these, that has but one."""
    for key, member in node.members_of("properties"):
        values = member.keywords.get("enum", [member.keywords.get("const")])
        among = names is None or key in names
        if among and isinstance(values, list) and len(values) == 1 and values[0] is not None:
            return values[0] if isinstance(values[0], str) else ""
    return ""
