"""Recorded bodies of real servers, each through the package made for it: `recordings/bodies.yaml`.

What must come out is known without us: the payloads by reading the body line by line, the snapshots
of `recordings/expected/` by joining its deltas by hand. The recordings are not ours to ship: where
the checkout has no corpus beside it, all but the table itself is skipped. A package is made once
for all workers, by the command.
"""

import importlib
import json
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import orjson
import pytest

from codegen.backends.naming import name_streams
from codegen.diagnostics import Diagnostics
from codegen.passes.prune import prune
from codegen.pipeline import VARIANTS, build_package, load_api
from codegen.profiles import find_profiles
from tests.recordings.bodies import CORPUS, HERE, RECORDINGS, TABLE, Recording, needs_corpus
from tests.recordings.leaving_out import (
    UNRECORDED,
    excerpt,
    leave_out,
    read_actions,
    references,
    split,
)
from tests.support import canonical, encode, write

ROOT = Path(__file__).parent.parent
# The document that a profile mends, and its paths; a change may matter to any in one tuple.
SPECS = {"anthropic": "anthropic-tryagi.yaml", "openai-compatible": "openai.yaml"}
PATHS: dict[str, tuple[tuple[str, ...], ...]] = {
    "anthropic": (
        ("/v1/messages",),
        ("/v1/messages?beta=true",),
        ("/v1/complete",),
        ("/v1/messages/batches/{message_batch_id}/results",),
        ("/v1/messages/batches/{message_batch_id}/results?beta=true",),
    ),
    "openai-compatible": (("/chat/completions", "/completions"), ("/responses",)),
}
ACTIONS = {name: read_actions(ROOT / f"codegen/profiles/{name}.yaml") for name in SPECS}
# What no recording has, but a report: `test_dialects.py` shows it.
REPORTED = ("$.components.schemas.ChatCompletionStreamResponseDelta.properties.function_call",)
# Newer than the recordings; `test_peers` shows what the profile says of it.
NEWER = "BetaResponseFallbackBlock"
# An API and its beta send the same, the beta more of it.
ALSO_READ_BY = {
    "BetaMessagesPostStream": ["MessagesPostStream"],
    "MessageBatchesResultsStream": ["BetaMessageBatchesResultsStream"],
    "MessagesPostStream": ["BetaMessagesPostStream"],
}
SMALL, SAMPLE = 3000, 20
Parse: TypeAlias = Callable[[str], Any]
Load: TypeAlias = Callable[[Recording, str], Any]
Summary: TypeAlias = dict[tuple[str, str], tuple[int, str, tuple[str, ...]]]
Summarize: TypeAlias = Callable[[str, tuple[str, ...]], Summary]

each_body = pytest.mark.parametrize("recording", RECORDINGS, ids=str)
each_variant = pytest.mark.parametrize("name", VARIANTS)


@pytest.fixture(scope="session")
def load(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Load]:
    """Gives a variant of the package that reads a recording; the first worker to ask makes it."""
    base = tmp_path_factory.getbasetemp()
    shared = (base if worker_id == "master" else base.parent) / "recordings"
    shared.mkdir(exist_ok=True)

    def get(recording: Recording, variant: str) -> Any:
        said = (recording.spec().stem, recording.profile, recording.overlay)
        package = "_".join(("recorded", *(re.sub(r"\W", "_", it) for it in said if it)))
        make(shared, package, recording)
        return importlib.import_module(f"{package}.{variant}")

    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(shared)
        yield get


def make(folder: Path, package: str, recording: Recording) -> None:
    """Generate a package, or wait for the worker that does."""
    done = folder / f"{package}.done"
    try:
        (folder / f"{package}.begun").touch(exist_ok=False)
    except FileExistsError:
        deadline = time.monotonic() + 180
        while not done.exists():
            assert time.monotonic() < deadline, "the worker that makes the package has failed"
            time.sleep(0.1)
        return
    diagnostics = Diagnostics()
    overlays = [*find_profiles((recording.profile,), diagnostics)] if recording.profile else []
    if recording.overlay:
        overlays.append(HERE / "documents" / recording.overlay)
    try:
        api = load_api(str(recording.spec()), tuple(overlays), diagnostics)
        # What is recorded of the document is enough.
        streams = {it.stream for it in RECORDINGS if it.spec() == recording.spec()}
        named = name_streams(api)
        asked = (it.operation.id for name, it in named.items() if name in streams)
        api = prune(api, diagnostics, operations=tuple(dict.fromkeys(asked)))
        write(folder / package, build_package(api, VARIANTS))
    finally:
        done.touch()


def start(variant: Any, recording: Recording, parse: Parse | None = None) -> Any:
    return getattr(variant.streams, recording.stream)(parse=parse)


def read(
    variant: Any, recording: Recording, *ends: int, parse: Parse | None = None
) -> tuple[Any, list[Any]]:
    """The stream at its end and its items; `ends` are where the body is cut."""
    stream, body = start(variant, recording, parse), recording.body()
    items: list[Any] = []
    for begin, end in zip((0, *ends), (*ends, len(body)), strict=True):
        items += stream.feed(body[begin:end])
    return stream, items + stream.close()


def shown(variant: Any, stream: Any, items: list[Any]) -> str:
    """All that can be seen of a stream that was read."""
    events = [seen(variant, item) for item in items]
    snapshot = variant.to_json(stream.snapshot()) if hasattr(stream, "snapshot") else None
    return canonical([events, stream.outcome.value, snapshot])


def plain(item: Any) -> Any:
    """Errors are equal if they say the same."""
    return ["error", item.payload] if type(item).__name__ == "StreamError" else item


def seen(variant: Any, item: Any) -> Any:
    match type(item).__name__:
        case "StreamError":
            return ["error", item.payload]
        case "InvalidEvent":
            return ["invalid", item.raw, [problem.pointer for problem in item.errors]]
        case _:
            return variant.to_json(item)


# The table


@needs_corpus
def test_every_recording_is_in_the_table_once() -> None:
    later = [file for files in TABLE["not yet"].values() for file in files]
    listed = [recording.file for recording in RECORDINGS] + later
    assert sorted(listed) == sorted(path.name for path in (CORPUS / "streams").iterdir())


def test_every_expected_snapshot_is_of_a_recording() -> None:
    files = {recording.file for recording in RECORDINGS}
    expected = {path.name.removesuffix(".yaml") for path in (HERE / "expected").iterdir()}
    assert expected <= files
    assert len(expected) >= 30


def test_the_profile_of_openai_reads_what_openai_sends() -> None:
    theirs = [it for it in RECORDINGS if it.file.startswith("openai-")]
    assert len(theirs) >= 8
    assert {(it.profile, it.invalid) for it in theirs} == {("openai", 0)}


# What comes out


@needs_corpus
@each_variant
@each_body
def test_body(load: Load, recording: Recording, name: str) -> None:
    """Every payload is an event that encodes to JSON equal to it, and the stream ends as it did."""
    variant = load(recording, name)
    stream, items = read(variant, recording)
    expected = list(up_to_the_error(recording.payloads()))
    assert [canonical(seen(variant, item)) for item in items] == [*map(canonical, expected)]
    kinds = [type(item).__name__ for item in items]
    assert kinds.count("InvalidEvent") == recording.invalid
    assert len(kinds) - kinds.count("StreamError") == recording.events
    assert kinds.count("StreamError") == (recording.outcome == "failed")
    assert stream.outcome.value == recording.outcome


def up_to_the_error(payloads: list[Any]) -> Iterator[Any]:
    """The payloads; nothing after an error, of which a member tells."""
    for payload in payloads:
        if "error" in payload:
            yield ["error", payload["error"]]
            return
        yield payload


@needs_corpus
@each_variant
@each_body
def test_written_back(load: Load, recording: Recording, name: str) -> None:
    """What was read, encoded, is a body that reads the same."""
    variant = load(recording, name)
    stream, items = read(variant, recording)
    events = [item for item in items if type(item).__name__ != "StreamError"]
    again = start(variant, recording)
    items = again.feed(encode(stream, events))
    assert [variant.dumps(item) for item in items] == [variant.dumps(item) for item in events]


@needs_corpus
@each_body
def test_the_variants_agree(load: Load, recording: Recording) -> None:
    variants = [load(recording, name) for name in VARIANTS]
    first, *others = [shown(variant, *read(variant, recording)) for variant in variants]
    assert others == [first, first]


@needs_corpus
@each_variant
@each_body
def test_other_parsers_read_the_same(load: Load, recording: Recording, name: str) -> None:
    variant = load(recording, name)
    expected = shown(variant, *read(variant, recording))
    for parse in (orjson.loads, msgspec.json.decode):
        assert shown(variant, *read(variant, recording, parse=parse)) == expected


@needs_corpus
@each_variant
@each_body
def test_splits(load: Load, recording: Recording, name: str) -> None:
    """A body in two pieces, cut at some places, and byte by byte; for all places see below."""
    variant, size = load(recording, name), len(recording.body())
    whole = [*map(plain, read(variant, recording)[1])]
    cuts = random.Random(size).sample(range(1, size), min(size - 1, SAMPLE))
    for ends in (*((cut,) for cut in cuts), range(1, size)):
        stream, items = read(variant, recording, *ends)
        assert (ends, [*map(plain, items)]) == (ends, whole)
        assert stream.outcome.value == recording.outcome


@needs_corpus
@each_body
def test_splits_of_the_framing(load: Load, recording: Recording) -> None:
    """What is decoded is the same wherever a body is cut in two."""
    variant, body = load(recording, VARIANTS[0]), recording.body()

    def frames(*pieces: bytes) -> list[tuple[str, str, bool]]:
        framing = start(variant, recording)._framing
        found = [frame for piece in pieces for frame in framing.feed(piece)]
        return [(it.event, it.data, it.complete) for it in (*found, *framing.close())]

    whole = frames(body)
    cuts: Sequence[int] = range(1, len(body))
    if len(body) > SMALL:
        cuts = random.Random(len(body)).sample(cuts, SMALL)
    for cut in cuts:
        assert (cut, frames(body[:cut], body[cut:])) == (cut, whole)


# What it amounts to


@needs_corpus
@each_variant
@pytest.mark.parametrize("recording", [it for it in RECORDINGS if it.is_expected], ids=str)
def test_snapshot(load: Load, recording: Recording, name: str) -> None:
    variant, expected = load(recording, name), recording.expected()
    assert expected is not None
    stream, _ = read(variant, recording)
    snapshot = json.loads(variant.dumps(stream.snapshot()))
    for pointer in expected.get("kept", ()):
        steps = pointer.split("/")[1:]
        chunks = [it for it in recording.payloads() if "error" not in it]
        came = [value for chunk in chunks for value in find(chunk, steps)]
        assert (pointer, take(snapshot, steps)) == (pointer, came)
    assert canonical(snapshot) == canonical(expected["snapshot"])


def find(value: Any, steps: list[str]) -> Iterator[Any]:
    """What a chunk holds where its stream's snapshot has a member; a choice goes by its index."""
    if not steps:
        yield value
    elif isinstance(value, list):
        for entry in value:
            if str(entry["index"]) == steps[0]:
                yield from find(entry, steps[1:])
    elif isinstance(value, dict):
        member = "delta" if steps[0] == "message" else steps[0]
        if member in value:
            yield from find(value[member], steps[1:])


def take(value: Any, steps: list[str]) -> Any:
    """Take a member out of a snapshot."""
    for step in steps[:-1]:
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value.pop(steps[-1])


@needs_corpus
@each_variant
@pytest.mark.parametrize("recording", [it for it in RECORDINGS if it.accumulates], ids=str)
def test_result(load: Load, recording: Recording, name: str) -> None:
    """The result says what is missing, which is what a body that was cut off lacks."""
    variant = load(recording, name)
    stream, _ = read(variant, recording)
    if recording.missing:
        with pytest.raises(ValueError) as raised:
            stream.result()
        error: Any = raised.value
        assert type(error).__name__ == "IncompleteResult"
        assert tuple(problem.pointer for problem in error.errors) == recording.missing
    else:
        result, expected = stream.result(), recording.expected() or {}
        if "result" in expected:
            assert canonical(variant.to_json(result)) == canonical(expected["result"])


# The profile relaxes no more than what servers do


@needs_corpus
@pytest.mark.parametrize(
    ("profile", "number"),
    [
        pytest.param(name, number, id=f"{name}: {action['target']}")
        for name, actions in ACTIONS.items()
        for number, action in enumerate(actions)
        if action["target"] not in (*REPORTED, *UNRECORDED[name]) and NEWER not in str(action)
    ],
)
def test_every_change_is_needed(
    profile: str, number: int, summarize: Summarize, tmp_path: Path
) -> None:
    """Each change that a profile makes, left out, spoils what comes of some recording."""
    tried: set[str] = set()
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(tmp_path)
        for paths in PATHS[profile]:
            document = mended(profile, paths)
            for change, rest in leave_out(ACTIONS[profile], number, document):
                if change["target"] + str(change.get("update")) not in tried:
                    tried.add(change["target"] + str(change.get("update")))
                    whole = summarize(profile, paths)
                    assert not any(invalid for invalid, *_ in whole.values())
                    name = f"{profile.replace('-', '_')}_without_{number}_{len(tried)}"
                    less = summary(build(tmp_path, name, document, rest), profile)
                    assert less != whole, change
    assert tried


@pytest.fixture(scope="module")
def summarize(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Summarize]:
    """Gives the summary of some paths with a whole profile."""
    folder = tmp_path_factory.mktemp("mended")

    @cache
    def get(profile: str, paths: tuple[str, ...]) -> Summary:
        name = f"{profile.replace('-', '_')}_whole_{PATHS[profile].index(paths)}"
        made = build(folder, name, mended(profile, paths), ACTIONS[profile])
        return summary(made, profile)

    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield get


def mended(profile: str, paths: tuple[str, ...]) -> Any:
    """The part of its document that a profile mends there, or refers to."""
    spec = CORPUS / "specs" / SPECS[profile]
    document = excerpt(spec, *paths)
    actions = [action for action in ACTIONS[profile] if split(action, document)]
    return excerpt(spec, *paths, schemas=tuple(references(actions)))


def test_the_rules_of_responses_are_those_of_openai() -> None:
    """But for the parts that have another name on one server."""
    theirs, ours = (
        next(it["update"]["x-stream"] for it in actions if "/responses" in it["target"])
        for actions in (
            read_actions(ROOT / "codegen/profiles/openai.yaml"),
            ACTIONS["openai-compatible"],
        )
    )
    events = dict(ours["fold"]["events"])
    for name in ("response.reasoning_part.added", "response.reasoning_part.done"):
        assert events.pop(name) == events["response.content_part.added"]
    assert {**ours, "fold": {"events": events}} == theirs


def build(folder: Path, name: str, document: Any, actions: list[Any]) -> Any:
    """The dataclasses of a document with the actions of an overlay."""
    spec, overlay = folder / f"{name}-spec.json", folder / f"{name}-overlay.json"
    spec.write_text(json.dumps(document))
    info = {"title": "A profile with less", "version": "1"}
    overlay.write_text(json.dumps({"overlay": "1.1.0", "info": info, "actions": actions}))
    api = load_api(str(spec), (overlay,), Diagnostics())
    write(folder / name, build_package(api, ("dataclasses",)))
    return importlib.import_module(f"{name}.dataclasses")


def summary(variant: Any, profile: str) -> Summary:
    """For each recording of the profile and each stream that reads it: how many events are invalid,
    the snapshot, and the names of what the document does not declare.
    """
    done: Summary = {}
    for recording in RECORDINGS:
        streams = [recording.stream, *ALSO_READ_BY.get(recording.stream, ())]
        for name in streams if recording.profile == profile else ():
            if name in dir(variant.streams):
                stream, items = read(variant, replace(recording, stream=name))
                invalid = sum(type(item).__name__ == "InvalidEvent" for item in items)
                # Without its rules a stream has none.
                snapshot = stream.snapshot() if hasattr(stream, "snapshot") else None
                unknown = tuple(undeclared(variant, [*items, snapshot]))
                done[recording.file, name] = invalid, canonical(variant.to_json(snapshot)), unknown
    return done


def undeclared(variant: Any, value: Any) -> Iterator[str]:
    """The names of events, and of the members of objects inside, that the document lacks."""
    if type(value).__name__ == "UnknownEvent":
        yield value.name
    elif isinstance(value, list):
        for entry in value:
            yield from undeclared(variant, entry)
    elif is_dataclass(value):
        yield from variant.unknown_fields(value)
        for field in fields(value):
            yield from undeclared(variant, getattr(value, field.name))
