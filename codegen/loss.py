"""What gets lost of a document: what becomes of each keyword of its schemas.

In: a document. Out: for each keyword how often it stands there, where first, and its fate; as
columns for people, or JSON with the same facts. Rules: fates are those of `openapi.keywords`, the
same in every variant; a `format` goes by its value, as only some are checked; extensions are no
keywords.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from codegen.diagnostics import Diagnostics, Origin
from codegen.formats import DEFAULTS
from codegen.openapi.keywords import Fate, fate_of
from codegen.openapi.node import Node
from codegen.openapi.walk import walk
from codegen.report import escape, place_members
from codegen.source.document import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A keyword, as a document uses it."""

    keyword: str
    fate: Fate
    count: int
    first: Origin


def find_uses(document: Document) -> tuple[Use, ...]:
    """Every keyword of the schemas of a document, those lost last, the most frequent first."""
    uses: dict[str, Use] = {}
    for visit in walk(Node(document.data, document, "#")):
        if visit.kind == "schema":
            for key in visit.node.keywords:
                if not key.startswith("x-") or key == "x-nullable":
                    _count(visit.node, key, uses)
    order = list(Fate)
    return tuple(
        sorted(uses.values(), key=lambda use: (order.index(use.fate), -use.count, use.keyword))
    )


def _count(node: Node, key: str, uses: dict[str, Use]) -> None:
    keyword, fate = key, fate_of(key)
    if key == "format":
        keyword = f"format: {node.text(key)}"
        fate = Fate.CHECKED if node.text(key) in DEFAULTS else Fate.TOLD
    known = uses.get(keyword)
    if known is None:
        known = Use(keyword=keyword, fate=fate, count=0, first=node.child(key).origin)
    uses[keyword] = replace(known, count=known.count + 1)


def format_loss(uses: tuple[Use, ...], diagnostics: Diagnostics) -> str:
    """Return a section for each fate: a keyword, how often it stands there, and its first place."""
    width = max((len(escape(use.keyword)) for use in uses), default=0)
    lines: list[str] = []
    for fate in Fate:
        here = [use for use in uses if use.fate is fate]
        if here:
            lines.append(f"{fate.value} ({len(here)})")
        for use in here:
            keyword = escape(use.keyword).ljust(width)
            lines.append(f"  {keyword}  {use.count:>7,}  {_place(use, diagnostics)}")
    return "".join(f"{line}\n" for line in lines)


def format_loss_json(uses: tuple[Use, ...], diagnostics: Diagnostics) -> str:
    """Return an array with an object for each keyword."""
    found = [
        {
            "keyword": use.keyword,
            "fate": use.fate.name.lower().replace("_", " "),
            "count": use.count,
            **place_members(use.first, diagnostics),
        }
        for use in uses
    ]
    return json.dumps(found, indent=2) + "\n"


def _place(use: Use, diagnostics: Diagnostics) -> str:
    file, line, column, _ = place_members(use.first, diagnostics).values()
    return escape(f"{file}:{line}:{column}")
