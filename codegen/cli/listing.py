"""`streambind list`: what a document offers."""

from typing import Any, Literal

import click

from codegen.cli.jobs import read_job
from codegen.cli.options import CHOSEN, SOURCE, console, reported, written
from codegen.console import Console


@click.command("list")
@SOURCE
@CHOSEN
@written("names", "text", "json")
@click.option(
    "--loss",
    "wants_loss",
    is_flag=True,
    help="What becomes of each keyword of its schemas instead: checked, told or not read.",
)
@console()
def list_(
    console: Console,
    chosen: tuple[str, ...],
    layout: Literal["text", "json"],
    wants_loss: bool,
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
        from codegen.loss import find_uses, format_loss, format_loss_json

        job = read_job(chosen, diagnostics)
        if wants_loss:
            with console.stage("reading"):
                uses = find_uses(job.load_document(diagnostics))
            write = format_loss if layout == "text" else format_loss_json
            click.echo(write(uses, diagnostics), nl=False)
            return
        with console.stage("reading"):
            api = job.load(diagnostics)
        listing = format_listing(api) if layout == "text" else format_listing_json(api)
    click.echo(listing, nl=False)
