"""What people write that nobody reads: keys that are spelled, or stand, otherwise, and values of
another form (OpenAPI 3.1 section 4.8).

In: an object of a description, and which one it is. Out: a warning for each key that such an object
does not have, SB216, and for each keyword whose value is none of its own, SB217. Rules: extensions
are anybody's, and so are unknown keywords of a schema (JSON Schema 2020-12 core, section 4.3.1):
those have to be close to one that is read.
"""

from __future__ import annotations

from functools import cache, partial
from typing import NamedTuple

from codegen.diagnostics import Diagnostics, suggestion
from codegen.openapi.keywords import FATES
from codegen.openapi.listed import TYPES
from codegen.openapi.node import Node

# The fields of all versions, Swagger 2.0 among them.
_ROOT = "OpenAPI Object"
_FIELDS = {
    _ROOT: """openapi swagger $self info jsonSchemaDialect servers paths webhooks components
        security tags externalDocs host basePath schemes consumes produces definitions parameters
        responses securityDefinitions""",
    "Components Object": """schemas responses parameters examples requestBodies headers
        securitySchemes links callbacks pathItems mediaTypes""",
    "Path Item Object": """$ref summary description servers parameters get put post delete options
        head patch trace query additionalOperations""",
    "Operation Object": """tags summary description externalDocs operationId parameters requestBody
        responses callbacks deprecated security servers consumes produces schemes""",
    "Response Object": "$ref summary description headers content links schema examples",
    "Media Type Object": """$ref schema itemSchema example examples encoding prefixEncoding
        itemEncoding""",
}
_KNOWN = {kind: words.split() for kind, words in _FIELDS.items()}
_EXTENSIONS = ("x-stream", "x-merge", "x-python-name")
_SPELLED = {word.lower(): word for word in (*FATES, *_EXTENSIONS)}


class _Form(NamedTuple):
    """The JSON that a keyword is, and how to make it that."""

    types: tuple[type, ...]
    name: str
    help: str


_ARRAY = _Form((list,), "array", "put it in [ ]")
_OBJECT = _Form((dict,), "object", "write its members below it, each with a colon")
_BOOLEAN = _Form((bool,), "boolean", "write true or false, without quotes")
_STRING = _Form((str,), "string", "put it in quotes")
# Others are read in several forms, or told of elsewhere.
_FORMS = {
    **dict.fromkeys(("enum", "allOf", "anyOf", "oneOf", "prefixItems"), _ARRAY),
    **dict.fromkeys(("properties", "patternProperties", "$defs"), _OBJECT),
    **dict.fromkeys(("nullable", "readOnly", "writeOnly", "deprecated"), _BOOLEAN),
    **dict.fromkeys(("$ref", "format", "contentEncoding", "description"), _STRING),
    # A parameter of Swagger 2.0 is a schema that is required or not; draft 3 said so of properties.
    "required": _ARRAY._replace(types=(list, bool)),
}


def tell_unknown_keys(kind: str, node: Node, diagnostics: Diagnostics) -> None:
    """Warn of each key of an object that is no field of its kind."""
    known = _KNOWN[kind]
    for key in node.keywords:
        if key not in known and not _is_foreign(key):
            others = [it for it, fields in _KNOWN.items() if it != _ROOT and key in fields]
            elsewhere = f"it is one of the {' or the '.join(others)}" if others else ""
            words = (*known, *_EXTENSIONS)
            help_ = suggestion(key, words, cutoff=0.9) or elsewhere or suggestion(key, words)
            help_ = help_ or f"its fields are {', '.join(known)}"
            _tell(f"{key!r} is no field of the {kind}", node.child(key), help_, diagnostics)


def tell_unread_keywords(schema: Node, diagnostics: Diagnostics) -> None:
    """Warn of each keyword of a schema that is close to a known one, or of another form."""
    for key, value in schema.keywords.items():
        form = _FORMS.get(key)
        if form is not None and not isinstance(value, form.types):
            message = f"`{key}` is not read: it is no {form.name}"
            diagnostics.add("SB217", message, origin=schema.child(key).origin, help=form.help)
        elif key not in FATES and key not in _EXTENSIONS and (near := _nearest(key)):
            message = f"there is no keyword {key!r}"
            _tell(message, schema.child(key), f"did you mean {near!r}?", diagnostics)


def tell_no_schema(node: Node, diagnostics: Diagnostics) -> None:
    """Refuse what stands in the place of a schema, and say what it may have been meant to be."""
    data, help_ = node.data, None
    if data in TYPES:
        help_ = f"did you mean {{type: {data}}}?"
    elif isinstance(data, str) and "#/" in data:
        help_ = f"did you mean {{$ref: {data!r}}}?"
    diagnostics.add("SB203", "a schema is an object or a boolean", origin=node.origin, help=help_)


def _tell(message: str, member: Node, help_: str, diagnostics: Diagnostics) -> None:
    diagnostics.add("SB216", message, origin=member.origin, help=help_)


def _is_foreign(key: str) -> bool:
    return key.startswith("x-") and (key in _EXTENSIONS or _nearest(key) not in _EXTENSIONS)


def _is_alike(key: str, word: str) -> bool:
    return key[:3] == word[:3] and abs(len(key) - len(word)) < 3


@cache
def _nearest(key: str) -> str | None:
    if key.startswith("x-") and not any(map(partial(_is_alike, key), _EXTENSIONS)):
        return None
    # Its import takes as long as some commands do, and most documents have extensions.
    from difflib import get_close_matches

    close = get_close_matches(key.lower().replace("_", ""), _SPELLED, n=1, cutoff=0.85)
    return _SPELLED[close[0]] if close else None
