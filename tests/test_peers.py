"""Real peers: Starlette under uvicorn sends what our stream classes write, and others read it.

We read it ourselves, through every HTTP client that gives bytes, and so do the official clients of
the APIs. Where those are right, what they make of a chat equals our result; where they are known to
be wrong, a test says how, and fails when that changes.
"""

import asyncio
import importlib
import json
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from threading import Thread
from typing import Any, TypeAlias
from urllib.request import Request, urlopen

import aiohttp
import httpx
import pytest
import requests
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request as Received
from starlette.responses import StreamingResponse
from starlette.routing import Route

from codegen.diagnostics import Diagnostics
from codegen.passes.prune import prune
from codegen.pipeline import VARIANTS, build_package, load_api
from codegen.profiles import find_profiles
from tests.recordings.bodies import CORPUS, RECORDINGS, Recording, needs_corpus
from tests.recordings.leaving_out import excerpt
from tests.support import Importer, canonical, differences
from tests.test_accumulation import CASES, SNAPSHOT, complete
from tests.wire import VALID, cut

Serve: TypeAlias = Callable[[bytes], str]
Load: TypeAlias = Callable[[Path, str, str, str], Any]
LoadChat: TypeAlias = Callable[[str, str], Any]
LoadStream: TypeAlias = Callable[[str, str], Any]
Read: TypeAlias = Callable[[Any, str], list[Any]]

QUESTION: dict[str, Any] = {"model": "m", "messages": []}
AZURE = "azure-chat-tool-call.sse"
FILES = (
    "openai-chat-tool-call.sse",
    "openai-chat-n2.sse",
    "openai-chat-refusal.sse",
    "openai-chat-logprobs.sse",
    AZURE,
)
ANTHROPIC = (
    "anthropic-citations.sse",
    "anthropic-compaction.sse",
    "anthropic-fallback.sse",
    "anthropic-incomplete-tool-json.sse",
    "anthropic-mcp.sse",
    "anthropic-refusal-payloads.jsonl",
    "anthropic-text.sse",
    "anthropic-thinking-tool-use.sse",
)
GATEWAY = "vercel-gateway-anthropic.sse"
OPERATIONS = {
    "MessagesPostStream": "messages_post",
    "BetaMessagesPostStream": "beta_messages_post",
}
RECORDED = {recording.file: recording for recording in RECORDINGS}


# What is served


def choice(index: int, finish_reason: str | None = None, /, **delta: Any) -> Any:
    return {"index": index, "delta": delta, "finish_reason": finish_reason}


def call(index: int, arguments: str, **start: str) -> Any:
    """A piece of a tool call; the first one has an id and a name."""
    if not start:
        return {"index": index, "function": {"arguments": arguments}}
    function = {"name": start["name"], "arguments": arguments}
    return {"index": index, "id": start["id"], "type": "function", "function": function}


def chunk(*choices: Any, **members: Any) -> Any:
    return {**VALID, "choices": [*choices], **members}


USAGE = {"prompt_tokens": 7, "completion_tokens": 9, "total_tokens": 16}
# The block that begins says that another model goes on.
TAKEN_OVER: list[Any] = [
    {
        "type": "message_start",
        "message": {
            "id": "m",
            "type": "message",
            "role": "assistant",
            "model": "first",
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {
                "input_tokens": 1,
                "output_tokens": 1,
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": 0,
                "service_tier": "standard",
            },
        },
    },
    {
        "type": "content_block_start",
        "index": 0,
        "content_block": {
            "type": "fallback",
            "from": {"model": "first"},
            "to": {"model": "second"},
            "trigger": {"type": "refusal", "category": None},
        },
    },
    {"type": "content_block_stop", "index": 0},
    {
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn", "stop_sequence": None},
        "usage": {"output_tokens": 2},
    },
    {"type": "message_stop"},
]
# Two answers at once: one in words, the other two calls of which the pieces alternate.
CALLS = [
    chunk(
        choice(0, role="assistant", content="Bon"),
        choice(1, role="assistant", tool_calls=[call(0, "", id="a", name="find")]),
    ),
    chunk(choice(1, tool_calls=[call(0, '{"for": '), call(1, "", id="b", name="count")])),
    chunk(choice(0, content="jour, ça va\n"), choice(1, tool_calls=[call(1, "{}")])),
    chunk(choice(1, tool_calls=[call(0, '"naïveté"}')])),
    chunk(choice(1, "tool_calls"), choice(0, content="?")),
    chunk(choice(0, "stop")),
    chunk(usage=USAGE),
]


@dataclass(frozen=True, slots=True)
class Chat:
    """A variant of a package with the chat of OpenAI, and the JSON of the chunks that it sends."""

    variant: Any
    chunks: list[Any]

    def body(self) -> bytes:
        """What a server sends that writes with our class."""
        stream = self.variant.streams.CreateChatCompletionStream
        event = partial(self.variant.from_json, self.variant.CreateChatCompletionStreamResponse)
        return b"".join(stream.encode(event(it)) for it in self.chunks) + bytes(stream.END)


@pytest.fixture(
    params=[
        pytest.param(None, id="page"),
        pytest.param(CALLS, id="calls"),
        *(pytest.param(RECORDED[file], id=file, marks=needs_corpus) for file in FILES),
    ]
)
def chat(
    request: pytest.FixtureRequest, variant: Any, chunks: list[Any], load_chat: LoadChat
) -> Chat:
    """Each chat in each variant: the chunks of the page, ours, and recorded ones."""
    if isinstance(request.param, Recording):
        return Chat(load_chat(request.param.profile, short(variant)), request.param.payloads())
    return Chat(variant, request.param or chunks)


def short(variant: Any) -> str:
    return str(variant.__name__.rpartition(".")[2])


@pytest.fixture(scope="module")
def load(importer: Importer) -> Load:
    """Gives a variant of the package of one operation of a document, with a profile."""

    @cache
    def make(spec: Path, profile: str, operation: str) -> str:
        diagnostics = Diagnostics()
        api = load_api(str(spec), find_profiles((profile,), diagnostics), diagnostics)
        return importer(build_package(prune(api, diagnostics, operations=(operation,)), VARIANTS))

    def get(spec: Path, profile: str, operation: str, variant: str) -> Any:
        return importlib.import_module(f"{make(spec, profile, operation)}.{variant}")

    return get


@pytest.fixture(scope="module")
def load_chat(load: Load, tmp_path_factory: pytest.TempPathFactory) -> LoadChat:
    """Gives a variant of the chat of OpenAI with a profile, made of that part of the document."""
    spec = tmp_path_factory.mktemp("chat") / "openai.json"

    def get(profile: str, variant: str) -> Any:
        if not spec.exists():
            document = excerpt(CORPUS / "specs/openai.yaml", "/chat/completions")
            spec.write_text(json.dumps(document))
        return load(spec, profile, "createChatCompletion", variant)

    return get


@pytest.fixture(scope="module")
def serve() -> Iterator[Serve]:
    """Puts a body on the server, and gives the base URL of an API that streams it in odd pieces."""
    bodies: list[bytes] = []

    async def answer(request: Received) -> StreamingResponse:
        await request.body()
        pieces = one_by_one(bodies[request.path_params["number"]])
        return StreamingResponse(pieces, media_type="text/event-stream")

    async def one_by_one(body: bytes) -> AsyncIterator[bytes]:
        for piece in cut(body):
            yield piece

    def put(body: bytes) -> str:
        bodies.append(body)
        return f"http://127.0.0.1:{port}/{len(bodies) - 1}"

    app = Starlette(routes=[Route("/{number:int}/{path:path}", answer, methods=["POST"])])
    config = uvicorn.Config(app, lifespan="off", log_config=None, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        thread = Thread(target=server.run, args=([listening],))
        thread.start()
        yield put
        server.should_exit = True
        thread.join()


# Read by us; httpx would read its certificates anew in each test, for nothing


def with_httpx(stream: Any, url: str) -> list[Any]:
    with httpx.stream("POST", url, json=QUESTION, verify=False) as response:
        return [*stream.iter(response.iter_bytes())]


def with_httpx_async(stream: Any, url: str) -> list[Any]:
    async def read() -> list[Any]:
        async with (
            httpx.AsyncClient(verify=False) as client,
            client.stream("POST", url, json=QUESTION) as response,
        ):
            return [event async for event in stream.aiter(response.aiter_bytes())]

    return asyncio.run(read())


def with_aiohttp(stream: Any, url: str) -> list[Any]:
    async def read() -> list[Any]:
        async with (
            aiohttp.ClientSession() as session,
            session.post(url, json=QUESTION) as response,
        ):
            return [event async for event in stream.aiter(response.content.iter_any())]

    return asyncio.run(read())


def with_requests(stream: Any, url: str) -> list[Any]:
    with requests.post(url, json=QUESTION, stream=True) as response:
        return [*stream.iter(response.iter_content(None))]


def with_urllib(stream: Any, url: str) -> list[Any]:
    with urlopen(Request(url, json.dumps(QUESTION).encode())) as response:
        return [*stream.iter(iter(response.read1, b""))]


@pytest.mark.parametrize(
    "read", [with_httpx, with_httpx_async, with_aiohttp, with_requests, with_urllib]
)
def test_read_by_us(read: Read, chat: Chat, serve: Serve) -> None:
    stream = chat.variant.streams.CreateChatCompletionStream()
    events = read(stream, f"{serve(chat.body())}/chat/completions")
    assert [canonical(chat.variant.to_json(it)) for it in events] == [*map(canonical, chat.chunks)]
    assert stream.outcome.value == "complete"


# Read by the client of OpenAI


@pytest.fixture(scope="module")
def openai(serve: Serve) -> Iterator[Any]:
    """The official client. Importing it takes seconds, as does checking types with it."""
    module: Any = importlib.import_module("openai")
    with module.OpenAI(base_url=serve(b""), api_key="x", max_retries=0) as client:
        yield client


def chunks_of(openai: Any, url: str) -> list[Any]:
    with openai.with_options(base_url=url).chat.completions.create(**QUESTION, stream=True) as it:
        return [*it]


def completion_of(openai: Any, url: str) -> Any:
    with openai.with_options(base_url=url).chat.completions.stream(**QUESTION) as stream:
        return stream.get_final_completion().to_dict()


def completion_by_hand(openai: Any, url: str) -> Any:
    """The way for those who call `create`: without what `stream` does before it adds a chunk."""
    chat: Any = importlib.import_module("openai.lib.streaming.chat")
    state = chat.ChatCompletionStreamState()
    for it in chunks_of(openai, url):
        state.handle_chunk(it)
    return state.get_final_completion().to_dict()


def ours(variant: Any, body: bytes, name: str = "CreateChatCompletionStream") -> Any:
    """What we make of a body, all at once."""
    stream = getattr(variant.streams, name)()
    stream.feed(body)
    return variant.to_json(stream.result())


def said(completion: Any) -> str:
    """What a completion says in the members that the API declares; null says nothing.

    The official client keeps the index of a tool call, which belongs to its pieces.
    """
    members = ("id", "created", "model", "service_tier", "system_fingerprint", "usage")
    choices = [
        {key: it.get(key) for key in ("index", "finish_reason", "logprobs", "message")}
        for it in completion.get("choices", ())
    ]
    for it in choices:
        message = it["message"] or {}
        calls = [{**call, "index": None} for call in message.get("tool_calls") or ()]
        it["message"] = {**message, "tool_calls": calls or None}
    whole = {"choices": choices, **{key: completion.get(key) for key in members}}
    return canonical(without_nulls(whole))


def without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_nulls(it) for key, it in value.items() if it is not None}
    return [*map(without_nulls, value)] if isinstance(value, list) else value


def test_the_client_of_openai_reads_the_same_chunks(openai: Any, chat: Chat, serve: Serve) -> None:
    chunks = chunks_of(openai, serve(chat.body()))
    assert [canonical(it.to_dict()) for it in chunks] == [*map(canonical, chat.chunks)]


def test_the_client_of_openai_adds_up_the_same(openai: Any, chat: Chat, serve: Serve) -> None:
    body = chat.body()
    assert said(ours(chat.variant, body)) == said(completion_of(openai, serve(body)))


# What the official client makes of cases of `streams/accumulate.yaml` that it gets wrong: what it
# raises, or where it says something else.
MESSAGE = "/choices/0/message"
WRONG: dict[str, str | dict[str, Any]] = {
    "choice 1 first": "IndexError",
    "choice 2 before 1, in one chunk": "IndexError",
    "one choice twice in one chunk": {
        "/choices": [{"index": 0, "message": {"content": "b"}}, {"index": 0, "message": {}}]
    },
    "choices far apart and below zero": "IndexError",
    "role in every chunk": {f"{MESSAGE}/role": "assistantassistant"},
    "role late, and then another": {f"{MESSAGE}/role": "assistantuser"},
    "role that the document does not list": {f"{MESSAGE}/role": "criticcritic"},
    "function_call in pieces": {f"{MESSAGE}/function_call/name": "ff"},
    "tool call 1 before 0": "IndexError",
    "tool calls start at 1": "IndexError",
    "tool calls of two choices": "IndexError",
    "tool calls far apart and below zero": "IndexError",
    "id, type and name in every chunk": {
        f"{MESSAGE}/tool_calls/0/id": "t0t0",
        f"{MESSAGE}/tool_calls/0/function/name": "ff",
    },
    "azure's first chunk": {"/id": "", "/model": "", "/created": 0},
    "model late": {"/model": ""},
    "usage then null": {"/usage": None},
    "service_tier late, and then null": {"/service_tier": None},
    "unknown members of deltas are neither joined nor summed": {
        f"{MESSAGE}/reasoning": "ab",
        f"{MESSAGE}/score": 1.5,
        f"{MESSAGE}/done": 2,
        f"{MESSAGE}/meta": {"k": 3},
        f"{MESSAGE}/tags/0": "t",
        f"{MESSAGE}/tags/1": "t",
    },
    "annotations, which have no index": "RuntimeError",
}
# No one is wrong there: we keep lists of what the document does not declare, and of two times the
# last, as the first may be 0.
ONLY_OTHERWISE = ("unknown members everywhere else", "id and model once, created as last said")
COMPARED = [case for case in CASES if case not in ONLY_OTHERWISE]


@pytest.mark.parametrize("case", COMPARED)
def test_the_client_of_openai_adds_up_a_case(case: str) -> None:
    chunks, snapshot = CASES[case].values()
    assert added_up_by_openai(chunks, {**SNAPSHOT, **snapshot}) == WRONG.get(case, {})


def added_up_by_openai(chunks: list[Any], snapshot: Any) -> str | dict[str, Any]:
    """What the official client raises, or where what it says differs; nothing if it is right."""
    types: Any = importlib.import_module("openai.types.chat")
    chat: Any = importlib.import_module("openai.lib.streaming.chat")
    state = chat.ChatCompletionStreamState()
    try:
        for it in chunks:
            state.handle_chunk(types.ChatCompletionChunk.construct(**complete(it)))
    except (AttributeError, IndexError, RuntimeError) as error:
        return type(error).__name__
    theirs = state.current_completion_snapshot.to_dict()
    return dict(differences(*(json.loads(said(it)) for it in (theirs, snapshot))))


@needs_corpus
def test_the_client_of_openai_keeps_what_azure_leaves_empty(
    openai: Any, variant: Any, load_chat: LoadChat, serve: Serve
) -> None:
    """The first chunk has results of a filter only. `stream` drops it; by hand, its values stay."""
    recording = RECORDED[AZURE]
    chat = Chat(load_chat(recording.profile, short(variant)), recording.payloads())
    url = serve(chat.body())
    theirs, result = completion_by_hand(openai, url), ours(chat.variant, chat.body())
    expected = recording.expected()
    assert expected is not None
    for member, empty in (("id", ""), ("model", ""), ("created", 0)):
        assert (member, theirs[member]) == (member, empty)
        assert (member, result[member]) == (member, expected["snapshot"][member])
    assert "prompt_filter_results" in result
    assert "prompt_filter_results" not in completion_of(openai, url)


def test_the_client_of_openai_forgets_usage_that_is_not_last(
    openai: Any, variant: Any, serve: Serve
) -> None:
    body = Chat(variant, [*CALLS, chunk(choice(0))]).body()
    assert completion_of(openai, serve(body))["usage"] is None
    assert ours(variant, body)["usage"] == USAGE


def test_the_client_of_openai_fails_if_the_second_choice_is_first(
    openai: Any, variant: Any, serve: Serve
) -> None:
    chunks = [chunk(choice(1, content="b")), chunk(choice(0, content="a"))]
    body = Chat(variant, chunks).body()
    with pytest.raises(IndexError):
        completion_of(openai, serve(body))
    assert [it["message"]["content"] for it in ours(variant, body)["choices"]] == ["a", "b"]


# Read by the client of Anthropic


@pytest.fixture(scope="module")
def load_messages(load: Load) -> LoadStream:
    """Gives a variant of an operation of Anthropic."""

    def get(operation: str, variant: str) -> Any:
        return load(CORPUS / "specs/anthropic-tryagi.yaml", "anthropic", operation, variant)

    return get


def message_of(url: str, *, beta: bool = False) -> Any:
    module: Any = importlib.import_module("anthropic")
    with module.Anthropic(base_url=url, api_key="x", max_retries=0) as client:
        messages = client.beta.messages if beta else client.messages
        with messages.stream(**QUESTION, max_tokens=1) as stream:
            return stream.get_final_message().to_dict()


@needs_corpus
@pytest.mark.parametrize("file", ANTHROPIC)
def test_the_client_of_anthropic_adds_up_the_same(
    file: str, variant: Any, load_messages: LoadStream, serve: Serve
) -> None:
    """Of what the server sent, and of what we write; it passes over events without a name."""
    recording = RECORDED[file]
    made = load_messages(OPERATIONS[recording.stream], short(variant))
    bodies = [rewritten(made, recording)]
    if b"event: message_start" in recording.body():
        bodies.append(recording.body())
    result = canonical(without_nulls(ours(made, recording.body(), recording.stream)))
    for body in bodies:
        message = message_of(serve(body), beta=recording.stream.startswith("Beta"))
        assert canonical(without_nulls(message)) == result


def rewritten(made: Any, recording: Recording) -> bytes:
    """The events of a body as our class writes them."""
    stream = getattr(made.streams, recording.stream)()
    return b"".join(map(stream.encode, stream.feed(recording.body())))


@needs_corpus
def test_the_client_of_anthropic_renames_the_model_that_took_over(
    variant: Any, load_messages: LoadStream, serve: Serve
) -> None:
    """No recording has such a block."""
    made = load_messages("beta_messages_post", short(variant))
    stream = made.streams.BetaMessagesPostStream
    event = partial(made.from_json, made.BetaMessageStreamEvent)
    body = b"".join(stream.encode(event(it)) for it in TAKEN_OVER)
    message = ours(made, body, "BetaMessagesPostStream")
    assert message["model"] == "second"
    assert message["content"] == [TAKEN_OVER[1]["content_block"]]
    theirs = message_of(serve(body), beta=True)
    assert canonical(without_nulls(theirs)) == canonical(without_nulls(message))


@needs_corpus
def test_the_client_of_anthropic_forgets_usage_that_it_does_not_know(
    variant: Any, load_messages: LoadStream, serve: Serve
) -> None:
    recording = RECORDED[GATEWAY]
    made = load_messages(OPERATIONS[recording.stream], short(variant))
    message = message_of(serve(rewritten(made, recording)), beta=True)
    assert "cost" not in message["usage"]
    assert ours(made, recording.body(), recording.stream)["usage"]["cost"] == 0.000112


@needs_corpus
def test_the_client_of_anthropic_reads_on_after_the_last_event(serve: Serve) -> None:
    with pytest.raises(json.JSONDecodeError):
        message_of(serve(RECORDED[GATEWAY].body()), beta=True)
