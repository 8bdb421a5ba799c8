"""Server-sent events alone: bytes to the data of each event."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import httpx

from generated._runtime.sse import ServerSentEventDecoder
from tests.bench.bodies import KIB, cut, frame, texts
from tests.bench.measure import Subject, per_item, take_turns
from tests.bench.plan import Plan, has
from tests.bench.reading import each
from tests.bench.results import Section

OURS = "streambind, an event to each read"
BLOCKS = "streambind, in reads of 64 KiB"
HTTPX_SSE = "httpx-sse, an event to each read"


def measure(plan: Plan) -> Section | None:
    pieces = [*map(frame, texts(plan.effort.chunks))]
    rows = take_turns([*subjects(pieces)], plan.effort.rounds, plan.tell)
    return Section(title="framing of an event", columns=("us",), rows=rows, floor=OURS)


def subjects(pieces: list[bytes]) -> Iterator[Subject]:
    count = len(pieces)
    yield per_item(OURS, partial(by_ours, pieces), count)
    yield per_item(BLOCKS, partial(by_ours, cut(b"".join(pieces), 64 * KIB)), count)
    if has("httpx_sse"):
        yield per_item(HTTPX_SSE, partial(by_httpx_sse, pieces), count)
    if has("openai"):
        yield per_item("openai, an event to each read", partial(by_openai, pieces), count)


def by_ours(pieces: list[bytes]) -> None:
    each(ServerSentEventDecoder().feed, pieces)


def by_httpx_sse(pieces: list[bytes]) -> None:
    from httpx_sse import EventSource

    headers = {"Content-Type": "text/event-stream"}
    response = httpx.Response(200, headers=headers, content=iter(pieces))
    each(id, EventSource(response).iter_sse())


def by_openai(pieces: list[bytes]) -> None:
    from openai._streaming import SSEDecoder

    each(id, SSEDecoder().iter_bytes(iter(pieces)))
