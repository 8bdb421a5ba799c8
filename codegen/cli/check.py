"""`streambind check`: whether packages are what their documents give, the gate for CI."""

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
def check(console: Console, chosen: tuple[str, ...], **_: Any) -> None:
    """Tell whether a package is what SPEC gives, and write nothing.

    Takes what `generate` takes. Prints a unified diff from the folder to the package, says which
    files are missing, changed by hand or out of place and why it differs, and exits with 1.

    \b
    Example:
      streambind check openapi.yaml -o acme/api
    """
    differ = False
    with reported(console) as diagnostics:
        for job in read_jobs(chosen, diagnostics):
            with diagnostics.part() as part:
                findings = _check(job, console, part)
                differ = differ or findings.has_errors
                part.include(findings)
        diagnostics.check_parts()
    if differ:
        raise click.exceptions.Exit(1)


def _check(job: Job, console: Console, diagnostics: Diagnostics) -> Diagnostics:
    """Print how a package differs, and return what is to be said of it."""
    findings = Diagnostics()
    record = job.find_record(console)
    if record is not None:
        console.say(f"{job.output}: up to date")
        console.recall(warnings=record.warnings, notes=record.notes)
        return findings
    from codegen.emit.compare import Kind, compare_package, find_reasons, format_diff
    from codegen.emit.manifest import MANIFEST

    files = job.build(console, diagnostics)
    differences = compare_package(job.output, files)
    reasons = find_reasons(job.output, files[MANIFEST])
    if any(it.kind is Kind.OUTDATED for it in differences):
        what = f"the package is not what {job.title} gives"
        message = ": ".join((what, *(["; ".join(reasons)] if reasons else [])))
        findings.add("SB511", message, document=str(job.output))
    for difference in differences:
        place = str(job.output / difference.path)
        match difference.kind:
            case Kind.EDITED:
                findings.add("SB512", "the file was changed by hand", document=place)
            case Kind.MISSING:
                findings.add("SB513", "the file is missing", document=place)
            case Kind.EXTRA:
                findings.add("SB514", "the file is no part of the package", document=place)
            case Kind.OUTDATED:
                pass
    if not differences:
        job.write_record(files, diagnostics)
        console.say(f"{job.output}: up to date")
    click.echo(format_diff(job.output, differences), nl=False)
    return findings
