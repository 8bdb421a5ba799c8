"""A chunk of a chat: from the bytes of a read to a typed value, and to what all amount to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.bench import by_hand
from tests.bench.bodies import DONE, frame, texts
from tests.bench.measure import Subject, per_item, take_turns
from tests.bench.plan import CHUNK, VARIANTS, Plan, has
from tests.bench.reading import MODULES, check, each, read, read_only
from tests.bench.results import Section

FLOOR = "json.loads of its bytes"
ORJSON = "orjson.loads of its bytes"
MSGSPEC = "msgspec: a Struct of its bytes"
HAND = "by hand: {}, nothing checked"
VALIDATE = "pydantic: model_validate_json of its bytes"
FEED = "{}: feed"
DECODE = "{}: feed, without accumulation"
FEED_ORJSON = "{}: feed, by orjson.loads"
DECODE_ORJSON = "{}: feed, without accumulation, by orjson.loads"
THROUGH = "through httpx2: {}, iter and snapshot"
THROUGH_HAND = "through httpx2: by hand, nothing checked"
ITERATE = "openai: iterate"
ACCUMULATE = "openai: .stream()"


def measure(plan: Plan) -> Section | None:
    chunks = texts(plan.effort.chunks)
    rows = take_turns([*subjects(chunks)], plan.effort.rounds, plan.tell)
    title = f"a chunk of a chat, {min(map(len, chunks))} to {max(map(len, chunks))} bytes"
    return Section(title=title, columns=("us",), rows=rows, floor=FLOOR)


def subjects(chunks: list[bytes]) -> Iterator[Subject]:
    pieces = [*map(frame, chunks)]
    count = len(chunks)
    yield per_item(FLOOR, partial(each, json.loads, chunks), count)
    for variant in VARIANTS:
        check(variant, pieces, count)
        yield per_item(DECODE.format(variant), partial(read_only, variant, pieces), count)
        yield per_item(FEED.format(variant), partial(read, variant, pieces), count)
    if has("orjson"):
        yield from by_orjson(chunks, pieces)
    yield from floors(chunks, pieces)
    if has("openai"):
        from tests.bench.clients import subjects as through_clients

        yield from through_clients([*pieces, frame(DONE)], count)


def by_orjson(chunks: list[bytes], pieces: list[bytes]) -> Iterator[Subject]:
    from orjson import loads

    count = len(chunks)
    yield per_item(ORJSON, partial(each, loads, chunks), count)
    yield by_hand_with("orjson.loads", loads, pieces)
    for variant in VARIANTS:
        only = partial(read_only, variant, pieces, loads)
        yield per_item(DECODE_ORJSON.format(variant), only, count)
        yield per_item(FEED_ORJSON.format(variant), partial(read, variant, pieces, loads), count)


def by_hand_with(name: str, loads: Callable[[bytes], Any], pieces: list[bytes]) -> Subject:
    """What nobody can do without who makes dataclasses of the JSON."""
    decode = partial(by_hand.decode, loads)
    return per_item(HAND.format(name), partial(each, decode, pieces), len(pieces))


def floors(chunks: list[bytes], pieces: list[bytes]) -> Iterator[Subject]:
    """What libraries make of the JSON alone, without framing and what accumulates."""
    count = len(chunks)
    yield by_hand_with("json.loads", json.loads, pieces)
    model = getattr(MODULES["pydantic"], CHUNK)
    yield per_item(VALIDATE, partial(each, model.model_validate_json, chunks), count)
    if has("msgspec"):
        from tests.bench.structs import decode

        yield per_item(MSGSPEC, partial(each, decode, chunks), count)
