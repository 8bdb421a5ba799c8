"""The command `streambind`: arguments -> the pipeline -> an exit code.

The only module that knows the command line. Standard output carries what was asked for and nothing
else. Exit codes: 0 done, 2 bad usage, document or output, 3 a fault of ours, 130 interrupted. The
stages are imported where they are used, so that `--help` is quick.
"""

import traceback
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

import click

from codegen import __version__
from codegen.commands import Source, open_console, reported, with_source
from codegen.console import Format
from codegen.diagnostics import Diagnostics
from codegen.report import escape

_FAULT = "streambind failed, and the fault is its own: please report it with the lines below"


class _Streambind(click.Group):
    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            raise click.exceptions.Exit(130) from None
        # The last resort: whatever a stage did not foresee is a fault of ours, and says so.
        except Exception:
            lines = traceback.format_exc().splitlines()
            click.echo("\n".join((_FAULT, *map(escape, lines))), err=True)
            raise click.exceptions.Exit(3) from None


@click.group(cls=_Streambind, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="streambind %(version)s")
def main() -> None:
    """Make typed Python packages, with stream decoders, from OpenAPI documents.

    \b
    Example:
      streambind generate openapi.yaml -o acme/api
    """


@main.command()
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path),
    help="Folder of the package: new, empty, or made by streambind before.",
)
@click.option(
    "--variant",
    "variants",
    metavar="NAME",
    multiple=True,
    help="dataclasses, typeddicts or pydantic; may be repeated. Default: all three.",
)
@click.option(
    "--schema",
    "schemas",
    metavar="NAME",
    multiple=True,
    help="Only this schema and what it holds; may be repeated. Default: all.",
)
@click.option(
    "--operation",
    "operations",
    metavar="ID",
    multiple=True,
    help="Only what this operation reads and writes, and its streams; may be repeated.",
)
@click.option(
    "--format",
    type=click.Choice(("text", "json", "github")),
    default="text",
    help="How problems are written to standard error.",
)
@with_source
def generate(
    source: Source,
    output: Path,
    variants: tuple[str, ...],
    schemas: tuple[str, ...],
    operations: tuple[str, ...],
    format: Format,
    quiet: bool,
    verbose: bool,
) -> None:
    """Write the Python package of SPEC to a folder.

    SPEC is an OpenAPI document in YAML or JSON, or a Markdown page that holds one; "-" is standard
    input. Only files that differ are written; only files of an earlier run are deleted.

    \b
    Example:
      streambind generate openapi.yaml -o acme/api --variant dataclasses
    """
    start = perf_counter()
    console = open_console(format, quiet, verbose)
    with reported(console) as diagnostics:
        from codegen.emit import write_package
        from codegen.passes.prune import prune
        from codegen.pipeline import VARIANTS, build_package

        chosen = _choose(variants, VARIANTS, diagnostics)
        with console.stage("reading"):
            api = prune(source.load(diagnostics), schemas, operations, diagnostics)
        with console.stage("building"):
            files = build_package(api, chosen)
        with console.stage("writing"):
            done = write_package(output, files, diagnostics)
    name = "<stdin>" if source.spec == "-" else source.spec
    counts = f"{len(done.written)} written, {len(done.unchanged)} unchanged"
    seconds = f"{perf_counter() - start:.2f} s"
    console.say(f"{name} -> {output}: {counts}, {len(done.deleted)} deleted ({seconds})")


@main.command("list")
@click.option(
    "--format",
    type=click.Choice(("text", "json")),
    default="text",
    help="How the list is written to standard output.",
)
@with_source
def list_(
    source: Source,
    format: Literal["text", "json"],
    quiet: bool,
    verbose: bool,
) -> None:
    """Show the schemas, operations and streams of SPEC.

    Each schema comes with its Python name.

    \b
    Example:
      streambind list openapi.yaml --format json
    """
    console = open_console("text", quiet, verbose)
    with reported(console) as diagnostics:
        from codegen.listing import format_listing, format_listing_json

        with console.stage("reading"):
            api = source.load(diagnostics)
        listing = format_listing(api) if format == "text" else format_listing_json(api)
    click.echo(listing, nl=False)


def _choose(
    asked: tuple[str, ...], known: tuple[str, ...], diagnostics: Diagnostics
) -> tuple[str, ...]:
    """Return the variants asked for, all without any, in an order of their own."""
    diagnostics.check_choice("variant", "SB601", asked, known)
    return tuple(name for name in known if not asked or name in asked)
