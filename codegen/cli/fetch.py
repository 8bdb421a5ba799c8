"""`streambind fetch`: a document from elsewhere, kept in the project."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codegen.cli.jobs import find_jobs
from codegen.cli.options import console, reported
from codegen.console import Console
from codegen.diagnostics import Diagnostics, Refused
from codegen.versions import Version

if TYPE_CHECKING:
    from codegen.fetching.lock import Entry


@click.command()
@click.argument("url", required=False)
@click.option(
    "-o",
    "target",
    metavar="FILE",
    type=click.Path(path_type=Path),
    default=Path("spec"),
    help="File for the document, or a folder, where it is called as at the end of URL. "
    "Default: spec/.",
)
@click.option(
    "--update",
    is_flag=True,
    help="Fetch again what was fetched before: FILE, or all of the folder.",
)
@console()
def fetch(console: Console, url: str | None, target: Path, update: bool, **_: Any) -> None:
    """Store the document at an https URL in the project.

    The files beside it that it refers to come too. Source, digest and date go to streambind.lock, a
    file to commit. Where an older version is there, what the change means for code is told, as by
    `diff`. No other command opens a connection.

    \b
    Examples:
      streambind fetch https://api.acme.com/openapi.yaml
      streambind fetch --update
    """
    if (url is None) is not update:
        raise click.UsageError("Name a URL, or --update what was fetched before: one of the two.")
    with reported(console) as diagnostics:
        from codegen.fetching.lock import FILE, read_lock
        from codegen.source.text import has_suffix

        is_file = has_suffix(target.name) and not target.is_dir()
        lock = (target.parent if is_file else target) / FILE
        name = target.name if is_file else None
        before = read_lock(lock, diagnostics)
        if url is not None:
            known = next((it.file for it in before if it.url == url), None)
            wanted = [(url, name or known)]
        else:
            wanted = [(it.url, it.file) for it in before if name in (None, it.file)]
        if not wanted:
            raise click.UsageError(f"{lock} names no document that --update could fetch.")
        for it, called in wanted:
            with diagnostics.part() as part:
                _fetch(it, called, lock, console, part)
        diagnostics.check_parts()


def _fetch(
    url: str, name: str | None, lock: Path, console: Console, diagnostics: Diagnostics
) -> None:
    """Store one document, and say what became of it."""
    from tempfile import TemporaryDirectory

    from codegen.fetching.documents import fetch
    from codegen.fetching.lock import read_lock
    from codegen.fetching.store import check_place, make_entry, store
    from codegen.fetching.url import redact

    folder, entries = lock.parent, read_lock(lock, diagnostics)
    with TemporaryDirectory(prefix="streambind-") as temporary:
        with console.stage(f"fetching {redact(url)}"):
            fetched = fetch(url, name, Path(temporary), diagnostics)
        is_there = check_place(folder, entries, fetched, diagnostics)
        entry, place = make_entry(url, fetched), folder / fetched.file
        old = next((it for it in entries if it.file == entry.file), None)
        if old is not None and is_there and old.is_like(entry):
            console.say(f"{place}: unchanged since {old.fetched}")
            return
        if old is not None and place.is_file():
            _compare(place, old, Path(temporary, fetched.file), console, diagnostics)
        store(folder, entries, entry, fetched.contents, diagnostics)
    size = sum(map(len, fetched.contents.values()))
    count = len(fetched.contents)
    files = "" if count == 1 else f" in {count:,} files"
    console.say(f"{redact(url)} -> {place}: {size:,} bytes{files}")


def _compare(
    place: Path, old: "Entry", new: Path, console: Console, diagnostics: Diagnostics
) -> None:
    """Write what the new version of a document means, for each job that it is the document of."""
    from codegen.cli.diff import compare_versions
    from codegen.compare.format import format_text

    for job in find_jobs(place, diagnostics):
        before = Version(str(place), f"{old.fetched[:10]}:{place}")
        found = Diagnostics()
        try:
            report = compare_versions(before, Version(str(new), str(place)), job, console, found)
        except Refused:
            count = len(found.errors)
            errors = "an error" if count == 1 else f"{count:,} errors"
            console.say(f"{place}: not compared, for {errors} that `streambind check` shows")
        else:
            click.echo(format_text(report, verbose=console.verbose), nl=False)
