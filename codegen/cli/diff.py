"""`streambind diff`: what a new document means for code that uses the package."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from codegen.cli.jobs import Job, read_jobs
from codegen.cli.options import CHOSEN, CONTENTS, LAYERS, console, reported, written
from codegen.console import Console
from codegen.diagnostics import Diagnostics
from codegen.versions import Version

if TYPE_CHECKING:
    from codegen.compare.format import Report
    from codegen.ir.api import Api

_TIERS = ("wire", "source", "soft")


@click.command()
@click.argument("old", required=False)
@click.argument("spec", metavar="[NEW]", required=False, type=click.Path())
@click.option(
    "--fail-on",
    type=click.Choice(_TIERS),
    help="Exit with 1 if a change is of this tier or a worse one and not accepted.",
)
@written("changes", "text", "json", "markdown", hint="; markdown suits a pull request")
@click.option("--accept", is_flag=True, help="Add the changes to .streambind-accepted.")
@LAYERS
@CONTENTS
@CHOSEN
@console()
def diff(
    console: Console,
    chosen: tuple[str, ...],
    old: str | None,
    fail_on: Literal["wire", "source", "soft"] | None,
    layout: Literal["text", "json", "markdown"],
    accept: bool,
    **_: Any,
) -> None:
    """Tell what a change from OLD to NEW means for code.

    That is code which uses the generated Python. OLD is a document, REVISION:PATH for one that git
    has, or the folder of a vendored package. Without NEW, it is the document of the configuration;
    without OLD, its package there. Changes come in tiers: wire (data of before is refused), source
    (code that type-checked does no longer), soft (a value or variant more), and none. Those in the
    file .streambind-accepted are passed over.

    \b
    Examples:
      streambind diff old.yaml new.yaml --fail-on source
      streambind diff HEAD:spec/openapi.yaml spec/openapi.yaml
      streambind diff acme/api spec/openapi.yaml --format markdown
    """
    is_refused = False
    with reported(console, only_errors=True) as diagnostics:
        jobs = read_jobs(chosen, diagnostics)
        if len(jobs) > 1 and (old is not None or layout == "json"):
            raise click.UsageError("The configuration has several jobs: choose one with --job.")
        for job in jobs:
            report = _compare(old or str(job.output), job, console, diagnostics)
            click.echo(_format(report, layout, console), nl=False)
            tiers = _TIERS[: _TIERS.index(fail_on) + 1] if fail_on else ()
            is_refused |= any(change.tier.value in tiers for change in report.changes)
            if accept:
                _accept(report, diagnostics)
    if is_refused and not accept:
        raise click.exceptions.Exit(1)


def _compare(old: str, job: Job, console: Console, diagnostics: Diagnostics) -> "Report":
    from codegen.versions import open_version

    with ExitStack() as stack:
        before = stack.enter_context(open_version(old, Path(job.spec), diagnostics))
        now = Version(job.spec, job.spec)
        if ":" in job.spec:
            now = stack.enter_context(open_version(job.spec, Path(), diagnostics))
        return compare_versions(before, now, job, console, diagnostics)


def compare_versions(
    before: Version, now: Version, job: Job, console: Console, diagnostics: Diagnostics
) -> "Report":
    """Compare two documents, each in the place of a job's own."""
    from codegen.compare.accepted import FILE, read_accepted
    from codegen.compare.api import compare_apis
    from codegen.compare.format import Report

    accepted = read_accepted(Path(FILE), diagnostics)
    # What is asked for, or given a name, may be new.
    earlier = Diagnostics(ignored=frozenset({"SB603", "SB604", "SB605"}))
    made = job if before.options is None else job.as_made(before.options)
    try:
        old = _load(before, made, console, earlier)
    finally:
        diagnostics.include(earlier)
    new = _load(now, job, console, diagnostics)
    with console.stage("comparing"):
        changes = compare_apis(old, new, job.chosen)
    return Report(
        old=before.name,
        new=now.name,
        variants=job.chosen,
        changes=tuple(it for it in changes if it.fingerprint not in accepted),
        accepted=tuple(it for it in changes if it.fingerprint in accepted),
        locate=diagnostics.position,
    )


def _load(version: Version, job: Job, console: Console, diagnostics: Diagnostics) -> "Api":
    with console.stage(f"reading {version.name}"):
        return job.prune(job.load_version(version, diagnostics), diagnostics)


def _format(report: "Report", layout: Literal["text", "json", "markdown"], console: Console) -> str:
    from codegen.compare.format import format_json, format_markdown, format_text

    match layout:
        case "text":
            return format_text(report, verbose=console.verbose)
        case "json":
            return format_json(report)
        case "markdown":
            return format_markdown(report)


def _accept(report: "Report", diagnostics: Diagnostics) -> None:
    """Add the changes to the file of those that are accepted."""
    from codegen.compare.accepted import FILE, format_accepted
    from codegen.emit.file import write_files

    lines = format_accepted(it for it in report.changes if it.tier.value in _TIERS)
    before = Path(FILE).read_bytes() if Path(FILE).exists() else b""
    gap = b"\n" if before and not before.endswith(b"\n") else b""
    write_files({Path(FILE): before + gap + lines.encode()}, diagnostics)
