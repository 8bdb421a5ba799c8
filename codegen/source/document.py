"""Reading a document: a path or standard input to plain JSON data.

Out comes a `Document` that nobody changes, and its text goes to the diagnostics, for excerpts.
UTF-8 only, with or without a byte order mark; JSON, YAML or a Markdown page, as
`codegen.source.text` tells them apart.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

from codegen.diagnostics import Diagnostics, Origin, Refused
from codegen.digest import digest
from codegen.source.origins import Origins
from codegen.source.positions import Lines
from codegen.source.problem import Unreadable
from codegen.source.text import SourceText
from codegen.source.values import Json

_FETCH = "`streambind fetch URL` stores it in the project; no other command opens a connection"

# The largest documents that are published have half as many.
MAX_BYTES = 128 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document's values; `path` is None for standard input, `digest` is of the bytes."""

    name: str
    path: Path | None
    digest: str
    data: Json
    origins: Origins

    def origin(self, pointer: str) -> Origin:
        """Return where the value at a pointer was written: here, or in an overlay."""
        return self.origins.at(pointer)


def read_document(spec: str | Path, diagnostics: Diagnostics, name: str | None = None) -> Document:
    """Read a file, or standard input for "-"; raises `Refused` after reporting SB101 to SB107.

    `name` is its display name; without it, that is the path.
    """
    path = None if spec == "-" else Path(spec)
    shown = name or ("<stdin>" if path is None else str(spec))
    document = try_document(path, shown, diagnostics)
    if document is None:
        raise Refused(diagnostics)
    return document


def try_document(
    path: Path | None, name: str, diagnostics: Diagnostics, *, used_at: Origin | None = None
) -> Document | None:
    """Read a file under a display name; None after reporting what is wrong.

    `used_at` is the reference that asks for it: a file that cannot be opened is SB112 there, and
    SB101 without.
    """
    try:
        content = _read(path)
    except OSError as error:
        message = f"cannot read {name}: {error.strerror}"
        help = _FETCH if name.startswith("https://") else None
        diagnostics.add("SB101" if used_at is None else "SB112", message, origin=used_at, help=help)
        return None
    if len(content) > MAX_BYTES:
        message = f"{name} has more than {MAX_BYTES:,} bytes"
        diagnostics.add("SB105", message, document=None if used_at else name, origin=used_at)
        return None
    text = _decode(content, name, path, diagnostics)
    if text is None:
        return None
    source = SourceText(name, text, path)
    diagnostics.remember(source)
    try:
        data = source.load()
    except Unreadable as error:
        for problem in error.problems:
            diagnostics.add(
                problem.code,
                problem.message,
                document=name,
                position=problem.position,
                help=problem.help,
            )
        return None
    return Document(name=name, path=path, digest=digest(content), data=data, origins=Origins(name))


def _read(path: Path | None) -> bytes:
    """Return a file, or standard input, and no more of it than shows that it is too large."""
    if path is None:
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _decode(content: bytes, name: str, path: Path | None, diagnostics: Diagnostics) -> str | None:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # `error.object` lacks a byte order mark that was skipped, so offsets are into it.
        before = error.object[: error.start].decode("utf-8")
        diagnostics.remember(SourceText(name, content.decode("utf-8-sig", "replace"), path))
        diagnostics.add(
            "SB102",
            f"the byte 0x{error.object[error.start]:02x} is not UTF-8 here",
            document=name,
            position=Lines(before).position(len(before)),
        )
        return None
