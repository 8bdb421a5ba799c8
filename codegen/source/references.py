"""What a `$ref` names: a place in the same document, in another local file, or in whatever has that
URI.

A reference is resolved against the URI of the resource it stands in (RFC 3986, section 5). A
document at hand that calls itself by that URI is what it names; else it names a file. A file's path
is relative to the file that holds the reference and, after symlinks resolve, must lie in one root
folder: a document may come from anywhere and must not read what is beside it on the disk. Nothing
is fetched. Each file is read once, and reported on once.
"""

import os
import re
from pathlib import Path
from urllib.parse import unquote, urljoin

from codegen.diagnostics import Diagnostics, Origin
from codegen.source.document import Document, try_document
from codegen.source.pointer import from_fragment, lookup
from codegen.source.resources import Resource, find_resources, resource_at
from codegen.source.values import Json

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")


class Library:
    """The documents reached from one root document. Overlays apply to the root alone."""

    def __init__(
        self, root: Document, diagnostics: Diagnostics, ref_root: Path | None = None
    ) -> None:
        self._diagnostics = diagnostics
        diagnostics.trace(root.name, root.origin)
        # Standard input has no folder; what it refers to lies in the working one.
        home = Path.cwd() if root.path is None else _real(root.path.parent)
        self._root_folder = home if ref_root is None else _real(ref_root)
        self._home = home
        self._folder = os.path.dirname(root.name)
        self._documents: dict[Path, Document | None] = {}
        self._resources: dict[str, dict[str, Resource]] = {}
        self._by_uri: dict[str, Resource] = {}
        self._add(root)
        self._references: dict[str, str] = {}
        if root.path is not None:
            self._documents[_real(root.path)] = root

    @property
    def documents(self) -> tuple[Document, ...]:
        """The other documents that could be read and the root, in the order they were reached."""
        return tuple(document for document in self._documents.values() if document is not None)

    @property
    def references(self) -> tuple[tuple[str, str], ...]:
        """The other files that were read: paths as seen from the root's folder, and digests."""
        return tuple(sorted(self._references.items()))

    def open(self, reference: str, base: Document, at: str) -> tuple[Document, str] | None:
        """Return the document that a `$ref` names and the pointer into it, which may lead nowhere.

        `at` is the pointer of the reference in `base`. None after reporting: SB111 (remote), SB112
        (no file), SB113 (outside the root folder), SB114 (syntax), SB201 (no such anchor). The
        errors of a broken file are reported at its first reference.
        """
        location, _, fragment = reference.partition("#")
        try:
            point = from_fragment(fragment)
            place = self._locate(location, base, at) if location else None
        except ValueError as error:
            self._report("SB114", f"the reference {reference!r} is malformed: {error}", base, at)
            return None
        resource = self._find(location, *place, base, at) if place else self.resource(base, at)
        if resource is None:
            return None
        if point == "#" or point.startswith("#/"):
            return resource.document, self._point(resource, point, base, at)
        if point[1:] not in resource.anchors:
            self._report("SB201", f"no anchor is called {point[1:]!r} there", base, at)
            return None
        return resource.document, resource.anchors[point[1:]]

    def is_here(self, reference: str, base: Document, at: str) -> bool:
        """Whether a `$ref` names a document at hand, or a file that exists, or is malformed."""
        location, _, _ = reference.partition("#")
        try:
            uri = urljoin(self.resource(base, at).uri, location)
            file = self._file(uri, location, _path(location), base)
        except ValueError:
            return True
        return uri in self._by_uri or (file is not None and file.exists())

    def resource(self, document: Document, pointer: str) -> Resource:
        """Return the resource that holds a value of one of the documents."""
        return resource_at(pointer, self._resources[document.name])

    def named(self, uri: str) -> Resource:
        """Return the resource with a URI; KeyError if none of the documents has it."""
        return self._by_uri[uri]

    def _locate(self, location: str, base: Document, at: str) -> tuple[str, Path | None, str]:
        """Return the URI that a reference names, the file, if it is not remote, and the path.

        Raises ValueError where it is malformed.
        """
        path = _path(location)
        uri = urljoin(self.resource(base, at).uri, location)
        return uri, self._file(uri, location, path, base), path

    def _find(
        self, location: str, uri: str, file: Path | None, path: str, base: Document, at: str
    ) -> Resource | None:
        """Return the resource that a reference names: by its URI, else by its file."""
        if uri in self._by_uri:
            return self._by_uri[uri]
        if file is None:
            self._report("SB111", f"the reference {location!r} is remote", base, at)
            return None
        document = self._document(self._folder_of(base), file, path, base, at)
        if document is None:
            return None
        # Now that it is read, it may say what it is called.
        return self._by_uri.get(uri, self.resource(document, "#"))

    def _file(self, uri: str, location: str, path: str, base: Document) -> Path | None:
        """Return the file that a reference names; None for a remote one.

        Raises ValueError where no file system takes what the URI says.
        """
        if (file := self._file_beside(uri)) is not None or _SCHEME.match(location):
            return file
        return Path(_path(uri[7:])) if uri.startswith("file://") else self._folder_of(base) / path

    def _folder_of(self, document: Document) -> Path:
        return self._home if document.path is None else document.path.parent

    def _file_beside(self, uri: str) -> Path | None:
        """Return where a document lies that is to another one as their URIs are to each other."""
        for resources in self._resources.values():
            root = resources["#"]
            folder = root.uri.rpartition("/")[0] + "/"
            if root.document.path is not None and not folder.startswith("file:"):
                path = root.document.path.parent / unquote(uri.removeprefix(folder))
                if uri.startswith(folder) and os.path.exists(path):
                    return path
        return None

    def _point(self, resource: Resource, pointer: str, base: Document, at: str) -> str:
        """Return the pointer into a resource, or into its document where people mean that."""
        inside = resource.pointer + pointer[1:]
        data = resource.document.data
        if resource.pointer == "#" or _leads(data, inside) or not _leads(data, pointer):
            return inside
        message = f"the `$id` at {resource.pointer} makes this a pointer into that schema"
        self._report("SB209", message, base, at)
        return pointer

    def _document(
        self, folder: Path, file: Path, named: str, base: Document, at: str
    ) -> Document | None:
        path = _real(file)
        if not path.is_relative_to(self._root_folder):
            message = f"{named!r} lies outside the folder of the document"
            self._report("SB113", message, base, at)
            return None
        name = os.path.normpath(Path(base.name).parent / os.path.relpath(file, folder))
        if path not in self._documents:
            document = try_document(path, name, self._diagnostics, used_at=_place(base, at))
            self._documents[path] = document
            if document is not None:
                self._add(document)
        document = self._documents[path]
        if document is not None:
            # By every name that it goes by: each may lead to another file one day.
            self._references[_relative(name, self._folder)] = document.digest
        return document

    def _add(self, document: Document) -> None:
        found = find_resources(document)
        self._resources[document.name] = found
        for resource in found.values():
            self._by_uri.setdefault(resource.uri, resource)

    def _report(self, code: str, message: str, base: Document, at: str) -> None:
        self._diagnostics.add(code, message, origin=_place(base, at))


def _place(document: Document, pointer: str) -> Origin:
    return Origin(document=document.name, pointer=pointer)


def _path(location: str) -> str:
    """Return the path a relative URI holds; ValueError for one that no file system takes."""
    path = unquote(location, errors="strict")
    path.encode()
    if "\0" in path:
        raise ValueError("NUL in a path")
    return path


def _leads(data: Json, pointer: str) -> bool:
    try:
        lookup(data, pointer)
    except LookupError:
        return False
    return True


def _relative(name: str, folder: str) -> str:
    return Path(os.path.relpath(name, folder or ".")).as_posix()


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))
