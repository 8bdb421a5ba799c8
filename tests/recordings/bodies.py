"""The table of recorded bodies, and what their bytes hold by the plainest reading.

In: `bodies.yaml` and a folder of recordings. Out: one `Recording` for each line of the table. The
payloads are found by line, with nothing of ours, so that they can judge what a stream delivers. An
API that the corpus has no document of has one in `documents/`, with no more than its stream needs.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

HERE = Path(__file__).parent
CORPUS = HERE.parent.parent.parent / "shared/corpus"
needs_corpus = pytest.mark.skipif(not CORPUS.exists(), reason="no corpus beside the checkout")
TABLE: dict[str, Any] = yaml.safe_load((HERE / "bodies.yaml").read_text("utf-8"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A body, the package that reads it, and what has to come out."""

    file: str
    document: str
    profile: str = ""
    overlay: str = ""
    stream: str
    outcome: str
    events: int
    invalid: int = 0
    missing: tuple[str, ...] = ()
    accumulates: bool = True

    def __str__(self) -> str:
        return self.file

    def body(self) -> bytes:
        """The bytes on the wire; where the recorder dropped the framing, the plainest one."""
        content = (CORPUS / "streams" / self.file).read_bytes()
        if not self.file.endswith("-payloads.jsonl"):
            return content
        return b"".join(b"data: %s\n\n" % line for line in content.splitlines())

    def spec(self) -> Path:
        """The document: of the corpus, or one of ours where the corpus has none."""
        ours = HERE / "documents" / self.document
        return ours if ours.exists() else CORPUS / "specs" / self.document

    def payloads(self) -> list[Any]:
        """The JSON of each event, which is on one line; or the whole body is JSON, in an array or
        not.
        """
        if self.file.endswith((".json", ".txt")):
            whole = json.loads(self.body())
            return whole if isinstance(whole, list) else [whole]
        lines = self.body().splitlines()
        if self.file.endswith(".jsonl") and not self.file.endswith("-payloads.jsonl"):
            return [json.loads(line) for line in lines if line]
        data = [line[5:].strip() for line in lines if line.startswith(b"data:")]
        return [json.loads(text) for text in data if text != b"[DONE]"]

    def expected(self) -> dict[str, Any] | None:
        """The snapshot after the last event, and `kept`: where it has undeclared members."""
        path = HERE / "expected" / f"{self.file}.yaml"
        if not path.exists():
            return None
        content: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
        return content


def read_table() -> Iterator[Recording]:
    for group in TABLE["bodies"]:
        for file, outcome in group["files"].items():
            missing = tuple(outcome.get("missing", ()))
            reader = {key: value for key, value in group.items() if key != "files"}
            yield Recording(file=file, **reader, **{**outcome, "missing": missing})


RECORDINGS = tuple(read_table())
