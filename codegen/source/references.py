"""Other local documents, as `$ref: other.yaml#/path` names them.

A path is relative to the file that holds the reference and, after symlinks resolve, must lie in one
root folder: a document may come from anywhere and must not read what is beside it on the disk.
Nothing is fetched. Each file is read once, and reported on once.
"""

import os
import re
from pathlib import Path
from urllib.parse import unquote

from codegen.diagnostics import Diagnostics
from codegen.source.document import Document, load_document
from codegen.source.pointer import from_fragment

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")


class Library:
    """The documents reached from one root document. Overlays apply to the root alone."""

    def __init__(
        self, root: Document, diagnostics: Diagnostics, ref_root: Path | None = None
    ) -> None:
        self._diagnostics = diagnostics
        # Standard input has no folder; what it refers to lies in the working one.
        home = Path.cwd() if root.path is None else _real(root.path.parent)
        self._root_folder = home if ref_root is None else _real(ref_root)
        self._home = home
        self._documents: dict[Path, Document | None] = {}
        if root.path is not None:
            self._documents[_real(root.path)] = root

    @property
    def documents(self) -> tuple[Document, ...]:
        """The other documents that could be read and the root, in the order they were reached."""
        return tuple(document for document in self._documents.values() if document is not None)

    def open(self, reference: str, base: Document, at: str) -> tuple[Document, str] | None:
        """Return the document that a `$ref` names and the pointer into it, which may lead nowhere.

        `at` is the pointer of the reference in `base`. None after reporting: SB111 (remote), SB112
        (no file), SB113 (outside the root folder), SB114 (syntax). The errors of a broken file are
        reported at its first reference.
        """
        location, _, fragment = reference.partition("#")
        if _SCHEME.match(location):
            self._refuse("SB111", f"the reference {reference!r} is remote", base, at)
            return None
        try:
            pointer, file = from_fragment(fragment), _path(location)
        except ValueError as error:
            self._refuse("SB114", f"the reference {reference!r} is malformed: {error}", base, at)
            return None
        if not file:
            return base, pointer
        document = self._document(file, base, at)
        return None if document is None else (document, pointer)

    def _document(self, file: str, base: Document, at: str) -> Document | None:
        folder = self._home if base.path is None else base.path.parent
        path = _real(folder / file)
        if not path.is_relative_to(self._root_folder):
            message = f"{file!r} lies outside the folder of the document"
            self._refuse("SB113", message, base, at)
            return None
        if path not in self._documents:
            name = os.path.normpath(Path(base.name).parent / file)
            self._documents[path] = load_document(
                path, name, self._diagnostics, used_at=base.origin(at)
            )
        return self._documents[path]

    def _refuse(self, code: str, message: str, base: Document, at: str) -> None:
        self._diagnostics.add(code, message, origin=base.origin(at))


def _path(location: str) -> str:
    """Return the path a relative URI holds; ValueError for one that no file system takes."""
    path = unquote(location, errors="strict")
    path.encode()
    if "\0" in path:
        raise ValueError("NUL in a path")
    return path


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))
