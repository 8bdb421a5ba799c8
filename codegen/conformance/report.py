"""Findings as text for people, as JSON for machines, as a table for reviews.

What comes from recordings is hostile: control characters leave as visible escapes, and in Markdown
nothing of it is markup.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from codegen.conformance.findings import Finding
from codegen.diagnostics import Origin
from codegen.inspection.notation import format_evidence
from codegen.recording.places import Locate
from codegen.report import Style, code_span, escape

_VALUE = 60


def format_text(findings: tuple[Finding, ...], locate: Locate, style: Style) -> Iterator[str]:
    """A paragraph for each place of the schema, with a line for each kind of deviation there."""
    before: Origin | None = None
    for finding in sorted(findings, key=lambda it: (it.place.document, it.place.pointer)):
        if finding.place != before:
            if before is not None:
                yield ""
            line = style.paint(escape(locate(finding.place)), "1")
            yield f"{line}  {escape(finding.place.pointer)}"
            before = finding.place
        name = f" {escape(finding.name)}" if finding.name else ""
        told = style.paint(f"{finding.kind.value}{name}", "33")
        yield f"{len(finding.witnesses):>7,}  {told}{format_evidence(finding.first, _VALUE)}"
        first = finding.witnesses[0]
        where = f"first in {escape(first.recording)} at byte {first.offset:,}"
        at = f", {escape(first.deviation.pointer)}" if first.deviation.pointer else ""
        yield f"         {style.paint(where + at, '2')}"


def format_json(findings: tuple[Finding, ...], locate: Locate) -> str:
    """An array with an object for each finding."""
    return json.dumps([_members(it, locate) for it in findings], indent=2) + "\n"


def format_markdown(findings: tuple[Finding, ...], locate: Locate) -> Iterator[str]:
    """A table."""
    yield "| place | deviation | count | first witness |"
    yield "|---|---|---:|---|"
    for finding in findings:
        first = finding.witnesses[0]
        name = f" {_code(finding.name)}" if finding.name else ""
        where = f"{_code(locate(finding.place))} {_code(finding.place.pointer)}"
        witness = f"{_code(first.recording)} at {first.offset}"
        evidence = format_evidence(finding.first, _VALUE)
        value = evidence.removeprefix(": ").removeprefix(" = ")
        value = f": {_code(value)}" if value else ""
        told = f"{finding.kind.value}{name}{value}"
        yield f"| {where} | {told} | {len(finding.witnesses)} | {witness} |"


def _members(finding: Finding, locate: Locate) -> dict[str, object]:
    first = finding.witnesses[0]
    file, _, line = locate(finding.place).rpartition(":")
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
    """A text as code in a cell of a table, which no bar of its own ends."""
    return code_span(text).replace("|", "\\|")
