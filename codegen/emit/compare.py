"""What a folder on disk lacks of a package: the files that differ, and why.

Beside caches and hidden files, nothing but the package belongs in its folder. A file whose digest
is not that of the folder's own manifest was changed by hand; all else that differs is older than
what the package is made from now.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from enum import Enum
from pathlib import Path

from codegen.emit.manifest import MANIFEST, Manifest, parse_manifest, read_manifest
from codegen.emit.tree import read, walk


class Kind(Enum):
    MISSING = "missing"
    EDITED = "edited"
    OUTDATED = "outdated"
    EXTRA = "extra"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One file: what the folder holds and what it should; None where there is or should be none."""

    path: str
    kind: Kind
    old: bytes | None
    new: bytes | None


def compare_package(output: Path, files: Mapping[str, str]) -> tuple[Difference, ...]:
    """The files of a package that differ in its folder, and those there that are no part of it."""
    root = os.path.realpath(output)
    contents = {path: text.encode() for path, text in files.items()}
    manifest = read_manifest(root)
    listed = manifest.files if manifest else dict[str, object]()
    found: list[Difference] = []
    for path in sorted({*contents, *listed, *find_others(root, contents)}):
        old, new = read(os.path.join(root, path)), contents.get(path)
        if old != new:
            kind = _kind(path, old, new, listed)
            found.append(Difference(path=path, kind=kind, old=old, new=new))
    return tuple(found)


def find_others(root: str, ours: Mapping[str, object]) -> Iterator[str]:
    """Yield the files in a folder that are not ours, but for hidden ones."""
    if not os.path.isdir(root):
        return
    for path in walk(root):
        is_hidden = any(part.startswith(".") for part in path.split("/"))
        if path not in ours and not is_hidden and not path.endswith("/"):
            yield path


def format_diff(output: Path, differences: tuple[Difference, ...]) -> str:
    """Return a unified diff from the folder to the package, as `patch` takes it.

    Files of others are left out, and the manifest is where anything else differs.
    """
    shown = [it for it in differences if it.kind is not Kind.EXTRA and it.path != MANIFEST]
    return "".join(
        line
        for it in shown or differences
        if it.kind is not Kind.EXTRA
        for line in _format_file(str(output / it.path), it)
    )


def find_reasons(output: Path, manifest: str) -> tuple[str, ...]:
    """Say what a package is made from now and was not before, by the manifests of the two."""
    old, new = read_manifest(os.path.realpath(output)), parse_manifest(manifest)
    assert new is not None
    if old is None:
        return ("it was not generated yet",)
    was, now = old.section("spec"), new.section("spec")
    reasons = {
        f"the document changed ({_short(was)} before, {_short(now)} now)": "digest",
        "an overlay or profile changed": "overlays",
        "a file that the document refers to changed": "references",
    }
    found = [reason for reason, key in reasons.items() if was.get(key) != now.get(key)]
    if old.content["generator"] != new.content["generator"]:
        found.append(f"{new.content['generator']} runs, {old.content['generator']} made it")
    changed = _changed(old, new)
    if changed:
        found.append(f"options changed: {', '.join(changed)}")
    return tuple(found)


def _changed(old: Manifest, new: Manifest) -> list[str]:
    before, after = old.section("options"), new.section("options")
    return sorted(
        name for name in before.keys() | after.keys() if before.get(name) != after.get(name)
    )


def _short(spec: Mapping[str, object]) -> str:
    """The start of a digest, as people compare them."""
    return str(spec.get("digest")).removeprefix("sha256:")[:12]


def _kind(path: str, old: bytes | None, new: bytes | None, listed: Mapping[str, object]) -> Kind:
    if old is None:
        return Kind.MISSING if path in listed else Kind.OUTDATED
    if path == MANIFEST:
        return Kind.OUTDATED
    if path not in listed:
        return Kind.EXTRA if new is None else Kind.EDITED
    is_ours = hashlib.sha256(old).hexdigest() == listed[path]
    return Kind.OUTDATED if is_ours else Kind.EDITED


def _format_file(name: str, difference: Difference) -> Iterator[str]:
    old, new = (_lines(content) for content in (difference.old, difference.new))
    before = "/dev/null" if difference.old is None else f"a/{name}"
    after = "/dev/null" if difference.new is None else f"b/{name}"
    lines = list(unified_diff(old, new, before, after))
    # An empty file that comes or goes has no lines to differ.
    yield from lines or (f"--- {before}\n", f"+++ {after}\n")


def _lines(content: bytes | None) -> list[str]:
    """The lines of a file with their ends; the last one gets what `patch` calls for."""
    text = (content or b"").decode("utf-8", "replace")
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()
    return [*lines, f"{last}\\ No newline at end of file\n"] if last != "\n" else lines
