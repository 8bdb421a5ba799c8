"""Over real HTTP: a server on loopback sends the page's chunks in odd pieces, chunked encoding.

The README's examples run against it as they stand, but for the address. Each variant decodes it
with httpx, sync and async, and a response that ends early is told apart from one that is whole.
"""

import asyncio
import importlib
import re
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any

import httpx
import pytest

from tests.wire import cut

README = Path(__file__).parent.parent / "README.md"
API = "https://api.openai.com/v1"


def find_examples() -> list[str]:
    """The Python blocks under the heading "Use" of the README, each on the lines it has there."""
    text = README.read_text("utf-8")
    use = re.search(r"^## Use\n(?:(?!## ).*\n)*", text, re.MULTILINE)
    assert use, "the README has no heading Use"
    blocks = re.finditer(r"^```python\n(.*?)^```$", use[0], re.MULTILINE | re.DOTALL)
    starts = ((use.start() + it.start(1), it[1]) for it in blocks)
    return ["\n" * text.count("\n", 0, start) + block for start, block in starts]


@pytest.fixture(scope="module")
def server(body: bytes) -> Iterator[str]:
    """The base URL of an API whose chat completions stream the example of the page."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle(self) -> None:
            # A client may stop reading: one of the tests does.
            with suppress(ConnectionError):
                super().handle()

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            whole = body.removesuffix(b"data: [DONE]\n\n") if "cut" in self.path else body
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for piece in (*cut(whole), b""):
                self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()
        thread.join()


EXAMPLES = find_examples()


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_readme(example: str, server: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(example.replace(API, server), "README.md", "exec"), {"__name__": "__main__"})
    output = capsys.readouterr().out
    assert output
    assert ("Hello" in output) == (API in example)


def test_the_readme_calls_the_api_both_ways() -> None:
    ways = [("sync", ".iter("), ("async", ".aiter(")]
    shown = [name for name, call in ways if any(call in it and API in it for it in EXAMPLES)]
    assert shown == ["sync", "async"]


def read(variant: Any, url: str) -> tuple[list[Any], Any]:
    stream = variant.streams.CreateChatCompletionStream()
    with httpx.stream("POST", url, json={"stream": True}) as response:
        return [variant.to_json(it) for it in stream.iter(response.iter_bytes())], stream


async def read_async(variant: Any, url: str) -> tuple[list[Any], Any]:
    stream = variant.streams.CreateChatCompletionStream()
    async with (
        httpx.AsyncClient() as client,
        client.stream("POST", url, json={"stream": True}) as response,
    ):
        return [variant.to_json(it) async for it in stream.aiter(response.aiter_bytes())], stream


def test_sync(variant: Any, server: str, chunks: list[Any]) -> None:
    items, stream = read(variant, f"{server}/chat/completions")
    assert items == chunks
    assert stream.outcome.value == "complete"


def test_async(variant: Any, server: str, chunks: list[Any]) -> None:
    items, stream = asyncio.run(read_async(variant, f"{server}/chat/completions"))
    assert items == chunks
    assert stream.outcome.value == "complete"


def test_a_response_that_ends_early(package: ModuleType, variant: Any, server: str) -> None:
    errors = importlib.import_module(f"{package.__name__}._runtime.errors")
    with pytest.raises(errors.TruncatedStream):
        read(variant, f"{server}/cut")
    with pytest.raises(errors.TruncatedStream):
        asyncio.run(read_async(variant, f"{server}/cut"))


def test_a_consumer_that_stops_early_leaves_a_stream_that_answers(
    variant: Any, server: str, chunks: list[Any]
) -> None:
    stream = variant.streams.CreateChatCompletionStream()
    url = f"{server}/chat/completions"
    with httpx.stream("POST", url, json={"stream": True}) as response:
        first = next(stream.iter(response.iter_bytes()))
    assert variant.to_json(first) == chunks[0]
    assert stream.outcome.value == "open"
    snapshot = variant.to_json(stream.snapshot())
    assert snapshot["choices"][0]["message"] == {"role": "assistant", "content": ""}
