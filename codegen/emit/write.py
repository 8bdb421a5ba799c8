"""A package of rendered files -> its folder.

In: the texts of a whole package by path, `manifest.json` among them. Out: the folder holds that
package. Rules: everything is checked before anything changes; the folder changes in one step, from
the old state to the new one, wherever the system can do that; files that stay the same are not
touched; only what the old manifest lists is deleted. Nothing that a manifest or a symlink says
leads out of the folder.
"""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from codegen.diagnostics import Diagnostics, Refused
from codegen.emit.manifest import MANIFEST, read_manifest
from codegen.emit.swap import swap_folder
from codegen.emit.tree import folders, is_plain, read, walk


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
        place = folder.show(error.filename)
        diagnostics.add("SB505", f"cannot write: {error.strerror}", document=place)
        raise Refused(diagnostics) from error


class _Folder:
    def __init__(self, output: Path, diagnostics: Diagnostics) -> None:
        self._output = output
        self._root = os.path.realpath(output)
        self._is_new = not os.path.lexists(self._root)
        self._diagnostics = diagnostics

    def show(self, place: str | None) -> str:
        """A place in the folder as the user would write it; the folder, for what lies elsewhere."""
        inside = os.path.relpath(place or self._root, self._root)
        return str(self._output if inside.startswith("..") else self._output / inside)

    def listed(self, contents: Mapping[str, bytes]) -> frozenset[str]:
        """Return what the manifest in the folder lists; nothing where the folder is new.

        A folder without a manifest may hold what an interrupted run left of this very package.
        """
        if os.path.exists(self._root) and not os.path.isdir(self._root):
            self._refuse("SB501", "", "this is not a folder")
        manifest = read_manifest(self._root)
        if manifest is None and (other := next(self._others(contents), None)) is not None:
            message = f"the folder is not one that streambind made: it holds {other!r}"
            self._refuse("SB502", "", message)
        self._diagnostics.check()
        return frozenset(manifest.files if manifest else ())

    def check(self, paths: Collection[str], stale: frozenset[str]) -> None:
        """Refuse paths that lead out of the folder, and those that something else stands at."""
        if self._is_new:
            return
        going = [path for path in sorted(stale) if is_plain(path)]
        for path in sorted(stale.difference(going)):
            message = f"the manifest lists {path!r}, which leads elsewhere"
            self._refuse("SB503", MANIFEST, message)
        for path in sorted({*folders(going), *folders(paths), *going, *paths}):
            self._check_link(path)
        for path in folders(paths):
            place = self._at(path)
            if os.path.exists(place) and not os.path.isdir(place) and path not in stale:
                self._refuse("SB504", path, "a file stands where a folder has to go")
        for path in paths:
            if os.path.isdir(self._at(path)):
                self._refuse("SB504", path, "a folder stands where a file has to go")
        self._diagnostics.check()

    def update(self, contents: Mapping[str, bytes], stale: Iterable[str]) -> Written:
        deleted = tuple(path for path in sorted(stale) if os.path.isfile(self._at(path)))
        written = tuple(path for path in contents if self._differs(path, contents[path]))
        if written or deleted:
            is_done = swap_folder(self._root, contents, deleted)
            if not is_done:
                self._change_in_place({path: contents[path] for path in written}, deleted)
        changed = frozenset(written)
        unchanged = tuple(path for path in contents if path not in changed)
        return Written(written=written, unchanged=unchanged, deleted=deleted)

    def _differs(self, path: str, content: bytes) -> bool:
        return self._is_new or read(self._at(path)) != content

    def _change_in_place(self, contents: Mapping[str, bytes], deleted: Iterable[str]) -> None:
        """Write everything beside its place, and only then move it there, the manifest last."""
        mark = f".streambind-{os.urandom(6).hex()}"
        ready = {path: self._at(path) + mark for path in contents}
        made = [path for path in folders(contents) if not os.path.isdir(self._at(path))]
        blocking = [path for path in made if os.path.lexists(self._at(path))]
        try:
            # First what goes: on some file systems `Pet.py` and `pet.py` are one file.
            for path in blocking:
                os.unlink(self._at(path))
            os.makedirs(self._root, exist_ok=True)
            for path in made:
                os.mkdir(self._at(path))
            for path, place in ready.items():
                with open(place, "xb") as file:
                    file.write(contents[path])
            for path in (path for path in deleted if path not in blocking):
                os.unlink(self._at(path))
            for path, place in ready.items():
                os.replace(place, self._at(path))
        finally:
            for place in ready.values():
                Path(place).unlink(missing_ok=True)
            self._remove_empty((*folders(deleted), *made))

    def _remove_empty(self, paths: Iterable[str]) -> None:
        for path in sorted(paths, reverse=True):
            if os.path.isdir(self._at(path)) and not os.listdir(self._at(path)):
                os.rmdir(self._at(path))

    def _others(self, contents: Mapping[str, bytes]) -> Iterator[str]:
        if not os.path.isdir(self._root):
            return
        for path in walk(self._root):
            is_folder = path.endswith("/")
            if not is_folder and (path not in contents or contents[path] != read(self._at(path))):
                yield path

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
