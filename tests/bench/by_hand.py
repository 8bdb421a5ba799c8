"""The least that anybody could write: chunks without framing, checks, or anything kept of what is
not declared; a model of one member; modules of one class. What it costs is no promise, but less is
not to be had.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MODEL = "from pydantic import BaseModel\nclass Chunk(BaseModel):\n    id: str"


@dataclass(slots=True)
class Delta:
    content: str | None = None
    role: str | None = None
    refusal: str | None = None
    tool_calls: list[Any] | None = None


@dataclass(slots=True)
class Choice:
    index: int
    delta: Delta
    finish_reason: str | None
    logprobs: Any


@dataclass(slots=True)
class Chunk:
    id: str
    object: str
    created: int
    model: str
    choices: list[Choice]
    service_tier: str | None
    system_fingerprint: str | None
    usage: Any


def decode(loads: Callable[[bytes], Any], piece: bytes) -> Chunk:
    """Take a read for one event of one line."""
    json = loads(piece[6:-2])
    return Chunk(
        json["id"],
        json["object"],
        json["created"],
        json["model"],
        [
            Choice(it["index"], Delta(**it["delta"]), it["finish_reason"], it["logprobs"])
            for it in json["choices"]
        ],
        json["service_tier"],
        json["system_fingerprint"],
        json["usage"],
    )


def write_modules(folder: Path, count: int) -> None:
    """A package of so many modules, each of one class."""
    folder.mkdir()
    (folder / "__init__.py").touch()
    for number in range(count):
        (folder / f"module_{number}.py").write_text(f"class Model{number}: ...\n", "utf-8")
