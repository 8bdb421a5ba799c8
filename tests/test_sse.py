"""Server-sent events: each rule of the WHATWG standard by name, and at every split.

A case is (bytes in, events out), written from section 9.2.6 of the HTML standard. Each
runs whole, byte by byte and at every two-way split. `interpret` is the standard's text
followed step by step, slowly, to compare with on inputs that nobody thought of.
"""

import base64
import json
import re
import tracemalloc
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from templates.runtime.framing import EventTooLarge
from templates.runtime.sse import ServerSentEvent, ServerSentEventDecoder, encode

CORPUS = Path(__file__).parents[2] / "shared/corpus/eventsource/cases.json"
Event = ServerSentEvent


def message(data: str, id: str = "", retry: int | None = None) -> Event:
    return Event("message", data, id, retry)


A, B = message("a"), message("b")

CASES: dict[str, tuple[bytes, list[Event]]] = {
    "nothing": (b"", []),
    "only blank lines": (b"\n\n\r\r\n\n", []),
    # Line ends
    "lf": (b"data: a\n\ndata: b\n\n", [A, B]),
    "cr": (b"data: a\r\rdata: b\r\r", [A, B]),
    "crlf": (b"data: a\r\n\r\ndata: b\r\n\r\n", [A, B]),
    "crlf inside an event": (b"data: a\r\ndata: b\r\n\r\n", [message("a\nb")]),
    "lf crlf": (b"data: a\n\r\ndata: b\n\n", [A, B]),
    "crlf lf": (b"data: a\r\n\ndata: b\n\n", [A, B]),
    "cr crlf": (b"data: a\r\r\ndata: b\n\n", [A, B]),
    "lf cr is two line ends": (b"data: a\n\rdata: b\n\n", [A, B]),
    "more blank lines than needed": (b"\n\ndata: a\n\n\n\n\ndata: b\n\n\n", [A, B]),
    "u+2028 u+2029 u+0085 vt ff fs gs rs are data": (
        "data: \u2028\u2029\u0085\x0b\x0c\x1c\x1d\x1e\n\n".encode(),
        [message("\u2028\u2029\u0085\x0b\x0c\x1c\x1d\x1e")],
    ),
    # Byte order mark
    "bom at the start": (b"\xef\xbb\xbfdata: a\n\n", [A]),
    "second bom is part of a name": (b"\xef\xbb\xbf" * 2 + b"data: a\n\ndata: b\n\n", [B]),
    "bom later is part of a name": (b"data: a\n\n\xef\xbb\xbfdata: x\n\n", [A]),
    "bom in data is kept": (b"data: \xef\xbb\xbfa\n\n", [message("\ufeffa")]),
    "bom alone": (b"\xef\xbb\xbf", []),
    "bom then lf": (b"\xef\xbb\xbf\ndata: a\n\n", [A]),
    "part of a bom is a name": (b"\xef\xbbdata: x\n\ndata: a\n\n", [A]),
    "lf at the start is a blank line": (b"\ndata: a\n\n", [A]),
    # Fields
    "no space after the colon": (b"data:a\n\n", [A]),
    "one space is removed": (b"data:  a\n\n", [message(" a")]),
    "a tab is kept": (b"data:\ta\n\n", [message("\ta")]),
    "space at the end is kept": (b"data: a \n\n", [message("a ")]),
    "later colons are data": (b"data: a: b:c\n\n", [message("a: b:c")]),
    "several data lines": (b"data: a\ndata: b\n\n", [message("a\nb")]),
    "empty data lines count": (b"data: a\ndata:\ndata\n\n", [message("a\n\n")]),
    "data without a colon": (b"data\n\n", [message("")]),
    "data with an empty value": (b"data:\n\n", [message("")]),
    "two empty data lines": (b"data\ndata\n\n", [message("\n")]),
    "names are case sensitive": (b"Data: x\nDATA: x\ndata: a\n\n", [A]),
    "names are whole": (b" data: x\ndata : x\ndat: x\ndatas: x\ndata: a\n\n", [A]),
    "unknown names": (b"foo: x\nbar\ndata: a\n\n", [A]),
    "comments": (b": x\n:\ndata: a\n:data: x\n\n:\n\n", [A]),
    "nul in data is kept": (b"data: a\0\n\n", [message("a\0")]),
    # Dispatch
    "no data no event": (b"event: ping\n\nid: 1\n\nretry: 5\n\n: x\n\n", []),
    "blank lines after an id": (b"id: 1\n\n\n\n", []),
    "name of an event without data is dropped": (b"event: ping\n\ndata: a\n\n", [A]),
    "name": (b"event: x\ndata: a\n\ndata: b\n\n", [Event("x", "a"), B]),
    "name after data": (b"data: a\nevent: x\n\n", [Event("x", "a")]),
    "last name wins": (b"event: x\nevent: y\ndata: a\n\n", [Event("y", "a")]),
    "empty name is message": (b"event: x\nevent:\ndata: a\n\n", [A]),
    "name without a colon is message": (b"event: x\nevent\ndata: a\n\n", [A]),
    "no blank line no event": (b"data: a\n\ndata: x\n", [A]),
    "no line end no event": (b"data: a\n\ndata: x", [A]),
    # Last event id
    "id persists": (b"id: 1\ndata: a\n\ndata: b\n\n", [message("a", "1"), message("b", "1")]),
    "id without data persists": (b"id: 1\n\ndata: a\n\n", [message("a", "1")]),
    "id is reset by an empty one": (
        b"id: 1\ndata: a\n\nid\ndata: b\n\n",
        [message("a", "1"), message("b")],
    ),
    "id with nul is ignored": (
        b"id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n",
        [message("a", "1"), message("b", "1")],
    ),
    "id after data": (b"data: a\nid: 1\n\n", [message("a", "1")]),
    # Reconnection time
    "retry": (b"retry: 15\ndata: a\n\ndata: b\n\n", [message("a", "", 15), B]),
    "retry with leading zeros": (b"retry: 0015\ndata: a\n\n", [message("a", "", 15)]),
    "retry of zero": (b"retry: 000\ndata: a\n\n", [message("a", "", 0)]),
    "retry is ascii digits": (
        "retry: +5\nretry: -5\nretry: 5.\nretry:  5\nretry: ٥\nretry: 1_0\nretry: ²\nretry\n"
        "data: a\n\n".encode(),
        [A],
    ),
    "retry of thousands of digits": (b"retry: " + b"9" * 5000 + b"\ndata: a\n\n", [A]),
    # UTF-8
    "two to four bytes": ("data: é…😀\n\n".encode(), [message("é…😀")]),
    "not utf-8": (b"data: a\xff\xc3(\n\n", [message("a\ufffd\ufffd(")]),
    "sequence cut by a line end": (b"data: \xe2\x80\ndata: b\n\n", [message("\ufffd\nb")]),
    "not utf-8 in a name and an id": (
        b"event: \xff\nid: \xff\ndata: a\n\n",
        [Event("\ufffd", "a", "\ufffd")],
    ),
    "not utf-8 in a field name": (b"\xffdata: x\ndata: a\n\n", [A]),
    # The next four leave the short cuts half way.
    "one-line event then a cr": (b"data: a\n\ndata: a\rdata: b\n\n", [A, message("a\nb")]),
    "one-line events then others": (
        b"data: a\n\ndata: b\n\nevent: x\ndata: a\n\ndata: a\ndata: b\n\ndata: b\n\n",
        [A, B, Event("x", "a"), message("a\nb"), B],
    ),
    "id between one-line events": (
        b"data: a\n\nid: 1\n\ndata: b\n\ndata: b\n\n",
        [A, message("b", "1"), message("b", "1")],
    ),
    "data of nothing but the separator": (
        b"data: data: \n\ndata: \n\ndata: a\n\n",
        [message("data: "), message(""), A],
    ),
}


def decode(pieces: Iterable[bytes], last_event_id: str = "") -> list[Event]:
    decoder = ServerSentEventDecoder(last_event_id)
    return [event for piece in pieces for event in decoder.feed(piece)]


def splits(stream: bytes) -> Iterator[list[bytes]]:
    yield [stream]
    yield [stream[i : i + 1] for i in range(len(stream))]
    # A read of no bytes is a read too, also between a CR and its LF.
    two_way = range(len(stream)) if len(stream) < 500 else range(0, len(stream), 97)
    for i in two_way:
        yield [stream[:i], b"", stream[i:]]


def interpret(stream: bytes) -> list[Event]:
    """Follow the standard: decode, then process every line in turn."""
    text = stream.decode("utf-8", "replace").removeprefix("\ufeff")
    events: list[Event] = []
    data, name, last_id, retry = "", "", "", None
    for line in re.split("\r\n|\r|\n", text)[:-1]:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if line == "":
            if data:
                events.append(Event(name or "message", data[:-1], last_id, retry))
            data, name, retry = "", "", None
        elif field == "data":
            data += value + "\n"
        elif field == "event":
            name = value
        elif field == "id" and "\0" not in value:
            last_id = value
        elif field == "retry" and re.fullmatch("[0-9]+", value):
            retry = int(value)
    return events


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    stream, expected = CASES[name]
    for pieces in splits(stream):
        assert decode(pieces) == expected, pieces


@pytest.mark.skipif(not CORPUS.exists(), reason="no corpus beside the checkout")
def test_corpus() -> None:
    cases: list[dict[str, Any]] = json.loads(CORPUS.read_bytes())
    assert len(cases) >= 32
    for case in cases:
        for pieces in splits(base64.b64decode(case["stream_base64"])):
            decoder = ServerSentEventDecoder(case.get("initial_last_event_id", ""))
            events = [event for piece in pieces for event in decoder.feed(piece)]
            got = [{"event": e.event, "data": e.data, "id": e.id} for e in events]
            assert got == case["expected"], (case["name"], pieces)
            assert decoder.retry == case.get("retry"), case["name"]


FIELDS = [b"data: ", b"data:", b"data", b"event: x", b"id: 1", b"id", b"id:\0", b"retry: 7", b": c"]
LINE_ENDS = [b"\n", b"\n", b"\n\n", b"\r", b"\r\n"]
TEXTS = [b" ", b"a", b"\xc3\xa9", b"\xff", b"\xe2\x80", b"\xef\xbb\xbf"]
EVENTS_OF_ONE_LINE = [b"data: a\n\n", b"\n\ndata: b\n\n"]
TOKENS = st.sampled_from([*FIELDS, *LINE_ENDS, *TEXTS, *EVENTS_OF_ONE_LINE])


@given(st.lists(st.lists(TOKENS).map(b"".join)))
def test_any_stream_in_any_pieces_is_what_the_standard_says(pieces: list[bytes]) -> None:
    stream = b"".join(pieces)
    assert decode(pieces) == interpret(stream)
    for split in splits(stream):
        assert decode(split) == interpret(stream)


@pytest.mark.parametrize("end", [b"\n\n", b"\r\r", b"\r\n\r", b"\n\r"])
@pytest.mark.parametrize("lines", [b"data: a", b"id: \ndata:a"])
def test_an_event_never_waits_for_the_next_read(lines: bytes, end: bytes) -> None:
    decoder = ServerSentEventDecoder()
    assert decoder.feed(lines + end[:-1]) == []
    assert decoder.feed(end[-1:]) == [A]


def test_what_the_stream_has_set_stays() -> None:
    decoder = ServerSentEventDecoder("7")
    assert (decoder.last_event_id, decoder.retry) == ("7", None)
    assert decoder.feed(b"data: a\n\n") == [message("a", "7")]
    decoder.feed(b"retry: 10\nid: 8\n")
    assert (decoder.last_event_id, decoder.retry) == ("7", 10)
    decoder.feed(b"\nretry: x\ndata: b\n\n")
    assert (decoder.last_event_id, decoder.retry) == ("8", 10)


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (b"", None),
        (b"data: a\n\n", None),
        (b"data: a\n\n: x", None),
        (b"event: x\nid: 1\n", None),
        (b"dat", None),
        (b"data", None),
        (b"data: [DONE]", ("message", "[DONE]", "")),
        (b"\xef\xbb\xbfdata:x", ("message", "x", "")),
        (b"data: x\n", ("message", "x", "")),
        (b"data: x\r", ("message", "x", "")),
        (b"event: done\ndata: x\ndata:y", ("done", "x\ny", "")),
        (b"id: 1\ndata: x\n", ("message", "x", "1")),
        (b"data: x\nid: 1", ("message", "x", "")),
        (b"data: x\nevent: don", ("message", "x", "")),
        (b"data: x\nretry: 1", ("message", "x", "")),
        (b"data: \xe2\x80", ("message", "\ufffd", "")),
    ],
)
def test_close_gives_the_cut_event_once(
    stream: bytes, expected: tuple[str, str, str] | None
) -> None:
    for pieces in splits(stream):
        decoder = ServerSentEventDecoder()
        for piece in pieces:
            decoder.feed(piece)
        cut = [] if expected is None else [Event(*expected, complete=False)]
        assert decoder.close() == cut
        assert decoder.close() == []
        assert (decoder.last_event_id, decoder.retry) == ("", None)
        with pytest.raises(ValueError, match="closed"):
            decoder.feed(b"data: a\n\n")


LIMIT = 40
TOO_LARGE: dict[str, tuple[bytes, list[Event]]] = {
    "one line": (b"data: " + b"x" * 35 + b"\n\n", []),
    "line without end": (b"data: " + b"x" * 35, []),
    "comment": (b"data: a\n\n:" + b"x" * 40, [A]),
    "data lines": (b"data: a\n\ndata: b\n\n" + b"data: x\n" * 20, [A, B]),
    "empty data lines": (b"data\n" * 50, []),
    "after events of one line": (b"data: a\n\n" * 3 + b"data: " + b"x" * 35, [A] * 3),
    "between events of one line": (
        b"data: a\n\ndata: " + b"x" * 35 + b"\n\ndata: b\n\n",
        [A],
    ),
    "last of two": (b"data: a\n\ndata: " + b"x" * 35 + b"\n\n", [A]),
    "data and the start of a line": (b"data: " + b"x" * 20 + b"\ndata: " + b"x" * 20, []),
    "name of a field": (b"x" * 41, []),
    "id": (b"data: a\n\nid: " + b"x" * 40, [A]),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_size_limit(name: str) -> None:
    stream, expected = TOO_LARGE[name]
    for pieces in splits(stream):
        decoder = ServerSentEventDecoder(max_event_size=LIMIT)
        events: list[Event] = []
        with pytest.raises(EventTooLarge, match="40 bytes") as raised:
            for piece in pieces:
                events += decoder.feed(piece)
        assert raised.value.limit == LIMIT
        assert events + raised.value.events == expected, pieces
        assert decoder.close() == []
        with pytest.raises(ValueError, match="closed"):
            decoder.feed(b"data: a\n\n")


@pytest.mark.parametrize(
    "stream",
    [
        b"data: " + b"x" * 34 + b"\n\n",
        b"event: " + b"x" * 33 + b"\r\nid: " + b"x" * 36 + b"\r\ndata: a\r\n\r\n",
        b": keep alive\n" * 100 + b"data: a\n\n",
        b"data: a\n: " + b"x" * 36 + b"\n\n",
    ],
)
def test_at_the_size_limit_nothing_is_refused(stream: bytes) -> None:
    for pieces in splits(stream):
        decoder = ServerSentEventDecoder(max_event_size=LIMIT)
        assert sum(len(decoder.feed(piece)) for piece in pieces) == 1


@pytest.mark.parametrize("size", [1, 16, 1024])
@pytest.mark.parametrize("line", [b"data: ", b": ", b"x"])
def test_no_read_copies_what_earlier_reads_brought(line: bytes, size: int) -> None:
    """Add up what each read allocates: a copy a read would make it count**2 * size / 2."""
    decoder = ServerSentEventDecoder()
    decoder.feed(b"data: a\n\n" + line)
    piece, count, allocated = b"x" * size, 2000, 0
    tracemalloc.start()
    try:
        for _ in range(count):
            before, _ = tracemalloc.get_traced_memory()
            tracemalloc.reset_peak()
            decoder.feed(piece)
            allocated += tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    assert allocated < count * (4 * size + 500)


@pytest.mark.parametrize(
    ("wire", "event"),
    [
        (b"data: a\n\n", A),
        (b"data: \n\n", message("")),
        (b"data:  a\n\n", message(" a")),
        (b"data: a\ndata: b\ndata: \n\n", message("a\nb\n")),
        (b"event: x\nid: 1\nretry: 5\ndata: a\n\n", Event("x", "a", "1", 5)),
        ("data: \u2028é\n\n".encode(), message("\u2028é")),
    ],
)
def test_encode(wire: bytes, event: Event) -> None:
    assert encode(event.data, event=event.event, id=event.id or None, retry=event.retry) == wire
    assert decode([wire]) == [event]


def test_encode_can_reset_the_id() -> None:
    assert decode([encode("a", id="")], last_event_id="1") == [A]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"data": "a\rb"}, "CR"),
        ({"data": "a\r\nb"}, "CR"),
        ({"data": "\ud800"}, "surrogates"),
        ({"data": "a", "event": "a\nb"}, "event type"),
        ({"data": "a", "event": "a\r"}, "event type"),
        ({"data": "a", "id": "a\nb"}, "id"),
        ({"data": "a", "id": "a\r"}, "id"),
        ({"data": "a", "id": "\0"}, "id"),
        ({"data": "a", "retry": -1}, "retry"),
        ({"data": "a", "retry": 10**18}, "retry"),
    ],
)
def test_encode_refuses_what_would_not_come_back(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        encode(**fields)


def text_without(characters: str) -> st.SearchStrategy[str]:
    alphabet = st.characters(exclude_categories=["Cs"], exclude_characters=characters)
    return st.text(alphabet | st.sampled_from(sorted(set("\n :a\0") - set(characters))))


EVENTS = st.builds(
    Event,
    text_without("\r\n").map(lambda name: name or "message"),
    text_without("\r"),
    text_without("\r\n\0"),
    st.none() | st.integers(0, 10**18 - 1),
)


@given(st.lists(EVENTS))
def test_what_is_encoded_decodes_to_itself(events: list[Event]) -> None:
    wire = b"".join(encode(e.data, event=e.event, id=e.id, retry=e.retry) for e in events)
    for pieces in splits(wire):
        assert decode(pieces) == events


def test_events_show_and_compare_every_attribute() -> None:
    event = Event("x", "a", "1", 5, False)
    assert repr(event) == "ServerSentEvent('x', 'a', id='1', retry=5, complete=False)"
    assert event != ("x", "a", "1", 5, False)
    others = {"event": "y", "data": "b", "id": "2", "retry": 6, "complete": True}
    for name, value in others.items():
        other = Event("x", "a", "1", 5, False)
        assert event == other
        setattr(other, name, value)
        assert event != other
