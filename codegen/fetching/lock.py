"""`streambind.lock`: where the documents of a folder came from, and what they were then.

It is TOML, a table for each document, for people to read and for `--update`; it is written by
`streambind fetch` alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias, cast

from codegen.diagnostics import Diagnostics
from codegen.emit.tree import is_plain
from codegen.fetching.url import find_fault
from codegen.source.document import read_document
from codegen.source.pointer import join
from codegen.source.values import Json

FILE = "streambind.lock"
_HEAD = "# What `streambind fetch` stored here; `streambind fetch --update` looks for newer ones.\n"
_DOCUMENTS, _REFERENCES = "documents", "references"
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
_KEYS = ("file", "url", "digest", "fetched")

_Table: TypeAlias = "dict[str, Json]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A document: its file in the folder, its URL, the digest of its bytes, the UTC time at which
    they came, and the digests of the files that came with it because it refers to them.
    """

    file: str
    url: str
    digest: str
    fetched: str
    references: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def digests(self) -> dict[str, str]:
        """Of all files, the document first."""
        return {self.file: self.digest, **self.references}

    def is_like(self, other: Entry) -> bool:
        """Whether both came from one place and hold the same."""
        return (self.url, self.digests) == (other.url, other.digests)


def read_lock(path: Path, diagnostics: Diagnostics) -> tuple[Entry, ...]:
    """Read a lock, none where there is no file.

    Raises `Refused` after reporting SB101 to SB106 (the file) or SB134 (an entry).
    """
    if not path.is_file():
        return ()
    document = read_document(path, diagnostics)
    data = document.data
    tables = data.get(_DOCUMENTS) if isinstance(data, dict) else None
    written = tables if isinstance(tables, list) else []
    for index, table in enumerate(written):
        if (fault := _find_fault(table)) is not None:
            origin = document.origin(join("#", _DOCUMENTS, index))
            diagnostics.add("SB134", fault, origin=origin)
    diagnostics.check()
    return tuple(map(_read, cast("list[_Table]", written)))


def format_lock(entries: Iterable[Entry]) -> str:
    """The text of a lock, in the order of its files."""
    return _HEAD + "".join(map(_format, sorted(entries, key=lambda it: it.file)))


def _format(entry: Entry) -> str:
    lines = ["", f"[[{_DOCUMENTS}]]"]
    lines += (f"{key} = {_quote(getattr(entry, key))}" for key in _KEYS)
    if entry.references:
        lines += ["", f"[{_DOCUMENTS}.{_REFERENCES}]"]
        lines += (
            f"{_quote(it)} = {_quote(entry.references[it])}" for it in sorted(entry.references)
        )
    return "".join(f"{line}\n" for line in lines)


def _quote(text: str) -> str:
    """A basic string of TOML, which is one of JSON but for what JSON escapes as surrogates."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _find_fault(table: Json) -> str | None:
    """Say what is wrong with an entry; None for one that can be gone by."""
    found = table if isinstance(table, dict) else _Table()
    references = found.get(_REFERENCES, {})
    for key in _KEYS:
        if not isinstance(found.get(key), str):
            return f"the entry has no {key!r}"
    if not isinstance(references, dict) or not all(
        isinstance(digest, str) for digest in references.values()
    ):
        return f"{_REFERENCES!r} is a table of digests"
    if _TIME.fullmatch(str(found["fetched"])) is None:
        return "`fetched` is no time such as 2026-01-31T12:00:00Z"
    for file in (str(found["file"]), *references):
        if not is_plain(file):
            return f"the file {file!r} leads elsewhere"
    return find_fault(str(found["url"]))


def _read(table: _Table) -> Entry:
    file, url, digest, fetched = (str(table[key]) for key in _KEYS)
    references = cast("dict[str, str]", table.get(_REFERENCES, {}))
    return Entry(file=file, url=url, digest=digest, fetched=fetched, references=references)
