"""Reports: their form, and that no document can act on a terminal or a workflow."""

import json
from pathlib import PurePath

import pytest

from codegen.diagnostics import Diagnostics, Origin, Position, Refused
from codegen.report import escape, format_github, format_json, format_text
from codegen.source.text import SourceText

SPEC = "info:\n  title: t\n  version: [\n"


def collect(text: str, name: str = "spec.yaml") -> Diagnostics:
    diagnostics = Diagnostics()
    diagnostics.remember(SourceText(name, text, PurePath(name)))
    return diagnostics


def test_text_with_a_pointer() -> None:
    diagnostics = collect("info:\n  title: t\n")
    origin = Origin(document="spec.yaml", pointer="#/info/title")
    diagnostics.add("SB124", "nothing there", origin=origin, help="look again")
    assert format_text(diagnostics, color=False) == (
        "spec.yaml:2:3: warning SB124 nothing there [#/info/title]\n"
        "    2 |   title: t\n"
        "      |   ^\n"
        "help: look again\n"
    )


def test_text_with_a_position() -> None:
    diagnostics = collect(SPEC)
    diagnostics.add("SB103", "no end", document="spec.yaml", position=Position(line=3, column=12))
    assert format_text(diagnostics, color=False) == (
        "spec.yaml:3:12: error SB103 no end\n    3 |   version: [\n      |            ^\n"
    )


def test_text_without_a_place() -> None:
    diagnostics = Diagnostics()
    diagnostics.add("SB101", "cannot read x")
    diagnostics.add(
        "SB112", "cannot read y", origin=Origin(document="z.yaml", pointer="#/a"), help=""
    )
    assert format_text(diagnostics, color=False) == (
        "error SB101 cannot read x\n"
        "help: check the path; it is relative to the working folder\n"
        "z.yaml: error SB112 cannot read y [#/a]\n"
    )


EXCERPTS: dict[str, tuple[str, int, str, str]] = {
    "tab": ("\ta: b", 2, " a: b", " ^"),
    "beyond the end": ("ab", 9, "ab", "  ^"),
    "wide characters": ("名前: x", 5, "名前: x", "      ^"),
    "combining characters": ("e\u0301: x", 5, "e\u0301: x", "   ^"),
    "control characters": ("\x1b[31m: x", 8, "\\x1b[31m: x", "          ^"),
    "bidi": ("a\u202eb: x", 5, "a\\u202eb: x", "         ^"),
    "long, at the start": ("x" * 200, 1, "x" * 80 + "…", "^"),
    "long, in the middle": ("x" * 200, 101, "…" + "x" * 80 + "…", " " * 41 + "^"),
    "long, at the end": ("x" * 200, 200, "…" + "x" * 41, " " * 41 + "^"),
}


@pytest.mark.parametrize("name", EXCERPTS)
def test_excerpts(name: str) -> None:
    line, column, shown, caret = EXCERPTS[name]
    diagnostics = collect(line)
    diagnostics.add("SB103", "m", document="spec.yaml", position=Position(line=1, column=column))
    _, *excerpt = format_text(diagnostics, color=False).splitlines()
    assert excerpt == [f"    1 | {shown}", f"      | {caret}"]


HOSTILE = "\x1b]0;x\x07\x9b\r\n\u2028\u202e\u200b\ud800::error::\x00"


def test_hostile_text_is_escaped_everywhere() -> None:
    name = f"a{HOSTILE}.json"
    diagnostics = collect('{"' + "a\x7f\x9b" + '": 1}', name)
    origin = Origin(document=name, pointer=f"#/{HOSTILE}")
    diagnostics.add("SB103", HOSTILE, origin=origin, help=HOSTILE)
    text = format_text(diagnostics, color=False)
    assert len(text.split("\n")) == 5
    for report in (text, format_github(diagnostics)):
        assert all(character == "\n" or character.isprintable() for character in report)
    assert format_json(diagnostics).isascii()
    assert json.loads(format_json(diagnostics))[0]["message"] == HOSTILE


def test_escape() -> None:
    assert escape("é 名\t\x1b\x85\u2028\U000e0001") == "é 名 \\x1b\\x85\\u2028\\U000e0001"


def test_color_adds_only_color() -> None:
    diagnostics = collect(SPEC)
    diagnostics.add("SB103", "no end", document="spec.yaml", position=Position(line=3, column=12))
    colored = format_text(diagnostics, color=True)
    assert colored.startswith("\x1b[1mspec.yaml:3:12: \x1b[0m\x1b[1;31merror SB103\x1b[0m no end\n")


def test_json() -> None:
    diagnostics = collect("info:\n  title: t\n")
    origin = Origin(document="spec.yaml", pointer="#/info/title")
    diagnostics.add("SB124", "nothing there", origin=origin)
    diagnostics.add("SB101", "cannot read x", help="")
    assert json.loads(format_json(diagnostics)) == [
        {
            "severity": "warning",
            "code": "SB124",
            "slug": "overlay-target-unmatched",
            "message": "nothing there",
            "file": "spec.yaml",
            "line": 2,
            "column": 3,
            "pointer": "#/info/title",
            "help": "compare the target with the document",
        },
        {
            "severity": "error",
            "code": "SB101",
            "slug": "document-not-found",
            "message": "cannot read x",
            "file": None,
            "line": None,
            "column": None,
            "pointer": None,
            "help": "",
        },
    ]


def test_github() -> None:
    diagnostics = collect("a: 1\n", "a,b:c%.yaml")
    origin = Origin(document="a,b:c%.yaml", pointer="#/a")
    diagnostics.add("SB103", "100%: wrong", origin=origin, help="do")
    assert format_github(diagnostics) == (
        "::error title=SB103 document-syntax,file=a%2Cb%3Ac%25.yaml,line=1,col=1"
        "::100%25: wrong%0Ahelp: do\n"
    )


def test_collector() -> None:
    diagnostics = Diagnostics()
    diagnostics.add("SB124", "warned")
    diagnostics.check()
    for message in ("first", "second", "first"):
        diagnostics.add("SB101", message)
    assert [item.message for item in diagnostics.items] == ["warned", "first", "second"]
    assert [item.message for item in diagnostics.errors] == ["first", "second"]
    with pytest.raises(Refused, match="SB101 first\nSB101 second") as caught:
        diagnostics.check()
    assert caught.value.diagnostics is diagnostics
    with pytest.raises(KeyError):
        diagnostics.add("SB000", "no such code")
