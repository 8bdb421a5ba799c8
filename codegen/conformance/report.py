"""Findings as text for people, as JSON for machines, as a table for reviews.

What comes from recordings is hostile: control characters leave as visible escapes, and in Markdown
nothing of it is markup.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from codegen.conformance.findings import Finding
from codegen.diagnostics import Origin
from codegen.inspection.notation import clip, format_value
from codegen.recording.events import Deviation, Kind
from codegen.report import Style, escape

Place = Callable[[Origin], str]

_VALUE = 60


def format_text(findings: tuple[Finding, ...], place: Place, style: Style) -> Iterator[str]:
    """A paragraph for each place of the schema, with a line for each kind of deviation there."""
    before: Origin | None = None
    for finding in sorted(findings, key=lambda it: (it.place.document, it.place.pointer)):
        if finding.place != before:
            if before is not None:
                yield ""
            yield f"{style.paint(escape(place(finding.place)), '1')}  {_pointer(finding)}"
            before = finding.place
        name = f" {escape(finding.name)}" if finding.name else ""
        told = style.paint(f"{finding.kind.value}{name}", "33")
        yield f"{len(finding.witnesses):>7,}  {told}{_told(finding.first)}"
        first = finding.witnesses[0]
        where = f"first in {escape(first.recording)} at byte {first.offset:,}"
        at = f", {escape(first.deviation.pointer)}" if first.deviation.pointer else ""
        yield f"         {style.paint(where + at, '2')}"


def format_json(findings: tuple[Finding, ...], place: Place) -> str:
    """An array with an object for each finding."""
    return json.dumps([_members(it, place) for it in findings], indent=2) + "\n"


def format_markdown(findings: tuple[Finding, ...], place: Place) -> Iterator[str]:
    """A table."""
    yield "| place | deviation | count | first witness |"
    yield "|---|---|---:|---|"
    for finding in findings:
        first = finding.witnesses[0]
        name = f" {_code(finding.name)}" if finding.name else ""
        where = f"{_code(place(finding.place))} {_code(finding.place.pointer)}"
        witness = f"{_code(first.recording)} at {first.offset}"
        value = _told(finding.first).removeprefix(": ").removeprefix(" = ")
        value = f": {_code(value)}" if value else ""
        told = f"{finding.kind.value}{name}{value}"
        yield f"| {where} | {told} | {len(finding.witnesses)} | {witness} |"


def _told(deviation: Deviation) -> str:
    match deviation.kind:
        case Kind.MISSING | Kind.NULL:
            return ""
        case Kind.ORDER:
            return f": {escape(deviation.expected)} expected, found {escape(str(deviation.value))}"
        case Kind.TYPE:
            found = clip(format_value(deviation.value), _VALUE)
            return f": {escape(deviation.expected)} expected, found {found}"
        case Kind.VALUE | Kind.FIELD | Kind.EVENT:
            return f" = {clip(format_value(deviation.value), _VALUE)}"


def _pointer(finding: Finding) -> str:
    return escape(finding.place.pointer)


def _members(finding: Finding, place: Place) -> dict[str, object]:
    first = finding.witnesses[0]
    file, _, line = place(finding.place).rpartition(":")
    return {
        "kind": finding.kind.name.lower(),
        "file": file,
        "line": int(line) if line.isdecimal() else None,
        "pointer": finding.place.pointer,
        "name": finding.name,
        "count": len(finding.witnesses),
        "recordings": list(finding.recordings),
        "first": {
            "recording": first.recording,
            "offset": first.offset,
            "pointer": first.deviation.pointer,
            "expected": first.deviation.expected,
            "value": first.deviation.value,
        },
    }


def _code(text: str) -> str:
    """A text as code in a cell of a table: backticks as long as it takes, and no bars."""
    text = escape(text).replace("|", "\\|")
    fence = "`" * (max(map(len, _runs(text)), default=0) + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def _runs(text: str) -> list[str]:
    """The runs of backticks in a text."""
    return ["`" * len(run) for run in "".join(it if it == "`" else " " for it in text).split()]
