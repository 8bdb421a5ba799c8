"""What lies in the folder of a package, and what its manifest says of it.

A manifest on disk is hostile input: it is read for what it lists, and believed in nothing.
"""

import errno
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

MANIFEST = "manifest.json"
# What Python writes beside the modules that it imports.
CACHE = "__pycache__"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """`files` are paths and digests as listed, `content` is all that it says."""

    files: Mapping[str, object]
    content: Mapping[str, object]

    def section(self, name: str) -> Mapping[str, object]:
        """An object that the manifest holds; empty where it does not."""
        return _members(self.content.get(name))

    @property
    def references(self) -> Mapping[str, object]:
        """The digests of the files that the document refers to."""
        return _members(self.section("spec").get("references"))


def _members(value: object) -> Mapping[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def read_manifest(root: str) -> Manifest | None:
    """Return the manifest of ours in a folder; None where there is none, or one of others."""
    content = read(os.path.join(root, MANIFEST))
    return None if content is None else parse_manifest(content)


def parse_manifest(content: bytes | str) -> Manifest | None:
    """Return what a manifest of ours says; None for a file that only has its name."""
    try:
        manifest: object = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(manifest, dict) or not manifest.keys() >= {"generator", "files"}:
        return None
    members = cast("dict[str, object]", manifest)
    files = members["files"]
    if not isinstance(files, dict):
        return None
    return Manifest(files=cast("dict[str, object]", files), content=members)


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
