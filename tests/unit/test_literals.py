"""Quoting: what is written evaluates back to what came in, and a formatter leaves it alone."""

from __future__ import annotations

import ast
import inspect
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codegen.python.code import Code, code_join, identifier, snippet
from codegen.python.literals import (
    Json,
    format_docstring,
    format_string,
    literal,
)

HOSTILE = (
    "\n", "\r", "\r\n", "\t", "\f", "\v", "\0", "\x1b[31m", "\x1c", "\x1f", "\x7f", "\x85", "\xa0",
    "\u2028", "\u2029", "\u202e", "\u2066", "\u200d", "\ufeff", "\ud800", "\udfff", "\U000e0041",
    "\\", "\\\\", "\\\\\\", '"', '""', '"""', "'''", '\\"""', '"""\\', "'", "`", "```", "~~~",
    "{{ x }}", "{% raw %}", "{x!r}", "\\N{DASH}", "\\x41", "\\u0041", "%s", "#", "# noqa",
    "# coding: utf-7", "# type: ignore", ";", "import os", "- ", "* ", "1. ", "> ", "| a | b |",
    "    ", "---", "===", "名前", "é", "e\u0301", "🎉", "word", "a longer sentence of words. ", " ",
    "w" * 100, "https://example.org/" + "path/" * 20,
)  # fmt: skip
ANY_TEXT = st.text(st.characters(exclude_categories=())) | st.lists(
    st.sampled_from(HOSTILE), max_size=12
).map("".join)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)


def words(text: str | None) -> list[str]:
    return (text or "").split()


def docstring_in_class(text: str, indent: int = 4) -> str:
    margin = " " * indent
    levels = [" " * n + "class A:\n" for n in range(0, indent, 4)]
    return "".join(levels) + margin + format_docstring(text, indent) + "\n"


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("", '""'),
        ("plain", '"plain"'),
        ("it's", '"it\'s"'),
        ('say "hi"', "'say \"hi\"'"),
        ('it\'s "hi"', "'it\\'s \"hi\"'"),
        ("""'"'""", """"'\\"'\""""),
        ("a\\", '"a\\\\"'),
        ("a\r\n\tb", '"a\\r\\n\\tb"'),
        ("\0\x1b\x7f\x85", '"\\x00\\x1b\\x7f\\x85"'),
        ("\u2028\u202e\ufeff", '"\\u2028\\u202e\\ufeff"'),
        ("\ud800", '"\\ud800"'),
        ("\U000e0041", '"\\U000e0041"'),
        ("Grüße, 名前 🎉", '"Grüße, 名前 🎉"'),
        ("{{ x }} {% y %} {z}", '"{{ x }} {% y %} {z}"'),
    ],
)
def test_string(text: str, want: str) -> None:
    assert format_string(text) == want


@given(ANY_TEXT)
def test_string_evaluates_back(text: str) -> None:
    quoted = format_string(text)
    assert ast.literal_eval(quoted) == text
    assert len(quoted.splitlines()) == 1


@pytest.mark.parametrize(
    ("value", "want"),
    [
        (None, "None"),
        (True, "True"),
        (-7, "-7"),
        (2**64, "18446744073709551616"),
        (1.0, "1.0"),
        (-0.0, "-0.0"),
        (1e16, "1e16"),
        (1e-7, "1e-07"),
        ([], "[]"),
        ({}, "{}"),
        ([1, "a", [None]], '[1, "a", [None]]'),
        ({"a": {"b": []}}, '{"a": {"b": []}}'),
    ],
)
def test_value(value: Json, want: str) -> None:
    assert literal(value).code == want


@given(JSON)
def test_value_evaluates_back(value: Json) -> None:
    assert repr(ast.literal_eval(literal(value).code)) == repr(value)


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan"), [float("nan")]])
def test_value_without_a_literal(value: Json) -> None:
    with pytest.raises(ValueError):
        literal(value)


def test_integer_beyond_the_limit_on_digits() -> None:
    with pytest.raises(ValueError):
        literal(10**5000)


DOCSTRINGS = {
    "one line": ("A pet.", ['"""A pet."""']),
    "quotes at both ends": ('"A" or "B"', ['"""\\"A" or "B\\""""']),
    "three quotes": ('a """ b', ['"""a \\"\\"\\" b"""']),
    "backslash at the end": ("ends with \\", ['"""ends with \\\\"""']),
    "what looks like an escape": (
        "C:\\new \\d+ \\N{BULLET} \\x", ['"""C:\\\\new \\\\d+ \\\\N{BULLET} \\\\x"""'],
    ),
    "nothing but a quote": ('"', ['"""\\""""']),
    "controls": ("nul \0 bidi \u202e", ['"""nul \\x00 bidi \\u202e"""']),
    "paragraphs": ("One\ntwo.\n\n\n\nThree.  \n", ['"""One two.', "", "    Three.", '    """']),
    "list": (
        "Kinds:\n- a\n- b\n  more\n\n1. c",
        ['"""Kinds:', "    - a", "    - b more", "", "    1. c", '    """'],
    ),
    "fence": (
        "Use:\n```py\nif x:\n    y\n\n\nz\n```\nDone\nnow.",
        [
            '"""Use:', "    ```py", "    if x:", "        y", "", "    z", "    ```",
            "    Done now.", '    """',
        ],
    ),
    "only code later": ("Use:\n\n    x = 1", ['"""Use:', "", "    x = 1", '    """']),
    "table": ("| a | b |\n|---|---|", ['"""| a | b |', "    |---|---|", '    """']),
    "one long word": ("w" * 100, ['"""' + "w" * 100 + '"""']),
}  # fmt: skip


@pytest.mark.parametrize("name", DOCSTRINGS)
def test_docstring(name: str) -> None:
    text, want = DOCSTRINGS[name]
    assert format_docstring(text, 4).split("\n") == want


@pytest.mark.parametrize(("length", "lines"), [(78, 1), (79, 3), (81, 3)])
def test_docstring_is_one_line_where_88_columns_hold_it(length: int, lines: int) -> None:
    text = ("word " * 20)[: length - 4] + "last"
    quoted = format_docstring(text, 4)
    assert len(quoted.split("\n")) == lines
    assert max(map(len, ("    " + quoted).split("\n"))) <= 88


def test_docstring_hangs_a_long_item() -> None:
    lines = format_docstring("Kinds:\n- " + "word " * 30, 0).split("\n")
    assert [line[:3] for line in lines] == ['"""', "- w", "  w", '"""']


@pytest.mark.parametrize("text", ["", " ", "\n\t\r\x85\u2028"])
def test_nothing_to_say(text: str) -> None:
    with pytest.raises(ValueError):
        format_docstring(text, 4)


@given(ANY_TEXT, st.sampled_from([4, 8]))
def test_docstring_is_one_constant_with_the_same_words(text: str, indent: int) -> None:
    if not text.split():
        return
    node: ast.AST = ast.parse(docstring_in_class(text, indent))
    while not isinstance(node, ast.Expr):
        assert isinstance(node, ast.Module | ast.ClassDef)
        [node] = node.body
    assert isinstance(node.value, ast.Constant)
    assert isinstance(node.value.value, str)
    # A class cannot have a lone surrogate in its docstring: it is told as its escape.
    told = re.sub("[\ud800-\udfff]", lambda match: f"\\u{ord(match[0]):04x}", text)
    assert words(inspect.cleandoc(node.value.value)) == words(told)


def test_formatter_leaves_all_alone(tmp_path: Path) -> None:
    rng = random.Random(7)
    texts = ["".join(rng.choices(HOSTILE, k=rng.randint(1, 12))) for _ in range(600)]
    parts: list[str] = []
    for number, text in enumerate(text for text in texts if text.split()):
        parts.append(
            f"class A{number}:\n    {format_docstring(text, 4)}\n\n"
            f"    x = {format_string(text)}\n    {format_docstring(text, 4)}\n\n"
            f"    def f(self):\n        {format_docstring(text, 8)}\n"
        )
    file = tmp_path / "hostile.py"
    file.write_text("\n\n".join(parts), encoding="utf-8")
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", "88"]
    done = subprocess.run([*command, "--diff", str(file)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[:2000] + done.stderr


def test_snippet_takes_code_only() -> None:
    x, y = identifier("x"), snippet("[1]")
    assert snippet("{x: 1} | {}({})", x, y) == "{x: 1} | x([1])"
    assert code_join(snippet(", "), [x, y]) == "x, [1]"
    not_code: list[Any] = ["x", x + "", x.upper(), f"{x}"]
    for plain in not_code:
        with pytest.raises(TypeError):
            snippet("{}", plain)
        with pytest.raises(TypeError):
            code_join(snippet(", "), [plain])
    with pytest.raises(TypeError):
        snippet("{} {}", x)
    assert isinstance(snippet("{}", x), Code)


@pytest.mark.parametrize("name", ["", "a b", "1a", "from", "a.", "a.if", "a\n", "ﬁ", "a;b"])
def test_identifier_refuses(name: str) -> None:
    with pytest.raises(ValueError):
        identifier(name)


def test_identifier_takes_dotted_names() -> None:
    assert identifier("a.b_c.名前") == "a.b_c.名前"
