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
_WORDS = {
    Fate.CHECKED: """type enum const properties required additionalProperties items prefixItems
        additionalItems patternProperties unevaluatedProperties nullable x-nullable allOf anyOf
        oneOf discriminator readOnly writeOnly format contentEncoding $ref $dynamicRef
        $recursiveRef $defs definitions $id $anchor $dynamicAnchor $recursiveAnchor""",
    Fate.CHECKED_IN_REQUESTS: """minimum maximum exclusiveMinimum exclusiveMaximum multipleOf
        minLength maxLength minItems maxItems uniqueItems minProperties maxProperties
        propertyNames""",
    Fate.TOLD: "pattern title description default deprecated contentMediaType contentSchema",
    Fate.UNREAD: f"{_ASSERTIONS_UNREAD} example examples externalDocs xml $comment $schema",
}
FATES = {keyword: fate for fate, words in _WORDS.items() for keyword in words.split()}
# They say something of values, and are reported where they stand.
ASSERTIONS_UNREAD = tuple(_ASSERTIONS_UNREAD.split())


def fate_of(keyword: str) -> Fate:
    return FATES.get(keyword, Fate.UNKNOWN)
