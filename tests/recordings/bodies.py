"""The table of recorded bodies, and what their bytes hold by the plainest reading.

In: `bodies.yaml` and a folder of recordings. Out: one `Recording` for each line of the table. The
payloads are found by line, with nothing of ours, so that they can judge what a stream delivers. An
API that the corpus has no document of has one in `documents/`, with no more than its stream needs.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import Any

import pytest
import yaml

HERE = Path(__file__).parent
CORPUS = HERE.parent.parent.parent / "shared/corpus"
needs_corpus = pytest.mark.corpus
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
    skip: tuple[str, ...] = ()
    whole: str | None = None
    envelopes: bool = False
    texts: bool = False

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
        """The JSON of each event that is not passed over; each is on one line, or all the body
        is JSON, in an array or not.
        """
        return [it for it in self._payloads() if it.get("type") not in self.skip]

    def _payloads(self) -> list[Any]:
        if self.file.endswith((".json", ".txt")):
            whole = json.loads(self.body())
            return whole if isinstance(whole, list) else [whole]
        if self.texts:
            return [*filter(None, map(read_event, self.body().decode().split("\n\n")))]
        lines = self.body().splitlines()
        if self.file.endswith(".jsonl") and not self.file.endswith("-payloads.jsonl"):
            return [json.loads(line) for line in lines if line]
        data = [line[5:].strip() for line in lines if line.startswith(b"data:")]
        payloads = [json.loads(text) for text in data if text != b"[DONE]"]
        # A server that fails may send plain JSON after its events.
        if plain := [*dropwhile(lambda line: not line.startswith(b"{"), lines)]:
            payloads.append(json.loads(b"\n".join(plain)))
        if not self.envelopes:
            return payloads
        names = [line[6:].strip().decode() for line in lines if line.startswith(b"event:")]
        return [{"event": name, "data": it} for name, it in zip(names, payloads, strict=False)]

    @property
    def is_expected(self) -> bool:
        """Whether it is known what the events amount to."""
        return self.whole is not None or self._written.exists()

    def expected(self) -> dict[str, Any] | None:
        """The snapshot after the last event, `kept`: where it has undeclared members, `result`."""
        if self.whole is not None:
            return {
                "snapshot": [it[self.whole] for it in self.before_error() if self.whole in it][-1]
            }
        if not self._written.exists():
            return None
        content: dict[str, Any] = yaml.safe_load(self._written.read_text("utf-8"))
        return content

    def before_error(self) -> list[Any]:
        """The JSON of each event that is read: nothing is after an error."""
        return [*takewhile(lambda payload: "error" not in payload, self.payloads())]

    @property
    def _written(self) -> Path:
        return HERE / "expected" / f"{self.file}.yaml"


def read_event(block: str) -> dict[str, str]:
    """An event whose data is text: the fields of its lines, those of one name joined."""
    event: dict[str, str] = {}
    for line in block.splitlines():
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name:
            event[name] = f"{event[name]}\n{value}" if name in event else value
    return event


def read_table() -> Iterator[Recording]:
    for group in TABLE["bodies"]:
        for file, outcome in group["files"].items():
            missing = tuple(outcome.get("missing", ()))
            reader = {key: value for key, value in group.items() if key != "files"}
            reader["skip"] = tuple(group.get("skip", ()))
            yield Recording(file=file, **reader, **{**outcome, "missing": missing})


RECORDINGS = tuple(read_table())
