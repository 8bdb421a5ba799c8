"""What the events of a response add up to, in each variant.

The last event holds the whole response, so the rules for all others show only without it: in the
cases of `streams/responses.yaml`, and in recordings that are cut before it.
"""

import importlib
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml

from codegen.diagnostics import Diagnostics
from codegen.pipeline import VARIANTS, build_package, load_api
from codegen.profiles import find_profiles
from tests.recordings.bodies import CORPUS, RECORDINGS, Recording, needs_corpus
from tests.recordings.leaving_out import excerpt, read_actions
from tests.support import Importer, canonical, differences
from tests.wire import frame

pytestmark = needs_corpus
Load: TypeAlias = Callable[[str, str], Any]

CASES: dict[str, dict[str, list[Any]]] = yaml.safe_load(
    (Path(__file__).parent / "streams/responses.yaml").read_text("utf-8")
)
each_variant = pytest.mark.parametrize("name", VARIANTS)
# The least that items and parts of these types have.
PARTS: dict[str, dict[str, Any]] = {
    "output_text": {"text": "", "annotations": [], "logprobs": []},
    "refusal": {"refusal": ""},
    "reasoning_text": {"text": ""},
    "summary_text": {"text": ""},
}
CALL = {"call_id": "c", "name": "f"}
ITEMS: dict[str, dict[str, Any]] = {
    "message": {"id": "i", "role": "assistant", "status": "in_progress", "content": []},
    "reasoning": {"id": "i", "summary": []},
    "function_call": {**CALL, "arguments": ""},
    "custom_tool_call": {**CALL, "input": ""},
    "mcp_call": {"id": "i", "server_label": "s", "name": "f", "arguments": ""},
    "code_interpreter_call": {
        "id": "i",
        "status": "in_progress",
        "container_id": "c",
        "code": None,
        "outputs": None,
    },
    "shell_call": {
        "id": "i",
        "call_id": "c",
        "status": "in_progress",
        "environment": None,
        "action": {"commands": [], "timeout_ms": None, "max_output_length": None},
    },
    "web_search_call": {"id": "i", "status": "in_progress"},
    "file_search_call": {"id": "i", "status": "in_progress", "queries": []},
    "image_generation_call": {"id": "i", "status": "in_progress"},
}
RESPONSE: dict[str, Any] = {
    "id": "r",
    "object": "response",
    "created_at": 1,
    "model": "m",
    "output": [],
    "tools": [],
    "tool_choice": "auto",
    "parallel_tool_calls": True,
    **dict.fromkeys(("error", "incomplete_details", "instructions")),
    **dict.fromkeys(("metadata", "temperature", "top_p")),
}


@pytest.fixture(scope="module")
def load(importer: Importer, tmp_path_factory: pytest.TempPathFactory) -> Load:
    """Gives a variant of the package of Responses with a profile."""
    document = tmp_path_factory.mktemp("responses") / "openai.json"
    document.write_text(json.dumps(excerpt(CORPUS / "specs/openai.yaml", "/responses")))

    @cache
    def make(profile: str) -> str:
        diagnostics = Diagnostics()
        overlays = find_profiles((profile,), diagnostics)
        api = load_api(str(document), overlays, diagnostics)
        return importer(build_package(api, VARIANTS))

    return lambda profile, name: importlib.import_module(f"{make(profile)}.{name}")


def part(members: Any) -> Any:
    return {**PARTS.get(members["type"], {}), **members}


def item(members: Any) -> Any:
    whole = {**ITEMS.get(members["type"], {}), **members}
    for name in ("content", "summary"):
        if name in whole:
            whole[name] = [*map(part, whole[name])]
    return whole


def event(number: int, members: Any) -> Any:
    whole = {"item_id": "i", "output_index": 0, "content_index": 0, **members}
    whole |= {"type": f"response.{members['type']}", "sequence_number": number}
    if members["type"] in ("output_text.delta", "output_text.done"):
        whole.setdefault("logprobs", [])
    for name, complete in (("item", item), ("part", part), ("response", response)):
        if name in whole:
            whole[name] = complete(whole[name])
    return whole


def response(members: Any) -> Any:
    return {**RESPONSE, **members, "output": [*map(item, members.get("output", ()))]}


def start(variant: Any, *events: Any) -> Any:
    """A stream that took these events, each of which fits its type."""
    stream = variant.streams.CreateResponseStream()
    for number, members in enumerate(events):
        sent = event(number, members)
        (came,) = stream.feed(frame(sent))
        assert canonical(variant.to_json(came)) == canonical(sent)
    return stream


def shown(variant: Any, stream: Any) -> Any:
    return variant.to_json(stream.snapshot())


@each_variant
@pytest.mark.parametrize("case", CASES)
def test_case(load: Load, case: str, name: str) -> None:
    variant, events, output = load("openai", name), *CASES[case].values()
    stream = start(variant, *events)
    assert canonical(shown(variant, stream)["output"]) == canonical([*map(item, output)])


def test_every_event_that_accumulates_has_a_case() -> None:
    """But for those that hold the response: the tests below have them."""
    (profile,) = find_profiles(("openai",), Diagnostics())
    (rules,) = [it["update"] for it in read_actions(profile) if "'/responses'" in it["target"]]
    tried = {f"response.{it['type']}" for case in CASES.values() for it in case["events"]}
    left = {f"response.{it}" for it in ("created", "queued", "incomplete", "failed")}
    assert rules["x-stream"]["fold"]["events"].keys() - tried == left


# The events that hold the response


@each_variant
@pytest.mark.parametrize("last", ["completed", "incomplete"])
def test_the_result_is_what_the_last_event_holds(load: Load, last: str, name: str) -> None:
    variant = load("openai", name)
    members = {"status": last, "output": [{"type": "message", "status": last}], "user": None}
    stream = start(
        variant,
        {"type": "queued", "response": {"status": "queued"}},
        {"type": "created", "response": {"status": "queued"}},
        {"type": "in_progress", "response": {"status": "in_progress"}},
        {"type": "output_item.added", "item": {"type": "message"}},
        {"type": last, "response": members},
    )
    assert variant.to_json(stream.result()) == shown(variant, stream) == response(members)
    assert stream.outcome.value == "complete"


@each_variant
def test_a_response_that_failed_is_an_error_and_what_it_holds_the_result(
    load: Load, name: str
) -> None:
    variant = load("openai", name)
    failed = {"status": "failed", "error": {"code": "server_error", "message": "m"}}
    stream = start(
        variant,
        {"type": "created", "response": {"status": "in_progress"}},
        {"type": "output_item.added", "item": {"type": "message"}},
    )
    sent = event(2, {"type": "failed", "response": failed})
    (error,) = stream.feed(frame(sent))
    assert (type(error).__name__, error.payload) == ("StreamError", sent)
    assert stream.outcome.value == "failed"
    assert shown(variant, stream) == response(failed)


@each_variant
@pytest.mark.parametrize(
    ("sent", "payload"),
    [
        ({"type": "error", "code": "c", "message": "m", "param": None, "sequence_number": 1}, None),
        ({"type": "error", "error": {"message": "m"}, "sequence_number": 1}, {"message": "m"}),
        ({"error": {"message": "m"}}, {"message": "m"}),
    ],
    ids=["as the document says", "as the server sends", "in place of events"],
)
def test_an_error(load: Load, sent: Any, payload: Any, name: str) -> None:
    """What came before stays as it was."""
    variant = load("openai", name)
    stream = start(variant, {"type": "created", "response": {"status": "in_progress"}})
    (error,) = stream.feed(frame(sent))
    assert (type(error).__name__, error.payload) == ("StreamError", payload or sent)
    assert stream.outcome.value == "failed"
    assert shown(variant, stream) == response({"status": "in_progress"})


# Recordings without their end

RESPONSES = [it for it in RECORDINGS if it.stream == "CreateResponseStream"]
ENDED = [it for it in RESPONSES if it.outcome == "complete"]
# Where the output differs without the last event: a text of which the encryption is another in each
# event, and an identifier that is made anew.
WITHOUT_THE_LAST = {
    "openai-responses-reasoning.sse": {"/0/encrypted_content"},
    "openai-responses-mcp.sse": {"/1/encrypted_content", "/3/encrypted_content"},
    "openrouter-responses.sse": {"/0/id"},
}
# And where it differs if nothing says that it is done. No piece tells that an item has ended (the
# status of messages, functions and thoughts), what a search looked for, what a tool gave back,
# anything of an image, or an encrypted text that was not there at first. Amazon Bedrock adds a text
# with a list that it leaves out of the text that is done.
WITHOUT_WHAT_IS_DONE = {
    "azure-responses-text.sse": {"/1/status"},
    "bedrock-mantle-responses.sse": {"/0/status", "/1/status", "/1/content/0/logprobs"},
    "deepseek-responses.sse": {"/0/status", "/1/status"},
    "openai-responses-function-call.sse": {"/0/status"},
    "openai-responses-image-payloads.jsonl": {
        *(f"/1/{it}" for it in ("background", "output_format", "quality", "result")),
        *(f"/1/{it}" for it in ("revised_prompt", "size")),
        "/2/status",
    },
    "openai-responses-incomplete.sse": {"/0/status"},
    "openai-responses-mcp.sse": {
        "/0/tools",
        "/1/encrypted_content",
        "/2/output",
        "/3/encrypted_content",
        "/4/status",
    },
    "openai-responses-reasoning.sse": {"/0/encrypted_content", "/1/status"},
    "openai-responses-text.sse": {"/0/status"},
    "openai-responses-web-search.sse": {"/0/action", "/1/status"},
    "openrouter-responses.sse": {"/0/id", "/1/status"},
    "xai-responses-function-call.sse": {"/0/encrypted_content", "/0/status", "/1/status"},
}


def without(variant: Any, recording: Recording, is_left_out: Callable[[str], bool]) -> set[str]:
    """Where the output differs from that of the last event if some events never came."""
    *events, last = recording.payloads()
    stream = variant.streams.CreateResponseStream()
    for it in events:
        if not is_left_out(it["type"]):
            stream.feed(frame(it))
    assert stream.outcome.value == "open"
    found = differences(shown(variant, stream)["output"], last["response"]["output"])
    return {pointer for pointer, _ in found}


@each_variant
@pytest.mark.parametrize("recording", ENDED, ids=str)
def test_without_the_last_event(load: Load, recording: Recording, name: str) -> None:
    found = without(load(recording.profile, name), recording, lambda _: False)
    assert found == WITHOUT_THE_LAST.get(recording.file, set())


@each_variant
@pytest.mark.parametrize("recording", ENDED, ids=str)
def test_without_what_is_done(load: Load, recording: Recording, name: str) -> None:
    """From what was added and its pieces alone."""
    found = without(load(recording.profile, name), recording, lambda kind: kind.endswith(".done"))
    assert found == WITHOUT_WHAT_IS_DONE[recording.file]
