"""`streambind init`: the first configuration."""

import json
import sys
from pathlib import Path

import click

from codegen.cli.options import reported
from codegen.config import FILE, SHARED_FILE, shared_table
from codegen.console import Console
from codegen.diagnostics import Diagnostics
from codegen.emit.file import write_files
from codegen.source.document import read_document

_SUFFIXES = (".yaml", ".yml", ".json")
_OVERLAY = """\
# What the document should say and does not: where servers deviate from it, correct it here, and the
# types change. OpenAPI Overlay 1.0, https://spec.openapis.org/overlay/latest.html
overlay: 1.0.0
info: {{title: Corrections of {title}, version: "1"}}
actions:
  # This one changes nothing; put yours in its place.
  - target: $.info
    update: {{}}
#   - target: $.components.schemas.Pet.properties.name
#     description: The server sends null for pets without a name.
#     update: {{nullable: true}}
"""
_TABLE = """\
[tool.streambind]
spec = {spec}
overlay = [{overlay}]
output = {output}
"""
_NONE = (
    "There is no document with a usual name here. Name it, streambind init openapi.yaml -o "
    "acme/api, or store it first, streambind fetch URL."
)
_NEXT = """\
Wrote {file}: what to generate.
Wrote {overlay}: corrections of the document, none yet.
Next:
  streambind generate    make {output}
  git add {sources} {file} {overlay} {output}
  streambind check       in CI: fails when {output} is not what {spec} gives
"""


@click.command()
@click.argument("spec", required=False, type=click.Path())
@click.option("-o", "--output", metavar="DIR", help="Folder for the package.")
def init(spec: str | None, output: str | None) -> None:
    """Write a first configuration, and an empty overlay beside SPEC.

    The configuration goes to pyproject.toml where there is one, else to streambind.toml. What is
    not given is asked for on a terminal, and guessed elsewhere.

    \b
    Example:
      streambind init spec/openapi.yaml -o src/acme/api
    """
    from codegen.fetching.lock import FILE as LOCK

    with reported(Console(format="text", quiet=False, verbose=False)) as diagnostics:
        spec = spec or _ask("The OpenAPI document", _find_document(diagnostics))
        output = output or _ask("The folder for the package", _find_folder())
        if spec is None or output is None:
            raise click.UsageError(_NONE)
        file = _find_file(diagnostics)
        read_document(spec, diagnostics)
        diagnostics.check()
        overlay = Path(spec).with_name(f"{Path(spec).stem}.overlay.yaml")
        contents = {file: _add_table(file, spec, overlay, output)}
        if not overlay.exists():
            title = json.dumps(Path(spec).name)[1:-1]
            contents[overlay] = _OVERLAY.format(title=title).encode()
        write_files(contents, diagnostics)
    lock = Path(spec).with_name(LOCK)
    sources = f"{spec} {lock}" if lock.exists() else spec
    said = _NEXT.format(file=file, spec=spec, overlay=overlay, output=output, sources=sources)
    click.echo(said, nl=False, err=True)


def _ask(what: str, default: str | None) -> str | None:
    if not sys.stdin.isatty():
        return default
    return str(click.prompt(what, default=default, err=True))


def _find_document(diagnostics: Diagnostics) -> str | None:
    """Return a document that was fetched, or one with a usual name, if one is there."""
    from codegen.fetching.lock import FILE as LOCK
    from codegen.fetching.lock import read_lock

    for entry in read_lock(Path("spec", LOCK), diagnostics):
        return Path("spec", entry.file).as_posix()
    for folder in ("", "spec", "specs", "api", "docs"):
        for name in ("openapi", "swagger", "api"):
            for suffix in _SUFFIXES:
                if (path := Path(folder, name + suffix)).is_file():
                    return path.as_posix()
    return None


def _find_folder() -> str:
    """Return a folder beside the code of the one package that is there."""
    for base in (Path("src"), Path()):
        packages = [path.parent for path in sorted(base.glob("*/__init__.py"))]
        if len(packages) == 1:
            return (packages[0] / "api").as_posix()
    return "api"


def _find_file(diagnostics: Diagnostics) -> Path:
    """Return the file that the configuration goes to; report one that has it already."""
    shared = Path(SHARED_FILE)
    document = read_document(shared, diagnostics) if shared.is_file() else None
    has_table = document is not None and shared_table(document.data) is not None
    if has_table or Path(FILE).exists():
        place = SHARED_FILE if has_table else FILE
        diagnostics.add("SB616", "there is a configuration already", document=place)
    return Path(FILE) if document is None else shared


def _add_table(file: Path, spec: str, overlay: Path, output: str) -> bytes:
    """What the file of the configuration holds, with the table at its end."""
    texts = {"spec": Path(spec).as_posix(), "overlay": overlay.as_posix(), "output": output}
    quoted = {name: json.dumps(text, ensure_ascii=False) for name, text in texts.items()}
    table = _TABLE.format(**quoted)
    if file.name == FILE:
        return table.partition("\n")[2].encode()
    before = file.read_bytes()
    gap = "" if not before else "\n" if before.endswith(b"\n") else "\n\n"
    return before + f"{gap}{table}".encode()
