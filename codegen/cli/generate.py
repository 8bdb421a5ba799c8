"""`streambind generate`: write packages."""

import os
from time import perf_counter
from typing import Any

import click

from codegen.cli.jobs import Job, read_jobs
from codegen.cli.options import CHOSEN, PACKAGE, SOURCE, console, reported
from codegen.console import Console
from codegen.diagnostics import Diagnostics


@click.command()
@SOURCE
@PACKAGE
@CHOSEN
@console("text", "json", "github")
def generate(console: Console, chosen: tuple[str, ...], **_: Any) -> None:
    """Write the Python package of SPEC to a folder.

    SPEC is an OpenAPI document in YAML or JSON, or a Markdown page that holds one; "-" is standard
    input. Without SPEC, all jobs of [tool.streambind] in pyproject.toml are done. Only files that
    differ are written; only files of an earlier run are deleted.

    \b
    Example:
      streambind generate openapi.yaml -o acme/api --variant dataclasses
    """
    with reported(console) as diagnostics:
        for job in read_jobs(chosen, diagnostics):
            with diagnostics.part() as part:
                generate_job(job, console, part)
        diagnostics.check_parts()


def generate_job(job: Job, console: Console, diagnostics: Diagnostics) -> None:
    """Write one package, unless there is nothing to do, and say what was done."""
    start = perf_counter()
    record = job.find_record(console)
    if record is not None:
        done = f"0 written, {record.files} unchanged, 0 deleted"
    else:
        done = _write(job, console, diagnostics)
    seconds = f"{perf_counter() - start:.2f} s"
    console.say(f"{job.title} -> {job.output}: {done} ({seconds})")
    if record is not None:
        console.recall(warnings=record.warnings, notes=record.notes)


def _write(job: Job, console: Console, diagnostics: Diagnostics) -> str:
    from codegen.emit.compare import find_others
    from codegen.emit.write import write_package

    files = job.build(console, diagnostics)
    with console.stage("writing"):
        done = write_package(job.output, files, diagnostics)
    others = sorted(find_others(os.path.realpath(job.output), files))
    if others:
        message = f"the folder holds what is no part of the package: {', '.join(others)}"
        diagnostics.add("SB506", message, document=str(job.output))
    job.write_record(files, diagnostics)
    return (
        f"{len(done.written)} written, {len(done.unchanged)} unchanged, {len(done.deleted)} deleted"
    )
