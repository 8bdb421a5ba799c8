"""Profiles whose recordings are few: what they change is needed, and what no recording shows.

Of an API without a recording of its stream, the body is ours: events as the document describes
them.
"""

import importlib
import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from codegen.diagnostics import Diagnostics, Refused
from codegen.pipeline import load_api
from codegen.profiles import find_profiles
from codegen.report import format_text
from tests.recordings.bodies import CORPUS, RECORDINGS, Recording, needs_corpus
from tests.recordings.leaving_out import UNRECORDED, excerpt, leave_out, read_actions
from tests.support import ROOT
from tests.test_recordings import build, read
from tests.wire import frame

PROFILES = ROOT / "codegen/profiles"
COHERE = "tests/recordings/documents/cohere.yaml"
GEMINI = "/v1beta/models/{model}:streamGenerateContent"
CONVERSATION = "/v1/conversations#stream"


class Case(NamedTuple):
    """A profile, and the paths of its document that recordings are of."""

    profile: str
    document: Path
    paths: tuple[str, ...]

    @property
    def recordings(self) -> list[Recording]:
        return [it for it in RECORDINGS if it.profile == self.profile]


CASES = (
    Case("cohere", ROOT / COHERE, ("/v1/chat", "/v2/chat")),
    Case("gemini", CORPUS / "specs/gemini.json", (GEMINI,)),
    Case("mistral", CORPUS / "specs/mistral.yaml", ("/v1/chat/completions",)),
)


def numbered() -> list[Any]:
    """Each action of each profile that says something of a path with a recording."""
    return [
        pytest.param(case, number, id=f"{case.profile}: {action['target']}")
        for case in CASES
        for number, action in enumerate(read_actions(PROFILES / f"{case.profile}.yaml"))
        if "conversations" not in action["target"]
        and action["target"] not in UNRECORDED.get(case.profile, ())
    ]


def outcomes(folder: Path, name: str, case: Case, document: Any, actions: list[Any]) -> Any:
    """What the recordings of a profile come to: their events, and what these add up to."""
    try:
        variant = build(folder, name, document, actions)
    except Refused:
        return None
    return [seen(variant, it) for it in case.recordings if it.stream in dir(variant.streams)]


def seen(variant: Any, recording: Recording) -> tuple[str, str, str]:
    stream, items = read(variant, recording)
    if not hasattr(stream, "snapshot"):
        return repr(items), "", ""
    try:
        result = json.dumps(variant.to_json(stream.result()))
    except ValueError as error:
        result = str(error)
    return repr(items), repr(stream.snapshot()), result


@needs_corpus
@pytest.mark.parametrize(("case", "number"), numbered())
def test_every_change_is_needed(
    case: Case, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each change that a profile makes, left out, spoils what comes of some recording."""
    monkeypatch.syspath_prepend(tmp_path)
    document = excerpt(case.document, *case.paths)
    actions = read_actions(PROFILES / f"{case.profile}.yaml")
    name = f"{case.profile}_without_{number}"
    whole = outcomes(tmp_path, f"{name}_nothing", case, document, actions)
    assert len(whole) == len(case.recordings)
    for index, (change, rest) in enumerate(leave_out(actions, number, document)):
        less = outcomes(tmp_path, f"{name}_{index}", case, document, rest)
        assert less != whole, change


# What no recording shows


def event(kind: str, **members: Any) -> dict[str, Any]:
    return {"type": kind, "created_at": "2025-06-01T00:00:00Z", **members}


def output(kind: str, index: int, **members: Any) -> dict[str, Any]:
    return event(kind, output_index=index, **members)


@needs_corpus
def test_conversations_of_mistral(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outputs begin with their first piece, whatever its kind."""
    monkeypatch.syspath_prepend(tmp_path)
    document = excerpt(CORPUS / "specs/mistral.yaml", CONVERSATION, "/v1/conversations")
    actions = read_actions(PROFILES / "mistral.yaml")
    build(tmp_path, "conversations", document, actions)
    variant = importlib.import_module("conversations.dataclasses")
    tool = {"id": "t", "name": "web_search"}
    message = {"id": "m", "model": "large", "role": "assistant"}
    call = {"id": "f", "name": "get", "tool_call_id": "c"}
    reference = {"type": "tool_reference", "tool": "web_search", "title": "A page"}
    stream = variant.streams.AgentsApiV1ConversationsStartStreamStream()
    stream.feed(
        frame(
            event("conversation.response.started", conversation_id="conv"),
            output("tool.execution.started", 0, **tool, arguments=""),
            output("tool.execution.delta", 0, **tool, arguments='{"q"'),
            output("tool.execution.delta", 0, **tool, arguments=": 1}"),
            output("tool.execution.done", 0, **tool, info={"hits": 1}),
            output("message.output.delta", 1, **message, content="Hel"),
            output("message.output.delta", 1, **message, content="lo"),
            output("message.output.delta", 1, **message, content=reference),
            output("function.call.delta", 2, **call, arguments='{"a"'),
            output("function.call.delta", 2, **call, arguments=": 2}"),
            event("conversation.response.done", usage={"total_tokens": 3}),
        )
    )
    time = "2025-06-01T00:00:00Z"
    said = [{"type": "text", "text": "Hello"}, reference]
    assert stream.outcome.value == "complete"
    assert variant.to_json(stream.result()) == {
        "object": "conversation.response",
        "conversation_id": "conv",
        "outputs": [
            {
                "type": "tool.execution",
                "created_at": time,
                "completed_at": time,
                **tool,
                "arguments": '{"q": 1}',
                "info": {"hits": 1},
            },
            {"type": "message.output", "created_at": time, **message, "content": said},
            {"type": "function.call", "created_at": time, **call, "arguments": '{"a": 2}'},
        ],
        "usage": {"total_tokens": 3},
    }


# Documents of an API, from one year to the next


def test_a_profile_over_another_document(tmp_path: Path) -> None:
    """What matches nothing is counted in one line, as nobody can mend it; as an overlay, a warning
    for each target that does, as for any overlay.
    """
    document = tmp_path / "pets.json"
    document.write_text('{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}}')
    diagnostics = Diagnostics()
    (profile,) = find_profiles(("cohere",), diagnostics)
    load_api(str(document), (profile,), diagnostics)
    targets = [action["target"] for action in read_actions(profile)]
    assert format_text(diagnostics, color=False) == (
        f"{profile}: warning SB126 the profile 'cohere' has {len(targets)} places "
        "that the document lacks\n"
        "help: with its file as an --overlay, each place is told\n"
    )
    each = Diagnostics()
    load_api(str(document), (profile,), each)
    found = [f"the target {target!r} matches nothing" for target in targets]
    assert [it.message for it in each] == found


@needs_corpus
@pytest.mark.parametrize("name", ["openai.yaml", "openai-old.yaml", "openai-2.3.0-2025-04.yaml"])
def test_openai_mends_what_a_document_has(name: str) -> None:
    """Changes for a newer document are counted, and today's document has a place for each."""
    diagnostics = Diagnostics()
    (profile,) = find_profiles(("openai",), diagnostics)
    load_api(str(CORPUS / "specs" / name), (profile,), diagnostics)
    told = {it.code.id for it in diagnostics if it.document == str(profile)}
    assert told == (set() if name == "openai.yaml" else {"SB126"})
