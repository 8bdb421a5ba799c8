"""`streambind conform`: what recordings deviate in, and the overlay that makes a document true.

The bodies of `recorded/` have each kind of deviation; those of the corpus are real ones.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from codegen.conformance.inference import infer_schema
from codegen.conformance.learning import learn
from codegen.conformance.readings import Readings, read_recordings
from codegen.conformance.schemas import to_json_path
from codegen.diagnostics import Diagnostics, Refused
from codegen.loading import loaded
from codegen.pipeline import VARIANTS, build_package, load_document, parse_api
from codegen.source.document import Document, read_document
from codegen.source.origins import Origins
from codegen.source.overlay import apply_overlay
from codegen.source.values import Json
from tests.command import run
from tests.recordings.bodies import CORPUS, RECORDINGS, Recording, needs_corpus
from tests.recordings.leaving_out import excerpt, read_actions, split
from tests.support import ROOT

HERE = Path(__file__).parent / "recorded"
STREAM = "PlaceOrderStream"


@pytest.fixture(autouse=True)
def _there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)


def conform(*arguments: str) -> Result:
    return run("conform", "orders.yaml", "--stream", STREAM, *arguments)


def test_what_is_said() -> None:
    result = conform("odd.sse", "good.sse")
    assert result.stdout == (HERE / "conform.txt").read_text("utf-8")
    assert (result.exit_code, result.stderr) == (1, "")


def test_nothing_to_say() -> None:
    result = conform("good.sse")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "1 recording: nothing deviates from orders.yaml\n"


def test_as_json() -> None:
    findings = json.loads(conform("odd.sse", "--format", "json").stdout)
    kinds = ["value", "field", "missing", "null", "type", "value", "null", "event", "field"]
    assert [it["kind"] for it in findings] == [*kinds, "order"]
    missing = findings[2]
    assert missing["pointer"] == "#/components/schemas/Item/properties/name"
    assert (missing["file"], missing["line"], missing["count"]) == ("orders.yaml", 87, 1)
    assert missing["first"]["pointer"] == "/item/name"
    assert (missing["first"]["recording"], missing["first"]["offset"]) == ("odd.sse", 86)


def test_markdown_is_not_markup(tmp_path: Path) -> None:
    body = tmp_path / "body.sse"
    body.write_text('data: {"type": "note", "text": "", "a|`<b>": "|``\\n# x"}\n\n')
    lines = conform(str(body), "--format", "markdown").stdout.splitlines()
    assert len(lines) == 4
    assert 'undeclared field ``a\\|`<b>``: ```"\\|``\\n# x"``` |' in lines[2]


def test_written_overlay(tmp_path: Path) -> None:
    """What was learned holds; what is not for an overlay to say is said again."""
    learned = tmp_path / "learned.yaml"
    result = conform("odd.sse", "good.sse", "--write-overlay", str(learned))
    assert result.exit_code == 1
    again = json.loads(conform("odd.sse", "--overlay", str(learned), "--format", "json").stdout)
    assert [(it["kind"], it["first"]["value"]) for it in again] == [
        ("order", "the end of the input")
    ]


def test_an_overlay_is_extended(tmp_path: Path) -> None:
    learned, more = tmp_path / "learned.yaml", tmp_path / "more.sse"
    assert conform("odd.sse", "--write-overlay", str(learned)).exit_code == 1
    before = learned.read_text("utf-8").replace("actions:", "# Kept.\nactions:")
    learned.write_text(before, "utf-8")
    more.write_text('data: {"type": "done", "at": 1}\n\n')
    result = conform(str(more), "--write-overlay", str(learned))
    assert (result.exit_code, result.stderr) == (0, f"{learned}: 1 action added\n")
    after = learned.read_text("utf-8")
    assert after.startswith(before)
    assert after.count("target:") == before.count("target:") + 1
    assert conform(str(more), "--write-overlay", str(learned)).stderr.endswith("0 actions needed\n")
    assert learned.read_text("utf-8") == after


@pytest.mark.parametrize("name", ["learned.json", "learned.yaml"])
def test_an_overlay_whose_actions_are_not_the_last_of_its_text(name: str, tmp_path: Path) -> None:
    learned, own = tmp_path / name, {"target": "$.info", "update": {"title": "Mine"}}
    overlay = {"overlay": "1.0.0", "actions": [own], "info": {"title": "O", "version": "1"}}
    learned.write_text(json.dumps(overlay))
    assert conform("odd.sse", "--write-overlay", str(learned)).exit_code == 1
    after: Any = read_document(learned, Diagnostics()).data
    assert len(after["actions"]) > 1
    assert {**after, "actions": after["actions"][:1]} == overlay


def test_an_overlay_in_json(tmp_path: Path) -> None:
    learned = tmp_path / "learned.json"
    assert conform("odd.sse", "--write-overlay", str(learned)).exit_code == 1
    assert json.loads(learned.read_text())["overlay"] == "1.0.0"


@pytest.mark.parametrize(
    ("values", "schema"),
    [
        ([1, 2], {"type": "integer"}),
        ([1, 2.5], {"type": "number"}),
        (["a", None], {"type": ["string", "null"]}),
        ([True, "a"], {"type": ["boolean", "string"]}),
        ([None], {"type": "null"}),
        ([[]], {"type": "array", "items": {}}),
        ([[1], ["a"]], {"type": "array", "items": {"type": ["integer", "string"]}}),
        ([{}], {"type": "object"}),
        (
            [{"a": 1, "b": 2}, {"a": 3}],
            {
                "type": "object",
                "required": ["a"],
                "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
            },
        ),
        ([1, {}], {"type": ["integer", "object"]}),
        (
            [1, [2]],
            {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]},
        ),
    ],
)
def test_the_narrowest_schema(values: list[Json], schema: Json) -> None:
    assert infer_schema(values, has_null_type=True) == schema


def test_the_narrowest_schema_without_a_type_for_null() -> None:
    values: list[Json] = ["a", None]
    assert infer_schema(values, has_null_type=False) == {"type": "string", "nullable": True}
    assert infer_schema([None], has_null_type=False) == {"nullable": True, "enum": [None]}


def test_json_path() -> None:
    pointer = "#/paths/~1a'b/get/allOf/0/$ref"
    assert to_json_path(pointer) == "$.paths['/a\\'b'].get.allOf[0]['$ref']"


# Learned from what a member held: the version, its schema, what came, and its schema then

NAMED: Json = {
    "Text": {"type": "string"},
    "State": {"enum": ["up"]},
    "Pair": {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}},
    "Up": {"type": "object", "required": ["type"], "properties": {"type": {"const": "up"}}},
    "Down": {"type": "object", "required": ["type"], "properties": {"type": {"const": "down"}}},
}


def ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def texts(*more: str) -> Json:
    return {"type": ["string", *more]}


LEFT: Json = {
    "type": "object",
    "required": ["type", "n"],
    "properties": {"type": {"type": "string", "enum": ["left"]}, "n": {"type": "integer"}},
}
TAGGED: dict[str, Json] = {"propertyName": "type"}
MAPPING: dict[str, Json] = {"up": "#/components/schemas/Up", "down": "#/components/schemas/Down"}
LEARNED: dict[str, tuple[str, Json, list[Json], Json]] = {
    "null": ("3.1.0", {"type": "string"}, [None], texts("null")),
    "null beside types": ("3.1.0", texts("integer"), [None], texts("integer", "null")),
    "null in an enum": (
        "3.1.0",
        {"type": "string", "enum": ["a"]},
        [None],
        {"type": ["string", "null"], "enum": ["a", None]},
    ),
    "null in a union": (
        "3.1.0",
        {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        [None],
        {"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
    ),
    "null for a reference": (
        "3.1.0",
        ref("Text"),
        [None],
        {"anyOf": [ref("Text"), {"type": "null"}]},
    ),
    "null in 3.0": ("3.0.3", {"type": "string"}, [None], {"type": "string", "nullable": True}),
    "null for a reference in 3.0": (
        "3.0.3",
        ref("Text"),
        [None],
        {"nullable": True, "allOf": [ref("Text")]},
    ),
    "another format": ("3.1.0", {"type": "string", "format": "date"}, ["x"], {"type": "string"}),
    "a number": ("3.1.0", {"type": "integer"}, [1.5], {"type": "number"}),
    "another type": ("3.1.0", {"type": "string"}, [1], texts("integer")),
    "another type beside null": ("3.1.0", texts("null"), [1], texts("null", "integer")),
    "another type in 3.0": (
        "3.0.3",
        {"type": "string"},
        [1],
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    ),
    "an object": (
        "3.1.0",
        {"type": "integer"},
        [{"b": "c"}],
        {
            "anyOf": [
                {"type": "integer"},
                {"type": "object", "required": ["b"], "properties": {"b": {"type": "string"}}},
            ]
        },
    ),
    "another entry": (
        "3.1.0",
        {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "string"}},
        [["a", 1]],
        {
            "type": "array",
            "prefixItems": [{"type": ["integer", "string"]}],
            "items": texts("integer"),
        },
    ),
    "another value of a map": (
        "3.1.0",
        {"type": "object", "additionalProperties": {"type": "string"}},
        [{"x": 1}],
        {"type": "object", "additionalProperties": texts("integer")},
    ),
    "another value": ("3.1.0", {"enum": ["a"]}, ["b", "c"], {"enum": ["a", "b", "c"]}),
    "another value and another type": (
        "3.1.0",
        {"enum": ["a", 0.5]},
        [1.5, [1]],
        {"anyOf": [{"enum": ["a", 0.5, 1.5]}, {"type": "array", "items": {"type": "integer"}}]},
    ),
    "another constant": ("3.1.0", {"const": "a"}, ["b"], {"enum": ["a", "b"]}),
    "a variant": (
        "3.1.0",
        {"oneOf": [ref("Up"), ref("Down")]},
        [{"type": "left", "n": 1}],
        {"oneOf": [ref("Up"), ref("Down"), LEFT]},
    ),
    "a variant of a discriminator": (
        "3.1.0",
        {"oneOf": [ref("Up"), ref("Down")], "discriminator": {**TAGGED, "mapping": MAPPING}},
        [{"type": "left", "n": 1}],
        {
            "oneOf": [ref("Up"), ref("Down"), ref("LeftEvent")],
            "discriminator": {
                **TAGGED,
                "mapping": {**MAPPING, "left": "#/components/schemas/LeftEvent"},
            },
        },
    ),
}


def document_of(version: str, schema: Json, **rules: Json) -> Document:
    """A stream of objects whose member `value` has a schema."""
    event: Json = {"type": "object", "properties": {"value": schema}}
    content: Json = {"application/jsonl": {"itemSchema": event, "x-stream": rules}}
    operation: Json = {"operationId": "watch", "responses": {"200": {"content": content}}}
    data: Json = {
        "openapi": version,
        "info": {"title": "Learned", "version": "1"},
        "paths": {"/watch": {"get": operation}},
        "components": {"schemas": NAMED},
    }
    return Document(name="d.json", path=None, digest="", data=data, origins=Origins("d.json"))


def learn_from(document: Document, values: list[Json], folder: Path) -> tuple[Any, Any]:
    """The media type of the stream when nothing deviates any more, and the named schemas."""
    body = folder / "body.jsonl"
    body.write_text("".join(json.dumps({"value": value}) + "\n" for value in values))

    def read_again(document: Document) -> Readings:
        api = parse_api(document, Diagnostics())
        return read_recordings(api, (str(body),), "WatchStream", Diagnostics(), redact=False)

    assert read_again(document).findings
    done = learn(document, read_again, Diagnostics())
    assert done.rest == ()
    after: Any = laid_over(document, [action.data for action in done.actions], folder).data
    content = after["paths"]["/watch"]["get"]["responses"]["200"]["content"]
    return content["application/jsonl"], after["components"]["schemas"]


@pytest.mark.parametrize("name", LEARNED)
def test_what_is_learned_of_a_member(name: str, tmp_path: Path) -> None:
    version, schema, values, expected = LEARNED[name]
    media_type, _ = learn_from(document_of(version, schema), values, tmp_path)
    assert media_type["itemSchema"]["properties"]["value"] == expected


def test_what_is_learned_of_a_composed_object_is_said_where_it_was_written(tmp_path: Path) -> None:
    schema: Json = {"allOf": [ref("Pair"), {"properties": {"b": {"type": "string"}}}]}
    media_type, named = learn_from(document_of("3.1.0", schema), [{"a": "x", "b": 1}, {}], tmp_path)
    value = media_type["itemSchema"]["properties"]["value"]
    assert value == {"allOf": [ref("Pair"), {"properties": {"b": texts("integer")}}]}
    assert named["Pair"] == {
        "type": "object",
        "required": [],
        "properties": {"a": {"type": ["integer", "string"]}},
    }


def test_a_value_is_added_to_the_enum_behind_a_reference(tmp_path: Path) -> None:
    schema: Json = {"allOf": [ref("State")]}
    media_type, named = learn_from(document_of("3.1.0", schema), ["down"], tmp_path)
    assert media_type["itemSchema"]["properties"]["value"] == schema
    assert named["State"] == {"enum": ["up", "down"]}


def test_rules_do_without_a_key_that_does_not_come(tmp_path: Path) -> None:
    entry: Json = {
        "type": "object",
        "required": ["index"],
        "properties": {"index": {"type": "integer"}, "text": {"type": "string"}},
    }
    merge: Json = {"value": {"keyed": "index", "of": {"text": {"rule": "concat", "into": "said"}}}}
    document = document_of("3.1.0", {"type": "array", "items": entry}, fold={"merge": merge})
    media_type, _ = learn_from(document, [[{"text": "a", "said": "b"}]], tmp_path)
    assert media_type["x-stream"]["fold"]["merge"]["value"]["else"] == "append"
    learned = media_type["itemSchema"]["properties"]["value"]["items"]
    assert learned["required"] == []
    assert learned["properties"]["said"] == {"type": "string", "x-merge": "drop"}


# Learned from real recordings


def bodies(profile: str, stream: str) -> list[Recording]:
    return [it for it in RECORDINGS if (it.profile, it.stream) == (profile, stream)]


CHAT = "CreateChatCompletionStream"


@cache
def chat(folder: Path) -> Document:
    """What the document says of chat completions, with the rules of OpenAI's own profile."""
    spec, overlay = folder / "chat.json", folder / "rules.json"
    part = excerpt(CORPUS / "specs/openai.yaml", "/chat/completions")
    spec.write_text(json.dumps(part))
    actions = read_actions(ROOT / "codegen/profiles/openai.yaml")
    actions = [action for action in actions if split(action, part)]
    info = {"title": "Rules", "version": "1"}
    overlay.write_text(json.dumps({"overlay": "1.1.0", "info": info, "actions": actions}))
    return load_document(str(spec), (overlay,), Diagnostics())[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("learned")
    for recording in RECORDINGS:
        (folder / recording.file).write_bytes(recording.body())
    return folder


def read(document: Document, folder: Path, recordings: list[Recording]) -> Readings:
    paths = tuple(str(folder / it.file) for it in recordings)
    api = parse_api(document, Diagnostics())
    return read_recordings(api, paths, CHAT, Diagnostics(), redact=False)


def laid_over(document: Document, actions: list[dict[str, Json]], folder: Path) -> Document:
    overlay = folder / "learned.json"
    info = {"title": "Learned", "version": "1"}
    overlay.write_text(json.dumps({"overlay": "1.0.0", "info": info, "actions": actions}))
    diagnostics = Diagnostics()
    document = apply_overlay(document, read_document(overlay, diagnostics), diagnostics)
    diagnostics.check()
    return document


@needs_corpus
def test_openai_is_what_its_document_says(folder: Path) -> None:
    """But for one body of another server, which ends without its end."""
    readings = read(chat(folder), folder, bodies("openai", CHAT))
    assert [(it.kind.name, it.recordings) for it in readings.findings] == [
        ("ORDER", (str(folder / "llamacpp-gpustack-error-line.sse"),))
    ]


# What the corpus says of bodies, as kind and place in the event; undeclared members aside.
SAID = {
    "azure-chat-content-filter.sse": {("VALUE", "object"), ("MISSING", "delta")},
    "mistral-tool-call.sse": {("MISSING", "index")},
    "perplexity-sonar.sse": {("MISSING", "finish_reason"), ("VALUE", "object"), ("ORDER", "")},
    "ai21-chat.sse": {("MISSING", "created"), ("MISSING", "object"), ("MISSING", "model")},
    "venice-tool.sse": {("NULL", "tool_calls"), ("NULL", "role"), ("NULL", "id"), ("NULL", "name")},
    "writer-tool-call.sse": {("NULL", "tool_calls"), ("NULL", "id"), ("NULL", "name")}
    | {
        ("NULL", "arguments"),
        ("NULL", "type"),
        ("NULL", "completion_tokens_details"),
        ("ORDER", ""),
    },
    "cerebras-tools-payloads.jsonl": {("MISSING", "finish_reason"), ("ORDER", "")},
}


@needs_corpus
@pytest.mark.parametrize("file", SAID)
def test_what_is_known_of_a_body(file: str, folder: Path) -> None:
    recording = next(it for it in RECORDINGS if it.file == file)
    readings = read(chat(folder), folder, [recording])
    found = {
        (it.kind.name, it.first.pointer.rpartition("/")[2])
        for it in readings.findings
        if it.kind.name != "FIELD"
    }
    assert found == SAID[file]


@cache
def learned(folder: Path) -> tuple[list[dict[str, Json]], tuple[str, ...]]:
    """The actions learned from all servers, and the kinds of what is left."""
    document = chat(folder)
    done = learn(
        document,
        lambda it: read(it, folder, bodies("openai-compatible", CHAT)),
        Diagnostics(),
    )
    return [action.data for action in done.actions], tuple(it.kind.name for it in done.rest)


DATED = """\
openapi: 3.1.0
info: {title: Days, version: "1"}
paths:
  /days:
    get:
      operationId: watchDays
      responses:
        "200":
          content:
            application/jsonl:
              itemSchema: {type: object, properties: {at: {type: string, format: date-time}}}
"""


def test_a_text_is_held_to_the_type_that_was_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("days.yaml").write_text(DATED)
    Path("body.jsonl").write_text('{"at": "Monday"}\n')
    found = run("conform", "days.yaml", "body.jsonl")
    assert (found.exit_code, "other type" in found.stdout) == (1, True)
    Path("streambind.toml").write_text('type = {date-time = "str"}\n')
    assert run("conform", "days.yaml", "body.jsonl").exit_code == 0


@needs_corpus
@pytest.mark.parametrize("variant", VARIANTS)
def test_what_was_learned_holds(variant: str, folder: Path) -> None:
    actions, rest = learned(folder)
    assert set(rest) == {"ORDER"}
    api = parse_api(laid_over(chat(folder), actions, folder), Diagnostics())
    with loaded(build_package(api, (variant,))) as name:
        package: Any = importlib.import_module(f"{name}.{variant}")
        assert list(invalid(package, folder)) == []


def invalid(package: Any, folder: Path) -> Iterator[str]:
    for recording in bodies("openai-compatible", CHAT):
        stream = getattr(package.streams, CHAT)(on_invalid="keep")
        for item in [*stream.feed(recording.body()), *stream.close()]:
            if type(item).__name__ == "InvalidEvent":
                yield f"{recording.file}: {item.errors}"


@needs_corpus
def test_every_action_is_needed(folder: Path) -> None:
    """Without any one, some recording deviates, or the document contradicts itself."""
    actions, rest = learned(folder)
    for index, action in enumerate(actions):
        try:
            document = laid_over(chat(folder), actions[:index] + actions[index + 1 :], folder)
            readings = read(document, folder, bodies("openai-compatible", CHAT))
        except Refused:
            continue
        assert len(readings.findings) > len(rest), action


@needs_corpus
def test_learned_from_half(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """How many bodies of servers that nothing was learned from decode: docs/conform.md says it."""
    recordings = bodies("openai-compatible", CHAT)
    providers = sorted({it.file.split("-")[0] for it in recordings})
    half = set(providers[::2])
    seen = [it for it in recordings if it.file.split("-")[0] in half]
    others = [it for it in recordings if it not in seen]
    document = chat(folder)
    done = learn(document, lambda it: read(it, folder, seen), Diagnostics())
    after = laid_over(document, [action.data for action in done.actions], folder)
    counts = [count_decoded(read(it, folder, others), others) for it in (document, after)]
    with capsys.disabled():
        print(f"\nlearned from {len(half)} of {len(providers)} servers: of {len(others)} bodies")
        print(f"of the others, {counts[0]} decode before and {counts[1]} after")
    assert (len(providers), len(others), counts) == (20, 12, [7, 10]), "docs/conform.md says so"


def count_decoded(readings: Readings, recordings: list[Recording]) -> int:
    """The bodies whose every event is what its type says: open types let the rest through."""
    refused = {
        file
        for finding in readings.findings
        if finding.kind.name in ("MISSING", "NULL", "TYPE")
        for file in finding.recordings
    }
    return len(recordings) - len(refused)
