"""The options that commands share.

Those of a job are its keys in the configuration too: `jobs` reads names, kinds and help from these
declarations, and nothing lists them a second time.
"""

from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeAlias

import click

from codegen.console import Console, Format
from codegen.diagnostics import Diagnostics, Refused, Severity
from codegen.profiles import NAMES as PROFILES

VARIANTS = ("dataclasses", "typeddicts", "pydantic")

P = ParamSpec("P")
Decorator: TypeAlias = Callable[[Callable[..., None]], Callable[..., None]]


@dataclass(frozen=True, slots=True)
class Choice:
    """The names that an option takes; `code` is reported, with a suggestion, for another one."""

    kind: str
    code: str
    names: tuple[str, ...]


CHOICES = {
    "variants": Choice("variant", "SB601", VARIANTS),
    "profiles": Choice("profile", "SB602", PROFILES),
}


def options(*decorators: Decorator) -> Decorator:
    """Join options; help shows them in this order."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


SPEC = click.argument("spec", required=False, type=click.Path(allow_dash=True))

LAYERS = options(
    click.option(
        "--overlay",
        "overlays",
        metavar="FILE",
        multiple=True,
        type=click.Path(path_type=Path),
        help="OpenAPI Overlay to apply before reading; may be repeated, in order.",
    ),
    click.option(
        "--profile",
        "profiles",
        metavar="NAME",
        multiple=True,
        help="What is known of an API's streams, applied before overlays: "
        f"{', '.join(PROFILES)}; may be repeated.",
    ),
    click.option(
        "--ref-root",
        metavar="DIR",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        help="Folder that every file named by a $ref lies in. Default: that of SPEC.",
    ),
)

OUTPUT = click.option(
    "-o",
    "--output",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Folder of the package: new, empty, or made by streambind before.",
)

TYPES = click.option(
    "--type",
    "types",
    metavar="FORMAT=TYPE",
    multiple=True,
    help="What strings of a format are read as: str, datetime, date, time, UUID, bytes or "
    "Decimal; may be repeated.",
)

CONTENTS = options(
    click.option(
        "--variant",
        "variants",
        metavar="NAME",
        multiple=True,
        help=f"{', '.join(VARIANTS[:-1])} or {VARIANTS[-1]}; may be repeated. Default: all three.",
    ),
    click.option(
        "--schema",
        "schemas",
        metavar="NAME",
        multiple=True,
        help="Only this schema and what it holds; may be repeated. Default: all.",
    ),
    click.option(
        "--operation",
        "operations",
        metavar="ID",
        multiple=True,
        help="Only what this operation reads and writes, and its streams; may be repeated.",
    ),
    click.option(
        "--tag",
        "tags",
        metavar="NAME",
        multiple=True,
        help="Only the operations with this tag; may be repeated.",
    ),
    click.option(
        "--path",
        "paths",
        metavar="PATH",
        multiple=True,
        help="Only the operations below this path, or at paths like /v1/*/runs; may be repeated.",
    ),
    TYPES,
    click.option(
        "--name",
        "names",
        metavar="POINTER=NAME",
        multiple=True,
        help="What the class of a schema, or the attribute of a property, is called, such as "
        "#/components/schemas/a-b=AB; may be repeated.",
    ),
)

SOURCE = options(SPEC, LAYERS)
PACKAGE = options(OUTPUT, CONTENTS)

CHOSEN = click.option(
    "--job",
    "chosen",
    metavar="NAME",
    multiple=True,
    help="Only this job of the configuration; may be repeated. Default: all.",
)


RECORDED = options(
    click.option("--stream", metavar="NAME", help="The stream to read. Default: the only one."),
    click.option("--redact", is_flag=True, help="Replace texts by neutral ones of their shape."),
)


def written(what: str, *formats: str, hint: str = "") -> Decorator:
    """Add `--format`, for what goes to standard output; the first is the default."""
    return click.option(
        "--format",
        "layout",
        type=click.Choice(formats),
        default=formats[0],
        help=f"How {what} are written to standard output{hint}.",
    )


def console(*formats: str) -> Decorator:
    """Add the options that say what is shown, and hand them over as a `Console`.

    `formats` are those that problems can be written in; without any, `--format` is another matter.
    """
    shown = options(
        click.option("-q", "--quiet", is_flag=True, help="Show warnings and errors only."),
        click.option("-v", "--verbose", is_flag=True, help="Show notes and times too."),
    )
    format_ = click.option(
        "--format",
        "problems",
        type=click.Choice(formats),
        default="text",
        help="How problems are written to standard error.",
    )

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def function(
            *args: Any, quiet: bool, verbose: bool, problems: Format = "text", **rest: Any
        ) -> None:
            if quiet and verbose:
                raise click.UsageError("--quiet and --verbose exclude each other.")
            command(*args, Console(format=problems, quiet=quiet, verbose=verbose), **rest)

        return options(*([format_] if formats else []), shown)(function)

    return decorate


@contextmanager
def reported(console: Console, *, only_errors: bool = False) -> Generator[Diagnostics]:
    """Hand out a collector, and write what it holds on both ways out.

    With `only_errors`, of a document that is merely read the rest is counted, unless all is wanted.
    """
    diagnostics = Diagnostics()
    try:
        yield diagnostics
    except Refused:
        console.report(diagnostics)
        raise click.exceptions.Exit(2) from None
    if console.verbose or not only_errors:
        console.report(diagnostics)
    else:
        found = Counter(it.code.severity for it in diagnostics)
        console.recall(warnings=found[Severity.WARNING], notes=found[Severity.NOTE])
