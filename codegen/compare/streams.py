"""Two sets of streams -> the changes of how they are read.

What their events hold is told of the classes of the events, and what adds up of those of the
results.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from codegen.compare.change import Change, Kind, Tier
from codegen.compare.spelling import Package
from codegen.ir.api import Stop, StopAt, StopData, StopEvent, Stream
from codegen.ir.types import Ref


def compare_streams(
    olds: Mapping[str, Stream], news: Mapping[str, Stream], old: Package, new: Package
) -> Iterator[Change]:
    """Yield the changes of streams, by the names of their classes."""
    for name, stream in olds.items():
        if name not in news:
            yield _stream(Tier.SOURCE, Kind.STREAM_REMOVED, name, stream)
    for name, stream in news.items():
        if name not in olds:
            yield _stream(Tier.NONE, Kind.STREAM_ADDED, name, stream)
            continue
        yield from _differences(Tier.WIRE, name, stream, _wire(olds[name]), _wire(stream))
        yield from _differences(
            Tier.SOURCE, name, stream, _names(olds[name], old), _names(stream, new)
        )


def _differences(
    tier: Tier,
    name: str,
    stream: Stream,
    old: Mapping[str, str | None],
    new: Mapping[str, str | None],
) -> Iterator[Change]:
    for what, was in old.items():
        if was != new[what]:
            change = _stream(tier, Kind.STREAM_CHANGED, f"{name} ({what})", stream)
            yield replace(change, was=was, becomes=new[what])


def _stream(tier: Tier, kind: Kind, symbol: str, stream: Stream) -> Change:
    return Change(tier=tier, kind=kind, symbol=symbol, origin=stream.origin)


def _wire(stream: Stream) -> dict[str, str | None]:
    """What decides how bytes become events."""
    return {
        "framing": stream.framing.value,
        "stop": ", ".join(map(_stop, stream.stop)) or "the end of the input",
        "end of the input": "is an error" if stream.eof_is_error else "is an end",
    }


def _stop(stop: Stop) -> str:
    match stop:
        case StopData(text=text):
            return f"data {text!r}"
        case StopEvent(name=name):
            return f"event {name!r}"
        case StopAt(path=path, value=value):
            return f"{value!r} at /{'/'.join(path)}"


def _names(stream: Stream, package: Package) -> dict[str, str | None]:
    result = stream.result
    if result is None and stream.fold is not None:
        result = Ref(stream.fold.record)
    spelling = next(iter(package.spellings.values()))
    return {
        "event": spelling.type(stream.event),
        "result": None if result is None else spelling.type(result),
    }
