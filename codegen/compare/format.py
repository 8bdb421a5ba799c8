"""Changes -> text for a terminal, Markdown for a pull request, JSON.

The text of a document is hostile here too: control characters leave as visible escapes, and in
Markdown everything stands in code spans.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from codegen.compare.change import Change, Kind, Tier
from codegen.diagnostics import Origin, Position
from codegen.report import code_span, escape

# Characters of a type that a line for people shows.
_WIDTH = 120
_MEANINGS = {
    Tier.WIRE: "data of before is refused",
    Tier.SOURCE: "code that type-checked does no longer",
    Tier.SOFT: "code still type-checks, and may have to learn something",
    Tier.NONE: "nothing that is there breaks",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """`changes` are those to be shown, `accepted` those that somebody accepted before; `locate`
    finds the line of a change in its document.
    """

    old: str
    new: str
    variants: tuple[str, ...]
    changes: tuple[Change, ...]
    accepted: tuple[Change, ...]
    locate: Callable[[Origin], Position | None]


def format_text(report: Report, *, verbose: bool) -> str:
    """Return tiers, kinds in them and a line for each change; what breaks nothing is counted."""
    lines = [f"{escape(report.old)} -> {escape(report.new)}: {_summary(report)}"]
    for tier, changes in _tiers(report):
        lines += ["", f"{tier.value} ({len(changes):,}): {_MEANINGS[tier]}"]
        for kind, alike in _kinds(changes):
            lines.append(f"  {kind.value} ({len(alike):,})")
            if tier is not Tier.NONE or verbose:
                lines += (f"    {_line(it, report)}" for it in alike)
    return "\n".join(lines) + "\n"


def format_markdown(report: Report) -> str:
    """Return a comment for a pull request; long tiers are folded."""
    lines = [f"**{_span(report.old)} → {_span(report.new)}**: {_summary(report)}"]
    for tier, changes in _tiers(report):
        is_open = tier in (Tier.WIRE, Tier.SOURCE)
        lines += ["", f"<details{' open' * is_open}>"]
        lines += [f"<summary><b>{tier.value} ({len(changes):,})</b>: {_MEANINGS[tier]}</summary>"]
        for kind, alike in _kinds(changes):
            lines += ["", f"{kind.value} ({len(alike):,})", ""]
            lines += (f"- {_span(it.symbol)} {_words(it, _span)}".rstrip() for it in alike)
        lines += ["", "</details>"]
    return "\n".join(lines) + "\n"


def format_json(report: Report) -> str:
    """Return an object: `counts` by tier, and `changes` with all that is known of each."""
    counts = {tier.value: len(changes) for tier, changes in _tiers(report)}
    content = {
        "old": report.old,
        "new": report.new,
        "variants": list(report.variants),
        "counts": {tier.value: counts.get(tier.value, 0) for tier in Tier},
        "accepted": [change.fingerprint for change in report.accepted],
        "changes": [_members(change, report) for change in report.changes],
    }
    return json.dumps(content, indent=2) + "\n"


def _summary(report: Report) -> str:
    counts = [f"{len(changes):,} {tier.value}" for tier, changes in _tiers(report)]
    if report.accepted:
        counts.append(f"{len(report.accepted):,} accepted before")
    return ", ".join(counts) or "no changes"


def _tiers(report: Report) -> Iterator[tuple[Tier, list[Change]]]:
    for tier, changes in groupby(report.changes, lambda change: change.tier):
        yield tier, list(changes)


def _kinds(changes: Iterable[Change]) -> Iterator[tuple[Kind, list[Change]]]:
    for kind, alike in groupby(changes, lambda change: change.kind):
        yield kind, list(alike)


def _line(change: Change, report: Report) -> str:
    words = _words(change, lambda text: escape(_shorten(text)))
    only = "" if change.variants == report.variants else f" ({', '.join(change.variants)})"
    position = report.locate(change.origin)
    line = f":{position.line}:{position.column}" if position is not None else ""
    place = escape(f"{change.origin.document}{line}")
    said = " ".join(part for part in (escape(change.symbol), words + only) if part)
    return f"{said}  [{change.fingerprint}] {place} {escape(change.origin.pointer)}"


def _words(change: Change, quote: Callable[[str], str]) -> str:
    """What became of a symbol, to be read after it."""
    was = None if change.was is None else quote(change.was)
    becomes = None if change.becomes is None else quote(change.becomes)
    if change.kind is Kind.VALUES_CHANGED:
        said = [f"gains {becomes}"] if becomes else []
        return " and ".join([*said, *([f"loses {was}"] if was else [])])
    match was, becomes:
        case None, None:
            return ""
        case str(), None:
            return f"was {was}"
        case None, str():
            return f"is {becomes}"
        case _:
            return f"was {was}, becomes {becomes}"


def _members(change: Change, report: Report) -> dict[str, object]:
    position = report.locate(change.origin)
    return {
        "tier": change.tier.value,
        "kind": change.kind.name.lower().replace("_", "-"),
        "symbol": change.symbol,
        "was": change.was,
        "becomes": change.becomes,
        "variants": list(change.variants),
        "file": change.origin.document,
        "line": None if position is None else position.line,
        "column": None if position is None else position.column,
        "pointer": change.origin.pointer,
        "fingerprint": change.fingerprint,
    }


def _shorten(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"


def _span(text: str) -> str:
    return code_span(_shorten(text))
