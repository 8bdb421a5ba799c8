"""The parts of a document that have names for references: `$id` and `$self`, `$anchor` and
`$dynamicAnchor` (JSON Schema 2020-12 core, section 8.2; OpenAPI 3.2, section 4.1.2.2).

In: a document. Out: its resources, of which the whole document is one. The pointer or anchor after
`#` in a reference is that of a resource, and relative references in it start from its URI.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urldefrag, urljoin

from codegen.source.document import Document
from codegen.source.pointer import join
from codegen.source.values import Json

# Members whose values are data, so that what looks like a schema in them is none; and those whose
# members may have any name, these too.
_DATA = frozenset(("const", "default", "enum", "example", "examples"))
_TABLES = frozenset(
    ("$defs", "definitions", "dependentSchemas", "patternProperties", "properties", "schemas")
)
_WORDS = ("$id", "$anchor", "$dynamicAnchor", "$dynamicRef")


@dataclass(slots=True)
class Resource:
    """A whole document, or a schema in it with an `$id`.

    `anchors` holds the pointers of its anchors, `dynamic` the names of those that may be replaced
    from outside; `is_dynamic` says that it has a `$dynamicRef`.
    """

    document: Document
    pointer: str
    uri: str
    anchors: dict[str, str] = field(default_factory=dict[str, str])
    dynamic: set[str] = field(default_factory=set[str])
    is_dynamic: bool = False


def find_resources(document: Document) -> dict[str, Resource]:
    """The resources of a document by their pointers, the document itself first."""
    root = Resource(document, "#", _uri(document))
    if isinstance(document.data, dict):
        own = document.data.get("$self", document.data.get("$id"))
        stated = _resolve(root.uri, own) if isinstance(own, str) else None
        root.uri = stated[0] if stated else root.uri
    resources = {"#": root}
    for pointer, schema in sorted(find_objects(document.data, _WORDS)):
        holder = resource_at(pointer, resources)
        id_ = _text(schema, "$id")
        if pointer != "#" and id_ and (stated := _resolve(holder.uri, id_)):
            uri, anchor = stated
            if anchor:  # drafts 4 to 7 wrote anchors so
                holder.anchors[anchor] = pointer
            else:
                holder = resources[pointer] = Resource(document, pointer, uri)
        for word in ("$anchor", "$dynamicAnchor"):
            if anchor := _text(schema, word):
                holder.anchors.setdefault(anchor, pointer)
        if anchor := _text(schema, "$dynamicAnchor"):
            holder.dynamic.add(anchor)
        holder.is_dynamic |= "$dynamicRef" in schema
    return resources


def resource_at(pointer: str, resources: dict[str, Resource]) -> Resource:
    """The innermost resource that holds the value at a pointer."""
    if len(resources) > 1:
        while pointer != "#":
            if pointer in resources:
                return resources[pointer]
            pointer = pointer.rpartition("/")[0]
    return resources["#"]


def _resolve(base: str, reference: str) -> tuple[str, str] | None:
    """The URI that a reference leads to, and its fragment; None for one that is malformed."""
    try:
        return urldefrag(urljoin(base, reference))
    except ValueError:
        return None


def _uri(document: Document) -> str:
    path = Path("-") if document.path is None else document.path
    return path.absolute().as_uri()


def _text(schema: dict[str, Json], key: str) -> str:
    value = schema.get(key)
    return value if isinstance(value, str) else ""


# A container with the way to it: the container around it, and its name there.
_Step: TypeAlias = "tuple[_Step | None, str | int]"


def find_objects(data: Json, words: tuple[str, ...]) -> Iterator[tuple[str, dict[str, Json]]]:
    """The objects of a document, outside of values, that hold one of some words, and where."""
    pending: list[tuple[Json, _Step | None, bool]] = [(data, None, False)]
    while pending:
        value, step, is_table = pending.pop()
        if isinstance(value, list):
            pending += (
                (item, (step, index), False)
                for index, item in enumerate(value)
                if isinstance(item, dict | list)
            )
        elif isinstance(value, dict):
            if not value.keys().isdisjoint(words):
                yield _pointer(step), value
            pending += (
                (member, (step, key), not is_table and key in _TABLES)
                for key, member in value.items()
                if isinstance(member, dict | list) and (is_table or key not in _DATA)
            )


def _pointer(step: _Step | None) -> str:
    tokens: list[str | int] = []
    while step is not None:
        step, token = step
        tokens.append(token)
    return join("#", *reversed(tokens))
