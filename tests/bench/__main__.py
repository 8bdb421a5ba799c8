"""What streams cost, as one table: `make bench` prints it. Nothing fails for being slow.

All that is measured takes turns, round after round, and the best round of each counts: what else
the machine does disturbs all alike. So compare the ratios of one run, not the times of two.
"""

import importlib
import json
import os
import platform
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import chain
from time import process_time
from timeit import timeit
from typing import Any, NamedTuple
from unittest.mock import patch

import httpx

from generated import dataclasses, pydantic, typeddicts
from generated._runtime.accumulator import Accumulator
from generated._runtime.jsontext import parse
from generated._runtime.sse import ServerSentEventDecoder

ROUNDS = 15
CHUNKS = 1_000
GROWTH = (250, 1_000, 4_000, 16_000)
LARGE = (256, 1_024, 4_096)
KIB = 1024
FLOOR = "json.loads of its bytes"

WORDS = ["a", " stream", " of", " words", " that", " comes", " slowly,", " uninterruptedly"]
ARGUMENTS = ['{"at"', ":[", "60.1", "75,", "24.", "9354", "]", ',"unit":"c"}']

# The module of a variant's stream class: what is measured alone are the very functions it calls.
MODULE = "streams.create_chat_completion_stream"
PLAIN, DICTS, MODELS = (
    importlib.import_module(f"{variant.__name__}.{MODULE}")
    for variant in (dataclasses, typeddicts, pydantic)
)
VARIANTS = {
    "dataclasses": (PLAIN, PLAIN.CreateChatCompletionStreamResponse.__decode__),
    "typeddicts": (DICTS, DICTS.decode_create_chat_completion_stream_response),
    "pydantic": (MODELS, partial(MODELS.decode, MODELS.CreateChatCompletionStreamResponse)),
}


class Measured(NamedTuple):
    """What `run` does so many times."""

    label: str
    run: Callable[[], object]
    times: int = CHUNKS


# What is read


def chunk(**delta: Any) -> bytes:
    """The JSON of a chunk as servers send it: the most of it is the same every time."""
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}
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
    return [chunk(content=WORDS[number % len(WORDS)]) for number in range(count)]


def calls(count: int) -> list[bytes]:
    """One tool call; its first piece names it."""

    def pieces() -> Iterator[dict[str, Any]]:
        function = {"name": "find", "arguments": ""}
        yield {"index": 0, "id": "call_1", "type": "function", "function": function}
        for number in range(count - 1):
            yield {"index": 0, "function": {"arguments": ARGUMENTS[number % len(ARGUMENTS)]}}

    return [chunk(tool_calls=[piece]) for piece in pieces()]


def frame(data: bytes) -> bytes:
    return b"data: " + data + b"\n\n"


def cut(body: bytes, size: int) -> list[bytes]:
    return [body[start : start + size] for start in range(0, len(body), size)]


# What reads it


def each(function: Callable[[Any], object], values: Iterable[Any]) -> None:
    for value in values:
        function(value)


def framing(pieces: list[bytes]) -> None:
    each(ServerSentEventDecoder().feed, pieces)


def read(module: Any, pieces: list[bytes]) -> Any:
    """Feed a stream that accumulates; give it."""
    stream = module.CreateChatCompletionStream()
    each(stream.feed, pieces)
    return stream


def read_only(module: Any, pieces: list[bytes]) -> None:
    """The same without accumulation, which the class itself always does."""
    with patch.object(module, "_fold", lambda held, chunk: None):
        read(module, pieces)


def fold(chunks: list[Any]) -> None:
    each(partial(PLAIN._fold, Accumulator()), chunks)


def one_chunk() -> Iterator[Measured]:
    raw = texts(CHUNKS)
    pieces = [*map(frame, raw)]
    blocks = cut(b"".join(pieces), 64 * KIB)
    lines = [data.decode() for data in raw]
    parsed = [*map(parse, lines)]
    yield Measured(FLOOR, partial(each, json.loads, raw))
    yield Measured("framing", partial(framing, pieces))
    yield Measured("framing, in reads of 64 KiB", partial(framing, blocks))
    yield Measured("parse", partial(each, parse, lines))
    yield Measured("accumulate", partial(fold, parsed))
    for name, (module, decode) in VARIANTS.items():
        check(module, pieces, CHUNKS)
        yield Measured(f"{name}: decode", partial(each, decode, parsed))
        yield Measured(f"{name}: feed, without accumulation", partial(read_only, module, pieces))
        yield Measured(f"{name}: feed", partial(read, module, pieces))
    for peer, measured in PEERS.items():
        if find_spec(peer):
            yield from measured(pieces, parsed)


def growing() -> Iterator[Measured]:
    """Each with one snapshot at the end, which is all that shows what was accumulated."""
    for what, chunks in (("text", texts), ("tool call", calls)):
        for count in GROWTH:
            pieces = [*map(frame, chunks(count))]
            check(PLAIN, pieces, count)
            label = f"{what} in {count:,} chunks"
            yield Measured(label, partial(read_and_show, pieces), count)


def read_and_show(pieces: list[bytes]) -> object:
    return read(PLAIN, pieces).snapshot()


def one_large_event() -> Iterator[Measured]:
    """If time grew with the square, each size would cost four times as much a byte as the last.

    What is larger than the allocator keeps at hand may cost a few times as much, once.
    """
    for size in LARGE:
        pieces = cut(frame(chunk(content="x" * size * KIB)), KIB)
        check(PLAIN, pieces, 1)
        yield Measured(f"one event of {size:,} KiB", partial(read, PLAIN, pieces), size)


def check(module: Any, pieces: list[bytes], count: int) -> None:
    """Make sure that what is measured is the reading of valid events."""
    stream = module.CreateChatCompletionStream()
    assert len([*stream.iter([*pieces, stream.END])]) == count


# What others make of the same


def by_openai(pieces: list[bytes], parsed: list[Any]) -> Iterator[Measured]:
    """The parts of the official client that its streams are made of, called as it calls them."""
    streaming: Any = importlib.import_module("openai._streaming")
    construct: Any = importlib.import_module("openai._models").construct_type
    types: Any = importlib.import_module("openai.types.chat")
    chat: Any = importlib.import_module("openai.lib.streaming.chat")

    def frames() -> None:
        each(id, streaming.SSEDecoder().iter_bytes(iter(pieces)))

    def make(data: Any) -> Any:
        return construct(type_=types.ChatCompletionChunk, value=data)

    def accumulate() -> None:
        each(chat.ChatCompletionStreamState().handle_chunk, made)

    made = [*map(make, parsed)]
    yield Measured("openai: framing", frames)
    yield Measured("openai: construct", partial(each, make, parsed))
    yield Measured("openai: accumulate", accumulate)


def by_httpx_sse(pieces: list[bytes], parsed: list[Any]) -> Iterator[Measured]:
    module: Any = importlib.import_module("httpx_sse")

    def frames() -> None:
        headers = {"Content-Type": "text/event-stream"}
        response = httpx.Response(200, headers=headers, content=iter(pieces))
        each(id, module.EventSource(response).iter_sse())

    yield Measured("httpx-sse: framing", frames)


PEERS = {"openai": by_openai, "httpx_sse": by_httpx_sse}


# The table


def best(rows: list[Measured]) -> dict[str, float]:
    """The processor time of each in microseconds, the least of all rounds."""
    times: dict[str, list[float]] = {row.label: [] for row in rows}
    for _ in range(ROUNDS):
        for label, run, count in rows:
            times[label].append(timeit(run, timer=process_time, number=1) / count * 1e6)
    return {label: min(rounds) for label, rounds in times.items()}


def machine() -> str:
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python}, {platform.platform()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"


def show() -> None:
    sizes = [*map(len, texts(CHUNKS))]
    groups = {
        f"one chunk of a chat, {min(sizes)} to {max(sizes)} bytes": [*one_chunk()],
        "dataclasses: feed and one snapshot, a chunk": [*growing()],
        "dataclasses: feed in pieces of 1 KiB, a KiB": [*one_large_event()],
    }
    print(machine())
    if missing := [peer for peer in PEERS if not find_spec(peer)]:
        print(f"left out, as not installed: {', '.join(missing)}")
    costs = best([*chain(*groups.values())])
    for title, rows in groups.items():
        print(f"\n{title:<44}{'us':>8}{'x json.loads':>14}")
        for row in rows:
            cost = costs[row.label]
            print(f"  {row.label:<42}{cost:>8.2f}{cost / costs[FLOOR]:>14.2f}")


if __name__ == "__main__":
    show()
