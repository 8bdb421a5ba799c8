"""Another opinion on a value: `jsonschema`, with the schemas of a document put as it reads them.

In: a document, the place of a schema in it, and who writes the value. Out: the places in a value
at which that library sees errors. What we tell and do not check is taken out of the schemas, and
`oneOf` becomes `anyOf`: alternatives of real documents overlap. `$recursiveRef`, which 2020-12 has
no more, becomes a reference to the outermost schema around it that sets `$recursiveAnchor` (2019-09
core, section 8.2.4.2). Formats are those that the library and Python know of themselves.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from codegen.ir.api import Direction
from codegen.openapi.keywords import ASSERTIONS_UNREAD
from codegen.source.pointer import join, lookup, split

JSONSCHEMA: Any = importlib.import_module("jsonschema")  # it has no types
REFERENCING: Any = importlib.import_module("referencing.jsonschema")

_URI = "urn:document"
_ANNOTATIONS = frozenset(
    "example examples pattern nullable x-nullable discriminator xml externalDocs $recursiveAnchor"
    " $recursiveRef".split()
)
_UNCHECKED = frozenset(ASSERTIONS_UNREAD)
_FLAGS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
_OTHERS = {Direction.REQUEST: "readOnly", Direction.RESPONSE: "writeOnly", None: ""}


FORMATS: Any = JSONSCHEMA.FormatChecker(formats=("date", "uuid"))
FORMATS.checks("date-time", raises=ValueError)(
    lambda it: not isinstance(it, str) or (len(it) > 10 and bool(datetime.fromisoformat(it)))
)


class Validator:
    """Judges values by the schemas of one document."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._validator = cache(self._make)
        self._registry = cache(self._register)

    def places(self, pointer: str, writer: Direction | None, value: Any) -> set[str]:
        """Where a value is not as the schema at a pointer says; none if it is."""
        return set(_places(self._validator(pointer, writer).iter_errors(value)))

    def _make(self, pointer: str, writer: Direction | None) -> Any:
        place = Place(pointer, _recursion_root(self._document, pointer))
        schema = _plain(lookup(self._document, pointer), _OTHERS[writer], place)
        return JSONSCHEMA.Draft202012Validator(
            schema, registry=self._registry(writer), format_checker=FORMATS
        )

    def _register(self, writer: Direction | None) -> Any:
        contents = _plain(self._document, _OTHERS[writer], Place("#", None))
        resource = REFERENCING.DRAFT202012.create_resource(contents)
        return importlib.import_module("referencing").Registry().with_resource(_URI, resource)


def _places(errors: Iterable[Any]) -> Iterator[str]:
    """The pointers of errors, those inside of unions included."""
    for error in errors:
        at = "".join(
            "/" + str(step).replace("~", "~0").replace("/", "~1") for step in error.absolute_path
        )
        if error.validator == "required":
            yield from (f"{at}/{it}" for it in error.validator_value if it not in error.instance)
        elif error.validator == "additionalProperties" and error.validator_value is False:
            yield from (f"{at}/{it}" for it in error.instance)
        else:
            yield at
        yield from _places(error.context)


class Place(NamedTuple):
    """The pointer of a value, and that of the schema around it which `$recursiveRef` means."""

    pointer: str
    root: str | None

    def child(self, key: str | int) -> Place:
        return self._replace(pointer=join(self.pointer, key))


def _recursion_root(document: Any, pointer: str) -> str | None:
    """The outermost schema around a place that sets `$recursiveAnchor`."""
    around = "#"
    for token in split(pointer):
        around = join(around, token)
        held = lookup(document, around)
        if isinstance(held, dict) and held.get("$recursiveAnchor") is True:
            return around
    return None


def _plain(node: Any, other: str, at: Place) -> Any:
    """A value of the document with its schemas as JSON Schema 2020-12 has them, without the members
    that only the other side writes.
    """
    if isinstance(node, list):
        return [_plain(entry, other, at.child(index)) for index, entry in enumerate(node)]
    if not isinstance(node, dict):
        return node
    if at.root is None and node.get("$recursiveAnchor") is True:
        at = Place(at.pointer, at.pointer)
    result = {
        {"oneOf": "anyOf"}.get(key, key): _plain_member(key, value, other, at.child(key))
        for key, value in node.items()
        if key not in _ANNOTATIONS | _UNCHECKED
    }
    if "$recursiveRef" in node:
        result["$ref"] = _URI + (at.root or "#")
    reference = node.get("$ref")
    if isinstance(reference, str) and reference.startswith("#"):
        result["$ref"] = _URI + reference
    _drop_members(node, result, other)
    for flag, bound in _FLAGS.items():  # OpenAPI 3.0
        if isinstance(result.get(flag), bool) and result.pop(flag):
            result[flag] = result.pop(bound)
    is_nullable = node.get("nullable") is True or node.get("x-nullable") is True
    return {"anyOf": [result, {"type": "null"}]} if is_nullable else result


def _plain_member(key: str, value: Any, other: str, at: Place) -> Any:
    if key in ("properties", "$defs", "definitions", "schemas") and isinstance(value, dict):
        return {name: _plain(inner, other, at.child(name)) for name, inner in value.items()}
    if key in ("enum", "const", "default"):
        return value
    return _plain(value, other, at)


def _drop_members(node: Any, result: Any, other: str) -> None:
    properties = node.get("properties")
    if not isinstance(properties, dict) or not other:
        return
    dropped = {
        name for name, it in properties.items() if isinstance(it, dict) and it.get(other) is True
    }
    result["properties"] = {k: v for k, v in result["properties"].items() if k not in dropped}
    if isinstance(node.get("required"), list):
        result["required"] = [name for name in node["required"] if name not in dropped]
