"""`streambind conform`: recordings held against a document, and an overlay that makes it true."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codegen.cli.jobs import Job, read_job
from codegen.cli.options import RECORDED, SOURCE, console, reported, written
from codegen.console import Console
from codegen.report import counted

if TYPE_CHECKING:
    from codegen.conformance.findings import Finding
    from codegen.conformance.readings import Readings
    from codegen.diagnostics import Diagnostics
    from codegen.recording.places import Locate
    from codegen.source.document import Document


@click.command()
@SOURCE
@click.argument("recordings", metavar="RECORDING...", nargs=-1, required=True)
@RECORDED
@click.option(
    "--write-overlay",
    "overlay",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write an overlay that makes SPEC true to the recordings; one that is there is extended.",
)
@written("deviations", "text", "json", "markdown")
@console()
def conform(
    console: Console,
    recordings: tuple[str, ...],
    stream: str | None,
    redact: bool,
    overlay: Path | None,
    layout: str,
    **_: Any,
) -> None:
    """Hold RECORDINGs of a stream against SPEC.

    What deviates is shown with its place in SPEC, and how often it does. Exit code 1 where
    something deviates; with --write-overlay, where something does that the overlay leaves as it is:
    an order of events, or an end, that the rules do not allow.

    \b
    Example:
      streambind conform openapi.yaml *.sse --write-overlay learned.yaml
    """
    with reported(console, only_errors=True) as diagnostics:
        from codegen.conformance.readings import read_recordings
        from codegen.recording.places import Places

        job = read_job((), diagnostics)
        with console.stage("reading"):
            document = _load(job, overlay, diagnostics)

            def read(document: Document) -> Readings:
                api = job.parse(document, diagnostics)
                return read_recordings(api, recordings, stream, diagnostics, redact=redact)

            findings = read(document).findings
        _write(findings, Places(document, diagnostics).find, layout)
        if overlay is not None:
            findings = _learn(document, read, overlay, console, diagnostics)
        elif not findings:
            count = counted(len(recordings), "recording")
            console.say(f"{count}: nothing deviates from {job.title}")
    if findings:
        raise click.exceptions.Exit(1)


def _load(job: Job, overlay: Path | None, diagnostics: Diagnostics) -> Document:
    """The document, with what an earlier run has learned."""
    from codegen.source.document import read_document
    from codegen.source.overlay import apply_overlay

    document = job.load_document(diagnostics)
    if overlay is not None and overlay.exists():
        document = apply_overlay(document, read_document(overlay, diagnostics), diagnostics)
        diagnostics.check()
    return document


def _learn(
    document: Document,
    read: Callable[[Document], Readings],
    overlay: Path,
    console: Console,
    diagnostics: Diagnostics,
) -> tuple[Finding, ...]:
    from codegen.conformance.learning import learn
    from codegen.emit.file import write_files
    from codegen.source.overlay_text import extend_overlay, format_overlay

    learned = learn(document, read, diagnostics)
    data = [action.data for action in learned.actions]
    if data:
        exists = overlay.exists()
        text = (
            extend_overlay(overlay, overlay.read_text("utf-8"), [*data])
            if exists
            else format_overlay(overlay, f"What was learned of {document.name}", [*data])
        )
        write_files({overlay: text.encode()}, diagnostics)
    count = counted(len(data), "action")
    console.say(f"{overlay}: {count} {'added' if data else 'needed'}")
    return learned.rest


def _write(findings: tuple[Finding, ...], locate: Locate, layout: str) -> None:
    from codegen.conformance.report import format_json, format_markdown, format_text
    from codegen.console import wants_color
    from codegen.report import Style

    match layout:
        case "json":
            text = format_json(findings, locate)
        case "markdown":
            text = "".join(f"{line}\n" for line in format_markdown(findings, locate))
        case _:
            lines = format_text(findings, locate, Style(wants_color(sys.stdout)))
            text = "".join(f"{line}\n" for line in lines)
    click.echo(text, nl=False)
