"""What the fuzzers feed, and what must hold whatever they feed.

A target takes bytes and raises for anything but the errors that are promised:
- `reader`: the text of a document, through every stage to the text of a package; `Refused` alone
  may come out, and what is said can be shown;
- `overlay`: the text of an overlay, applied to a document with a stream, then the same;
- `framings`: a body for one of the five framings, small limits included; every split gives the
  same texts, none is beyond its limit, and what is written is read back;
- `decoder`: a body for the stream of `generated/`; nothing is raised, the variants agree, every
  split gives the same items, and what is decoded is written back as equal JSON.

The first bytes of a body choose the framing, the limit and the cuts.
"""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import pairwise
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, TypeAlias

from codegen.diagnostics import Diagnostics, Refused
from codegen.pipeline import VARIANTS, build_package, load_api
from codegen.report import format_text
from tests.support import CASES, canonical, encode
from tests.wire import show

Target: TypeAlias = Callable[[bytes], None]

RUNTIME = "templates.runtime"
FRAMINGS = {
    "sse": "ServerSentEventDecoder",
    "json_lines": "JsonLinesDecoder",
    "json_sequence": "JsonSequenceDecoder",
    "json_array": "JsonArrayDecoder",
    "multipart": "MultipartDecoder",
}
# Bytes before a body: framing, limit, and where it is cut.
HEAD = 4
BASE = CASES.parent / "stream_cases/keyed/spec.yaml"


def load_all() -> None:
    """Load what the targets run, so that a fuzzer can see where they lead."""
    for name in ("codegen", RUNTIME, "generated"):
        package = importlib.import_module(name)
        for module in walk_packages(package.__path__, f"{name}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)


@cache
def folder() -> tempfile.TemporaryDirectory[str]:
    """Where a document lies while it is read, by itself; gone with the process."""
    return tempfile.TemporaryDirectory(prefix="streambind-")


def build(spec: Path, *overlays: Path) -> None:
    """Read a document and make a package of it; Refused is an answer like another."""
    diagnostics = Diagnostics()
    with suppress(Refused):
        build_package(load_api(str(spec), overlays, diagnostics), VARIANTS)
    format_text(diagnostics, color=False)


def reader(data: bytes) -> None:
    spec = Path(folder().name) / "document"
    spec.write_bytes(data)
    build(spec)


def overlay(data: bytes) -> None:
    layer = Path(folder().name) / "overlay"
    layer.write_bytes(data)
    build(BASE, layer)


def framings(data: bytes) -> None:
    head, body = data[:HEAD].ljust(HEAD, b"\0"), data[HEAD:]
    module = [*FRAMINGS][head[0] % len(FRAMINGS)]
    limit = head[1] or 1 << 20
    whole = frames(module, limit, [body])
    for pieces in ways(body, head[2:]):
        assert frames(module, limit, pieces) == whole, pieces
    texts, *_ = whole
    assert all(len(it.data) <= limit for it in texts)
    for text in texts:
        if text.complete:
            written_back(module, text)


def frames(module: str, limit: int, pieces: list[bytes]) -> tuple[list[Any], bool, Any]:
    """The texts of a body, whether it went beyond the limit, and what the decoder knows then."""
    runtime = importlib.import_module(f"{RUNTIME}.{module}")
    decoder = getattr(runtime, FRAMINGS[module])(max_event_size=limit)
    texts: list[Any] = []
    beyond = False
    try:
        for piece in pieces:
            texts += decoder.feed(piece)
        texts += decoder.close()
    except importlib.import_module(f"{RUNTIME}.framing").EventTooLarge as error:
        texts += error.events
        beyond = True
        assert decoder.close() == []
    known = ("last_event_id", "retry", "ended")
    return texts, beyond, [getattr(decoder, name, None) for name in known]


def written_back(module: str, text: Any) -> None:
    """A text that JSON takes is read again as it was written; of server-sent events, any is."""
    runtime = importlib.import_module(f"{RUNTIME}.{module}")
    if module == "sse":
        wire = runtime.encode(text.data, event=text.event, id=text.id, retry=text.retry)
    elif not is_json(text.data):
        return
    elif module == "json_array":
        wire = runtime.START + runtime.encode(text.data, first=True) + runtime.END
    else:
        wire = runtime.encode(text.data) + getattr(runtime, "END", b"")
    assert frames(module, len(wire), [wire])[:2] == ([text], False)


def is_json(text: str) -> bool:
    try:
        importlib.import_module(f"{RUNTIME}.jsontext").parse(text)
    except ValueError:
        return False
    return True


def decoder(data: bytes) -> None:
    head, body = data[:HEAD].ljust(HEAD, b"\0"), data[HEAD:]
    limit = head[1] * 16 or 1 << 20
    answers = [decoded(name, limit, [body]) for name in VARIANTS]
    assert answers[0] == answers[1] == answers[2]
    for pieces in ways(body, head[2:]):
        assert decoded(VARIANTS[head[0] % 3], limit, pieces) == answers[0], pieces


def decoded(name: str, limit: int, pieces: list[bytes]) -> str:
    """All that can be seen of a body, as text that tells 1 from true; what is good is written back
    on the way.
    """
    variant = importlib.import_module(f"generated.{name}")
    stream = variant.streams.CreateChatCompletionStream(max_event_size=limit)
    items = [item for piece in pieces for item in stream.feed(piece)] + stream.close()
    events = [item for item in items if not type(item).__name__.endswith(("Event", "Error"))]
    again = type(stream)()
    back = again.feed(encode(type(stream), events)) + again.close()
    assert shown(variant, back) == shown(variant, events)
    try:
        result = variant.to_json(stream.result())
    except variant.streams.IncompleteResult as error:
        result = [problem.pointer for problem in error.errors]
    seen = [items, stream.outcome.value, variant.to_json(stream.snapshot()), result]
    return shown(variant, items) + canonical([*seen[1:], stream.last_event_id, stream.retry])


def shown(variant: Any, items: list[Any]) -> str:
    return canonical([show(variant, item) for item in items])


def ways(body: bytes, seed: bytes) -> Iterator[list[bytes]]:
    """A body in pieces: at two places of the input's choice, and at every byte of a short one."""
    first, second = (byte * len(body) // 256 for byte in seed[:2])
    ends = sorted({0, first, second, len(body)})
    yield [body[start:end] for start, end in pairwise(ends)]
    if len(body) <= 200:
        yield [body[at : at + 1] for at in range(len(body))]


TARGETS: dict[str, Target] = {
    "reader": reader,
    "overlay": overlay,
    "framings": framings,
    "decoder": decoder,
}
