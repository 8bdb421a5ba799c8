"""What servers leave out, or null, that their document promises, and what they let clients leave
out, that no recording here shows.

Each body has the least members that a server was seen to send or to take. The profile reads it in
every variant, and not without the change that is made for it.
"""

import importlib
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pytest

from codegen.diagnostics import Diagnostics
from codegen.pipeline import VARIANTS, build_package, load_api
from codegen.profiles import find_profiles
from tests.recordings.bodies import CORPUS, needs_corpus
from tests.recordings.leaving_out import UNRECORDED, excerpt, leave_out, read_actions
from tests.support import ROOT, Importer
from tests.test_recordings import build
from tests.test_responses import RESPONSE

pytestmark = needs_corpus
Load: TypeAlias = Callable[[str, str], Any]
PROFILES = ("openai", "openai-compatible")
GEMINI = "/v1beta/models/{model}:streamGenerateContent"


class Body(NamedTuple):
    """Events of a stream, or with no `stream` one value of a type; `result` is what they add up to,
    where that is worth saying.
    """

    profiles: tuple[str, ...]
    reader: str
    events: list[Any]
    is_stream: bool = True
    result: Any = None


# Anthropic


def message(*inside: Any, usage: Any = None, stream: str = "MessagesPostStream") -> Body:
    """A message in which these events are between its start and its end."""
    start: dict[str, Any] = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "a",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage or {"input_tokens": 1, "output_tokens": 1},
    }
    delta = {"stop_reason": "end_turn", "stop_sequence": None}
    end = {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 2}}
    begin = {"type": "message_start", "message": start}
    return Body(("anthropic",), stream, [begin, *inside, end, {"type": "message_stop"}])


def block(**members: Any) -> Any:
    return {"type": "content_block_start", "index": 0, "content_block": members}


def citation(kind: str, unit: str) -> Any:
    cited = {"type": kind, "cited_text": "a", "document_index": 0, "document_title": None}
    cited |= {f"start_{unit}": 1, f"end_{unit}": 2}
    delta = {"type": "citations_delta", "citation": cited}
    return {"type": "content_block_delta", "index": 0, "delta": delta}


BETA = "BetaMessagesPostStream"
TOOL = {"type": "server_tool_use", "id": "t", "name": "web_fetch", "input": {}}
SOURCE = {"type": "text", "media_type": "text/plain", "data": "a"}
PAGE = {"type": "document", "source": SOURCE, "title": None}
FETCHED = {"type": "web_fetch_result", "url": "u", "retrieved_at": None, "content": PAGE}
TEXT = {"type": "text", "text": ""}
CONTAINER = {
    "type": "message_delta",
    "delta": {
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "container": {"id": "c", "expires_at": "2025-12-09T19:30:27Z"},
    },
    "usage": {"output_tokens": 1},
}

# OpenAI

AT = {"item_id": "i", "output_index": 0, "content_index": 0}
SAID = {"type": "output_text", "text": "a", "annotations": []}
FORMAT = {"type": "json_schema", "name": "s", "schema": {}, "strict": True, "description": None}
SERVER = {"type": "mcp", "server_label": "s", "server_url": "u", "server_description": None}


def response(*inside: Any, profiles: tuple[str, ...] = PROFILES, **members: Any) -> Body:
    """A response in which these events are between its start and its end."""
    whole = {**RESPONSE, **members}
    begin = {"type": "response.created", "response": whole}
    end = {"type": "response.completed", "response": whole}
    events = [begin, *inside, end]
    numbered = [{**it, "sequence_number": number} for number, it in enumerate(events)]
    return Body(profiles, "CreateResponseStream", numbered, result=whole)


def added(**members: Any) -> Any:
    return {"type": "response.output_item.added", "output_index": 0, "item": members}


def asked(profiles: tuple[str, ...], reader: str, body: Any) -> Body:
    """What a client sends."""
    return Body(profiles, reader, [body], False)


def completion(choice: Any, profiles: tuple[str, ...] = PROFILES, **members: Any) -> Body:
    """A completion that is not streamed."""
    whole = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", **members}
    message_ = {"role": "assistant", "content": "a"}
    choices = [{"index": 0, "finish_reason": "stop", "message": message_, **choice}]
    return Body(profiles, "CreateChatCompletionResponse", [{**whole, "choices": choices}], False)


def chunk(choice: Any, stream: str = "CreateChatCompletionStream", **members: Any) -> Body:
    whole = {"object": "chat.completion.chunk", "created": 1, "model": "m", **members}
    choices = [{"index": 0, "finish_reason": "stop", **choice}]
    return Body(("openai-compatible",), stream, [{**whole, "choices": choices}])


REFUSAL, PROBABILITIES = {"role": "assistant", "content": "a", "refusal": None}, {"logprobs": None}
LEGACY = {"stream": "CreateCompletionStream", "object": "text_completion", "id": "c"}
COUNTS = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}

BODIES: dict[str, Body] = {
    "usage of older models": message(block(**TEXT)),
    "usage of older models, in the beta": message(block(**TEXT), stream=BETA),
    "a tool of the server that is not listed": message(block(**TOOL)),
    "a tool that does not say who calls it": message(block(**TOOL), stream=BETA),
    "a page that was fetched, uncited": message(
        block(type="web_fetch_tool_result", tool_use_id="t", content=FETCHED), stream=BETA
    ),
    "citations of no file": message(
        block(**TEXT),
        citation("page_location", "page_number"),
        citation("content_block_location", "block_index"),
    ),
    "citations of no file, in the beta": message(
        block(**TEXT),
        citation("page_location", "page_number"),
        citation("content_block_location", "block_index"),
        stream=BETA,
    ),
    "a container without skills": message(CONTAINER, stream=BETA),
    "nothing to count yet": response(usage=None),
    "a format that is not described": response(text={"format": FORMAT}),
    "a server that is not described": response(tools=[SERVER]),
    "a server some of whose tools ask": response(
        tools=[{**SERVER, "require_approval": {"always": {"tool_names": ["a"]}, "never": None}}],
        profiles=("openai",),
    ),
    "a text without probabilities": response(
        {"type": "response.output_text.delta", **AT, "delta": "a"},
        {"type": "response.output_text.done", **AT, "text": "a"},
    ),
    "a part without probabilities": response(
        {"type": "response.content_part.added", **AT, "part": SAID}, profiles=("openai",)
    ),
    "arguments of a function without its name": response(
        {
            "type": "response.function_call_arguments.done",
            "item_id": "i",
            "output_index": 0,
            "arguments": "{}",
        }
    ),
    "an image that is being made": response(
        added(type="image_generation_call", id="i", status="in_progress")
    ),
    "a search that is in progress": response(
        added(type="web_search_call", id="i", status="in_progress")
    ),
    "a function that does not say how strictly it is called": asked(
        PROFILES, "FunctionTool", {"type": "function", "name": "f", "parameters": {}}
    ),
    "a request whose path says the model": asked(
        ("gemini",), "GenerateContentRequest", {"contents": [{"parts": [{"text": "a"}]}]}
    ),
    "a chat without refusal": completion(PROBABILITIES),
    "a chat without probabilities": completion({"message": REFUSAL}),
    "a chat without fingerprint": completion(
        {"message": REFUSAL, **PROBABILITIES}, system_fingerprint=None
    ),
    "a chat without identifier": chunk({"delta": {"role": "assistant", "content": "a"}}),
    "counts that are not known": chunk(
        {"delta": {}}, id="c", usage={**COUNTS, "completion_tokens": None, "total_tokens": None}
    ),
    "counts behind a proxy": chunk(
        {"delta": {}}, id="c", usage={**COUNTS, "prompt_tokens_details": {"audio_tokens": None}}
    ),
    "a legacy completion that is not counted yet": chunk(
        {"text": "a", **PROBABILITIES}, **LEGACY, usage=None
    ),
    "a legacy completion by another word": chunk(
        {"text": "a", **PROBABILITIES}, **{**LEGACY, "object": "text.completion"}
    ),
}
EACH = [(profile, name) for name, body in BODIES.items() for profile in body.profiles]
SPECS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "openai": ("openai.yaml", ("/chat/completions", "/completions", "/responses"), ()),
    "openai-compatible": ("openai.yaml", ("/chat/completions", "/completions", "/responses"), ()),
    "gemini": ("gemini.json", (GEMINI,), ("GenerateContentRequest",)),
    # Its profile says which schemas the events of a message are.
    "anthropic": (
        "anthropic-dart.yaml",
        ("/v1/messages", "/v1/messages?beta=true"),
        ("MessageStreamEvent", "BetaMessageStreamEvent"),
    ),
}


@cache
def document(profile: str) -> Any:
    spec, paths, schemas = SPECS[profile]
    return excerpt(CORPUS / "specs" / spec, *paths, schemas=schemas)


@pytest.fixture(scope="module")
def load(importer: Importer, tmp_path_factory: pytest.TempPathFactory) -> Load:
    """Gives a variant of the package of a profile and the document it is for."""
    folder = tmp_path_factory.mktemp("left_out")

    @cache
    def make(profile: str) -> str:
        spec = folder / f"{profile}.json"
        spec.write_text(json.dumps(document(profile)))
        diagnostics = Diagnostics()
        api = load_api(str(spec), find_profiles((profile,), diagnostics), diagnostics)
        return importer(build_package(api, VARIANTS))

    return lambda profile, name: importlib.import_module(f"{make(profile)}.{name}")


def wire(body: Body) -> bytes:
    """The events under the names that their data have, and the end that some streams say."""
    named = (
        b"event: %s\ndata: %s\n\n" % (it.get("type", "message").encode(), json.dumps(it).encode())
        for it in body.events
    )
    return b"".join(named) + (b"" if "type" in body.events[-1] else b"data: [DONE]\n\n")


def read(variant: Any, body: Body) -> Any:
    """What the events are, and what they add up to; None where something does not fit."""
    if not body.is_stream:
        (value,) = body.events
        try:
            tp = getattr(variant, body.reader)
            return [variant.to_json(variant.from_json(tp, value))], None
        except variant.DecodeError:
            return None
    stream = getattr(variant.streams, body.reader)()
    items = [*stream.feed(wire(body)), *stream.close()]
    if {"InvalidEvent", "UnknownEvent", "StreamError"} & {type(it).__name__ for it in items}:
        return None
    assert stream.outcome.value == "complete"
    try:
        return [*map(variant.to_json, items)], variant.to_json(stream.result())
    except variant.IncompleteResult:
        return None


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize(("profile", "what"), EACH)
def test_it_is_read(load: Load, profile: str, what: str, name: str) -> None:
    body = BODIES[what]
    found = read(load(profile, name), body)
    assert found is not None
    items, result = found
    assert items == body.events
    if body.result is not None:
        assert result == body.result


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("profile", PROFILES)
def test_what_keeps_a_connection_alive_is_passed_over(load: Load, profile: str, name: str) -> None:
    stream = load(profile, name).streams.CreateResponseStream()
    alive = {"type": "keepalive", "sequence_number": 1}
    assert stream.feed(b"event: keepalive\ndata: %s\n\n" % json.dumps(alive).encode()) == []


def unrecorded() -> Iterator[Any]:
    """The number of each action that no recording shows."""
    for profile, targets in UNRECORDED.items():
        actions = read_actions(ROOT / f"codegen/profiles/{profile}.yaml")
        numbers = {action["target"]: number for number, action in enumerate(actions)}
        for target in targets:
            yield pytest.param(profile, numbers[target], id=f"{profile}: {target}")


@pytest.mark.parametrize(("profile", "number"), [*unrecorded()])
def test_every_change_is_needed(
    profile: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each change that a profile makes, left out, spoils some body."""
    monkeypatch.syspath_prepend(tmp_path)
    actions = read_actions(ROOT / f"codegen/profiles/{profile}.yaml")
    bodies = [BODIES[what] for other, what in EACH if other == profile]
    changes = [*leave_out(actions, number, document(profile))]
    assert changes
    for index, (change, rest) in enumerate(changes):
        name = f"{profile.replace('-', '_')}_left_out_{number}_{index}"
        variant = build(tmp_path, name, document(profile), rest)
        assert not all(read(variant, body) for body in bodies), change
