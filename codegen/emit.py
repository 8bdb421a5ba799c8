"""Rendered files -> a folder on disk.

In: the texts of a whole package by path, `manifest.json` among them. Out: the folder holds that
package. Rules: everything is checked before anything changes; only files whose bytes differ are
written, each whole or not at all, the manifest last; only what the old manifest lists is deleted.
An old manifest is hostile input: nothing it or a symlink says leads out of the folder.
"""

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from codegen.diagnostics import Diagnostics, Refused

MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What it took: relative paths, in the order they were come to."""

    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    deleted: tuple[str, ...]


def write_package(output: Path, files: Mapping[str, str], diagnostics: Diagnostics) -> Written:
    """Make a folder hold these files: relative paths with slashes, and texts.

    Raises `Refused` after reporting SB501 (the folder is a file), SB502 (it holds files of others),
    SB503 (a path leads out of it), SB504 (a folder stands where a file goes, or a file where a
    folder goes) or SB505 (the file system refuses).
    """
    contents = {path: files[path].encode() for path in sorted(files, key=_manifest_last)}
    folder = _Folder(output, diagnostics)
    try:
        stale = folder.listed(contents) - contents.keys()
        folder.check(contents.keys(), stale)
        return folder.update(contents, stale)
    except OSError as error:
        place = str(error.filename or output)
        diagnostics.add("SB505", f"cannot write: {error.strerror}", document=place)
        raise Refused(diagnostics) from error


class _Folder:
    def __init__(self, output: Path, diagnostics: Diagnostics) -> None:
        self._output = output
        self._root = os.path.realpath(output)
        self._diagnostics = diagnostics

    def listed(self, contents: Mapping[str, bytes]) -> frozenset[str]:
        """Return what the manifest in the folder lists; nothing where the folder is new.

        A folder without a manifest may hold what an interrupted run left of this very package.
        """
        if os.path.exists(self._root) and not os.path.isdir(self._root):
            self._refuse("SB501", "", "this is not a folder")
        manifest = _read(self._at(MANIFEST))
        listed = None if manifest is None else _parse_manifest(manifest)
        if listed is None and (other := next(self._others(contents), None)) is not None:
            message = f"the folder is not one that streambind made: it holds {other!r}"
            self._refuse("SB502", "", message)
        self._diagnostics.check()
        return listed or frozenset()

    def check(self, paths: Collection[str], stale: frozenset[str]) -> None:
        """Refuse paths that lead out of the folder, and those that something else stands at."""
        going = [path for path in sorted(stale) if self._is_plain(path)]
        for path in sorted({*_folders(going), *_folders(paths), *going, *paths}):
            self._check_link(path)
        for path in _folders(paths):
            place = self._at(path)
            if os.path.exists(place) and not os.path.isdir(place) and path not in stale:
                self._refuse("SB504", path, "a file stands where a folder has to go")
        for path in paths:
            if os.path.isdir(self._at(path)):
                self._refuse("SB504", path, "a folder stands where a file has to go")
        self._diagnostics.check()

    def update(self, contents: Mapping[str, bytes], stale: Iterable[str]) -> Written:
        # First what goes: on some file systems `Pet.py` and `pet.py` are one file.
        deleted = tuple(path for path in sorted(stale) if os.path.isfile(self._at(path)))
        for path in deleted:
            os.unlink(self._at(path))
        self._prune(deleted)
        is_new = {path: _put(self._at(path), content) for path, content in contents.items()}
        return Written(
            written=tuple(path for path in contents if is_new[path]),
            unchanged=tuple(path for path in contents if not is_new[path]),
            deleted=deleted,
        )

    def _prune(self, deleted: Iterable[str]) -> None:
        """Remove the folders that deleted files leave empty, the innermost first."""
        for folder in reversed(_folders(deleted)):
            if not os.listdir(self._at(folder)):
                os.rmdir(self._at(folder))

    def _others(self, contents: Mapping[str, bytes]) -> Iterator[str]:
        for folder, _, names in os.walk(self._root):
            for name in names:
                path = Path(folder, name).relative_to(self._root).as_posix()
                if path not in contents or contents[path] != _read(self._at(path)):
                    yield path

    def _is_plain(self, path: str) -> bool:
        """Tell whether a listed path goes straight down; report it if not."""
        parts = path.split("/")
        if path.isprintable() and not {"", ".", ".."} & {*parts} and not {":", "\\"} & {*path}:
            return True
        self._refuse("SB503", MANIFEST, f"the manifest lists {path!r}, which leads elsewhere")
        return False

    def _check_link(self, path: str) -> None:
        place = self._at(path)
        if os.path.islink(place) and not Path(os.path.realpath(place)).is_relative_to(self._root):
            self._refuse("SB503", path, "a symbolic link leads out of the folder")

    def _at(self, path: str) -> str:
        return os.path.join(self._root, path)

    def _refuse(self, code: str, path: str, message: str) -> None:
        self._diagnostics.add(code, message, document=str(self._output / path))


def _manifest_last(path: str) -> tuple[bool, str]:
    return path == MANIFEST, path


def _folders(paths: Iterable[str]) -> list[str]:
    """Return the folders that paths lead through, each before those inside it."""
    found: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return sorted(found)


def _parse_manifest(content: bytes) -> frozenset[str] | None:
    """Return the paths that a manifest of ours lists; None for a file that only has its name."""
    try:
        manifest: object = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(manifest, dict) or not manifest.keys() >= {"generator", "files"}:
        return None
    files = cast("dict[str, object]", manifest)["files"]
    return frozenset(cast("dict[str, object]", files)) if isinstance(files, dict) else None


def _put(place: str, content: bytes) -> bool:
    """Give a file its content; False if it has it already."""
    if _read(place) == content:
        return False
    folder = Path(place).parent
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / f".streambind-{os.urandom(6).hex()}"
    try:
        with open(temporary, "xb") as file:
            file.write(content)
        os.replace(temporary, place)
    except OSError as error:
        raise OSError(error.errno, error.strerror, place) from error
    finally:
        temporary.unlink(missing_ok=True)
    return True


def _read(place: str) -> bytes | None:
    try:
        with open(place, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
