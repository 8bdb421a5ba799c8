"""The same body through HTTP clients: the official one of the API, and ours over a plain one.

There is no network: a transport answers in this process, a chunk to each read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

import httpx2
from openai import OpenAI

from tests.bench.bodies import DONE, frame
from tests.bench.by_hand import decode
from tests.bench.measure import Subject, per_item
from tests.bench.plan import STREAM, VARIANTS
from tests.bench.reading import MODULES, each
from tests.bench.streams import ACCUMULATE, ITERATE, THROUGH, THROUGH_HAND

DONE_FRAME = frame(DONE)
URL = "https://api.example.com/v1"


def subjects(pieces: list[bytes], count: int) -> Iterator[Subject]:
    def respond(request: httpx2.Request) -> httpx2.Response:
        headers = {"Content-Type": "text/event-stream"}
        return httpx2.Response(200, headers=headers, content=iter(pieces))

    http = httpx2.Client(transport=httpx2.MockTransport(respond))
    client = OpenAI(api_key="none", base_url=URL, http_client=http)
    for variant in VARIANTS:
        yield per_item(THROUGH.format(variant), partial(by_ours, http, variant, count), count)
    yield per_item(THROUGH_HAND, partial(unchecked, http), count)
    yield per_item(ITERATE, partial(iterate, client, count), count)
    yield per_item(ACCUMULATE, partial(accumulate, client), count)


def by_ours(http: httpx2.Client, variant: str, count: int) -> None:
    stream: Any = getattr(MODULES[variant], STREAM)()
    with http.stream("POST", f"{URL}/chat/completions") as response:
        assert sum(1 for _ in stream.iter(response.iter_bytes())) == count
    stream.snapshot()


def unchecked(http: httpx2.Client) -> None:
    with http.stream("POST", f"{URL}/chat/completions") as response:
        pieces = filter(DONE_FRAME.__ne__, response.iter_bytes())
        each(partial(decode, json.loads), pieces)


def iterate(client: OpenAI, count: int) -> None:
    chunks = client.chat.completions.create(model="m", messages=[], stream=True)
    assert sum(1 for _ in chunks) == count


def accumulate(client: OpenAI) -> None:
    with client.chat.completions.stream(model="m", messages=[]) as stream:
        for _ in stream:
            pass
        assert stream.get_final_completion().choices[0].message.content
