"""The files and folders inside of one folder, by paths with slashes."""

import errno
import os
from collections.abc import Iterable, Iterator

# What Python writes beside the modules that it imports.
CACHE = "__pycache__"


def walk(root: str) -> Iterator[str]:
    """Yield what a folder holds but caches: files and links, and folders that hold nothing.

    Paths are relative, with slashes; a folder ends in one. Links are not followed.
    """
    pending = [""]
    while pending:
        folder = pending.pop()
        with os.scandir(os.path.join(root, folder)) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
        if not entries and folder:
            yield folder
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                yield folder + entry.name
            elif entry.name != CACHE:
                pending.append(f"{folder}{entry.name}/")


def folders(paths: Iterable[str]) -> list[str]:
    """Return the folders that paths lead through, each before those inside it."""
    found: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return sorted(found)


def read(place: str) -> bytes | None:
    """Return what a file holds; None where there is no file, or can be none of that name."""
    try:
        with open(place, "rb", buffering=0) as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        return None


def is_plain(path: str) -> bool:
    """Tell whether a path leads straight down from its folder, on every system."""
    parts = path.split("/")
    return path.isprintable() and not {"", ".", ".."} & {*parts} and not {":", "\\"} & {*path}
