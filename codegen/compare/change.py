"""One change, as a user of the generated Python meets it."""

import hashlib
from dataclasses import dataclass
from enum import Enum

from codegen.diagnostics import Origin


class Tier(Enum):
    """How much a change hurts, the worst first."""

    WIRE = "wire"
    SOURCE = "source"
    SOFT = "soft"
    NONE = "none"


class Kind(Enum):
    """What changes, in words that complete "members that ...", the worst of a tier first."""

    STREAM_REMOVED = "streams that are gone"
    STREAM_CHANGED = "streams that are read otherwise"
    CLASS_REMOVED = "names that are gone"
    CLASS_CHANGED = "names of something else now"
    CLOSED = "objects that refuse undeclared members now"
    MEMBER_REMOVED = "members that are gone"
    MEMBER_REQUIRED = "members that are new and required"
    MEMBER_RENAMED = "members that have another name in Python"
    TYPE_CHANGED = "types that change"
    LIMITS_CHANGED = "limits that get stricter"
    STREAM_FOLDED = "results that add up otherwise"
    VALUES_CHANGED = "values and variants that come or go"
    DEPRECATED = "things that are deprecated now"
    DEFAULT_CHANGED = "defaults that change"
    OPENED = "objects that keep undeclared members now"
    STREAM_ADDED = "streams that are new"
    CLASS_ADDED = "names that are new"
    MEMBER_ADDED = "members that are new and may be absent"


_OF_STREAMS = frozenset(
    (Kind.STREAM_REMOVED, Kind.STREAM_CHANGED, Kind.STREAM_FOLDED, Kind.STREAM_ADDED)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """`symbol` is how Python calls it; `was` and `becomes` are None where there is nothing; the
    origin lies in the new document, for what is gone in the old one.
    """

    tier: Tier
    kind: Kind
    symbol: str
    was: str | None = None
    becomes: str | None = None
    variants: tuple[str, ...] = ()
    origin: Origin

    @property
    def is_of_a_stream(self) -> bool:
        return self.kind in _OF_STREAMS

    @property
    def fingerprint(self) -> str:
        """What the change is known by once it is accepted: the same in every later run."""
        parts = (self.tier.value, self.kind.name, self.symbol, self.was, self.becomes)
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]
