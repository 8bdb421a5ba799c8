"""The manifest of a package, as it lies in the folder: hostile input, read for what it lists and
believed in nothing.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from codegen.emit.tree import read

MANIFEST = "manifest.json"


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
