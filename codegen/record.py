"""What is known to be done, so that it need not be done again to find nothing changed.

A run leaves a record of its tool, its options and the manifest that came out, in the user's cache
folder. A later run whose tool, options and manifest are those of the record has nothing to do if
every input and every file still has the digest that the manifest states. Rules: anything that is
not surely the same means real work; a record that cannot be read or written costs time only.
"""

import hashlib
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from codegen import __version__
from codegen.digest import digest
from codegen.emit.manifest import MANIFEST, Manifest, parse_manifest
from codegen.emit.tree import read, walk
from codegen.templates import templates_folder

# Libraries that decide what comes out.
_LIBRARIES = ("jinja2", "jsonpath_rfc9535", "yaml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """What a package is made from; `options` is all else that decides, as JSON values."""

    spec: Path
    overlays: tuple[Path, ...]
    options: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What a run had to say, in numbers, and how many files there are."""

    warnings: int
    notes: int
    files: int


def find_record(output: Path, inputs: Inputs) -> Record | None:
    """Return the record of a run that there is nothing to add to; None where there is work."""
    root = os.path.realpath(output)
    content = read(os.path.join(root, MANIFEST))
    manifest = None if content is None else parse_manifest(content)
    if content is None or manifest is None:
        return None
    try:
        key, warnings, notes = _place(root).read_text("ascii").split()
        if key != _key(inputs, content):
            return None
        if not _is_made_from(manifest, inputs) or not _is_whole(root, manifest):
            return None
    except (OSError, ValueError, RuntimeError):
        return None
    return Record(warnings=int(warnings), notes=int(notes), files=len(manifest.files) + 1)


def write_record(output: Path, inputs: Inputs, manifest: str, warnings: int, notes: int) -> None:
    """Leave a record of a run that wrote this manifest, or found it written."""
    try:
        place = _place(os.path.realpath(output))
        place.parent.mkdir(parents=True, exist_ok=True)
        temporary = place.with_suffix(f".{os.getpid()}")
        temporary.write_text(f"{_key(inputs, manifest.encode())} {warnings} {notes}\n", "ascii")
        temporary.replace(place)
    # No home, or nowhere to write there.
    except (OSError, RuntimeError):
        pass


def _place(root: str) -> Path:
    folder = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    cache = Path(folder) if folder else Path.home() / ".cache"
    return cache / "streambind" / f"{_digest(os.fsencode(root))[:32]}"


def _key(inputs: Inputs, manifest: bytes) -> str:
    parts = [_tool(), json.dumps(dict(inputs.options), default=str), _digest(manifest)]
    return _digest("\0".join(parts).encode())


def _tool() -> str:
    """Fingerprint what runs: its own files, the libraries that matter, and Python."""
    state = hashlib.sha256(f"{__version__}\0{sys.version}".encode())
    for folder in (Path(__file__).parent, templates_folder()):
        for path in walk(str(folder)):
            content = read(os.path.join(folder, path))
            state.update(f"\0{path}\0{len(content or b'')}\0".encode())
            state.update(content or b"")
    for name in _LIBRARIES:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            stat = os.stat(spec.origin)
            state.update(f"\0{spec.origin}\0{stat.st_mtime_ns}\0{stat.st_size}".encode())
    return state.hexdigest()


def _is_made_from(manifest: Manifest, inputs: Inputs) -> bool:
    """Whether every file that was read has the digest it had then."""
    spec = manifest.section("spec")
    references = manifest.references
    stated: list[object] = [spec.get("digest"), spec.get("overlays"), *references.values()]
    beside = (inputs.spec.parent / name for name in references)
    overlays = [digest(path.read_bytes()) for path in inputs.overlays]
    others = (digest(path.read_bytes()) for path in beside)
    now = [digest(inputs.spec.read_bytes()), overlays, *others]
    return stated == now


def _is_whole(root: str, manifest: Manifest) -> bool:
    """Whether the folder holds what the manifest lists and nothing else."""
    there = {path for path in walk(root) if not _is_passed_over(path)}
    return there == {*manifest.files, MANIFEST} and all(
        _digest(read(os.path.join(root, path)) or b"") == digest
        for path, digest in manifest.files.items()
    )


def _is_passed_over(path: str) -> bool:
    return path.endswith("/") or path.startswith(".") or "/." in path


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
