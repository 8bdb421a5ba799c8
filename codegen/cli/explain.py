"""`streambind explain`: what a code stands for."""

import click

from codegen.codes import CODES, Code
from codegen.diagnostics import suggestion

_AREAS = {
    "SB1": "Found while a document, or a file that it refers to, was fetched or read.",
    "SB2": "Found in what the document says, as OpenAPI and JSON Schema have it.",
    "SB3": "Found in the rules of a stream, `x-stream`; docs/streams.md tells of them.",
    "SB4": "Found while names and types of Python were chosen.",
    "SB5": "Found where something is written: in the folder of the package, most of the time.",
    "SB6": "Found on the command line, or in the configuration.",
}
_CONSEQUENCES = {
    "error": "Nothing is made of the document until it is gone.",
    "warning": "The package is made all the same.",
    "note": "It is for information; -v shows it.",
}


@click.command()
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """Say what CODE stands for, and what to do about it.

    Without CODE, all codes are listed.

    \b
    Example:
      streambind explain SB207
    """
    if code is None:
        for known in CODES.values():
            click.echo(f"{known.id}  {known.severity.value:<7}  {known.slug}")
        return
    found = CODES.get(code.upper()) or _by_slug(code)
    if found is None:
        hint = suggestion(code.upper(), CODES, "; ")
        raise click.UsageError(f"There is no code {code!r}{hint}")
    click.echo(f"{found.id} {found.slug} ({found.severity.value})")
    click.echo(f"{_AREAS[found.id[:3]]} {_CONSEQUENCES[found.severity.value]}")
    if found.help:
        click.echo(f"What to do: {found.help}.")


def _by_slug(slug: str) -> Code | None:
    return next((code for code in CODES.values() if code.slug == slug), None)
