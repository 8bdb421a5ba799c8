"""`manifest.json`: what a package was made from, and what it holds.

`spec` with the digests of all that was read, `generator`, `options`, `files` with their SHA-256,
`schemas` and `streams` under their Python names. The same input gives the same bytes: no time, no
place on a disk.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

import codegen
from codegen.backends.naming import Naming
from codegen.ir.api import Api, Stream
from codegen.ir.schemas import schema_names
from codegen.ir.types import Ref


def build_manifest(
    api: Api, naming: Naming, options: Mapping[str, object], files: Mapping[str, str]
) -> str:
    """The manifest of a package with these files, as JSON text."""
    content = {
        "spec": {
            "title": api.title,
            "version": api.version,
            "digest": api.digest,
            "overlays": list(api.overlays),
            "references": dict(api.references),
        },
        "generator": f"streambind {codegen.__version__}",
        "options": {"types": dict(api.types), **options},
        "schemas": {name: naming.classes[id_] for id_, name in schema_names(api).items()},
        "streams": {name: _stream(stream, naming) for name, stream in naming.streams.items()},
        "files": {path: _digest(text) for path, text in sorted(files.items())},
    }
    return json.dumps(content, indent=2, ensure_ascii=True) + "\n"


def _stream(stream: Stream, naming: Naming) -> dict[str, object]:
    assert isinstance(stream.event, Ref)
    return {
        "operation": stream.operation.id,
        "media_type": stream.media_type,
        "framing": stream.framing.value,
        "event": naming.classes[stream.event.target],
        "result": _result(stream, naming),
    }


def _result(stream: Stream, naming: Naming) -> str | None:
    if stream.fold is None:
        return None
    declared = stream.result.target if isinstance(stream.result, Ref) else stream.fold.record
    return naming.classes[declared]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
