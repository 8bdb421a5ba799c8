"""Documents as they were: at a revision of git, or when a vendored package was made.

git is asked, and nothing else; what it gives is laid out in a temporary folder, with the files
beside the document, so that its references lead somewhere. Documents keep the names of before:
`HEAD:spec/openapi.yaml`.
"""

import os
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from codegen.diagnostics import Diagnostics, Refused
from codegen.digest import digest
from codegen.emit.manifest import MANIFEST, read_manifest

_SUFFIXES = (".json", ".yaml", ".yml", ".md")


@dataclass(frozen=True, slots=True)
class Version:
    """A document to be read: where it lies, what it is called, and, of one that a package was made
    from, the options that the manifest states.
    """

    spec: str
    name: str
    options: Mapping[str, object] | None = None


@contextmanager
def open_version(spec: str, newer: Path, diagnostics: Diagnostics) -> Generator[Version]:
    """Hand out a document: a file, `REVISION:PATH`, or the folder of a vendored package.

    What a package was made from is looked for in the history of `newer`. Raises `Refused` after
    reporting SB631 (git does not have it).
    """
    with _refusing(spec, diagnostics):
        if (found := read_manifest(spec.removesuffix(MANIFEST) or ".")) is not None:
            stated = str(found.section("spec").get("digest"))
            with _open_made_from(spec, stated, newer) as version:
                yield replace(version, options=found.section("options"))
        elif ":" in spec and not os.path.exists(spec):
            revision, _, path = spec.partition(":")
            with _open_revision(Path.cwd(), revision, path, spec) as version:
                yield version
        else:
            yield Version(spec, spec)


class _Missing(Exception):
    """git does not have what was asked for."""


@contextmanager
def _refusing(spec: str, diagnostics: Diagnostics) -> Generator[None]:
    try:
        yield
    except _Missing as error:
        diagnostics.add("SB631", str(error), document=spec)
        raise Refused(diagnostics) from None


@contextmanager
def _open_made_from(package: str, stated: str, newer: Path) -> Generator[Version]:
    if newer.is_file() and digest(newer.read_bytes()) == stated:
        yield Version(str(newer), str(newer))
        return
    folder = newer.resolve().parent
    for revision, path in _history(folder, newer.name):
        if digest(_git(folder, "cat-file", "blob", f"{revision}:{path}")) == stated:
            with _open_revision(folder, revision, path, f"{revision[:10]}:{path}") as version:
                yield version
            return
    raise _Missing(f"the document that {package!r} was made from is not in the history of {newer}")


def _history(folder: Path, name: str) -> Iterator[tuple[str, str]]:
    """Yield the revisions that changed a file, the newest first, with its path then."""
    log = _git(folder, "log", "--follow", "--format=%x00%H", "--name-only", "--", name)
    for entry in log.decode("utf-8", "replace").split("\0")[1:]:
        revision, _, path = entry.partition("\n")
        yield revision.strip(), path.strip()


@contextmanager
def _open_revision(folder: Path, revision: str, path: str, name: str) -> Generator[Version]:
    import tarfile
    from io import BytesIO
    from tempfile import TemporaryDirectory

    if revision.startswith("-"):
        raise _Missing(f"{revision!r} is no revision")
    root = Path(os.fsdecode(_git(folder, "rev-parse", "--show-toplevel")).rstrip("\n"))
    beside = str(PurePosixPath(path).parent)
    listed = _git(root, "ls-tree", "-r", "-z", "--name-only", revision, "--", beside)
    files = [it for it in os.fsdecode(listed).split("\0") if it.endswith(_SUFFIXES) or it == path]
    if path not in files:
        raise _Missing(f"there is no file {path!r} at {revision!r}")
    archive = _git(root, "archive", "--format=tar", revision, "--", *files)
    with TemporaryDirectory(prefix="streambind-") as temporary:
        with tarfile.open(fileobj=BytesIO(archive)) as tar:
            tar.extractall(temporary, filter="data")
        yield Version(str(Path(temporary, path)), name)


def _git(folder: Path, *args: str) -> bytes:
    import subprocess

    try:
        done = subprocess.run(("git", *args), cwd=folder, capture_output=True, check=False)
    except OSError as error:
        raise _Missing(f"git cannot be run: {error.strerror}") from None
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["git failed"]
        raise _Missing(said[0])
    return done.stdout
