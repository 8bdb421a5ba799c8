"""Two sets of streams -> the changes of how they are read, and of what adds up.

What their events hold is told of the classes of the events, and what the results hold of those of
the results.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from codegen.compare.change import Change, Kind, Tier
from codegen.compare.folds import tell_fold, tell_path
from codegen.compare.spelling import Package
from codegen.ir.api import ErrorAt, Stop, StopAt, StopData, StopEvent, Stream, Unknown
from codegen.ir.types import Ref


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fact:
    """Something of a stream in words, and the tier of its going, its coming and its changing."""

    told: str | None
    goes: Tier
    comes: Tier
    changes: Tier


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
        before = dict(_facts(olds[name], old))
        for what, fact in _facts(stream, new):
            yield from _difference(f"{name} ({what})", stream, before[what].told, fact)
        yield from _compare_folds(name, olds[name], stream)


def _difference(symbol: str, stream: Stream, was: str | None, now: _Fact) -> Iterator[Change]:
    if was != now.told:
        tier = now.comes if was is None else now.goes if now.told is None else now.changes
        change = _stream(tier, Kind.STREAM_CHANGED, symbol, stream)
        yield replace(change, was=was, becomes=now.told)


def _compare_folds(name: str, old: Stream, new: Stream) -> Iterator[Change]:
    if old.fold is None or new.fold is None:
        return
    olds, news = tell_fold(old.fold), tell_fold(new.fold)
    before, now = (frozenset(it.kinds.names if it.kinds else ()) for it in (old, new))
    for place in {**olds, **news}:
        was, becomes = olds.get(place), news.get(place)
        # A member, or a kind of event, that comes or goes is told of its class.
        is_new = None in (was, becomes) and place.partition(" ")[0] not in before & now
        if was != becomes and not is_new:
            change = _stream(Tier.SOFT, Kind.STREAM_FOLDED, f"{name} ({place})", new)
            yield replace(change, was=was, becomes=becomes)


def _stream(tier: Tier, kind: Kind, symbol: str, stream: Stream) -> Change:
    return Change(tier=tier, kind=kind, symbol=symbol, origin=stream.origin)


def _facts(stream: Stream, package: Package) -> Iterator[tuple[str, _Fact]]:
    """What is told of a stream, the same for each."""
    wire = {"goes": Tier.WIRE, "comes": Tier.WIRE, "changes": Tier.WIRE}
    failing = {"goes": Tier.SOFT, "comes": Tier.WIRE, "changes": Tier.WIRE}
    offered = {"goes": Tier.SOURCE, "comes": Tier.NONE, "changes": Tier.SOFT}
    typed = {"goes": Tier.SOURCE, "comes": Tier.NONE, "changes": Tier.SOURCE}
    soft = {"goes": Tier.SOFT, "comes": Tier.SOFT, "changes": Tier.SOFT}
    yield "framing", _Fact(told=stream.framing.value, **wire)
    yield "names of events", _Fact(told=_naming(stream), **wire)
    yield "data of events", _Fact(told=_data(stream), **wire)
    stops = ", ".join(map(_stop, stream.stop)) or "the end of the input"
    yield "stop", _Fact(told=stops, **wire)
    end = "is an error" if stream.eof_is_error else "is an end"
    yield "end of the input", _Fact(told=end, **wire)
    yield "errors", _Fact(told=", ".join(map(_error, stream.errors)) or None, **failing)
    is_refused = bool(stream.kinds and stream.kinds.names) and stream.unknown is Unknown.ERROR
    yield "an event that is not listed", _Fact(told="an error" if is_refused else None, **failing)
    yield "passed over", _Fact(told=", ".join(map(repr, stream.skip)) or None, **soft)
    yield "event", _Fact(told=_event(stream, package), **typed)
    yield "result", _Fact(told=_result(stream, package), **typed)
    yield "REQUEST", _Fact(told=_request(stream), **offered)
    yield "resume", _Fact(told=_resume(stream), **offered)


def _naming(stream: Stream) -> str | None:
    if stream.kinds is None:
        return None
    return "by the framing" if stream.kinds.on_wire else f"in {stream.kinds.field!r}"


def _data(stream: Stream) -> str:
    envelope = stream.envelope
    if envelope is None:
        return "the event"
    texts = ", ".join(map(repr, envelope.texts))
    kind = "a text" if envelope.is_text else f"JSON, a text of {texts}" if texts else "JSON"
    return f"{kind}, with {', '.join(envelope.members)}" if envelope.members else kind


def _stop(stop: Stop) -> str:
    match stop:
        case StopData(text=text):
            return f"data {text!r}"
        case StopEvent(name=name):
            return f"event {name!r}"
        case StopAt(path=path, value=value):
            return f"{value!r} at {tell_path(path)}"


def _error(error: ErrorAt) -> str:
    place = f"at {tell_path(error.path)}" if error.path else ""
    event = "" if error.event is None else f"event {error.event!r}"
    return " ".join(part for part in (event, place) if part) or "any event"


def _event(stream: Stream, package: Package) -> str:
    spelling = next(iter(package.spellings.values()))
    keeps_unknown = bool(stream.kinds and stream.kinds.names) and stream.unknown is Unknown.KEEP
    return spelling.type(stream.event) + " | UnknownEvent" * keeps_unknown


def _result(stream: Stream, package: Package) -> str | None:
    result = stream.result
    if result is None and stream.fold is not None:
        result = Ref(stream.fold.record)
    return None if result is None else next(iter(package.spellings.values())).type(result)


def _request(stream: Stream) -> str | None:
    when = stream.when
    return None if when is None else f"{when.value!r} at {tell_path(when.path)}"


def _resume(stream: Stream) -> str | None:
    resume = stream.resume
    if resume is None:
        return None
    place = "the id" if resume.path is None else tell_path(resume.path)
    return f"{resume.name} with {place}"
