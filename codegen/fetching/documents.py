"""A document and the files that it refers to: fetched, laid out in a folder, and read.

References are followed as `generate` follows them later: those to files in the folder of the
document, or below, at the same origin. What lies elsewhere, and what does not come, is told and
left out: an overlay may yet replace it. A root that cannot be read as OpenAPI is an error.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote, urljoin

from codegen.diagnostics import Diagnostics, Refused
from codegen.emit.tree import is_plain
from codegen.fetching.https import MAX_BYTES, Undelivered, download
from codegen.fetching.url import file_name, find_fault, redact
from codegen.openapi.api import find_root
from codegen.openapi.resolver import Resolver
from codegen.openapi.union import is_reference
from codegen.source.document import Document, try_document
from codegen.source.pointer import join
from codegen.source.references import Library
from codegen.source.resources import Resource, find_objects, find_resources, resource_at
from codegen.source.text import with_suffix

MAX_FILES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """The name of the document's file, and the contents of all files by their paths."""

    file: str
    contents: dict[str, bytes]


def fetch(
    url: str,
    file: str | None,
    folder: Path,
    diagnostics: Diagnostics,
) -> Fetched:
    """Fetch a document into an empty folder; `file` is its path there, chosen where it is None.

    Raises `Refused` after reporting SB131 (a URL that is not fetched), SB132 (nothing comes), SB102
    to SB107 (it is no document) or SB200 (of another kind); SB135 tells what it refers to and has
    not come.
    """
    if (fault := find_fault(url)) is not None:
        diagnostics.add("SB131", fault, document=redact(url))
        raise Refused(diagnostics)
    try:
        came = download(url)
    except Undelivered as error:
        diagnostics.add("SB132", str(error), document=redact(url), help=error.help)
        raise Refused(diagnostics) from None
    file = file or with_suffix(file_name(url), came.content.decode("utf-8-sig", "replace"))
    fetching = _Fetching(came.url, folder, diagnostics)
    root = fetching.add(file, came.content, diagnostics)
    diagnostics.check()
    assert root is not None
    fetching.follow()
    find_root(root, Resolver(Library(root, diagnostics), diagnostics))
    return Fetched(file=file, contents=fetching.contents)


class _Fetching:
    """The files so far, and the documents whose references are still to be followed."""

    def __init__(self, url: str, folder: Path, diagnostics: Diagnostics) -> None:
        self._url = url
        self._folder = folder
        self._diagnostics = diagnostics
        self._pending: list[Document] = []
        self._uris: set[str] = set()
        self._asked: set[str] = set()
        self.contents: dict[str, bytes] = {}

    def add(self, file: str, content: bytes, diagnostics: Diagnostics) -> Document | None:
        """Lay out a file and read it; None after reporting what is wrong with it."""
        path = self._folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        # What came is not in the project yet: it is known by where it came from.
        name = redact(urljoin(self._url, quote(file)) if self.contents else self._url)
        document = try_document(path, name, diagnostics)
        if document is not None:
            self.contents[file] = content
            self._uris |= {it.uri for it in find_resources(document).values()}
            self._pending.append(document)
        return document

    def follow(self) -> None:
        """Fetch what documents refer to, until there is no more."""
        while self._pending:
            document = self._pending.pop()
            resources = find_resources(document)
            for pointer, reference in _references(document):
                location = reference.partition("#")[0]
                if location and not self._is_at_hand(location, resource_at(pointer, resources)):
                    self._follow(document, pointer, location)

    def _is_at_hand(self, location: str, holder: Resource) -> bool:
        try:
            return urljoin(holder.uri, location) in self._uris
        except ValueError:
            return False

    def _follow(self, document: Document, pointer: str, location: str) -> None:
        if (file := self._file(document, location)) is None:
            self._tell(f"{location!r} is no file beside the document", document, pointer)
        elif file not in self._asked:
            self._asked.add(file)
            try:
                self._fetch(file)
            except Undelivered as error:
                self._tell(f"{file!r} has not come: {error}", document, pointer)

    def _file(self, document: Document, location: str) -> str | None:
        """The path of the file that a reference names; None if it leads elsewhere."""
        assert document.path is not None
        base = document.path.relative_to(self._folder).as_posix()
        path = posixpath.normpath(posixpath.join(posixpath.dirname(base), unquote(location)))
        is_elsewhere = location.startswith("/") or "?" in location or "://" in location
        return path if not is_elsewhere and is_plain(path) else None

    def _fetch(self, file: str) -> None:
        room = MAX_BYTES - sum(map(len, self.contents.values()))
        if len(self._asked) > MAX_FILES:
            raise Undelivered(f"it would be one of more than {MAX_FILES:,} files")
        content = download(urljoin(self._url, quote(file))).content
        if len(content) > room:
            raise Undelivered(f"all files together would be larger than {MAX_BYTES:,} bytes")
        found = Diagnostics()
        if self.add(file, content, found) is None:
            raise Undelivered(f"it is no document: {found.errors[0].message}")

    def _tell(self, message: str, document: Document, pointer: str) -> None:
        self._diagnostics.add("SB135", message, origin=document.origin(pointer))


def _references(document: Document) -> Iterator[tuple[str, str]]:
    """The references of a document and their pointers, those of discriminators among them."""
    for pointer, holder in find_objects(document.data, ("$ref", "discriminator")):
        if isinstance(reference := holder.get("$ref"), str):
            yield join(pointer, "$ref"), reference
        discriminator = holder.get("discriminator")
        mapping = discriminator.get("mapping") if isinstance(discriminator, dict) else None
        for value, meant in mapping.items() if isinstance(mapping, dict) else ():
            if isinstance(meant, str) and is_reference(meant):
                yield join(pointer, "discriminator", "mapping", value), meant
