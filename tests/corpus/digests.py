"""`python -m tests.corpus.digests`: a fingerprint of the package of every document, to compare what
other versions of Python make.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.corpus.documents import REFUSED, find_documents, generate


def digest(spec: Path) -> str:
    """Of the manifest, which has a digest of every other file."""
    with tempfile.TemporaryDirectory() as folder:
        done = generate(spec, Path(folder, "made"), "--quiet")
        assert done.returncode == 0, done.stderr
        manifest = Path(folder, "made/manifest.json").read_bytes()
    return hashlib.sha256(manifest).hexdigest()


def digests() -> Iterator[tuple[str, str]]:
    """Each document by its name; two at a time, as the work is done in processes of their own."""
    specs = [spec for spec in find_documents() if spec.name not in REFUSED]
    with ThreadPoolExecutor(2) as pool:
        yield from zip((spec.name for spec in specs), pool.map(digest, specs), strict=True)


if __name__ == "__main__":
    for name, found in digests():
        print(name, found)
