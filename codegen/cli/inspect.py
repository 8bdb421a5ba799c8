"""`streambind inspect`: a recorded body, or one that is still coming, event by event."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from codegen.cli.jobs import read_job
from codegen.cli.options import RECORDED, SOURCE, console, reported
from codegen.console import Console
from codegen.report import counted

if TYPE_CHECKING:
    from codegen.diagnostics import Diagnostics
    from codegen.inspection.terminal import Terminal
    from codegen.ir.api import Stream
    from codegen.recording.package import Package
    from codegen.recording.places import Places
    from codegen.recording.reading import Reading


@click.command("inspect")
@SOURCE
@click.argument("recording", type=click.Path(allow_dash=True))
@RECORDED
@click.option("--only", type=click.Choice(("deviations",)), help="Show only events that deviate.")
@click.option(
    "--event", "events", metavar="NAME", multiple=True, help="Show only these; may be repeated."
)
@click.option(
    "--html",
    "page",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a page to step through instead.",
)
@console()
def inspect(
    console: Console,
    recording: str,
    stream: str | None,
    redact: bool,
    only: str | None,
    events: tuple[str, ...],
    page: Path | None,
    **_: Any,
) -> None:
    """Show every event of a RECORDING, the body of a response.

    Each event is shown with its offset, what it holds, what it changes in the result, and where it
    is not what SPEC says. "-" is standard input, shown while it comes.

    \b
    Example:
      curl -N https://api.acme.com/chat | streambind inspect openapi.yaml -
    """
    with reported(console, only_errors=True) as diagnostics:
        from codegen.recording.body import read_body
        from codegen.recording.package import choose_stream, load_package
        from codegen.recording.places import Places
        from codegen.recording.reading import start_reading

        job = read_job((), diagnostics)
        with console.stage("reading"):
            document = job.load_document(diagnostics)
            api = job.parse(document, diagnostics)
            chosen = choose_stream(api, stream, diagnostics)
        places = Places(document, diagnostics)
        with load_package(api, chosen, diagnostics) as package:
            reading = start_reading(package, read_body(recording, diagnostics), redact=redact)
            if page is not None:
                count = _write_page(page, reading, package, places, diagnostics)
                console.say(f"{'<stdin>' if recording == '-' else recording} -> {page}: {count}")
            else:
                _show(reading, _open_view(package, places, only is not None, events))


def _write_page(
    page: Path, reading: Reading, package: Package, places: Places, diagnostics: Diagnostics
) -> str:
    """Write the page, and return how many events it shows."""
    from codegen.emit.file import write_files
    from codegen.inspection.page import format_page

    events = list(reading.events())
    text = format_page(package.name, _about(package.stream), events, reading.end(), places.find)
    write_files({page: text.encode()}, diagnostics)
    return counted(len(events), "event")


def _open_view(
    package: Package, places: Places, only_deviations: bool, names: tuple[str, ...]
) -> Terminal:
    from codegen.console import wants_color
    from codegen.inspection.terminal import Terminal
    from codegen.report import Style

    kinds = package.stream.kinds
    view = Terminal(
        width=get_terminal_size((80, 24)).columns,
        style=Style(wants_color(sys.stdout)),
        locate=places.find,
        only_deviations=only_deviations,
        names=names,
        # An event without a name is called `message`.
        name_width=min(24, max(map(len, kinds.names if kinds else ()), default=len("message"))),
    )
    _write(view.format_head(package.name, _about(package.stream)))
    return view


def _about(stream: Stream) -> str:
    operation = stream.operation
    return f"{operation.method} {operation.path}  {stream.media_type}"


def _show(reading: Reading, view: Terminal) -> None:
    """Write each event when it is there; whoever interrupts sees how the body stands."""
    is_over = False
    try:
        for event in reading.events():
            _write(view.format_event(event))
        is_over = True
    except KeyboardInterrupt:
        pass
    _write(view.format_ending(reading.end(), is_over=is_over))
    if not is_over:
        raise click.exceptions.Exit(130)


def _write(lines: Iterator[str]) -> None:
    for line in lines:
        click.echo(line)
    sys.stdout.flush()
