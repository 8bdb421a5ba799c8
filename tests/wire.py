"""Chat chunks over the wire: what the tests of the stream class have in common.

`frame` is how a server sends JSON, `cut` in which pieces it arrives, `decode` and `summary` what a
variant of the package makes of the bytes, shown as data that can be compared between variants.
"""

import json
from collections.abc import Iterator
from itertools import cycle
from typing import Any

VALID: dict[str, Any] = {
    "id": "c",
    "object": "chat.completion.chunk",
    "created": 1,
    "model": "m",
    "choices": [{"index": 0, "delta": {"content": "a"}, "finish_reason": None}],
}
DONE = b"data: [DONE]\n\n"
SIZES = (1, 2, 3, 5, 8, 13, 21, 60)


def frame(*payloads: Any) -> bytes:
    return b"".join(b"data: " + json.dumps(it).encode() + b"\n\n" for it in payloads)


def cut(body: bytes) -> Iterator[bytes]:
    """Pieces of many sizes: inside a line, a word, a line end."""
    for size in cycle(SIZES):
        if not body:
            return
        yield body[:size]
        body = body[size:]


def show(variant: Any, item: Any) -> Any:
    """An item as data that the variants have in common."""
    match type(item).__name__:
        case "InvalidEvent":
            return ("invalid", item.raw, tuple(error.pointer for error in item.errors))
        case "StreamError":
            return ("error", item.payload)
        case _:
            return variant.to_json(item)


def decode(variant: Any, *pieces: bytes, **options: Any) -> tuple[list[Any], Any]:
    """Feed the pieces and close: what came out, shown, and the stream."""
    stream = variant.streams.CreateChatCompletionStream(**options)
    items = [item for piece in pieces for item in stream.feed(piece)]
    return [show(variant, item) for item in [*items, *stream.close()]], stream


def summary(variant: Any, *pieces: bytes) -> Any:
    """All that can be seen of a stream that was decoded."""
    items, stream = decode(variant, *pieces)
    snapshot = variant.to_json(stream.snapshot())
    return items, stream.outcome.value, snapshot, stream.last_event_id, stream.retry
