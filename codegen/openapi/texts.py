"""Values that a schema lists as strings, where the document writes them without quotes.

In: a schema whose only type is `string`. Out: what it lists, each number or truth value as the text
that stands in the document: `enum: [012, 1e3, true]` means the strings `012`, `1e3` and `true`.
"""

from __future__ import annotations

import json
import re

from codegen.openapi.node import Node
from codegen.openapi.resolver import Resolver
from codegen.source.values import Json

# A place is that of the value, or of the name of the member that it is.
_PLAIN = re.compile(r"""(?:["']?const["']?\s*:\s*)?([-+.\w]+)""")


def listed_texts(node: Node, resolver: Resolver) -> list[Json] | None:
    """What `const` or `enum` list; None where there is neither."""
    if "const" in node.keywords:
        return [_text(node.child("const"), resolver)]
    if not isinstance(node.keywords.get("enum"), list):
        return None
    return [_text(entry, resolver) for entry in node.entries_of("enum")]


def _text(node: Node, resolver: Resolver) -> Json:
    if not isinstance(node.data, bool | int | float):
        return node.data
    origin = node.document.origin(node.pointer)
    text = resolver.diagnostics.text(origin.document)
    assert text is not None, "a document that was read is remembered"
    place = text.position(origin.pointer)
    found = _PLAIN.match(text.line(place.line), place.column - 1)
    written = found[1] if found else json.dumps(node.data)
    message = f"{written} is read as the string it is written as"
    resolver.diagnostics.add("SB210", message, origin=node.origin)
    return written
