"""What becomes of each keyword of a schema, in every variant alike.

The one list of keywords: a reader that leaves one unread, or takes it for a remark, asks here, and
so does the list of what gets lost. `tests/test_keywords.py` changes each and looks at what comes of
it. A keyword that is not here is unknown.
"""

from __future__ import annotations

from enum import Enum


class Fate(Enum):
    """The best that becomes of a keyword."""

    CHECKED = "checked"
    CHECKED_IN_REQUESTS = "checked where only the client writes, told elsewhere"
    TOLD = "told"
    UNREAD = "not read"
    UNKNOWN = "unknown"


_ASSERTIONS_UNREAD = """not if then else dependentSchemas dependentRequired contains minContains
    maxContains unevaluatedItems"""
_FLAGS = "nullable x-nullable readOnly writeOnly"
_NAMING = "$defs definitions $id $anchor $dynamicAnchor $recursiveAnchor"
_REMARKS = "title description default deprecated"
_REMARKS_UNREAD = "example examples externalDocs xml $comment $schema"
_WORDS = {
    Fate.CHECKED: f"""type enum const properties required additionalProperties items prefixItems
        additionalItems patternProperties unevaluatedProperties allOf anyOf oneOf discriminator
        format contentEncoding $ref $dynamicRef $recursiveRef {_FLAGS} {_NAMING}""",
    Fate.CHECKED_IN_REQUESTS: """minimum maximum exclusiveMinimum exclusiveMaximum multipleOf
        minLength maxLength minItems maxItems uniqueItems minProperties maxProperties
        propertyNames""",
    Fate.TOLD: f"pattern contentMediaType contentSchema {_REMARKS}",
    Fate.UNREAD: f"{_ASSERTIONS_UNREAD} {_REMARKS_UNREAD}",
}
FATES = {keyword: fate for fate, words in _WORDS.items() for keyword in words.split()}
# They say something of values, and are reported where they stand.
ASSERTIONS_UNREAD = tuple(_ASSERTIONS_UNREAD.split())
_ANNOTATIONS = frozenset(f"{_FLAGS} {_NAMING} {_REMARKS} {_REMARKS_UNREAD}".split())


def is_annotation(keyword: str) -> bool:
    """Whether a keyword says nothing of what a value may be, apart from null."""
    return keyword in _ANNOTATIONS or keyword.startswith("x-")


def fate_of(keyword: str) -> Fate:
    return FATES.get(keyword, Fate.UNKNOWN)
