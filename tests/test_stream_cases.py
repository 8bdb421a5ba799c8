"""What `x-stream` does, behaviour by behaviour, and that `docs/streams.md` is right.

A case is a folder of `stream_cases/`: `spec.yaml`, the smallest document that shows a behaviour;
`case.yaml`, bodies and what must come of each, written by hand: items (the kind, then its JSON),
outcome, snapshot, and `result` or the pointers of what is `missing`; `diagnostics.txt`, what is
said of the document.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from codegen.profiles import NAMES as PROFILES
from tests.support import ROOT, VARIANTS, Importer, Outcome, canonical, encode, run, write
from tests.test_accumulation import calls

CASES = Path(__file__).parent / "stream_cases"
NAMES = sorted(folder.name for folder in CASES.iterdir() if folder.is_dir())
# Items that are no events: how they are shown.
OTHERS: dict[str, Callable[[Any], Any]] = {
    "UnknownEvent": lambda item: [item.name, item.data],
    "InvalidEvent": lambda item: [error.pointer for error in item.errors],
    "StreamError": lambda item: item.payload,
}
Load = Callable[[str], list[Any]]
Shown = list[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The bytes of one response, and what must come of them."""

    case: str
    what: str
    data: bytes
    items: list[dict[str, Any]]
    outcome: str
    wanted: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.case}: {self.what}"


def read_bodies(case: str) -> list[Body]:
    path = CASES / case / "case.yaml"
    entries = yaml.safe_load(path.read_text("utf-8")) if path.exists() else {}
    return [read_body(case, what, entry) for what, entry in entries.items()]


def read_body(case: str, what: str, entry: dict[str, Any]) -> Body:
    body, items, outcome = entry.pop("body"), entry.pop("items"), entry.pop("outcome")
    data = body if isinstance(body, bytes) else body.encode()
    return Body(case=case, what=what, data=data, items=items, outcome=outcome, wanted=entry)


BODIES = [body for case in NAMES for body in read_bodies(case)]
FOLDED = [body for body in BODIES if "snapshot" in body.wanted]


@cache
def outcome(case: str) -> Outcome:
    return run(CASES / case / "spec.yaml")


@pytest.fixture(scope="module")
def load(importer: Importer) -> Load:
    """Gives the variants of the package of a case, which is made when first asked for."""

    @cache
    def made(case: str) -> list[Any]:
        package = importer(outcome(case).files)
        return [importlib.import_module(f"{package}.{name}") for name in VARIANTS]

    return made


# The documents


@pytest.mark.parametrize("case", NAMES)
def test_what_is_said(case: str) -> None:
    expected = CASES / case / "diagnostics.txt"
    assert outcome(case).diagnostics == (expected.read_text("utf-8") if expected.exists() else "")


@pytest.mark.parametrize("case", NAMES)
def test_only_errors_refuse(case: str) -> None:
    assert (outcome(case).files == {}) == case.startswith("error_")


# The bodies


def show(variant: Any, item: Any) -> tuple[str, str]:
    """An item as its kind and its JSON."""
    kind = type(item).__name__
    return kind, canonical(OTHERS.get(kind, variant.to_json)(item))


def expect(variant: Any, items: list[dict[str, Any]]) -> Shown:
    """The same of what a case lists; a TypedDict is a dict that decodes as its kind."""
    pairs = [pair for item in items for pair in item.items()]
    if not variant.__name__.endswith(".typeddicts"):
        return [(kind, canonical(json_)) for kind, json_ in pairs]
    classes = {kind: getattr(variant, kind, None) for kind, _ in pairs}
    for kind, json_ in pairs:
        assert classes[kind] is None or variant.from_json(classes[kind], json_) == json_
    return [("dict" if classes[kind] else kind, canonical(json_)) for kind, json_ in pairs]


def decode(variant: Any, *pieces: bytes) -> tuple[Shown, Any]:
    stream = variant.streams.ReadStream()
    items = [item for piece in pieces for item in stream.feed(piece)]
    return [show(variant, item) for item in [*items, *stream.close()]], stream


def seen(variant: Any, *pieces: bytes) -> tuple[Shown, str, Any]:
    """All that can be seen of a stream: items, outcome, snapshot."""
    items, stream = decode(variant, *pieces)
    snapshot = variant.to_json(stream.snapshot()) if hasattr(stream, "snapshot") else None
    return items, stream.outcome.value, snapshot


@pytest.mark.parametrize("body", BODIES, ids=str)
def test_what_comes_of_a_body(load: Load, body: Body) -> None:
    for variant in load(body.case):
        items, state, snapshot = seen(variant, body.data)
        assert items == expect(variant, body.items), variant
        assert state == body.outcome, variant
        assert canonical(snapshot) == canonical(body.wanted.get("snapshot")), variant


@pytest.mark.parametrize("body", BODIES, ids=str)
def test_at_every_split(load: Load, body: Body) -> None:
    for variant in load(body.case):
        whole = seen(variant, body.data)
        for at in range(1, len(body.data)):
            assert seen(variant, body.data[:at], body.data[at:]) == whole, (variant, at)
        assert seen(variant, *(bytes([byte]) for byte in body.data)) == whole, variant


@pytest.mark.parametrize("body", FOLDED, ids=str)
def test_the_result(load: Load, body: Body) -> None:
    for variant in load(body.case):
        _, stream = decode(variant, body.data)
        if "missing" in body.wanted:
            with pytest.raises(variant.streams.IncompleteResult) as caught:
                stream.result()
            pointers = [error.pointer for error in caught.value.errors]
            assert pointers == body.wanted["missing"], variant
        else:
            wanted = body.wanted.get("result", body.wanted["snapshot"])
            assert canonical(variant.to_json(stream.result())) == canonical(wanted), variant
        assert variant.to_json(stream.snapshot()) == body.wanted["snapshot"], variant


def test_another_kind_inside_an_event_is_none_of_those_listed(load: Load) -> None:
    for variant in load("kinds_inside_an_event"):
        stream = variant.streams.ReadStream()
        (event,) = stream.feed(b'{"type": "chunk", "delta": {"type": "new"}}\n')
        if isinstance(event, dict):
            assert event["delta"] == {"type": "new"}
        else:
            assert type(event.delta) is variant.UnknownVariant


@pytest.mark.parametrize("body", BODIES, ids=str)
def test_events_are_written_back(load: Load, body: Body) -> None:
    for variant in load(body.case):
        stream = variant.streams.ReadStream()
        items = [*stream.feed(body.data), *stream.close()]
        events = [it for it in items if type(it).__name__ not in ("InvalidEvent", "StreamError")]
        again, _ = decode(variant, encode(variant.streams.ReadStream, events))
        assert again == [show(variant, event) for event in events], variant


def test_which_multipart_bodies_are_streams() -> None:
    manifest = json.loads(outcome("framing_multipart_of_any_kind").files["manifest.json"])
    assert {name: it["framing"] for name, it in manifest["streams"].items()} == {
        "ReadStream": "multipart",
        "WatchStream": "multipart",
        "WrittenStream": "multipart",
    }


def test_parts_are_told_apart_by_the_boundary_of_the_header(load: Load) -> None:
    body = b'--a\n\n{}\n--b\n\n{"n": 1}\n--a\n--b--'
    for variant in load("framing_multipart"):
        stream = variant.streams.ReadStream(boundary="b")
        items = [show(variant, item) for item in [*stream.feed(body), *stream.close()]]
        assert items[:1] == expect(variant, [{"Part": {"n": 1}}])
        assert [kind for kind, _ in items[1:]] == ["InvalidEvent"]
        assert stream.outcome.value == "complete"


def test_the_boundary_that_is_written(load: Load) -> None:
    for variant in load("framing_multipart"):
        cls = variant.streams.ReadStream
        stream = cls(boundary=cls.BOUNDARY)
        assert [*stream.feed(encode(cls, [1, 2])), *stream.close()] == [1, 2]
        assert stream.outcome.value == "complete"


def test_parts_that_a_text_ends_are_closed_after_it(load: Load) -> None:
    for variant in load("framing_multipart_of_any_kind"):
        end = variant.streams.WrittenStream.END
        head, boundary = b"Content-Type: application/json", b"--json-text"
        assert end.split(b"\r\n") == [boundary, head, b"", b"end", boundary + b"--", b""]
        stream = variant.streams.WrittenStream()
        assert stream.feed(end) == []
        assert stream.outcome.value == "complete"


# What requests say


@pytest.mark.parametrize(
    ("case", "before", "after"),
    [
        ("resume_by_header", {}, {"Last-Event-ID": "a"}),
        ("resume_by_query", {}, {"after": 2}),
    ],
)
def test_what_asks_for_the_rest(load: Load, case: str, before: Any, after: Any) -> None:
    (body,) = read_bodies(case)
    for variant in load(case):
        stream = variant.streams.ReadStream()
        assert stream.resume() == before
        stream.feed(body.data)
        assert stream.resume() == after


@pytest.mark.parametrize(
    ("case", "request_"),
    [
        ("when_a_request_says_so", {"options": {"stream": True}}),
        ("vendor_streaming_of_events", {"options": {"stream": True}}),
        ("vendor_shape_of_events", {"stream": True}),
    ],
)
def test_what_a_request_holds_to_be_answered_so(load: Load, case: str, request_: Any) -> None:
    for variant in load(case):
        assert request_ == variant.streams.ReadStream.REQUEST


# What holds for any text and any pieces

PIECES = st.sampled_from(
    [
        "",
        "a",
        "b c",
        '"',
        "\\",
        "\n",
        "\u2028",
        "é",
        "😀",
        "{",
        '{"a": [',
        "1",
        ", ",
        "]",
        "}",
        "tru",
    ]
)
TEXTS = st.lists(PIECES, min_size=1, max_size=12)
FOLDS: dict[str, Callable[[str], Any]] = {
    "rule_concat": lambda text: {"text": text},
    "rule_json": lambda text: {"args": text},
    "rule_json_at_each": lambda text: {"args": text},
    "rule_patch": lambda text: {"patches": [{"at": "$.a[0]", "text": text}]},
    "rule_by_type": lambda text: {"content": text},
    "rule_glue": lambda text: {"parts": [{"text": text}]},
    "keyed": lambda text: {"parts": [{"n": 3, "text": text}]},
    "keyed_apart": lambda text: {"parts": [{"n": 3, "id": "a", "text": text}]},
    "extra_concat": lambda text: {"u": text},
    "put_an_entry_of_a_map": lambda text: {"type": "delta", "id": "a", "text": text},
    "fold_word": lambda text: {"type": "delta", "text": text},
}


def lines(*values: Any) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def amount(variant: Any, stream: Any) -> Any:
    """What all events amount to: the snapshot, and the result or what it lacks."""
    try:
        result = variant.to_json(stream.result())
    except variant.streams.IncompleteResult as error:
        result = error.errors
    return variant.to_json(stream.snapshot()), result


def amount_of(variant: Any, *values: Any) -> Any:
    _, stream = decode(variant, lines(*values))
    return amount(variant, stream)


@pytest.mark.parametrize("case", FOLDS)
@settings(max_examples=50)
@given(texts=TEXTS)
def test_where_a_text_is_cut_does_not_matter(load: Load, case: str, texts: list[str]) -> None:
    for variant in load(case):
        whole = amount_of(variant, FOLDS[case]("".join(texts)))
        assert amount_of(variant, *map(FOLDS[case], texts)) == whole


@pytest.mark.parametrize("case", FOLDS)
@given(texts=TEXTS, cuts=st.lists(st.integers(0, 1000), max_size=8))
def test_any_pieces_of_the_bytes(load: Load, case: str, texts: list[str], cuts: list[int]) -> None:
    data = lines(*map(FOLDS[case], texts))
    ends = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    pieces = [data[start:end] for start, end in pairwise(ends)]
    for variant in load(case):
        assert seen(variant, *pieces) == seen(variant, data)


@pytest.mark.parametrize("case", FOLDS)
def test_the_cost_of_an_event_does_not_grow(load: Load, case: str) -> None:
    data = lines(FOLDS[case]("word "))
    for variant in load(case):
        stream = variant.streams.ReadStream()
        counted = [calls(stream.feed, data) for _ in range(300)]
        assert counted[9] == counted[299], variant


def spoil(value: Any) -> None:
    """Change every array and object of a snapshot."""
    for inside in value.values() if isinstance(value, dict) else value:
        if isinstance(inside, dict | list):
            spoil(inside)
    value.clear()


@pytest.mark.parametrize("body", FOLDED, ids=str)
def test_looking_on_the_way_changes_nothing(load: Load, body: Body) -> None:
    """Neither does changing what was seen, nor does it change once seen."""
    for variant in load(body.case):
        stream, taken = variant.streams.ReadStream(), []
        for line in body.data.splitlines(keepends=True):
            stream.feed(line)
            before = amount(variant, stream)
            taken.append((stream.snapshot(), before[0]))
            if isinstance(stream.snapshot(), dict):
                spoil(stream.snapshot())
            assert amount(variant, stream) == before, variant
        stream.close()
        assert all(variant.to_json(snapshot) == json_ for snapshot, json_ in taken), variant
        _, undisturbed = decode(variant, body.data)
        assert amount(variant, stream) == amount(variant, undisturbed), variant


# The examples of the documentation

BLOCK = re.compile(r"^```yaml ?(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KINDS = ("document", "overlay", "envelope", "x-stream", "example", "stories")
DOCUMENTATION = (ROOT / "docs/streams.md").read_text("utf-8")
BLOCKS = BLOCK.findall(DOCUMENTATION)
# The profiles of which one stream is explained line by line.
EXPLAINED = ("anthropic", "openai")
(DOCUMENT,) = (text for kind, text in BLOCKS if kind == "document")
(STORIES,) = (text for kind, text in BLOCKS if kind == "stories")
(OVERLAY,) = (text for kind, text in BLOCKS if kind == "overlay")


def texts(kind: str) -> list[str]:
    return [text for each, text in BLOCKS if each == kind]


def first_line(text: str) -> str:
    return text.partition("\n")[0]


def overlaid(folder: Path, **rules: Any) -> Outcome:
    """The document of the documentation, with other rules in its overlay."""
    overlay = yaml.safe_load(OVERLAY)
    if rules:
        overlay["actions"][0]["update"] = {"x-stream": rules}
    write(folder, {"poems.yaml": DOCUMENT, "overlay.yaml": yaml.safe_dump(overlay)})
    return run(folder / "poems.yaml", folder / "overlay.yaml")


def test_every_block_of_the_documentation_is_tried() -> None:
    assert {kind for kind, _ in BLOCKS} == {*KINDS, *EXPLAINED}


def test_the_overlay_of_the_documentation(tmp_path: Path) -> None:
    made = overlaid(tmp_path)
    assert made.diagnostics == ""
    assert "CreatePoemStream" in made.files["manifest.json"]


def test_the_envelope_of_the_documentation(importer: Importer, tmp_path: Path) -> None:
    document = yaml.safe_load(DOCUMENT)
    content = document["paths"]["/poems"]["post"]["responses"]["200"]["content"]
    (envelope,) = texts("envelope")
    content["text/event-stream"] = yaml.safe_load(envelope)
    write(tmp_path, {"poems.yaml": yaml.safe_dump(document)})
    package = importer(run(tmp_path / "poems.yaml").files)
    poem: dict[str, Any] = {"id": "a", "text": "b", "title": None, "tags": []}
    for variant in (importlib.import_module(f"{package}.{it}") for it in VARIANTS):
        stream = variant.streams.CreatePoemStream()
        (event,) = stream.feed(b"event: poem\ndata: " + lines(poem) + b"\n")
        assert variant.to_json(event) == {"event": "poem", "data": poem}


@pytest.mark.parametrize("text", texts("x-stream"), ids=first_line)
def test_keys_of_the_documentation(tmp_path: Path, text: str) -> None:
    assert overlaid(tmp_path, **yaml.safe_load(text)).diagnostics == ""


def folded(folder: Path, fold: dict[str, Any]) -> tuple[Outcome, str]:
    """The document that an example is about with other rules, and the class of its stream."""
    if "merge" in fold:
        return overlaid(folder, fold=fold, frame="jsonl"), "CreatePoemStream"
    document = yaml.safe_load(STORIES)
    content = document["paths"]["/stories"]["post"]["responses"]["200"]["content"]
    content["application/jsonl"]["x-stream"]["fold"] = fold
    write(folder, {"stories.yaml": yaml.safe_dump(document)})
    return run(folder / "stories.yaml"), "CreateStoryStream"


@pytest.mark.parametrize("text", texts("example"), ids=first_line)
def test_rules_of_the_documentation(importer: Importer, tmp_path: Path, text: str) -> None:
    example = yaml.safe_load(text)
    chunks, snapshot = example.pop("chunks"), example.pop("snapshot")
    ending = {key: example.pop(key) for key in ("result", "missing") if key in example}
    made, name = folded(tmp_path, example)
    assert made.diagnostics == ""
    package = importer(made.files)
    for variant in (importlib.import_module(f"{package}.{it}") for it in VARIANTS):
        stream = getattr(variant.streams, name)()
        items = stream.feed(lines(*chunks))
        assert not any(isinstance(item, variant.streams.InvalidEvent) for item in items)
        assert variant.to_json(stream.snapshot()) == snapshot, variant
        if "result" in ending:
            assert variant.to_json(stream.result()) == ending["result"], variant
        if "missing" in ending:
            with pytest.raises(variant.streams.IncompleteResult) as caught:
                stream.result()
            assert [it.pointer for it in caught.value.errors] == ending["missing"], variant


def test_the_stories_of_the_documentation(tmp_path: Path) -> None:
    write(tmp_path, {"stories.yaml": STORIES})
    assert run(tmp_path / "stories.yaml").diagnostics == ""


@pytest.mark.parametrize("name", EXPLAINED)
def test_profiles_that_the_documentation_explains(name: str) -> None:
    profile = yaml.safe_load((ROOT / f"codegen/profiles/{name}.yaml").read_text("utf-8"))
    (explained,) = map(yaml.safe_load, texts(name))
    assert explained in [action.get("update") for action in profile["actions"]]


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_is_in_the_documentation(name: str) -> None:
    assert f"- `{name}`: " in DOCUMENTATION
