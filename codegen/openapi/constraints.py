"""Assertions beyond the type (JSON Schema 2020-12, validation 6.2 to 6.5; OpenAPI 3.0, 4.7.24.1).

In: a node that holds a schema. Out: its constraints, each of the form that its keyword has there.
Rules: a flag `exclusiveMinimum`, as OpenAPI 3.0 has it, makes the bound beside it exclusive; one
that asserts nothing is left out; what has another form is reported, and not checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from codegen.diagnostics import Diagnostics
from codegen.ir.types import Constraint
from codegen.openapi.node import Node
from codegen.source.values import Json

_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_BY_TYPE = {
    "integer": _NUMBERS,
    "number": _NUMBERS,
    "string": ("minLength", "maxLength", "pattern"),
    "array": ("minItems", "maxItems", "uniqueItems"),
    "object": ("minProperties", "maxProperties"),
}
_KEYWORDS = tuple(dict.fromkeys(keyword for keywords in _BY_TYPE.values() for keyword in keywords))
# OpenAPI 3.0: the bound that each of the two flags is about.
_FLAGS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}


def constraints_of(type_: str, constraints: list[Constraint]) -> tuple[Constraint, ...]:
    """Those that say something of values of a type, each once."""
    keywords = _BY_TYPE.get(type_, ())
    return tuple(dict.fromkeys(it for it in constraints if it.keyword in keywords))


def read_constraints(node: Node, diagnostics: Diagnostics) -> Iterator[Constraint]:
    """The constraints that stand in a schema itself."""
    data = node.keywords
    if data.keys().isdisjoint(_KEYWORDS):
        return
    exclusive = {bound: flag for flag, bound in _FLAGS.items() if data.get(flag) is True}
    for keyword in _KEYWORDS:
        value = data.get(keyword)
        if value is None or value is False or (keyword in _FLAGS and value is True):
            continue
        wanted = _wanted(keyword, value)
        if wanted is not None:
            message = f"`{keyword}` is not checked: it is not {wanted}"
            diagnostics.add("SB204", message, origin=node.child(keyword).origin)
        elif isinstance(value, str | int | float):
            yield Constraint(keyword=exclusive.get(keyword, keyword), value=_plain(value))


def _wanted(keyword: str, value: Json) -> str | None:
    """What a keyword takes, in words; None if it is that."""
    match keyword:
        case "pattern":
            return None if isinstance(value, str) else "a string"
        case "uniqueItems":
            return None if value is True else "a boolean"
        case "multipleOf":
            return None if _is_number(value) and value > 0 else "a number above 0"
        case _ if keyword in _NUMBERS:
            return None if _is_number(value) else "a number"
        case _:
            is_length = _is_number(value) and value >= 0 and value == int(value)
            return None if is_length else "a length"


def _is_number(value: Json) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _plain(value: str | float) -> str | int | float:
    """A number without a fraction as an integer: 1.0 and 1 are the same bound."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
