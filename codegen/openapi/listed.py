"""What `enum` and `const` list, as the `type` beside them means it.

In: one schema. Out: its values. Rules: beside `string`, numbers and truth values are the texts that
stand in the document: `enum: [012, 1e3, true]` means `012`, `1e3` and `true`. Beside other types,
texts are the numbers and truth values that they spell. Where none is of the type, values beside
`array` are those of its entries, and others say nothing.
"""

from __future__ import annotations

import json
import re

from codegen.openapi.node import Node
from codegen.openapi.resolver import Resolver
from codegen.source.values import Json, check_number

TYPES = ("boolean", "integer", "number", "string", "array", "object", "null")
# A place is that of the value, or of the name of the member that it is.
_PLAIN = re.compile(r"""(?:["']?const["']?\s*:\s*)?([-+.\w]+)""")
_SPELLED = re.compile(r"true|false|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", re.ASCII)


def listed_values(node: Node) -> list[Json] | None:
    """What `const` or `enum` list, as it is written; None where there is neither."""
    if "const" in node.keywords:
        return [node.keywords["const"]]
    values = node.keywords.get("enum")
    return values if isinstance(values, list) else None


def meant_values(node: Node, types: frozenset[str], resolver: Resolver) -> list[Json] | None:
    """What a value may be of those that a schema lists; None where that is not limited.

    `types` are those that it names, apart from null.
    """
    listed = listed_values(node)
    if listed is None or not types or not types.issubset(TYPES):
        return listed
    keyword = "const" if "const" in node.keywords else "enum"
    if types == frozenset({"string"}):
        return _as_texts(node.child(keyword), resolver)
    values = [_as_spelled(value, types) for value in listed]
    wanted = " or ".join(sorted(types))
    if are_unfit(values, types):
        meant = "as those of its entries" if types == frozenset({"array"}) else "as a remark"
        message = f"none of `{keyword}` is of type {wanted}: it is read {meant}"
        resolver.diagnostics.add("SB213", message, origin=node.child(keyword).origin)
        return None
    if any(new is not old for new, old in zip(values, listed, strict=True)):
        message = f"what is quoted in `{keyword}` is read as the {wanted} that it spells"
        resolver.diagnostics.add("SB212", message, origin=node.child(keyword).origin)
    return values


def are_unfit(values: list[Json], types: frozenset[str]) -> bool:
    """Whether there are values, null apart, and none of them is of one of the types."""
    held = [value for value in values if value is not None]
    return bool(held) and not any(has_type(value, types) for value in held)


def has_type(value: Json, types: frozenset[str]) -> bool:
    """Whether a value that is not null is of one of the types."""
    match value:
        case bool():
            return "boolean" in types
        case int():
            return bool(types & {"integer", "number"})
        case float():
            return "number" in types
        case str():
            return "string" in types
        case list():
            return "array" in types
        case _:
            return "object" in types


def _as_texts(held: Node, resolver: Resolver) -> list[Json]:
    """Numbers and truth values as the texts that stand in the document."""
    entries = list(held.entries()) if isinstance(held.data, list) else [held]
    written = {it.pointer: _written(it, resolver) for it in entries if _is_unquoted(it.data)}
    if written:
        told = (
            "is read as the string it is"
            if len(written) == 1
            else "are read as the strings they are"
        )
        message = f"{', '.join(written.values())} {told} written as"
        resolver.diagnostics.add("SB210", message, origin=held.origin)
    return [written.get(it.pointer, it.data) for it in entries]


def _is_unquoted(value: Json) -> bool:
    return isinstance(value, bool | int | float)


def _written(node: Node, resolver: Resolver) -> str:
    origin = node.document.origin(node.pointer)
    text = resolver.diagnostics.text(origin.document)
    assert text is not None, "a document that was read is remembered"
    place = text.position(origin.pointer)
    found = _PLAIN.match(text.line(place.line), place.column - 1)
    return found[1] if found else json.dumps(node.data)


def _as_spelled(value: Json, types: frozenset[str]) -> Json:
    """A text as the number or truth value that it spells, where one of the types is meant."""
    if not isinstance(value, str) or has_type(value, types) or not _SPELLED.fullmatch(value):
        return value
    try:
        spelled: int | float = json.loads(value)
        check_number(spelled)
    except ValueError:
        return value  # 007, or beyond what a number may be
    return spelled if has_type(spelled, types) else value
