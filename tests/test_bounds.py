"""What input may ask for: each bound at its last good value, and one past it with its error.

First those of a text alone, in each format; then those of overlays, schemas and references. Bounds
of streams are in `test_sse.py` and `test_json_framings.py` (sizes), `test_deep.py` (nesting)
and at the end of this file.
"""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from codegen.diagnostics import Diagnostics
from codegen.openapi.choices import MAX_MEMBERS
from codegen.openapi.resolver import MAX_CHAIN
from codegen.passes.break_alias_cycles import MAX_STEPS
from codegen.pipeline import load_api
from codegen.source.values import MAX_DEPTH, MAX_DIGITS
from codegen.source.yaml_builder import MAX_COPIES
from tests.support import Outcome, run

HEAD = '"openapi": "3.1.0", "info": {"title": "Bounds", "version": "1"}'


def lists(depth: int) -> str:
    """Arrays in an object in the document: so deep with both."""
    return "[" * (depth - 1) + "]" * (depth - 1)


def copies(count: int) -> str:
    """YAML members whose aliases stand for so many values."""
    some = f"x-a: &a [{', '.join('0' * 99)}]"
    return f"{some}\nx-b: [{', '.join(['*a'] * (count // 100))}]"


DEPTH = f"nested deeper than {MAX_DEPTH} levels"
DIGITS = f"a number of more than {MAX_DIGITS:,} digits"
INFINITE = "a number that JSON cannot hold"
# The values of a member at the bound and past it, and what is said.
VALUES = {
    "depth": (lists(MAX_DEPTH), lists(MAX_DEPTH + 1), DEPTH),
    "depth, far beyond": ("[]", lists(50_000), DEPTH),
    "digits": ("9" * MAX_DIGITS, "9" * (MAX_DIGITS + 1), DIGITS),
    "digits below zero": ("-" + "9" * MAX_DIGITS, "-1" + "0" * MAX_DIGITS, DIGITS),
    "a million digits": ("1", "9" * 10**6, DIGITS),
    "a million digits of a fraction": ("0." + "9" * 10**6, "1e309", INFINITE),
    "size of a float": ("1.7976931348623157e308", "1.7976931348623159e308", INFINITE),
}
HEX = {
    "hexadecimal": (f"{10**MAX_DIGITS - 1:#x}", f"{10**MAX_DIGITS:#x}", DIGITS),
    "octal": (f"{10**MAX_DIGITS - 1:#o}", f"{10**MAX_DIGITS:#o}", DIGITS),
}
FORMATS = {
    "json": f'{{{HEAD}, "x-a": %s}}',
    "yaml": f'{{{HEAD}, "x-a": %s}} # YAML',
    "toml": 'x-a = %s\nopenapi = "3.1.0"\ninfo = {title = "Bounds", version = "1"}\n',
}
TEXTS = [(format, name) for format in FORMATS for name in VALUES]
TEXTS += [(format, name) for format in ("yaml", "toml") for name in HEX]


def read(text: str, suffix: str, folder: Path) -> Outcome:
    (folder / f"spec.{suffix}").write_text(text)
    return run(folder / f"spec.{suffix}")


@pytest.mark.parametrize(("suffix", "name"), TEXTS)
def test_a_text(suffix: str, name: str, tmp_path: Path) -> None:
    good, bad, message = {**VALUES, **HEX}[name]
    pattern = FORMATS[suffix]
    assert read(pattern % good, suffix, tmp_path).files
    said = read(pattern % bad, suffix, tmp_path).diagnostics
    assert said.startswith(f"spec.{suffix}:1:")
    assert f"error SB105 {message}\n" in said


@pytest.mark.parametrize("value", ["inf", "-inf", "nan"])
def test_numbers_that_json_lacks(value: str, tmp_path: Path) -> None:
    said = read(FORMATS["toml"] % value, "toml", tmp_path).diagnostics
    assert said.startswith(f"spec.toml:1:1: error SB105 {INFINITE}\n")
    yaml = read(f"x-a: {value.replace('i', '.i').replace('nan', '.nan')}", "yaml", tmp_path)
    assert yaml.diagnostics.startswith(f"spec.yaml:1:6: error SB105 {INFINITE}\n")


def test_values_of_aliases(tmp_path: Path) -> None:
    head = "openapi: 3.1.0\ninfo: {title: Bounds, version: '1'}\n"
    assert read(head + copies(MAX_COPIES), "yaml", tmp_path).files
    said = read(head + copies(MAX_COPIES + 100), "yaml", tmp_path).diagnostics
    assert f"error SB105 aliases expand to more than {MAX_COPIES:,} values\n" in said


def test_aliases_of_aliases(tmp_path: Path) -> None:
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    said = read("\n".join(["a0: &a0 [x]", *levels]), "yaml", tmp_path).diagnostics
    assert f"error SB105 aliases expand to more than {MAX_COPIES:,} values\n" in said


def test_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = FORMATS["json"] % "1"
    monkeypatch.setattr("codegen.source.document.MAX_BYTES", len(text))
    assert read(text, "json", tmp_path).files
    said = read(text + " ", "json", tmp_path).diagnostics
    assert said.startswith(f"spec.json: error SB105 spec.json has more than {len(text)} bytes\n")


# Overlays


def layer(actions: list[dict[str, Any]], folder: Path) -> Outcome:
    spec = write({"A": {"type": "object", "properties": {"a": {}, "b": {}}}}, folder)
    overlay = {"overlay": "1.1.0", "info": {"title": "O", "version": "1"}, "actions": actions}
    (folder / "overlay.json").write_text(json.dumps(overlay))
    return run(spec, folder / "overlay.json")


def test_matches_of_a_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    actions = [{"target": "$..properties[*]", "update": {"type": "string"}}]
    monkeypatch.setattr("codegen.source.overlay.MAX_MATCHES", 2)
    assert layer(actions, tmp_path).files
    monkeypatch.setattr("codegen.source.overlay.MAX_MATCHES", 1)
    said = layer(actions, tmp_path).diagnostics
    assert "overlay.json:1:" in said
    message = "error SB105 '$..properties[*]' matches more than 1 values [#/actions/0/target]\n"
    assert message in said


def test_what_overlays_put_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    update = {"target": "$..properties[*]", "update": {"type": "string"}}
    copy = {"target": "$.components", "copy": "$.info"}
    monkeypatch.setattr("codegen.source.overlay.MAX_ADDED", 7)
    assert layer([update, copy], tmp_path).files
    monkeypatch.setattr("codegen.source.overlay.MAX_ADDED", 6)
    said = layer([update, copy], tmp_path).diagnostics
    assert "error SB105 the overlay puts in more than 6 values [#/actions/1/copy]\n" in said


def test_doubling_by_copies_ends(tmp_path: Path) -> None:
    double = {"target": "$.list", "copy": "$.list"}
    start = {"target": "$", "update": {"list": []}}
    said = layer([start, *[double] * 100], tmp_path).diagnostics
    assert "error SB105 the overlay puts in more than 100,000 values" in said


# Schemas and references


def write(schemas: dict[str, Any], folder: Path) -> Path:
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Bounds", "version": "1"},
        "paths": {},
        "components": {"schemas": schemas},
    }
    (folder / "spec.json").write_text(json.dumps(document))
    return folder / "spec.json"


def test_members_of_a_union(tmp_path: Path) -> None:
    objects = {f"S{n}": {"type": "object"} for n in range(3)}
    members = [refer(n % 3) for n in range(MAX_MEMBERS + 1)]
    assert generate({**objects, "A": {"oneOf": members[1:]}}, tmp_path).files
    said = generate({**objects, "A": {"oneOf": members}}, tmp_path).diagnostics
    message = f"error SB105 a union of more than {MAX_MEMBERS:,} members [#/components/schemas/A]"
    assert message in said


def test_a_chain_of_references(tmp_path: Path) -> None:
    def chain(count: int) -> str:
        refers = {f"R{n}": {"$ref": f"#/components/responses/R{n + 1}"} for n in range(count)}
        responses = {**refers, f"R{count}": {"description": "Fine"}}
        operation = {"responses": {"200": {"$ref": "#/components/responses/R1"}}}
        return f"""{{{HEAD}, "paths": {{"/": {{"get": {json.dumps(operation)}}}}},
            "components": {{"responses": {json.dumps(responses)}}}}}"""

    assert read(chain(MAX_CHAIN), "json", tmp_path).files
    said = read(chain(MAX_CHAIN + 1), "json", tmp_path).diagnostics
    message = f"error SB105 more than {MAX_CHAIN} references lead on from here"
    assert f"{message} [#/paths/~1/get/responses/200]" in said


# What a `$ref` says, below another `$id`, and what is said of it: no text is a fault of ours.
URIS = {
    "a long name": ("x" * 5000, "", "SB112"),
    "many folders": ("x/" * 5000, "", "SB112"),
    "a long name beside": ("x" * 5000, "https://example.com/a/b.yaml", "SB112"),
    "a long name there": (
        "https://example.com/a/" + "x" * 5000,
        "https://example.com/a/b",
        "SB111",
    ),
    "no host": ("http://[", "", "SB114"),
    "no host around": ("b.yaml", "http://[::1", "SB112"),
    "NUL": ("a%00b", "", "SB114"),
    "NUL around": ("b", "file:///x%00y/", "SB114"),
    "bytes that are no text": ("%ff.yaml", "", "SB114"),
    "a surrogate": ("\ud800.yaml", "", "SB114"),
    "a surrogate around": ("b.yaml", "\ud800/", "SB114"),
    "a file of the system": ("file:///etc/hostname", "", "SB111"),
    "a file of another host": ("file://host/etc/hostname", "", "SB111"),
    "out of the folder": ("../../../etc/hostname", "", "SB113"),
    "out of the folder, in code": ("%2e%2e/%2e%2e/etc/hostname", "", "SB113"),
}


@pytest.mark.parametrize("name", URIS)
def test_references_that_lead_nowhere(name: str, tmp_path: Path) -> None:
    reference, around, code = URIS[name]
    holder = {"$id": around} if around else {}
    made = generate({"A": {**holder, "properties": {"a": {"$ref": reference}}}}, tmp_path)
    assert made.files == {}
    assert made.diagnostics.startswith("spec.json:1:")
    assert f" error {code} " in made.diagnostics


CIRCLES: dict[str, dict[str, Any]] = {
    "itself": {"A": {"$ref": "#/components/schemas/A"}},
    "all of itself": {"A": {"allOf": [{"$ref": "#/components/schemas/A"}]}},
    "any of itself": {"A": {"anyOf": [{"$ref": "#/components/schemas/A"}]}},
    "one of another that is all of it": {
        "A": {"oneOf": [{"$ref": "#/components/schemas/B"}]},
        "B": {"allOf": [{"$ref": "#/components/schemas/A"}, {"type": "object"}]},
    },
    "each other": {
        "A": {"$ref": "#/components/schemas/B"},
        "B": {"$ref": "#/components/schemas/A"},
    },
    "entries": {"A": {"items": {"$ref": "#/components/schemas/A"}}},
    "members": {"A": {"additionalProperties": {"$ref": "#/components/schemas/A"}}},
    "not itself": {"A": {"not": {"$ref": "#/components/schemas/A"}}},
    "the document": {"A": {"$ref": "#"}},
    "a dynamic one": {"A": {"$dynamicAnchor": "a", "$dynamicRef": "#a"}},
}


@pytest.mark.parametrize("name", CIRCLES)
def test_circles_end(name: str, tmp_path: Path) -> None:
    made = generate(CIRCLES[name], tmp_path)
    assert made.files or "error SB202" in made.diagnostics


def test_a_long_enum_is_read_in_time(tmp_path: Path) -> None:
    """Quadratic, it would take half an hour."""
    values = [f"v{number}" for number in range(100_000)]
    api = load_api(str(write({"A": {"enum": values}}, tmp_path)), (), Diagnostics())
    assert len(api.decls) == 1


def generate(schemas: dict[str, Any], folder: Path) -> Outcome:
    return run(write(schemas, folder))


def refer(number: int) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/S{number}"}


def aliases(count: int) -> dict[str, Any]:
    """So many schemas that stand for each other in a chain, the last for a string."""
    chain = {f"S{number}": refer(number + 1) for number in range(count - 1)}
    return {**chain, f"S{count - 1}": {"type": "string"}}


@pytest.mark.parametrize("order", [1, -1])
def test_a_chain_of_aliases(order: int, tmp_path: Path) -> None:
    assert generate(dict([*aliases(MAX_STEPS).items()][::order]), tmp_path).files
    refused = generate(dict([*aliases(MAX_STEPS + 1).items()][::order]), tmp_path)
    assert refused.files == {}
    message = "error SB105 more than 100 schemas stand for each other from here on"
    assert f"{message} [#/components/schemas/S0]" in refused.diagnostics


def doubling(levels: int) -> dict[str, Any]:
    """So many unions, each of which says the next one in two ways."""
    ways = [
        [{"allOf": [refer(n + 1), {"required": [way]}]} for way in ("a", "b")]
        for n in range(levels)
    ]
    unions = {f"S{number}": {"anyOf": members} for number, members in enumerate(ways)}
    return {**unions, f"S{levels}": {"type": "object", "properties": {"a": {"type": "string"}}}}


def test_unions_of_unions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codegen.openapi.schema.MAX_READS", 2_000)
    assert generate(doubling(4), tmp_path).files
    refused = generate(doubling(25), tmp_path)
    assert refused.files == {}
    message = "error SB105 by here, schemas combine to more than 2,000 types"
    assert f"{message} [#/components/schemas/S" in refused.diagnostics


def test_a_chain_of_objects_has_no_bound(tmp_path: Path) -> None:
    chain = {f"S{n}": {"type": "object", "properties": {"next": refer(n + 1)}} for n in range(1500)}
    spec = write({**chain, "S1500": {"type": "object"}}, tmp_path)
    api = load_api(str(spec), (), Diagnostics())
    assert len(api.decls) == 1501


# Streams


def feed(variant: Any, *payloads: str) -> list[Any]:
    stream = variant.streams.CreateChatCompletionStream()
    (*items,) = (it for text in payloads for it in stream.feed(f"data: {text}\n\n".encode()))
    assert stream.outcome.value == "open"
    stream.snapshot()
    return items


def chunk(member: str) -> str:
    head = '"id": "c", "object": "chat.completion.chunk", "model": "m"'
    return f"{{{head}, {member}}}"


def created(number: str) -> str:
    return chunk(f'"choices": [], "created": {number}')


def called(index: str) -> str:
    delta = f'{{"tool_calls": [{{"index": {index}, "id": "t"}}]}}'
    choice = f'{{"index": 0, "delta": {delta}, "finish_reason": null}}'
    return chunk(f'"created": 1, "choices": [{choice}]')


@pytest.mark.parametrize(
    ("number", "found"),
    [
        ("9" * (MAX_DIGITS + 1), None),
        ("9" * 10**6, None),
        ("1e309", None),
        ("-" + "9" * 400 + "e999999999", None),
        ("NaN", None),
        ("1.0", "/created"),
        ("true", "/created"),
    ],
)
def test_numbers_in_a_stream(variant: Any, number: str, found: str | None) -> None:
    good = created("9" * MAX_DIGITS)
    first, invalid, last = feed(variant, good, created(number), good)
    assert variant.to_json(first) == variant.to_json(last) == json.loads(good)
    assert type(invalid).__name__ == "InvalidEvent"
    assert invalid.raw == created(number)
    (problem,) = invalid.errors
    assert (problem.expected, problem.pointer) == (
        ("JSON text", "") if found is None else ("an integer", found)
    )


@pytest.mark.parametrize("index", ["1000000000", "-1", "-1000000000", "0", "9" * MAX_DIGITS])
def test_an_index_takes_the_room_of_one_entry(variant: Any, index: str) -> None:
    tracemalloc.start()
    try:
        first, second = feed(variant, called("1"), called(index))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert variant.to_json(second) == json.loads(called(index))
    assert variant.to_json(first) == json.loads(called("1"))
    assert peak < 2_000_000


@pytest.mark.parametrize("index", ["true", "1.5", "1e9", '"0"', "null", "[]", "{}"])
def test_an_index_is_an_integer(variant: Any, index: str) -> None:
    (invalid,) = feed(variant, called(index))
    assert [it.pointer for it in invalid.errors] == ["/choices/0/delta/tool_calls/0/index"]


@pytest.mark.parametrize("line", [b"data: ", b": ", b"x", b"id: ", b"event: "])
def test_an_endless_line(variant: Any, line: bytes) -> None:
    """Sixteen MiB are taken, and not a byte more; what came before stands."""
    limit = 16 * 2**20
    stream = variant.streams.CreateChatCompletionStream()
    assert len(stream.feed(f"data: {created('1')}\n\n".encode())) == 1
    tracemalloc.start()
    try:
        assert stream.feed(line) == []
        for _ in range(limit // 2**16 - 1):
            assert stream.feed(b"x" * 2**16) == []
        assert stream.feed(b"x" * (2**16 - len(line))) == []
        (invalid,) = stream.feed(b"x")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert invalid.errors[0][1:] == (f"an event of at most {limit} bytes", "more")
    assert (stream.outcome.value, stream.feed(b"data: {}\n\n"), stream.close()) == (
        "failed",
        [],
        [],
    )
    assert variant.to_json(stream.snapshot())["id"] == "c"
    assert peak < 4 * limit


def test_an_endless_event(variant: Any) -> None:
    stream = variant.streams.CreateChatCompletionStream(max_event_size=1000)
    lines = b"data: " + b"x" * 93 + b"\n"
    assert [stream.feed(lines) for _ in range(9)] == [[]] * 9
    items = stream.feed(lines * 2)
    assert [it.errors[0].expected for it in items] == ["an event of at most 1000 bytes"]
    assert stream.outcome.value == "failed"


def test_bytes_that_are_no_text(variant: Any) -> None:
    stream = variant.streams.CreateChatCompletionStream()
    bad = created("1").encode().replace(b'"m"', b'"\xff\xc3"')
    assert [variant.to_json(it)["model"] for it in stream.feed(b"data: %b\n\n" % bad)] == [
        "\ufffd" * 2
    ]
    (invalid,) = stream.feed(b"data: \xff\xfe\n\n")
    assert invalid.raw == "\ufffd" * 2
    assert stream.outcome.value == "open"
