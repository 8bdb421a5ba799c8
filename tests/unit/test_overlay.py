"""Overlays; the rules are those of Overlay 1.1, section 4.4, the results written by hand."""

from copy import deepcopy
from pathlib import Path

import pytest

from codegen.diagnostics import Diagnostics
from codegen.source.document import Document, read_document
from codegen.source.overlay import apply_overlay
from codegen.source.values import MAX_DEPTH, Json
from codegen.stack import deep

HEAD = "overlay: 1.1.0\ninfo: {title: t, version: '1'}\nactions:\n"


def read(path: Path, text: str, diagnostics: Diagnostics) -> Document:
    path.write_text(text, encoding="utf-8")
    return read_document(path, diagnostics)


@deep
def apply(folder: Path, text: str, overlay: str) -> tuple[Document, Diagnostics]:
    diagnostics = Diagnostics()
    document = read(folder / "api.yaml", text, diagnostics)
    before = deepcopy(document.data)
    changes = read(folder / "overlay.yaml", overlay, diagnostics)
    after = apply_overlay(document, changes, diagnostics)
    assert document.data == before
    return after, diagnostics


# What each entry shows; a document, its actions, the result.
APPLIED: dict[str, tuple[str, str, Json]] = {
    "member added": ("{paths: {}}", "- {target: $.paths, update: {/a: 1}}", {"paths": {"/a": 1}}),
    "objects merge": (
        "{a: {b: {c: 1, d: 2}}}",
        "- {target: $, update: {a: {b: {c: 3, e: 4}}}}",
        {"a": {"b": {"c": 3, "d": 2, "e": 4}}},
    ),
    "arrays inside are joined": (
        "{a: {b: [1]}}",
        "- {target: $.a, update: {b: [2, 3]}}",
        {"a": {"b": [1, 2, 3]}},
    ),
    "an array takes one entry": ("{a: [1]}", "- {target: $.a, update: [2]}", {"a": [1, [2]]}),
    "primitive inside": ("{a: {b: x}}", "- {target: $.a, update: {b: null}}", {"a": {"b": None}}),
    "primitive itself": ("{a: {b: x}}", "- {target: $.a.b, update: y}", {"a": {"b": "y"}}),
    "primitive root": ("x", "- {target: $, update: y}", "y"),
    "every match": (
        "{a: {x: {}, y: {}}}",
        "- {target: $.a.*, update: {z: 1}}",
        {"a": {"x": {"z": 1}, "y": {"z": 1}}},
    ),
    "filter": (
        "{a: [{n: 1}, {n: 2}]}",
        '- {target: "$.a[?@.n == 2]", update: {z: 1}}',
        {"a": [{"n": 1}, {"n": 2, "z": 1}]},
    ),
    "member removed": ("{a: {b: 1, c: 2}}", "- {target: $.a.b, remove: true}", {"a": {"c": 2}}),
    "items removed": (
        "{a: [1, 2, 3, 4]}",
        '- {target: "$.a[0, 2, 2]", remove: true}',
        {"a": [2, 4]},
    ),
    "nested matches removed": (
        "{x: {x: {y: 1}}, z: 2}",
        "- {target: $..x, remove: true}",
        {"z": 2},
    ),
    "remove wins over update": (
        "{a: 1, b: 2}",
        "- {target: $.a, update: 3, remove: true}",
        {"b": 2},
    ),
    "remove: false": ("{a: 1}", "- {target: $.a, update: 3, remove: false}", {"a": 3}),
    "in order": (
        "{a: {b: 1}}",
        "- {target: $.a, remove: true}\n- {target: $, update: {a: {c: 2}}}",
        {"a": {"c": 2}},
    ),
    "copy": (
        "{a: {x: 1}, b: {y: 2}}",
        "- {target: $.b, copy: $.a}",
        {"a": {"x": 1}, "b": {"y": 2, "x": 1}},
    ),
    "a copy is a copy": (
        "{a: {x: {}}, b: {}, c: {}}",
        '- {target: \'$["b", "c"]\', copy: $.a}\n- {target: $.b.x, update: {z: 1}}',
        {"a": {"x": {}}, "b": {"x": {"z": 1}}, "c": {"x": {}}},
    ),
    "an update is put in as often as it matches": (
        "{b: {}, c: {}}",
        "- {target: $.*, update: {x: {}}}\n- {target: $.b.x, update: {z: 1}}",
        {"b": {"x": {"z": 1}}, "c": {"x": {}}},
    ),
    "aliases part": (
        "{a: &a {x: {y: 1}}, b: *a}",
        "- {target: $.a.x, update: {y: 2}}",
        {"a": {"x": {"y": 2}}, "b": {"x": {"y": 1}}},
    ),
    "extensions": ("{}", "- {target: $, update: {a: 1}, x-why: because}", {"a": 1}),
}


@pytest.mark.parametrize("name", APPLIED)
def test_applied(name: str, tmp_path: Path) -> None:
    text, actions, result = APPLIED[name]
    document, diagnostics = apply(tmp_path, text, HEAD + actions)
    assert document.data == result
    assert diagnostics.items == ()


# What each entry shows; a document, its actions, the codes and pointers into the overlay.
REPORTED: dict[str, tuple[str, str, list[tuple[str, str]]]] = {
    "no match": ("{a: 1}", "- {target: $.b, update: {}}", [("SB124", "#/actions/0/target")]),
    "object into text": (
        "{a: {b: x}}",
        "- {target: $.a, update: {b: {}}}",
        [("SB125", "#/actions/0/update/b")],
    ),
    "text into array": (
        "{a: {b: []}}",
        "- {target: $.a, update: {b: x}}",
        [("SB125", "#/actions/0/update/b")],
    ),
    "array into object": (
        "{a: {}}",
        "- {target: $.a, update: []}",
        [("SB125", "#/actions/0/update")],
    ),
    "null is a primitive": (
        "{a: {b: {}}}",
        "- {target: $.a, update: {b: null}}",
        [("SB125", "#/actions/0/update/b")],
    ),
    "root removed": ("{a: {}}", "- {target: $, remove: true}", [("SB125", "#/actions/0/remove")]),
    "copy of nothing": ("{a: {}}", "- {target: $.a, copy: $.b}", [("SB123", "#/actions/0/copy")]),
    "copy of many": (
        "{a: {}, b: {}}",
        "- {target: $.a, copy: $.*}",
        [("SB123", "#/actions/0/copy")],
    ),
    "bad paths": (
        "{}",
        "- {target: a, update: 1}\n- {target: '$.a[', update: 1}\n- {target: $.x-y, copy: $.}",
        [
            ("SB123", "#/actions/0/target"),
            ("SB123", "#/actions/1/target"),
            ("SB123", "#/actions/2/target"),
            ("SB123", "#/actions/2/copy"),
        ],
    ),
    "no effect": ("{}", "- {target: $}", [("SB121", "#/actions/0")]),
    "two effects": ("{}", "- {target: $, update: {}, copy: $}", [("SB121", "#/actions/0/copy")]),
    "kinds": (
        "{}",
        "- {target: 1, remove: 'yes'}\n- x\n- {updat: 1, target: $}\n- {update: 1}",
        [
            ("SB121", "#/actions/0/target"),
            ("SB121", "#/actions/0/remove"),
            ("SB121", "#/actions/1"),
            ("SB122", "#/actions/2/updat"),
            ("SB121", "#/actions/2"),
            ("SB121", "#/actions/3"),
        ],
    ),
}


@pytest.mark.parametrize("name", REPORTED)
def test_reported(name: str, tmp_path: Path) -> None:
    text, actions, wanted = REPORTED[name]
    document, diagnostics = apply(tmp_path, text, HEAD + actions)
    assert places(diagnostics, tmp_path / "overlay.yaml") == wanted
    assert document.data == apply(tmp_path, text, HEAD + "- {target: $, update: {}}")[0].data


# The root of the overlay.
MALFORMED: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "no object": ("[]", [("SB121", "#")]),
    "nothing in it": ("{}", [("SB121", "#")] * 3),
    "unknown version": (
        "{overlay: 2.0.0, info: {title: t, version: v}, actions: [{target: $, update: {}}]}",
        [("SB121", "#/overlay")],
    ),
    "copy in 1.0": (
        "{overlay: 1.0.0, info: {title: t, version: v}, actions: [{target: $, copy: $}]}",
        [("SB122", "#/actions/0/copy")],
    ),
    "version as a number": (
        "{overlay: 1.0.0, info: {title: t, version: 1.0}, actions: [{target: $, update: {}}]}",
        [("SB121", "#/info/version")],
    ),
    "no actions": (
        "{overlay: 1.0.0, info: {title: t, version: v, x-a: 1}, actions: [], extend: x}",
        [("SB122", "#/extend"), ("SB121", "#/actions")],
    ),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed(name: str, tmp_path: Path) -> None:
    overlay, wanted = MALFORMED[name]
    document, diagnostics = apply(tmp_path, "{a: 1}", overlay)
    assert places(diagnostics, tmp_path / "overlay.yaml") == wanted
    assert document.data == {"a": 1}


def test_result_keeps_the_depth_limit(tmp_path: Path) -> None:
    deep = "{a: " * (MAX_DEPTH - 1) + "{}" + "}" * (MAX_DEPTH - 1)
    document, diagnostics = apply(tmp_path, deep, HEAD + "- {target: $.a, copy: $}")
    assert places(diagnostics, tmp_path / "overlay.yaml") == [("SB105", "#/actions")]
    assert document.origins.at("#").document == str(tmp_path / "api.yaml")


API = """\
paths:
  /a:
    parameters:
      - {name: p0}
      - {name: p1}
      - {name: p2}
info:
  title: t
"""
CHANGES = (
    HEAD
    + """\
  - target: $.paths['/a'].parameters[0]
    remove: true
  - target: $.paths['/a'].parameters[1]
    update:
      in: query
  - target: $.paths['/a'].parameters
    update: {name: p3}
  - target: $.info
    update:
      title: other
  - target: $.info
    copy: $.paths['/a'].parameters[1]
  - target: $.paths['/a'].parameters[0]
    remove: true
"""
)
# A pointer into the result; the file and line it was written on.
ORIGINS = [
    ("#", "api.yaml", 1),
    ("#/paths/~1a", "api.yaml", 2),
    ("#/paths/~1a/parameters/0", "api.yaml", 6),
    ("#/paths/~1a/parameters/0/name", "api.yaml", 6),
    ("#/paths/~1a/parameters/0/in", "overlay.yaml", 8),
    ("#/paths/~1a/parameters/1", "overlay.yaml", 10),
    ("#/paths/~1a/parameters/1/name", "overlay.yaml", 10),
    ("#/info", "api.yaml", 7),
    ("#/info/title", "overlay.yaml", 13),
    ("#/info/name", "api.yaml", 6),
    ("#/info/in", "overlay.yaml", 8),
]


@pytest.mark.parametrize(("pointer", "file", "line"), ORIGINS)
def test_origins(pointer: str, file: str, line: int, tmp_path: Path) -> None:
    document, diagnostics = apply(tmp_path, API, CHANGES)
    assert diagnostics.items == ()
    origin = document.origin(pointer)
    text = diagnostics.text(origin.document)
    assert text is not None
    assert (Path(origin.document).name, text.position(origin.pointer).line) == (file, line)


def test_two_overlays(tmp_path: Path) -> None:
    first, diagnostics = apply(tmp_path, "{a: {}}", HEAD + "- {target: $.a, update: {b: {c: 1}}}")
    second = read(tmp_path / "2.yaml", HEAD + "- {target: $.a.b, update: {d: 2}}", diagnostics)
    both = apply_overlay(first, second, diagnostics)
    assert both.data == {"a": {"b": {"c": 1, "d": 2}}}
    assert first.data == {"a": {"b": {"c": 1}}}
    origins = [(both.origin(f"#/a/b/{name}"), first.origin(f"#/a/b/{name}")) for name in "cd"]
    assert [Path(now.document).name for now, _ in origins] == ["overlay.yaml", "2.yaml"]
    assert [Path(before.document).name for _, before in origins] == ["overlay.yaml"] * 2


def places(diagnostics: Diagnostics, overlay: Path) -> list[tuple[str, str]]:
    origins = [(item.code.id, item.origin) for item in diagnostics.items]
    assert all(origin is not None and origin.document == str(overlay) for _, origin in origins)
    return [(code, origin.pointer) for code, origin in origins if origin is not None]
