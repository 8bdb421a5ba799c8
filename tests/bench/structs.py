"""A chunk as msgspec would have it, written by hand: as few checks as types can ask for."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.json import Decoder


class Function(Struct):
    name: str | None = None
    arguments: str | None = None


class ToolCall(Struct):
    index: int
    id: str | None = None
    type: str | None = None
    function: Function | None = None


class Delta(Struct):
    content: str | None = None
    role: str | None = None
    refusal: str | None = None
    tool_calls: list[ToolCall] | None = None


class Choice(Struct):
    index: int
    delta: Delta
    finish_reason: str | None
    logprobs: Any = None


class Usage(Struct):
    completion_tokens: int
    prompt_tokens: int
    total_tokens: int


class Chunk(Struct):
    id: str
    object: str
    created: int
    model: str
    choices: list[Choice]
    service_tier: str | None = None
    system_fingerprint: str | None = None
    usage: Usage | None = None


decode = Decoder(Chunk).decode
