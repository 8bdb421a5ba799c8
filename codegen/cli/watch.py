"""`streambind watch`: make packages anew whenever something they are made from changes."""

import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from codegen.cli.generate import generate_job
from codegen.cli.jobs import Job, read_jobs
from codegen.cli.options import CHOSEN, PACKAGE, SOURCE, console
from codegen.config import find_files
from codegen.console import Console
from codegen.diagnostics import Diagnostics, Refused

# How often files are looked at: asking for a few is next to nothing, and works on every disk.
_SECONDS = 0.3


@click.command()
@SOURCE
@PACKAGE
@CHOSEN
@console()
def watch(console: Console, chosen: tuple[str, ...], **_: Any) -> None:
    """Write packages like `generate`, and again after each change.

    The document, the files that it refers to, overlays and the configuration are watched. A
    document with errors is reported, and the package stays as it is. Ctrl-C ends it.

    \b
    Example:
      streambind watch openapi.yaml -o acme/api
    """
    while True:
        diagnostics = Diagnostics()
        jobs: tuple[Job, ...] = ()
        # What is written from here on is seen the next time.
        start = time.time_ns()
        before = _look(find_files(Path.cwd()))
        try:
            jobs = read_jobs(chosen, diagnostics)
            before |= _look(_inputs(jobs))
            for job in jobs:
                with diagnostics.part() as part:
                    generate_job(job, console, part)
        except Refused:
            pass
        console.report(diagnostics)
        files = {*find_files(Path.cwd()), *_inputs(jobs)}
        before |= _look_back(files - before.keys(), start)
        while _look(before) == before:
            time.sleep(_SECONDS)


def _inputs(jobs: Iterable[Job]) -> set[Path]:
    """The files that jobs read, as far as their packages know them."""
    return {path for job in jobs for path in job.find_inputs()}


def _look(files: Iterable[Path]) -> dict[Path, tuple[int, int] | None]:
    """What tells a file from its next version; None where there is no file."""
    return {path: _stamp(path) for path in files}


def _look_back(files: Iterable[Path], start: int) -> dict[Path, tuple[int, int] | None]:
    """The same of files that a run found only on its way; None for what changed since its start,
    as nobody knows whether that was before it was read.
    """
    stamps = _look(files)
    return {path: it if it and it[0] < start else None for path, it in stamps.items()}


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
