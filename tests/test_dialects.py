"""Chunks of servers that speak the chat API in their own way, by the document and by the profile.

One package says what the document says, the other is made of the same page with the profile
`openai-compatible`. Where a chunk does not fit, its places are told and the stream goes on; what
the profile allows is delivered as it came.
"""

import importlib
import json
from typing import Any

import pytest
import yaml

from tests.conftest import OVERLAY, PAGE
from tests.support import ROOT, Importer, run, write
from tests.wire import DONE, VALID, decode, frame

PROFILE = ROOT / "codegen/profiles/openai-compatible.yaml"
DELTA = "/choices/0/delta"


def choice(**members: Any) -> dict[str, Any]:
    return {**VALID, "choices": [{**VALID["choices"][0], **members}]}


def call(**members: Any) -> dict[str, Any]:
    function = {"arguments": "{", **members}
    return choice(delta={"tool_calls": [{"index": 0, "function": function}]})


# A chunk, where it does not fit the document, and where it does not fit the profile.
CHUNKS: dict[str, tuple[Any, tuple[str, ...], tuple[str, ...]]] = {
    "null for what may be absent": (
        {
            **choice(
                delta={"content": "a", "role": None, "tool_calls": None, "function_call": None},
                logprobs=None,
            ),
            "usage": None,
            "system_fingerprint": None,
        },
        (
            f"{DELTA}/function_call",
            f"{DELTA}/tool_calls",
            f"{DELTA}/role",
            "/system_fingerprint",
        ),
        (),
    ),
    "null for a name that came before": (
        call(name=None),
        (f"{DELTA}/tool_calls/0/function/name",),
        (),
    ),
    "null for the index of a call": (
        choice(delta={"tool_calls": [{"index": None}]}),
        (f"{DELTA}/tool_calls/0/index",),
        (f"{DELTA}/tool_calls/0/index",),
    ),
    "no index of a call": (
        choice(delta={"tool_calls": [{"id": "t"}]}),
        (f"{DELTA}/tool_calls/0/index",),
        (),
    ),
    "no reason and no delta": (
        {**VALID, "choices": [{"index": 0}]},
        ("/choices/0/delta", "/choices/0/finish_reason"),
        (),
    ),
    "no choice and nothing but empty texts": (
        {"id": "", "object": "", "created": 0, "model": "", "choices": [], "checked": [{"n": 0}]},
        ("/object",),
        (),
    ),
    "a reason that is empty": (choice(finish_reason=""), (), ()),
    "a reason that is not listed": (choice(finish_reason="overload"), (), ()),
    "an undeclared list with an entry of its kind alone": (
        choice(delta={"thoughts": [{"type": "thought.text", "index": 0}]}),
        (),
        (),
    ),
    "a time in milliseconds": ({**VALID, "created": 1_700_000_000_123}, (), ()),
    "a time with a fraction": ({**VALID, "created": 17.25}, ("/created",), ("/created",)),
    "null in place of an array": ({**VALID, "choices": None}, ("/choices",), ("/choices",)),
    "null": (None, ("",), ("",)),
    "a number": (1, ("",), ("",)),
}


@pytest.fixture(scope="module")
def profiled(importer: Importer, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The package with the profile, made of the operation of `spec/overlay.yaml` alone."""
    folder = tmp_path_factory.mktemp("dialects")
    overlay = yaml.safe_load(OVERLAY.read_text("utf-8"))
    operation = overlay["actions"][0]["update"]["paths"]["/chat/completions"]["post"]
    del operation["responses"]["200"]["content"]["text/event-stream"]["x-stream"]
    write(folder, {"operation.yaml": yaml.safe_dump(overlay)})
    return importer(run(PAGE, folder / "operation.yaml", PROFILE).files)


@pytest.fixture
def relaxed(variant: Any, profiled: str) -> Any:
    """The same variant of the package with the profile."""
    return importlib.import_module(f"{profiled}.{variant.__name__.rpartition('.')[2]}")


def check(variant: Any, chunk: Any, pointers: tuple[str, ...]) -> None:
    items, stream = decode(variant, frame(chunk, VALID) + DONE)
    shown = ("invalid", json.dumps(chunk), pointers) if pointers else chunk
    assert items == [shown, VALID]
    assert stream.outcome.value == "complete"


@pytest.mark.parametrize("name", CHUNKS)
def test_by_the_document(variant: Any, name: str) -> None:
    chunk, pointers, _ = CHUNKS[name]
    check(variant, chunk, pointers)


@pytest.mark.parametrize("name", CHUNKS)
def test_by_the_profile(relaxed: Any, name: str) -> None:
    chunk, _, pointers = CHUNKS[name]
    check(relaxed, chunk, pointers)


def test_an_empty_first_chunk_names_nothing(relaxed: Any) -> None:
    chunk, *_ = CHUNKS["no choice and nothing but empty texts"]
    _, stream = decode(relaxed, frame(chunk, {**VALID, "created": 9}) + DONE)
    snapshot = relaxed.to_json(stream.snapshot())
    assert (snapshot["id"], snapshot["model"], snapshot["created"]) == ("c", "m", 9)
    assert "object" not in snapshot


def test_null_after_a_name_takes_nothing_away(relaxed: Any) -> None:
    _, stream = decode(relaxed, frame(call(name="f"), call(name=None)) + DONE)
    (folded,) = relaxed.to_json(stream.snapshot())["choices"][0]["message"]["tool_calls"]
    assert folded["function"] == {"name": "f", "arguments": "{{"}


def test_calls_without_an_index_are_calls_of_their_own(relaxed: Any) -> None:
    calls = [{"id": "t", "function": {"name": "f", "arguments": it}} for it in ("{}", "[]")]
    chunks = [choice(delta={"tool_calls": [call]}) for call in calls]
    _, stream = decode(relaxed, frame(*chunks) + DONE)
    (folded,) = relaxed.to_json(stream.snapshot())["choices"]
    assert folded["message"]["tool_calls"] == calls
