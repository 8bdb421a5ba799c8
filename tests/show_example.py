"""Decode the example stream of a documentation page with `generated/`, and show what comes of it.

In: the page. Its chunk schema holds example chunks under `x-oaiMeta`, one a line; a server would
send them as events, with `[DONE]` after the last. `make generate` runs this.
"""

import json
import sys

from codegen.diagnostics import Diagnostics
from codegen.source.document import read_document
from codegen.source.pointer import lookup
from generated.dataclasses.streams import CreateChatCompletionStream

EXAMPLE = "#/components/schemas/CreateChatCompletionStreamResponse/x-oaiMeta/example"


def read_chunks(page: str) -> tuple[str, ...]:
    """Return the example chunks of the page, each a JSON text."""
    text = lookup(read_document(page, Diagnostics()).data, EXAMPLE)
    assert isinstance(text, str)
    return tuple(line for line in text.splitlines() if line.startswith("{"))


def frame(chunks: tuple[str, ...]) -> bytes:
    """Return the bytes in which a server sends the chunks."""
    return "".join(f"data: {data}\n\n" for data in (*chunks, "[DONE]")).encode()


def show(page: str) -> None:
    body = frame(read_chunks(page))
    stream = CreateChatCompletionStream()
    texts: list[str] = []
    for chunk in stream.iter([body[:100], body[100:]]):
        texts += [choice.delta.content or "" for choice in chunk.choices]
    print(f"{len(texts)} chunks in {len(body)} bytes: {json.dumps(texts)}")
    for choice in stream.result().choices or ():
        if (message := choice.message) is not None:
            print(f"{message.role} said {message.content!r} and ended with {choice.finish_reason}")
    print(f"the stream is {stream.outcome.value}")


if __name__ == "__main__":
    show(sys.argv[1])
