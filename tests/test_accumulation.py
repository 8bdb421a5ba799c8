"""What the chunks of a stream amount to, in each variant: `streams/accumulate.yaml`, case by case.

The snapshot of a case is written by hand from the rules of `spec/overlay.yaml`. What holds for any
chunks is below: a snapshot at any time, fragments cut elsewhere, and a cost that does not grow.
"""

import json
import re
import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.wire import frame

CASES: dict[str, dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "streams/accumulate.yaml").read_text("utf-8")
)
CHUNK = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": []}
CHOICE = {"index": 0, "delta": {}, "finish_reason": None}
SNAPSHOT = {"id": "c", "created": 1, "model": "m"}


def complete(chunk: dict[str, Any]) -> dict[str, Any]:
    choices = [{**CHOICE, **choice} for choice in chunk.get("choices", [])]
    return {**CHUNK, **chunk, "choices": choices}


def delta(**members: Any) -> dict[str, Any]:
    return complete({"choices": [{"delta": members}]})


def arguments(text: str) -> dict[str, Any]:
    return delta(tool_calls=[{"index": 0, "function": {"arguments": text}}])


def start(variant: Any, *chunks: dict[str, Any]) -> Any:
    stream = variant.streams.CreateChatCompletionStream()
    for chunk in chunks:
        (item,) = stream.feed(frame(chunk))
        assert variant.to_json(item) == chunk
    return stream


def shown(variant: Any, stream: Any) -> Any:
    return variant.to_json(stream.snapshot())


@pytest.mark.parametrize(
    ("chunks", "snapshot"), [tuple(case.values()) for case in CASES.values()], ids=CASES
)
def test_case(variant: Any, chunks: list[Any], snapshot: dict[str, Any]) -> None:
    stream = start(variant, *map(complete, chunks))
    assert shown(variant, stream) == {**SNAPSHOT, **snapshot}
    assert stream.result() == stream.snapshot()


def test_the_snapshot_has_its_declared_type(variant: Any) -> None:
    for case in CASES.values():
        stream = start(variant, *map(complete, case["chunks"]))
        json_ = variant.to_json(stream.snapshot(), variant.CreateChatCompletionStreamSnapshot)
        again = variant.from_json(variant.CreateChatCompletionStreamSnapshot, json_)
        assert variant.to_json(again) == json_


def test_before_the_first_chunk_there_is_nothing(variant: Any) -> None:
    assert shown(variant, start(variant)) == {}


def test_a_snapshot_shows_what_has_come_and_stays_as_it_is(variant: Any) -> None:
    stream = start(variant)
    taken = []
    for text in ("Hel", "lo", "!"):
        stream.feed(frame(delta(content=text)))
        taken.append(stream.snapshot())
    texts = [variant.to_json(it)["choices"][0]["message"]["content"] for it in taken]
    assert texts == ["Hel", "Hello", "Hello!"]


def test_a_snapshot_keeps_its_unknown_members_too(variant: Any) -> None:
    stream = start(variant, delta(u=1))
    taken = stream.snapshot()
    stream.feed(frame(delta(u=2)))
    assert variant.to_json(taken)["choices"][0]["message"] == {"u": [1]}


def test_an_unknown_member_named_like_one_of_the_result(variant: Any) -> None:
    """Some servers repeat the whole `message` beside the last `delta`, which a rule renames so."""
    chunk = complete({"choices": [{"delta": {"content": "a"}, "message": {"content": "a"}}]})
    stream = start(variant, chunk)
    assert shown(variant, stream)["choices"][0]["message"] == {"content": "a"}


def test_changing_a_snapshot_does_not_change_the_stream(variant: Any) -> None:
    token = {"token": "a", "logprob": -1, "bytes": None, "top_logprobs": []}
    logprobs = {"content": [token], "refusal": None}
    stream = start(variant, complete({"choices": [{"logprobs": logprobs}]}))
    before = shown(variant, stream)
    at(stream.snapshot(), "choices", 0, "logprobs", "content").clear()
    assert shown(variant, stream) == before


def at(value: Any, *path: Any) -> Any:
    """What lies at a path of members and indices, whatever the variant."""
    for step in path:
        value = value[step] if isinstance(value, dict | list) else getattr(value, step)
    return value


FRAGMENTS = st.lists(st.text(max_size=5), max_size=8)


@given(fragments=FRAGMENTS)
def test_where_a_text_is_cut_does_not_matter(variant: Any, fragments: list[str]) -> None:
    """A lone surrogate is half a character that the server cut: joined, it is whole again."""
    text = "".join(fragments)
    whole = start(variant, delta(content=text), arguments(text))
    pieces = start(
        variant,
        delta(content=""),
        *(delta(content=part) for part in fragments),
        arguments(""),
        *(arguments(part) for part in fragments),
    )
    assert shown(variant, pieces) == shown(variant, whole)


def test_halves_of_a_character_are_joined(variant: Any) -> None:
    stream = variant.streams.CreateChatCompletionStream()
    halves = [delta(content="\ud83d"), delta(content="\ude00")]
    items = [item for half in halves for item in stream.feed(frame(half))]
    assert [variant.to_json(item) for item in items] == halves
    assert [json.loads(stream.encode(item)[6:]) for item in items] == halves
    written = json.loads(variant.dumps(stream.snapshot()))
    assert written["choices"][0]["message"]["content"] == "😀"


def test_half_a_character_stays_half(variant: Any) -> None:
    """JSON can write it, and another chunk may bring the other half."""
    stream = start(variant, delta(content="a\ud83d"))
    written = variant.dumps(stream.snapshot())
    assert json.loads(written)["choices"][0]["message"]["content"] == "a\ud83d"
    stream.feed(frame(delta(content="\ude00")))
    assert shown(variant, stream)["choices"][0]["message"]["content"] == "a😀"


def calls(function: Callable[..., object], *arguments: Any) -> Counter[str]:
    """Count what is called, by kind and name."""
    counted: Counter[str] = Counter()

    def count(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            counted[frame.f_code.co_qualname] += 1
        elif event == "c_call":
            counted[argument.__qualname__] += 1

    sys.setprofile(count)
    try:
        function(*arguments)
    finally:
        sys.setprofile(None)
    return counted


@pytest.mark.parametrize(
    "chunk",
    [delta(content="word "), arguments("1, "), delta(u="x")],
    ids=["text", "tool", "unknown"],
)
def test_the_cost_of_a_chunk_does_not_grow(variant: Any, chunk: dict[str, Any]) -> None:
    stream = start(variant)
    data = frame(chunk)
    counted = [calls(stream.feed, data) for _ in range(1000)]
    assert counted[9] == counted[999]
    assert sum(counted[9].values()) > 5


@pytest.mark.parametrize(
    "chunk",
    [
        delta(content="word "),
        complete({"choices": [{"logprobs": {"content": [], "refusal": None}}]}),
    ],
    ids=["text", "logprobs"],
)
def test_iterating_makes_nothing_but_the_events(variant: Any, chunk: dict[str, Any]) -> None:
    """No snapshot, and nothing of what a snapshot is made with."""
    called = calls(start(variant, chunk).feed, frame(chunk))
    assert [it for it in called if re.search("show|fit|complete|Snapshot", it)] == []


TOKEN = {"token": "a", "logprob": -1, "bytes": None, "top_logprobs": []}


@pytest.mark.parametrize(
    "chunk",
    [
        delta(content="word "),
        arguments("1, "),
        delta(u="x"),
        complete({"choices": [{"logprobs": {"content": [TOKEN], "refusal": None}}]}),
    ],
    ids=["text", "tool", "unknown", "logprobs"],
)
@pytest.mark.parametrize("ask", ["snapshot", "result"])
def test_what_came_is_shown_in_time_linear(variant: Any, chunk: dict[str, Any], ask: str) -> None:
    stream = start(variant)
    getattr(stream, ask)()
    counts: list[int] = []
    for more in (100, 100, 200):
        stream.feed(frame(chunk) * more)
        counts.append(calls(getattr(stream, ask)).total())
    # Of what grows with the square, this would be four times as much.
    assert counts[2] - counts[1] == pytest.approx(2 * (counts[1] - counts[0]), rel=0.01)


def test_an_index_costs_no_memory(variant: Any) -> None:
    far = delta(tool_calls=[{"index": 10**9, "id": "t"}])
    stream = start(variant, far)
    stream = start(variant)
    tracemalloc.start()
    stream.feed(frame(far))
    stream.snapshot()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100_000
