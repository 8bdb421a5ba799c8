"""`streambind inspect`: what is shown of a recorded body, and when.

`recorded/` holds a document, bodies of its streams and what has to be shown, written by hand: each
kind of deviation once or more.
"""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result

from codegen.recording.changes import find_changes
from codegen.recording.events import Change, Effect
from codegen.source.values import Json
from tests.command import run
from tests.support import ROOT

HERE = Path(__file__).parent / "recorded"
ORDERS = ("orders.yaml", "--stream", "PlaceOrderStream")
WIDTH = 80


@pytest.fixture(autouse=True)
def _there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)


def inspect(*arguments: str, body: bytes | None = None) -> Result:
    return run("inspect", *arguments, input=body, columns=WIDTH)


def shown(*arguments: str, body: bytes | None = None) -> list[str]:
    result = inspect(*arguments, body=body)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout.splitlines()


@pytest.mark.parametrize("name", ["good", "odd"])
def test_what_is_shown(name: str) -> None:
    lines = shown(*ORDERS, f"{name}.sse")
    assert max(map(len, lines)) <= WIDTH
    assert lines == (HERE / f"{name}.txt").read_text("utf-8").splitlines()


def test_events_in_envelopes() -> None:
    lines = shown("envelopes.yaml", "envelopes.sse")
    assert lines == (HERE / "envelopes.txt").read_text("utf-8").splitlines()


def test_only_deviations() -> None:
    lines = shown(*ORDERS, "odd.sse", "--only", "deviations")
    events = [line for line in lines[2 : lines.index("snapshot")] if line[:9].strip()]
    assert [line.split()[1] for line in events] == ["started", "item", "item", "payment", "note"]


def test_only_events_of_a_name() -> None:
    lines = shown(*ORDERS, "odd.sse", "--event", "note", "--event", "payment")
    events = [line for line in lines[2 : lines.index("snapshot")] if line[:9].strip()]
    assert [line.split()[1] for line in events] == ["payment", "note", "note"]


def test_what_comes_over_the_wire_does_not_act() -> None:
    body = b'data: {"type": "note", "text": "\\u001b[2J\\u202e\\u009b"}\n\n'
    body += (
        b'data: {"type": "\\u001b]0;x\\u0007", "\\r": "\x1b[1m"}\n\n: \x1b[3m\n\ndata: \x1b[1m\n\n'
    )
    result = inspect(*ORDERS, "-", body=body)
    assert result.exit_code == 0
    assert not [it for it in result.stdout if not it.isprintable() and it != "\n"]


def test_redacted() -> None:
    """Length and shape stay, and so does what the document itself says."""
    lines = shown(*ORDERS, "odd.sse", "--redact")
    text = "\n".join(lines)
    assert "Two cups" not in text
    assert '    "note": "Xxx xxxx"' in lines
    assert '    "id": "x-0",' in lines
    # An order is in a state that the document does not list: that is what there is to tell.
    assert '             ! value outside the enum  /order/state = "paused"' in lines
    assert '             ! undeclared field  /language = "xx"' in lines


def test_a_stream_has_to_be_chosen() -> None:
    result = inspect(ORDERS[0], "odd.sse")
    assert result.exit_code == 2
    assert "SB621 the document has 2 streams" in result.stderr
    assert "--stream: PlaceOrderStream, ListWordsStream" in result.stderr


def test_a_stream_that_is_not_there() -> None:
    result = inspect(ORDERS[0], "--stream", "PlaceOrder", "odd.sse")
    assert result.exit_code == 2
    assert (
        "SB622 there is no stream 'PlaceOrder'; did you mean 'PlaceOrderStream'?" in result.stderr
    )


def test_a_recording_that_is_not_there(tmp_path: Path) -> None:
    result = inspect(*ORDERS, str(tmp_path / "none.sse"))
    assert result.exit_code == 2
    assert "SB623 cannot read the recording: No such file" in result.stderr


def test_json_lines() -> None:
    body = b'{"text": "one"}\n\n{"text": 2}\n{"text": "three"}'
    lines = shown(ORDERS[0], "--stream", "ListWordsStream", "-", body=body)
    assert [line[:9].strip() for line in lines[2:7]] == ["0", "17", "", "29", ""]
    assert "other type  /text: a string expected, found 2" in lines[4]


# Live


@pytest.fixture
def terminal() -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The command at the end of a pipe, in a terminal of 80 columns."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(WIDTH), "TERM": "xterm", "PYTHONPATH": str(ROOT)}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "codegen", "inspect", "-q", *ORDERS, "-"],
        stdin=subprocess.PIPE,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    )
    os.close(theirs)
    with process:
        yield process, ours
        process.kill()
    os.close(ours)


def wait_for(text: bytes, seen: bytearray, descriptor: int) -> None:
    """Read what a terminal shows until a text is there."""
    while text not in seen:
        ready, _, _ = select.select([descriptor], [], [], 60)
        assert ready, bytes(seen)
        seen += os.read(descriptor, 4096)


def test_an_event_is_shown_when_it_is_there(terminal: tuple[subprocess.Popen[bytes], int]) -> None:
    """Each before the server sends the next; and whoever interrupts sees how the body stands."""
    process, screen = terminal
    seen = bytearray()
    assert process.stdin is not None
    for text in (b"one", b"two", b"three"):
        process.stdin.write(b'data: {"type": "note", "text": "%s"}\n\n' % text)
        process.stdin.flush()
        wait_for(b'text="%s"' % text, seen, screen)
    process.send_signal(signal.SIGINT)
    wait_for(b"3 events in", seen, screen)
    assert b'"note": "onetwothree"' in seen
    assert b"open" in seen
    assert process.wait(30) == 130
    assert process.stderr is not None
    assert process.stderr.read() == b""


# Changes


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ({}, {}, []),
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": True}, [(Effect.REPLACED, ("a",), True)]),
        ({"a": 1}, {"a": 1.0}, [(Effect.REPLACED, ("a",), 1.0)]),
        ({"a": "x"}, {"a": "xy"}, [(Effect.EXTENDED, ("a",), "y")]),
        ({"a": ""}, {"a": "y"}, [(Effect.REPLACED, ("a",), "y")]),
        ({"a": 1}, {"b": 1}, [(Effect.REMOVED, ("a",), None), (Effect.ADDED, ("b",), 1)]),
        ([1], [1, 2], [(Effect.ADDED, (1,), 2)]),
        ([1, 2], [1], [(Effect.REPLACED, (), [1])]),
        ([{"a": 1}], [{"a": 2}], [(Effect.REPLACED, (0, "a"), 2)]),
        ({"a": {"b": []}}, {"a": {"b": None}}, [(Effect.REPLACED, ("a", "b"), None)]),
    ],
)
def test_changes(
    before: Json, after: Json, changes: list[tuple[Effect, tuple[str | int, ...], Json]]
) -> None:
    expected = [Change(effect=effect, path=path, value=value) for effect, path, value in changes]
    assert list(map(repr, find_changes(before, after))) == list(map(repr, expected))
