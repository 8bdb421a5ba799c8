"""What fuzzing starts from: the cases that the tests have, and what fuzzers found before.

`found/` holds, for each target, the inputs that once failed, under a name that says what was wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.targets import FRAMINGS, HEAD
from tests.support import CASES
from tests.test_stream_cases import CASES as STREAM_CASES
from tests.test_stream_cases import NAMES, read_bodies

FOUND = Path(__file__).parent / "found"
_PREFIXES = {"framing_" + name: index for index, name in enumerate(FRAMINGS)}


def found(target: str) -> dict[str, bytes]:
    """The inputs that once failed in a target, by name."""
    return {path.name: path.read_bytes() for path in sorted((FOUND / target).glob("*"))}


def seeds(target: str) -> Iterator[bytes]:
    """Inputs that a target takes well, and those that it once did not."""
    yield from found(target).values()
    match target:
        case "reader":
            for folder in (*CASES.iterdir(), *STREAM_CASES.iterdir()):
                if (folder / "spec.yaml").exists():
                    yield (folder / "spec.yaml").read_bytes()
        case "overlay":
            yield from (json.dumps(_overlay(path)).encode() for path in _RULES)
        case "framings":
            for prefix, index in _PREFIXES.items():
                for name in NAMES:
                    if name.startswith(prefix):
                        yield from (
                            bytes([index, 0, 80, 160]) + it.data for it in read_bodies(name)
                        )
        case "decoder":
            for path in sorted((CASES.parent / "recorded").glob("*.sse")):
                yield bytes(HEAD) + path.read_bytes()
            yield bytes(HEAD) + _CHAT


_RULES = ("$.paths..x-stream", "$.components.schemas.*", "$..properties[?@.type=='array']")
_CHUNK = {
    "id": "c",
    "object": "chat.completion.chunk",
    "created": 1,
    "model": "m",
    "choices": [
        {
            "index": 0,
            "delta": {
                "role": "assistant",
                "content": "a",
                "tool_calls": [{"index": 0, "id": "t", "type": "function", "function": {}}],
            },
            "finish_reason": None,
        }
    ],
}
_CHAT = b"data: %b\n\ndata: [DONE]\n\n" % json.dumps(_CHUNK).encode()


def _overlay(target: str) -> dict[str, object]:
    return {
        "overlay": "1.1.0",
        "info": {"title": "Seed", "version": "1"},
        "actions": [
            {"target": target, "update": {"description": "new"}},
            {"target": "$.paths", "copy": "$.components"},
            {"target": "$.info.title", "remove": True},
        ],
    }
