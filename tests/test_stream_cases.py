"""What `x-stream` does, behaviour by behaviour: `stream_cases/`, and the examples of `docs/streams.md`.

A case is a folder: `spec.yaml`, the smallest document that shows a behaviour; `case.yaml`, bodies
and what must come of each, written by hand: items (the kind, then its JSON), outcome, snapshot, and
`result` or the pointers of what is `missing`; `diagnostics.txt`, what is said of the document.
`open.yaml` lists what fails today.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from _pytest.mark import ParameterSet
from hypothesis import given
from hypothesis import strategies as st

from codegen.source.document import read_document
from codegen.diagnostics import Diagnostics
from tests.support import ROOT, VARIANTS, Outcome, canonical, run, write

CASES = Path(__file__).parent / "stream_cases"
NAMES = sorted(folder.name for folder in CASES.iterdir() if folder.is_dir())
OPEN: dict[str, str] = yaml.safe_load((CASES / "open.yaml").read_text("utf-8")) or {}
PACKAGE = "made_of_stream_cases"
# Items that are no events: how they are shown.
OTHERS: dict[str, Callable[[Any], Any]] = {
    "UnknownEvent": lambda item: [item.name, item.data],
    "InvalidEvent": lambda item: [error.pointer for error in item.errors],
    "StreamError": lambda item: item.payload,
}
Load = Callable[[str, str], Any]
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


def parameters(values: Iterable[object]) -> list[ParameterSet]:
    """Values under their names; those that `open.yaml` lists have to fail."""
    return [
        pytest.param(
            value,
            id=str(value),
            marks=[pytest.mark.xfail(reason=OPEN[str(value)], strict=True)]
            if str(value) in OPEN
            else [],
        )
        for value in values
    ]


@cache
def outcome(case: str) -> Outcome:
    return run(CASES / case / "spec.yaml")


@pytest.fixture(scope="module")
def load(tmp_path_factory: pytest.TempPathFactory) -> Iterable[Load]:
    """Gives a variant of the package of a case, which is made when first asked for."""
    folder = tmp_path_factory.mktemp("stream_cases")

    @cache
    def made(case: str) -> str:
        write(folder / PACKAGE / case, outcome(case).files)
        return f"{PACKAGE}.{case}"

    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield lambda case, variant: importlib.import_module(f"{made(case)}.{variant}")


# The documents


def test_the_list_of_what_is_open_names_cases() -> None:
    assert OPEN.keys() <= {*NAMES, *map(str, BODIES)}


@pytest.mark.parametrize("case", [name for name in NAMES if name not in OPEN])
def test_what_is_said(case: str) -> None:
    expected = CASES / case / "diagnostics.txt"
    assert outcome(case).diagnostics == (expected.read_text("utf-8") if expected.exists() else "")


@pytest.mark.parametrize("case", parameters(NAMES))
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


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("body", parameters(BODIES))
def test_what_comes_of_a_body(load: Load, body: Body, name: str) -> None:
    variant = load(body.case, name)
    items, state, snapshot = seen(variant, body.data)
    assert items == expect(variant, body.items)
    assert state == body.outcome
    assert canonical(snapshot) == canonical(body.wanted.get("snapshot"))


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("body", BODIES, ids=str)
def test_at_every_split(load: Load, body: Body, name: str) -> None:
    variant = load(body.case, name)
    whole = seen(variant, body.data)
    for at in range(1, len(body.data)):
        assert seen(variant, body.data[:at], body.data[at:]) == whole
    assert seen(variant, *(bytes([byte]) for byte in body.data)) == whole


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("body", [b for b in BODIES if "snapshot" in b.wanted], ids=str)
def test_the_result(load: Load, body: Body, name: str) -> None:
    variant = load(body.case, name)
    _, stream = decode(variant, body.data)
    if "missing" not in body.wanted:
        wanted = body.wanted.get("result", body.wanted["snapshot"])
        assert canonical(variant.to_json(stream.result())) == canonical(wanted)
        return
    with pytest.raises(variant.streams.IncompleteResult) as caught:
        stream.result()
    assert [error.pointer for error in caught.value.errors] == body.wanted["missing"]
    assert variant.to_json(stream.snapshot()) == body.wanted["snapshot"]


def encode(class_: Any, items: list[Any]) -> bytes:
    """A body that holds these items, as a server writes it."""
    if not hasattr(class_, "START"):
        return b"".join(map(class_.encode, items)) + class_.END
    written = (class_.encode(item, first=index == 0) for index, item in enumerate(items))
    return class_.START + b"".join(written) + class_.END


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("body", parameters(BODIES))
def test_events_are_written_back(load: Load, body: Body, name: str) -> None:
    variant = load(body.case, name)
    stream = variant.streams.ReadStream()
    items = [*stream.feed(body.data), *stream.close()]
    events = [it for it in items if type(it).__name__ not in ("InvalidEvent", "StreamError")]
    again, _ = decode(variant, encode(variant.streams.ReadStream, events))
    assert again == [show(variant, event) for event in events]


# What holds for any text and any pieces

TEXTS = st.lists(st.text(max_size=5), min_size=1, max_size=8)
FOLDS: dict[str, Callable[[str], Any]] = {
    "rule_concat": lambda text: {"text": text},
    "keyed": lambda text: {"parts": [{"n": 3, "text": text}]},
}


def lines(*values: Any) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("case", FOLDS)
@given(texts=TEXTS)
def test_where_a_text_is_cut_does_not_matter(
    load: Load, case: str, name: str, texts: list[str]
) -> None:
    variant = load(case, name)
    _, _, whole = seen(variant, lines(FOLDS[case]("".join(texts))))
    _, _, pieces = seen(variant, lines(*map(FOLDS[case], texts)))
    assert pieces == whole


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("case", FOLDS)
@given(texts=TEXTS, cuts=st.lists(st.integers(0, 1000), max_size=8))
def test_any_pieces_of_the_bytes(
    load: Load, case: str, name: str, texts: list[str], cuts: list[int]
) -> None:
    variant = load(case, name)
    data = lines(*map(FOLDS[case], texts))
    ends = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    pieces = [data[start:end] for start, end in pairwise(ends)]
    assert seen(variant, *pieces) == seen(variant, data)


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("case", FOLDS)
@given(texts=TEXTS)
def test_snapshots_on_the_way_change_nothing(
    load: Load, case: str, name: str, texts: list[str]
) -> None:
    variant = load(case, name)
    stream = variant.streams.ReadStream()
    for text in texts:
        stream.feed(lines(FOLDS[case](text)))
        shown = variant.to_json(stream.snapshot())
    _, _, whole = seen(variant, lines(*map(FOLDS[case], texts)))
    assert shown == whole
