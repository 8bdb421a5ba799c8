"""`streambind generate`: write packages."""

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
                _generate(job, console, part)
        diagnostics.check()


def _generate(job: Job, console: Console, diagnostics: Diagnostics) -> None:
    start = perf_counter()
    from codegen.emit import write_package
    from codegen.pipeline import build_package

    with console.stage("reading"):
        api = job.prune(job.load(diagnostics), diagnostics)
    with console.stage("building"):
        files = build_package(api, job.chosen)
    with console.stage("writing"):
        done = write_package(job.output, files, diagnostics)
    counts = f"{len(done.written)} written, {len(done.unchanged)} unchanged"
    seconds = f"{perf_counter() - start:.2f} s"
    console.say(f"{job.title} -> {job.output}: {counts}, {len(done.deleted)} deleted ({seconds})")
