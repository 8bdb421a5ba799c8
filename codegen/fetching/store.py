"""What was fetched -> the files of a folder and its lock.

Only what an earlier fetch has stored, and nobody has changed since, is replaced or deleted; all of
it is checked before anything changes, and the lock is written last.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from codegen.diagnostics import Diagnostics
from codegen.digest import digest
from codegen.emit.file import write_files
from codegen.emit.tree import read
from codegen.fetching.documents import Fetched
from codegen.fetching.lock import FILE, Entry, format_lock


def make_entry(url: str, fetched: Fetched) -> Entry:
    """What the lock says of a document that has just come."""
    digests = {file: digest(content) for file, content in fetched.contents.items()}
    return Entry(
        file=fetched.file,
        url=url,
        digest=digests.pop(fetched.file),
        fetched=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        references=digests,
    )


def check_place(
    folder: Path, entries: tuple[Entry, ...], fetched: Fetched, diagnostics: Diagnostics
) -> bool:
    """Tell whether a folder holds the files already.

    Raises `Refused` after reporting SB133 for each file in the way, and SB503 for each that a link
    takes out of the folder.
    """
    known = {file: it for entry in entries for file, it in entry.digests.items()}
    holds = [read(str(folder / file)) == content for file, content in fetched.contents.items()]
    for file, content in fetched.contents.items():
        place = folder / file
        if not _is_inside(folder, file):
            message = "a symbolic link leads out of the folder"
            diagnostics.add("SB503", message, document=str(place), help="remove the link")
        elif file == FILE:
            diagnostics.add("SB133", "the lock lies here", document=str(place))
        elif _is_changed(read(str(place)), content, known.get(file)):
            what = "the file is not what was fetched: somebody wrote or changed it"
            diagnostics.add("SB133", what, document=str(place))
    diagnostics.check()
    return all(holds)


def _is_inside(folder: Path, file: str) -> bool:
    """Tell whether a file of a folder lies in it, whatever links lead to."""
    return Path(os.path.realpath(folder / file)).is_relative_to(os.path.realpath(folder))


def _is_changed(there: bytes | None, content: bytes, known: str | None) -> bool:
    return there not in (None, content) and digest(there or b"") != known


def store(
    folder: Path,
    entries: tuple[Entry, ...],
    entry: Entry,
    contents: Mapping[str, bytes],
    diagnostics: Diagnostics,
) -> None:
    """Write files and the lock, and delete what the document refers to no more.

    Raises `Refused` after reporting SB505.
    """
    others = tuple(it for it in entries if it.file != entry.file)
    lock = format_lock((*others, entry)).encode()
    writes = {folder / file: content for file, content in contents.items()}
    write_files({**writes, folder / FILE: lock}, diagnostics)
    kept = {file for it in (*others, entry) for file in it.digests}
    for before in entries:
        for file, known in before.references.items():
            content = read(str(folder / file)) if file not in kept else None
            if content is not None and digest(content) == known and _is_inside(folder, file):
                (folder / file).unlink()
