"""What is read: chunks of a chat as servers send them, mostly the same members every time."""

from __future__ import annotations

import json
from typing import Any

KIB = 1024
WORDS = ("a", " stream", " of", " words", " that", " comes", " slowly,", " uninterruptedly")
ARGUMENTS = ('{"at"', ":[", "60.1", "75,", "24.", "9354", "]", ',"unit":"c"}')
DONE = b"[DONE]"


def chunk(finish_reason: str | None = None, /, **delta: Any) -> bytes:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
    members = {
        "id": "chatcmpl-0123456789abcdefghijklmnopqrs",
        "object": "chat.completion.chunk",
        "created": 1694268190,
        "model": "gpt-4o-audio-preview-2024-12-17",
        "service_tier": "default",
        "system_fingerprint": "fp_44709d6fcb",
        "choices": [choice],
        "usage": None,
    }
    return json.dumps(members, separators=(",", ":")).encode()


def texts(count: int) -> list[bytes]:
    """Words, and a chunk that says why there are no more."""
    words = (WORDS[number % len(WORDS)] for number in range(count - 1))
    return [*(chunk(content=word) for word in words), chunk("stop")]


def calls(count: int) -> list[bytes]:
    """One tool call; its first piece names it."""
    named = {
        "index": 0,
        "id": "call_1",
        "type": "function",
        "function": {"name": "find", "arguments": ""},
    }
    pieces: list[dict[str, Any]] = [
        {"index": 0, "function": {"arguments": ARGUMENTS[number % len(ARGUMENTS)]}}
        for number in range(count - 2)
    ]
    return [*(chunk(tool_calls=[piece]) for piece in (named, *pieces)), chunk("tool_calls")]


def frame(data: bytes) -> bytes:
    return b"data: " + data + b"\n\n"


def cut(body: bytes, size: int) -> list[bytes]:
    return [body[start : start + size] for start in range(0, len(body), size)]
