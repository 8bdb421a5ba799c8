"""`streambind examples`: whether the examples of a document are what its schemas say."""

from typing import Any, Literal

import click

from codegen.cli.jobs import read_job
from codegen.cli.options import CHOSEN, SOURCE, TYPES, console, reported, written
from codegen.console import Console


@click.command()
@SOURCE
@TYPES
@CHOSEN
@written("verdicts", "text", "json")
@console()
def examples(
    console: Console,
    chosen: tuple[str, ...],
    layout: Literal["text", "json"],
    **_: Any,
) -> None:
    """Hold the examples of SPEC against its schemas.

    Every example is decoded as generated code does it, except that enums and unions are closed.
    Each refused one is shown with its place, and where in it what is wrong. Those of files that
    `x-ms-examples` names are read too. Exits with 1 where one is refused.

    \b
    Example:
      streambind examples openapi.yaml
    """
    with reported(console, only_errors=True) as diagnostics:
        from codegen.examples import format_verdicts, format_verdicts_json, judge, load_examples

        job = read_job(chosen, diagnostics)
        with console.stage("reading"):
            document = job.load_document(diagnostics)
            api, found = load_examples(document, diagnostics, job.ref_root, job.types)
        with console.stage(f"decoding {len(found):,} examples"):
            verdicts = judge(api, found)
        write = format_verdicts if layout == "text" else format_verdicts_json
        click.echo(write(verdicts, diagnostics), nl=False)
    if any(verdict.errors for verdict in verdicts):
        raise click.exceptions.Exit(1)
