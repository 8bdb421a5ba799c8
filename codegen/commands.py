"""What the commands that read a document share: its options, and how problems are told."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from codegen.console import Console, Format
from codegen.diagnostics import Diagnostics, Refused

if TYPE_CHECKING:
    from codegen.ir.api import Api

Command: TypeAlias = Callable[..., None]

_SHARED = (
    click.option("-v", "--verbose", is_flag=True, help="Show notes and times too."),
    click.option("-q", "--quiet", is_flag=True, help="Show warnings and errors only."),
    click.option(
        "--ref-root",
        metavar="DIR",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        help="Folder that every file named by a $ref lies in. Default: that of SPEC.",
    ),
    click.option(
        "--profile",
        "profiles",
        metavar="NAME",
        multiple=True,
        help="What is known of an API's streams, applied before overlays: "
        "openai, openai-compatible or ollama; may be repeated.",
    ),
    click.option(
        "--overlay",
        "overlays",
        metavar="FILE",
        multiple=True,
        type=click.Path(path_type=Path),
        help="OpenAPI Overlay to apply before reading; may be repeated, in order.",
    ),
    click.argument("spec"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What a command reads: the document, and what is laid over it."""

    spec: str
    overlays: tuple[Path, ...]
    profiles: tuple[str, ...]
    ref_root: Path | None

    def load(self, diagnostics: Diagnostics) -> "Api":
        from codegen.pipeline import load_api
        from codegen.profiles import find_profiles

        overlays = (*find_profiles(self.profiles, diagnostics), *self.overlays)
        return load_api(self.spec, overlays, diagnostics, self.ref_root)


def with_source(command: Command) -> Callable[..., None]:
    """Add what both commands take, and hand it over as their source."""

    @wraps(command)
    def function(
        spec: str,
        overlays: tuple[Path, ...],
        profiles: tuple[str, ...],
        ref_root: Path | None,
        **options: Any,
    ) -> None:
        source = Source(spec=spec, overlays=overlays, profiles=profiles, ref_root=ref_root)
        command(source, **options)

    decorated: Callable[..., None] = function
    for decorate in _SHARED:
        decorated = decorate(decorated)
    return decorated


def open_console(format: Format, quiet: bool, verbose: bool) -> Console:
    if quiet and verbose:
        raise click.UsageError("--quiet and --verbose exclude each other.")
    return Console(format=format, quiet=quiet, verbose=verbose)


@contextmanager
def reported(console: Console) -> Generator[Diagnostics]:
    """Hand out a collector, and write what it holds on both ways out."""
    diagnostics = Diagnostics()
    try:
        yield diagnostics
    except Refused:
        console.report(diagnostics)
        raise click.exceptions.Exit(2) from None
    console.report(diagnostics)
