"""`streambind list`: what a document offers."""

from typing import Any, Literal

import click

from codegen.cli.jobs import read_jobs
from codegen.cli.options import CHOSEN, SOURCE, console, reported
from codegen.console import Console


@click.command("list")
@SOURCE
@CHOSEN
@click.option(
    "--format",
    "layout",
    type=click.Choice(("text", "json")),
    default="text",
    help="How the list is written to standard output.",
)
@console()
def list_(
    console: Console,
    chosen: tuple[str, ...],
    layout: Literal["text", "json"],
    **_: Any,
) -> None:
    """Show the schemas, operations and streams of SPEC.

    Each schema comes with its Python name. Without SPEC, the document is that of the configuration.

    \b
    Example:
      streambind list openapi.yaml --format json
    """
    with reported(console) as diagnostics:
        from codegen.listing import format_listing, format_listing_json

        job, *others = read_jobs(chosen, diagnostics)
        if others:
            raise click.UsageError("The configuration has several jobs: choose one with --job.")
        with console.stage("reading"):
            api = job.load(diagnostics)
        listing = format_listing(api) if layout == "text" else format_listing_json(api)
    click.echo(listing, nl=False)
