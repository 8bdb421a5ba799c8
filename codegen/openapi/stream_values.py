"""The small values that `x-stream` is made of: words, names, constants, pointers.

In: the node of a value. Out: the value; what it is not is an error with its place, and a default.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import TypeVar

from codegen.diagnostics import Diagnostics, suggestion
from codegen.ir.rules import Path
from codegen.ir.types import JsonScalar
from codegen.openapi.node import Node
from codegen.source.pointer import split

E = TypeVar("E", bound=Enum)


def check_keys(node: Node, known: tuple[str, ...], diagnostics: Diagnostics) -> None:
    """Report a value that is no object, and each member that is not among the known ones."""
    if node.data is not None and not isinstance(node.data, dict):
        help_ = f"known here: {', '.join(known)}"
        diagnostics.add("SB302", "an object belongs here", origin=node.origin, help=help_)
    for key, member in node.members():
        if key not in known:
            help_ = suggestion(key, known) or f"known here: {', '.join(known)}"
            diagnostics.add("SB301", f"unknown key {key!r}", origin=member.origin, help=help_)


def read_word(node: Node, words: type[E], default: E, diagnostics: Diagnostics) -> E:
    """One of the words that an enumeration has for its members."""
    known = {word.value: word for word in words}
    if node.data is None:
        return default
    if isinstance(node.data, str) and node.data in known:
        return known[node.data]
    key = node.pointer.rpartition("/")[2]
    diagnostics.add("SB302", f"`{key}` is one of {', '.join(known)}", origin=node.origin)
    return default


def read_constants(node: Node, diagnostics: Diagnostics) -> tuple[tuple[str, JsonScalar], ...]:
    """Members that have one value."""
    if node.data is not None and not isinstance(node.data, dict):
        diagnostics.add("SB303", "an object belongs here: {MEMBER: VALUE}", origin=node.origin)
    return tuple((name, read_scalar(value, diagnostics)) for name, value in node.members())


def read_scalar(node: Node, diagnostics: Diagnostics) -> JsonScalar:
    """A constant."""
    if isinstance(node.data, dict | list):
        message = "a constant is a text, a number, true, false or null"
        diagnostics.add("SB303", message, origin=node.origin)
        return None
    return node.data


def read_names(node: Node, diagnostics: Diagnostics) -> Iterator[str]:
    """A list of texts."""
    for entry in read_entries(node, diagnostics):
        if isinstance(entry.data, str):
            yield entry.data
        else:
            diagnostics.add("SB302", "a name is a string", origin=entry.origin)


def read_entries(node: Node, diagnostics: Diagnostics) -> Iterator[Node]:
    """The entries of a list."""
    if node.data is not None and not isinstance(node.data, list):
        diagnostics.add("SB302", "a list belongs here", origin=node.origin, help="put it in [ ]")
    return node.entries()


def read_path(node: Node, diagnostics: Diagnostics) -> Path:
    """A JSON pointer (RFC 6901); empty after an error."""
    if isinstance(node.data, str) and node.data.startswith("/"):
        try:
            return split("#" + node.data)
        except ValueError as error:
            diagnostics.add("SB302", str(error), origin=node.origin)
            return ()
    diagnostics.add("SB302", "a JSON pointer belongs here, such as /error", origin=node.origin)
    return ()
