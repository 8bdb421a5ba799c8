"""What the events of an assistant's run add up to, in each variant.

An event that completes a message or a step holds all of it, so the pieces show only without it. The
operations that stream have one type of event, so one of them stands for all.
"""

import importlib
import json
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from codegen.diagnostics import Diagnostics
from codegen.passes.prune import prune
from codegen.pipeline import VARIANTS, build_package, load_api
from codegen.profiles import find_profiles
from tests.recordings.bodies import CORPUS, RECORDINGS, needs_corpus
from tests.support import Importer, differences

pytestmark = needs_corpus
Load: TypeAlias = Callable[[str], Any]

OPERATIONS = ("createThreadAndRun", "createRun", "submitToolOuputsToRun")
each_variant = pytest.mark.parametrize("name", VARIANTS)
(RECORDING,) = (it for it in RECORDINGS if it.stream == "CreateRunStream")
MESSAGE: dict[str, Any] = {
    "id": "m",
    "object": "thread.message",
    "created_at": 1,
    "thread_id": "t",
    "status": "in_progress",
    "role": "assistant",
    "content": [],
    "metadata": {},
    **dict.fromkeys(("assistant_id", "run_id", "incomplete_details", "attachments")),
    **dict.fromkeys(("completed_at", "incomplete_at")),
}
STEP: dict[str, Any] = {
    "id": "s",
    "object": "thread.run.step",
    "created_at": 1,
    "assistant_id": "a",
    "thread_id": "t",
    "run_id": "r",
    "type": "tool_calls",
    "status": "in_progress",
    "step_details": {"type": "tool_calls", "tool_calls": []},
    **dict.fromkeys(("last_error", "cancelled_at", "failed_at", "completed_at", "usage")),
}


@pytest.fixture(scope="module")
def load(importer: Importer) -> Load:
    """Gives a variant of the package of the operations that stream."""
    diagnostics = Diagnostics()
    overlays = find_profiles(("openai",), diagnostics)
    api = load_api(str(CORPUS / "specs/openai.yaml"), overlays, diagnostics)
    package = importer(build_package(prune(api, diagnostics, operations=OPERATIONS), VARIANTS))
    return lambda name: importlib.import_module(f"{package}.{name}")


def frame(name: str, data: Any) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()


def start(variant: Any, *events: tuple[str, Any]) -> Any:
    """A stream that took these events, each of which fits its type."""
    stream = variant.streams.CreateRunStream()
    for name, data in events:
        (came,) = stream.feed(frame(name, data))
        assert variant.to_json(came) == {"event": name, "data": data}
    return stream


def shown(variant: Any, stream: Any) -> Any:
    return variant.to_json(stream.snapshot())


def message_delta(*content: Any) -> tuple[str, Any]:
    data = {"id": "m", "object": "thread.message.delta", "delta": {"content": [*content]}}
    return "thread.message.delta", data


def step_delta(*calls: Any) -> tuple[str, Any]:
    details = {"type": "tool_calls", "tool_calls": [*calls]}
    data = {"id": "s", "object": "thread.run.step.delta", "delta": {"step_details": details}}
    return "thread.run.step.delta", data


@each_variant
def test_each_operation_streams(load: Load, name: str) -> None:
    variant = load(name)
    streams = ("CreateThreadAndRunStream", "CreateRunStream", "SubmitToolOuputsToRunStream")
    for stream in streams:
        items = getattr(variant.streams, stream)().feed(RECORDING.body())
        assert [variant.to_json(item) for item in items] == RECORDING.payloads()


@each_variant
def test_without_what_is_completed(load: Load, name: str) -> None:
    """All that was said and called is there; when it ended, and what it cost, is not."""
    variant = load(name)
    events = [it for it in RECORDING.payloads() if not it["event"].endswith(".completed")]
    assert len(events) < RECORDING.events
    stream = start(variant, *((it["event"], it["data"]) for it in events))
    expected = RECORDING.expected()
    assert expected is not None
    found = differences(shown(variant, stream), expected["snapshot"])
    members = {"completed_at", "expires_at", "status", "usage"}
    assert {pointer.rpartition("/")[2] for pointer, _ in found} == members


@each_variant
def test_messages_by_their_identifier(load: Load, name: str) -> None:
    variant = load(name)
    other = {**MESSAGE, "id": "n"}
    stream = start(
        variant,
        ("thread.message.created", MESSAGE),
        ("thread.message.in_progress", other),
        message_delta({"index": 1, "type": "refusal", "refusal": "I "}),
        message_delta({"index": 0, "type": "text", "text": {"value": "Hel", "annotations": []}}),
        message_delta({"index": 0, "type": "text", "text": {"value": "lo"}}),
        message_delta({"index": 1, "type": "refusal", "refusal": "cannot"}),
    )
    text = {"type": "text", "text": {"value": "Hello", "annotations": []}}
    content = [text, {"type": "refusal", "refusal": "I cannot"}]
    assert shown(variant, stream) == {
        "messages": {"m": {**MESSAGE, "content": content}, "n": other}
    }


@each_variant
def test_images_and_annotations(load: Load, name: str) -> None:
    """Whole in one piece, and by an index that the result does not have."""
    variant = load(name)
    image = {"type": "image_file", "image_file": {"file_id": "f", "detail": "auto"}}
    path = {"type": "file_path", "text": "x", "start_index": 0, "end_index": 1}
    first, second = ({**path, "file_path": {"file_id": it}} for it in "ab")
    stream = start(
        variant,
        ("thread.message.created", MESSAGE),
        message_delta({"index": 1, **image}),
        message_delta({"index": 0, "type": "text", "text": {"value": "x"}}),
        message_delta(
            {"index": 0, "type": "text", "text": {"annotations": [{"index": 1, **second}]}}
        ),
        message_delta(
            {"index": 0, "type": "text", "text": {"annotations": [{"index": 0, **first}]}}
        ),
    )
    text = {"type": "text", "text": {"value": "x", "annotations": [first, second]}}
    assert shown(variant, stream)["messages"]["m"]["content"] == [text, image]


@each_variant
def test_calls_of_a_step(load: Load, name: str) -> None:
    variant = load(name)
    function = {"index": 0, "type": "function"}
    code = {"index": 1, "type": "code_interpreter"}
    stream = start(
        variant,
        ("thread.run.step.created", STEP),
        step_delta({**function, "id": "c", "function": {"name": "f", "arguments": ""}}),
        step_delta({**code, "id": "d", "code_interpreter": {"input": "1", "outputs": []}}),
        step_delta({**function, "function": {"arguments": '{"a"'}}),
        step_delta({**code, "code_interpreter": {"input": "+1"}}),
        step_delta({**function, "function": {"arguments": ":1}", "output": None}}),
        step_delta(
            {
                **code,
                "code_interpreter": {
                    "outputs": [
                        {"index": 1, "type": "image", "image": {"file_id": "i"}},
                        {"index": 0, "type": "logs", "logs": "2"},
                    ]
                },
            }
        ),
        step_delta({**function, "function": {"output": "ok"}}),
    )
    outputs = [{"type": "logs", "logs": "2"}, {"type": "image", "image": {"file_id": "i"}}]
    called = {"name": "f", "arguments": '{"a":1}', "output": "ok"}
    calls = [
        {"id": "c", "type": "function", "function": called},
        {
            "id": "d",
            "type": "code_interpreter",
            "code_interpreter": {"input": "1+1", "outputs": outputs},
        },
    ]
    assert shown(variant, stream)["steps"]["s"]["step_details"]["tool_calls"] == calls


@each_variant
def test_an_error(load: Load, name: str) -> None:
    variant = load(name)
    stream = start(variant, ("thread.message.created", MESSAGE))
    payload = {"code": "c", "message": "m"}
    (error,) = stream.feed(frame("error", payload))
    assert (type(error).__name__, error.payload) == ("StreamError", payload)
    assert stream.outcome.value == "failed"
    assert shown(variant, stream) == {"messages": {"m": MESSAGE}}
