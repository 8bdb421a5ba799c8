"""The stream class of the seed, in each variant: bytes in, items out, and how the stream ended.

Which chunks make which whole is in `test_accumulation`, which bytes make which events in
`test_sse`. Here: splits, the stop, the end of the input, errors, invalid events, `iter`,
`aiter`, `encode`.
"""

import asyncio
import importlib
import json
import math
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from types import ModuleType
from typing import Any

import pytest

from tests.wire import DONE, VALID, decode, frame, show, summary

INVALID = {**VALID, "id": 5}

Run = Callable[[Any, Any, Iterable[bytes]], tuple[list[Any], Exception | None]]


def raised(variant: Any) -> tuple[type[Exception], ...]:
    """What `iter` may raise."""
    errors = importlib.import_module(variant.__name__.rpartition(".")[0] + "._runtime.errors")
    return variant.DecodeError, errors.StreamError, errors.TruncatedStream


def run_sync(variant: Any, stream: Any, pieces: Iterable[bytes]) -> tuple[list[Any], Any]:
    """What `iter` yields, and what it raises at last."""
    got: list[Any] = []
    try:
        for item in stream.iter(pieces):
            got.append(show(variant, item))
    except raised(variant) as error:
        return got, error
    return got, None


def run_async(variant: Any, stream: Any, pieces: Iterable[bytes]) -> tuple[list[Any], Any]:
    """The same of `aiter`."""

    async def body() -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece

    async def run() -> tuple[list[Any], Any]:
        got: list[Any] = []
        try:
            async for item in stream.aiter(body()):
                got.append(show(variant, item))
        except raised(variant) as error:
            return got, error
        return got, None

    return asyncio.run(run())


@pytest.fixture(params=[run_sync, run_async], ids=["iter", "aiter"])
def run(request: pytest.FixtureRequest) -> Run:
    function: Run = request.param
    return function


# The page's chunks


def test_the_example_of_the_page(variant: Any, chunks: list[Any], body: bytes) -> None:
    items, stream = decode(variant, body)
    assert items == chunks
    assert stream.outcome.value == "complete"
    assert variant.to_json(stream.result()) == {
        "id": "chatcmpl-123",
        "created": 1694268190,
        "model": "gpt-4o-mini",
        "system_fingerprint": "fp_44709d6fcb",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": "Hello"},
                "finish_reason": "stop",
            }
        ],
    }


def test_the_result_is_typed(package: ModuleType, body: bytes) -> None:
    for name in ("dataclasses", "pydantic"):
        variant = importlib.import_module(f"{package.__name__}.{name}")
        result = decode(variant, body)[1].result()
        assert type(result) is variant.CreateChatCompletionStreamSnapshot
        (choice,) = result.choices
        assert type(choice) is variant.CreateChatCompletionStreamSnapshotChoice
        assert (choice.message.role, choice.message.content) == ("assistant", "Hello")
        assert (choice.finish_reason, choice.logprobs) == ("stop", None)


def test_cut_anywhere_it_is_the_same(variant: Any, body: bytes) -> None:
    whole = summary(variant, body)
    assert whole == summary(variant, *(body[i : i + 1] for i in range(len(body))))
    for i in range(len(body)):
        assert whole == summary(variant, body[:i], body[i:]), body[:i]


def test_an_event_is_out_with_its_blank_line(variant: Any, chunks: list[Any]) -> None:
    stream = variant.streams.CreateChatCompletionStream()
    for chunk in chunks:
        data = frame(chunk)
        assert stream.feed(data[:-1]) == []
        (item,) = stream.feed(data[-1:])
        assert variant.to_json(item) == chunk
        assert stream.outcome.value == "open"


def test_encode_gives_back_what_came(variant: Any, chunks: list[Any]) -> None:
    cls = variant.streams.CreateChatCompletionStream
    odd = {**VALID, "service_tier": None, "usage": None, "u": {"v": [None, 1e-7, 10**30]}}
    stream = cls()
    for chunk in [*chunks, odd, {**VALID, "service_tier": "a\u2028\n\rb"}]:
        (item,) = stream.feed(frame(chunk))
        wire = cls.encode(item)
        assert json.loads(wire.removeprefix(b"data: ")) == chunk
        assert decode(variant, wire, cls.END)[0] == [chunk]
    assert cls.END == DONE


# How it ends

ENDS: dict[str, tuple[bytes, str, str]] = {
    "stop": (DONE, "complete", ""),
    "stop without a blank line": (b"data: [DONE]\n", "complete", ""),
    "stop without a line end": (b"data: [DONE]", "complete", ""),
    "stop without a space": (b"data:[DONE]\r\r", "complete", ""),
    "no stop": (b"", "truncated", ""),
    "half a line": (b"da", "truncated", ""),
    "half a json": (b'data: {"id": "c', "truncated", '{"id": "c'),
    "half a json, then a line end": (b'data: {"id":\n', "truncated", '{"id":'),
    "half a stop": (b"data: [DON", "truncated", "[DON"),
    "half a character": (b'data: "\xc3', "truncated", '"\ufffd'),
}


@pytest.mark.parametrize("name", ENDS)
def test_end(variant: Any, run: Run, name: str) -> None:
    end, outcome, tail = ENDS[name]
    stream = variant.streams.CreateChatCompletionStream()
    got, error = run(variant, stream, [frame(VALID, VALID), end])
    assert got == [VALID, VALID]
    assert stream.outcome.value == outcome
    assert variant.to_json(stream.snapshot())["choices"][0]["message"] == {"content": "aa"}
    if outcome == "complete":
        assert error is None
    else:
        assert type(error).__name__ == "TruncatedStream"
        assert getattr(error, "tail", None) == tail


def test_a_whole_event_at_the_end_counts(variant: Any, run: Run) -> None:
    stream = variant.streams.CreateChatCompletionStream()
    got, error = run(variant, stream, [frame(VALID)[:-2]])
    assert got == [VALID]
    assert type(error).__name__ == "TruncatedStream"


@pytest.mark.parametrize(
    "after", [frame(VALID), frame(INVALID), frame({"error": "late"}), DONE, b"\xff\n\n", b"data: {"]
)
def test_what_comes_after_the_stop_is_ignored(variant: Any, after: bytes) -> None:
    expected = summary(variant, frame(VALID), DONE)
    assert summary(variant, frame(VALID) + DONE + after) == expected
    assert summary(variant, frame(VALID) + DONE, after) == expected


def test_iter_takes_nothing_after_the_stop(variant: Any, run: Run) -> None:
    def pieces() -> Iterator[bytes]:
        yield frame(VALID)
        yield DONE
        pytest.fail("read on after the stop")

    stream = variant.streams.CreateChatCompletionStream()
    assert run(variant, stream, pieces()) == ([VALID], None)


@pytest.mark.parametrize(
    "data",
    [
        "[DONE]x",
        "[DONE] ",
        " [DONE]",
        "[DONE",
        "[done]",
        '"[DONE]"',
        '["[DONE]"]',
        "[DONE]\ndata: ",
    ],
)
def test_only_the_whole_data_is_the_stop(variant: Any, data: str) -> None:
    raw = data.replace("\ndata: ", "\n")
    items, stream = decode(variant, f"data: {data}\n\n".encode(), frame(VALID))
    assert items == [("invalid", raw, ("",)), VALID]
    assert stream.outcome.value == "truncated"


def test_the_stop_inside_a_text_is_text(variant: Any) -> None:
    chunk = {**VALID, "id": "data: [DONE]\n\n"}
    assert decode(variant, frame(chunk), DONE)[0] == [chunk]


# Framing, as far as the stream shows it

FRAMINGS: dict[str, bytes] = {
    "crlf": b"data: {A}\r\n\r\ndata: {A}\r\n\r\ndata: [DONE]\r\n\r\n",
    "cr": b"data: {A}\r\rdata: {A}\r\rdata: [DONE]\r\r",
    "bom": b"\xef\xbb\xbfdata: {A}\n\ndata: {A}\n\ndata: [DONE]\n\n",
    "comments": b": x\n\n: x\ndata: {A}\n:\n\n:\n\ndata: {A}\n\ndata: [DONE]\n\n",
    "keepalive": b"event: keepalive\n\ndata: {A}\n\nevent: ping\n\ndata: {A}\n\ndata: [DONE]\n\n",
    "no space": b"data:{A}\n\ndata:{A}\n\ndata:[DONE]\n\n",
    "names": b"event: x\ndata: {A}\n\nevent: y\ndata: {A}\n\nevent: z\ndata: [DONE]\n\n",
    "other fields": b"foo: 1\ndata: {A}\n\ndata: {A}\nid: 1\nbar\n\ndata: [DONE]\nx\n\n",
}


@pytest.mark.parametrize("name", FRAMINGS)
def test_framing(variant: Any, name: str) -> None:
    wire = FRAMINGS[name].replace(b"{A}", json.dumps(VALID).encode())
    whole = summary(variant, wire)
    assert whole[:2] == ([VALID, VALID], "complete")
    assert whole == summary(variant, *(wire[i : i + 1] for i in range(len(wire))))


def test_json_over_several_data_lines(variant: Any) -> None:
    lines = json.dumps(VALID, indent=1).splitlines()
    wire = "".join(f"data: {line}\n" for line in lines).encode()
    assert decode(variant, wire + b"\n", DONE)[0] == [VALID]


def test_a_read_of_comments_brings_no_event_and_is_seen_by_the_one_who_reads(
    variant: Any,
) -> None:
    """A timer belongs around the reads: `iter` asks for the next one after each."""
    seen: list[str] = []

    def pieces() -> Iterator[bytes]:
        for piece in (b": x\n\n", b": x\n", b"\n", frame(VALID), DONE):
            seen.append("read")
            yield piece

    for _ in variant.streams.CreateChatCompletionStream().iter(pieces()):
        seen.append("event")
    assert seen == ["read", "read", "read", "read", "event", "read"]


def test_blocks_without_data_set_the_id_and_the_time(variant: Any) -> None:
    stream = variant.streams.CreateChatCompletionStream()
    assert stream.feed(b"retry: 20\n\nid: 4\n\nevent: x\n\n\n") == []
    assert (stream.last_event_id, stream.retry) == ("4", 20)
    (item,) = stream.feed(frame(VALID))
    assert variant.to_json(item) == VALID
    assert (stream.last_event_id, stream.retry) == ("4", 20)


def test_last_event_id_and_retry(variant: Any) -> None:
    stream = variant.streams.CreateChatCompletionStream(last_event_id="7")
    assert (stream.last_event_id, stream.retry) == ("7", None)
    stream.feed(b"id: 8\nretry: 1500\n" + frame(VALID))
    assert (stream.last_event_id, stream.retry) == ("8", 1500)
    stream.feed(b"id: 9\ndata: {")
    stream.close()
    assert (stream.last_event_id, stream.retry) == ("8", 1500)


# Errors the server reports


@pytest.mark.parametrize("payload", [{"message": "m", "code": 1}, "m", 0, False, {}, [], ""])
def test_an_error_ends_the_stream(variant: Any, run: Run, payload: Any) -> None:
    pieces = [frame(VALID, {"error": payload}), frame(VALID) + DONE]
    items, stream = decode(variant, *pieces)
    assert items == [VALID, ("error", payload)]
    assert stream.outcome.value == "failed"
    stream = variant.streams.CreateChatCompletionStream()
    got, error = run(variant, stream, pieces)
    assert got == [VALID]
    assert type(error).__name__ == "StreamError"
    assert getattr(error, "payload", None) == payload
    assert stream.outcome.value == "failed"
    assert variant.to_json(stream.snapshot())["choices"][0]["message"] == {"content": "a"}


@pytest.mark.parametrize(
    ("data", "payload"),
    [
        ('{"type": "error", "message": "m"}', {"type": "error", "message": "m"}),
        ('{"error": {"message": "m"}}', {"message": "m"}),
        ('{"error": null}', {"error": None}),
        ("overloaded", "overloaded"),
    ],
    ids=["flat", "under a member", "a member that is null", "no json"],
)
def test_an_event_named_error_is_one(variant: Any, data: str, payload: Any) -> None:
    items, stream = decode(variant, frame(VALID), f"event: error\ndata: {data}\n\n".encode(), DONE)
    assert items == [VALID, ("error", payload)]
    assert stream.outcome.value == "failed"


def test_an_error_beside_a_whole_chunk_is_one(variant: Any) -> None:
    assert decode(variant, frame({**VALID, "error": "m"}))[0] == [("error", "m")]


def test_no_error(variant: Any) -> None:
    chunk = {**VALID, "error": None}
    items, stream = decode(variant, frame(chunk), DONE)
    assert items == [chunk]
    assert stream.outcome.value == "complete"


# Invalid events

EVENTS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "a wrong type": (INVALID, ("/id",)),
    "a bool is no integer": ({**VALID, "created": True}, ("/created",)),
    "a float is no integer": ({**VALID, "created": 1.0}, ("/created",)),
    "a wrong constant": ({**VALID, "object": ""}, ("/object",)),
    "null where it is not allowed": (
        {**VALID, "system_fingerprint": None},
        ("/system_fingerprint",),
    ),
    "absent where it is not allowed": (
        {**VALID, "choices": [{"delta": {}}]},
        ("/choices/0/finish_reason", "/choices/0/index"),
    ),
    "several places": (
        {**VALID, "id": 5, "choices": [{**VALID["choices"][0], "index": "0"}]},
        ("/id", "/choices/0/index"),
    ),
    "deep inside": (
        {
            **VALID,
            "choices": [
                {"index": 0, "finish_reason": None, "delta": {"tool_calls": [{"index": None}]}}
            ],
        },
        ("/choices/0/delta/tool_calls/0/index",),
    ),
    "an array": ([], ("",)),
    "a scalar": (12, ("",)),
    "null": (None, ("",)),
    "an empty object": ({}, ("/id", "/choices", "/created", "/model", "/object")),
}


@pytest.mark.parametrize("name", EVENTS)
def test_an_invalid_event_is_kept(variant: Any, name: str) -> None:
    value, pointers = EVENTS[name]
    items, stream = decode(variant, frame(value, VALID), DONE)
    assert items == [("invalid", json.dumps(value), pointers), VALID]
    assert stream.outcome.value == "complete"
    assert variant.to_json(stream.snapshot())["choices"][0]["message"] == {"content": "a"}


@pytest.mark.parametrize(
    "data",
    [
        "{",
        "nope",
        ": keepalive",
        "NaN",
        "[1e999]",
        "1 2",
        "[" * 100_000,
        "9" * 5000,
        '{"a": \x01}',
    ],
)
def test_what_is_not_json_is_kept(variant: Any, data: str) -> None:
    items, stream = decode(variant, f"data: {data}\n\n".encode(), frame(VALID), DONE)
    assert items == [("invalid", data, ("",)), VALID]
    assert stream.outcome.value == "complete"


def test_an_event_without_data_is_nothing(variant: Any) -> None:
    items, stream = decode(variant, b"data:\n\ndata:  \n\n", frame(VALID), b"data\n\n", DONE)
    assert items == [VALID]
    assert stream.outcome.value == "complete"


@pytest.mark.parametrize("token", ["NaN", "-Infinity"])
def test_a_number_that_json_lacks_is_refused_with_its_place(variant: Any, token: str) -> None:
    stream = variant.streams.CreateChatCompletionStream()
    raw = f'{{"logprob": {token}, "error": "x"}}'
    (item,) = stream.feed(f"data: {raw}\n\n".encode())
    assert item.raw == raw
    assert [problem.pointer for problem in item.errors] == [""]
    assert item.errors[0].found == f"{token} is not JSON: line 1 column 13 (char 12)"


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_json_lacks_is_never_written(variant: Any, number: float) -> None:
    cls = variant.streams.CreateChatCompletionStream
    json_ = {**VALID, "u": [1.5]}
    event = variant.from_json(variant.CreateChatCompletionStreamResponse, json_)
    assert b'"u":[1.5]' in cls.encode(event)
    json_["u"][0] = number
    with pytest.raises(ValueError, match="not JSON compliant"):
        cls.encode(event)


def test_iter_raises_at_an_invalid_event(variant: Any, run: Run) -> None:
    stream = variant.streams.CreateChatCompletionStream()
    got, error = run(variant, stream, [frame(VALID, INVALID), DONE])
    assert got == [VALID]
    assert isinstance(error, variant.DecodeError)
    assert [problem.pointer for problem in getattr(error, "errors", ())] == ["/id"]


def test_iter_goes_on_if_asked_to(variant: Any, run: Run) -> None:
    stream = variant.streams.CreateChatCompletionStream(on_invalid="keep")
    got, error = run(variant, stream, [frame(VALID, INVALID, VALID), DONE])
    assert got == [VALID, ("invalid", json.dumps(INVALID), ("/id",)), VALID]
    assert error is None
    assert stream.outcome.value == "complete"


def test_there_is_no_third_way_with_invalid_events(variant: Any) -> None:
    with pytest.raises(ValueError, match="'raise' or 'keep', not 'skip'"):
        variant.streams.CreateChatCompletionStream(on_invalid="skip")


@pytest.mark.parametrize("cut", [1, 7, 100, 1000])
def test_an_event_over_the_limit_fails_the_stream(variant: Any, cut: int) -> None:
    wire = frame(VALID, {**VALID, "id": "x" * 1000}, VALID) + DONE
    pieces = [wire[i : i + cut] for i in range(0, len(wire), cut)]
    items, stream = decode(variant, *pieces, max_event_size=500)
    assert items == [VALID, ("invalid", "", ("",))]
    assert stream.outcome.value == "failed"
    stream = variant.streams.CreateChatCompletionStream(max_event_size=500)
    got, error = run_sync(variant, stream, pieces)
    assert got == [VALID]
    assert isinstance(error, variant.DecodeError)
