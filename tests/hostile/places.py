"""Every place of a document where a string may stand, by what the string is there.

In: the documents of the cases, which between them use every keyword that is read. Out: for each
role, a key or a value below certain keywords, its first places. Names of the documents' own make no
role of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from codegen.openapi.keywords import FATES
from codegen.source.yaml12 import load_yaml
from tests.support import CASES
from tests.test_stream_cases import CASES as STREAM_CASES

Path_: TypeAlias = tuple[str | int, ...]

OVERLAY = Path(__file__).parent / "overlay.yaml"
REST = Path(__file__).parent / "everything_else.yaml"
# A reference to another file.
_ELSEWHERE = re.compile(r"""\$ref: *["']?[^#"'\s]*\.(?:ya?ml|json|md)\b""")
# Keywords whose members have names of the document's own, and those whose values are data.
_TABLES = frozenset(
    """$defs callbacks content definitions dependentSchemas encoding examples headers links mapping
    parameters paths pathItems patternProperties properties requestBodies responses schemas
    securitySchemes securityDefinitions variables""".split()
)
_DATA = frozenset("const default enum example examples make set value x-more".split())
# The words of `x-stream`; other names in it are those of members and events.
_RULES = frozenset(
    """append apart args array at by by-type cases close concat data drop else eof error event
    events extra first fold frame from glue header into is item json keep-key keyed last make
    max merge mode object of order patch path put query replace request rest result resume
    rule rules same set skip stop string sum unknown value when x-stream""".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A string of a document: the value at a path, or with `is_key` the key that ends it."""

    document: str
    path: Path_
    is_key: bool

    def __str__(self) -> str:
        return f"{self.document}: {'/'.join(map(str, self.path))}{' (key)' if self.is_key else ''}"


def documents() -> list[Path]:
    """The documents of all cases that are no errors and stand alone, the smaller ones first."""
    found = [*CASES.glob("*/spec.yaml"), *STREAM_CASES.glob("*/spec.yaml"), REST]
    good = [path for path in found if not path.parent.name.startswith("error_")]
    alone = [path for path in good if not _ELSEWHERE.search(path.read_text("utf-8"))]
    return sorted(alone, key=lambda path: (path.stat().st_size, path))


@cache
def load(document: Path) -> Any:
    return load_yaml(document.read_text("utf-8"))[0]


def find_places(*, every: bool = False) -> list[Place]:
    """A place of each role, or every place of every document."""
    found: dict[object, Place] = {}
    for path in documents():
        for place in strings(load(path), str(path.relative_to(CASES.parent))):
            found.setdefault(place if every else _role(place), place)
    return list(found.values())


def strings(value: Any, document: str, at: Path_ = ()) -> Iterator[Place]:
    """The places of a document in their order."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield Place(document=document, path=(*at, str(key)), is_key=True)
            yield from strings(member, document, (*at, str(key)))
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from strings(entry, document, (*at, index))
    elif isinstance(value, str):
        yield Place(document=document, path=at, is_key=False)


def put(value: Any, place: Place, text: str) -> Any:
    """The document with another string at a place; where it is a key, in the same order."""
    return _put(value, place.path, text, is_key=place.is_key)


def _put(value: Any, path: Path_, text: str, *, is_key: bool) -> Any:
    if not path:
        return text
    step, *rest = path
    if isinstance(value, list):
        return [
            _put(it, tuple(rest), text, is_key=is_key) if i == step else it
            for i, it in enumerate(value)
        ]
    if is_key and not rest:
        return {(text if str(key) == step else key): member for key, member in value.items()}
    return {
        key: _put(member, tuple(rest), text, is_key=is_key) if str(key) == step else member
        for key, member in value.items()
    }


def _role(place: Place) -> object:
    """The last two keywords on the way to a place, with names of the document's own left out."""
    words: list[str] = []
    is_name = is_rule = False
    for step in place.path:
        if isinstance(step, int) or is_name or (is_rule and step not in _RULES):
            words.append("*")
            is_name = False
        else:
            words.append(step)
            is_name = step in _TABLES and not is_rule
            is_rule |= step == "x-stream"
        if words[-1] in _DATA:
            break
    return tuple(words[-2:]), place.is_key


def unread() -> set[str]:
    """The keywords of schemas that no document uses."""
    used = {place.path[-1] for place in find_places(every=True) if place.is_key}
    return {keyword for keyword in FATES if keyword not in used}
