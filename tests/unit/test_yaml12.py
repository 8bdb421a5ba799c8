"""YAML 1.2 by both parsers; the expected values are those of the specification, chapter 10."""

from typing import cast

import pytest
import yaml

from codegen.source.problem import Unreadable
from codegen.source.values import MAX_DEPTH, Json
from codegen.source.yaml12 import Parser, load_yaml

PARSERS: list[Parser] = [yaml.SafeLoader]
if yaml.__with_libyaml__:
    PARSERS.append(yaml.CSafeLoader)


@pytest.fixture(params=PARSERS)
def parser(request: pytest.FixtureRequest) -> Parser:
    return cast("Parser", request.param)


SCALARS: list[tuple[str, Json]] = [
    ("", None),
    ("~", None),
    ("null", None),
    ("NULL", None),
    ("nULL", "nULL"),
    ("true", True),
    ("True", True),
    ("FALSE", False),
    ("yes", "yes"),
    ("no", "no"),
    ("on", "on"),
    ("off", "off"),
    ("y", "y"),
    ("12", 12),
    ("012", 12),
    ("-19", -19),
    ("+1", 1),
    ("0o14", 12),
    ("0x1F", 31),
    ("-0x1F", "-0x1F"),
    ("0b11", "0b11"),
    ("1_000", "1_000"),
    ("1:30", "1:30"),
    ("190:20:30", "190:20:30"),
    ("2001-12-14", "2001-12-14"),
    ("2001-12-14t21:59:43.10-05:00", "2001-12-14t21:59:43.10-05:00"),
    ("1e3", 1000.0),
    ("12e03", 12000.0),
    ("-2E+05", -200000.0),
    ("0.", 0.0),
    (".5", 0.5),
    (".", "."),
    ("1.2.3", "1.2.3"),
    ("inf", "inf"),
    ("nan", "nan"),
    ("9223372036854775808", 9223372036854775808),
    ("'12'", "12"),
    ('"null"', "null"),
    ("! 12", "12"),
    ("!!str 12", "12"),
    ("!!int '12'", 12),
    ("!!float 1", 1.0),
    ("!!null ''", None),
    ("!!bool true", True),
    ("=", "="),
    ("<<", "<<"),
]


@pytest.mark.parametrize(("text", "value"), SCALARS)
def test_scalars(text: str, value: Json, parser: Parser) -> None:
    found, _ = load_yaml(f"--- {text}\n", parser)
    assert (found, type(found)) == (value, type(value))


DOCUMENTS: dict[str, tuple[str, Json]] = {
    "keys as written": (
        "{200: a, true: b, null: c, on: d, 012: e, 1.0: f}",
        {"200": "a", "true": "b", "null": "c", "on": "d", "012": "e", "1.0": "f"},
    ),
    "anchors set again": ("[&a 1, *a, &a 2, *a]", [1, 1, 2, 2]),
    "anchor set again inside": ("[&a [&a 1], *a]", [[1], 1]),
    "alias as key": ("{a: &k 200, *k : b}", {"a": 200, "200": "b"}),
    "merge": ("{<<: {a: 1, b: 1}, b: 2}", {"a": 1, "b": 2}),
    "merge after": ("{b: 2, <<: {a: 1, b: 1}}", {"a": 1, "b": 2}),
    "merge of several": ("{<<: [{a: 1}, {a: 2, b: 2}]}", {"a": 1, "b": 2}),
    "merge through an alias": (
        "x: &x {a: 1}\ny: {<<: *x, b: 2}",
        {"x": {"a": 1}, "y": {"a": 1, "b": 2}},
    ),
    "quoted merge key": ("{'<<': {a: 1}}", {"<<": {"a": 1}}),
    "crlf": ("a: 1\r\nb: |\r\n  x\r\n  y\r\n", {"a": 1, "b": "x\ny\n"}),
    "line ends of 1.1": ("a: x\u2028y\nb: 'p\x85q'\n", {"a": "x\u2028y", "b": "p\x85q"}),
    "byte order mark inside": ("a: x\ufeffy\n", {"a": "x\ufeffy"}),
    "directive": ("%YAML 1.2\n---\na: no\n...\n", {"a": "no"}),
    "json": ('{"a": [1, 2.5, "\\u00e9", null]}', {"a": [1, 2.5, "é", None]}),
    # Sections 6.2 (blank lines), 6.6 (comments), 6.7 and 8.2.1 (separation after a dash).
    "tabs that separate": (
        "a: 1\n\t\nb: [1, 2]\n\t# d\n \t \nc:\n  -\t1\n  - \t\tx y\n  -\t [2]\n",
        {"a": 1, "b": [1, 2], "c": [1, "x y", [2]]},
    ),
    "tabs in block scalars": (
        "a: |\n  x\n  \t\n  -\ty\nb:\n-\t1\n",
        {"a": "x\n\t\n-\ty\n", "b": [1]},
    ),
    "carriage returns": (
        "a: 1\rb: |\r  x\r  y\rc: 2\r\nd: 3\n",
        {"a": 1, "b": "x\ny\n", "c": 2, "d": 3},
    ),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents(name: str, parser: Parser) -> None:
    text, value = DOCUMENTS[name]
    assert load_yaml(text, parser)[0] == value


def test_merged_members_come_first(parser: Parser) -> None:
    found, _ = load_yaml("{c: 3, <<: {b: 1, a: 1}}", parser)
    assert isinstance(found, dict)
    assert list(found) == ["b", "a", "c"]


REFUSED: dict[str, tuple[str, list[tuple[str, int, int]]]] = {
    "repeated key": ("a: 1\nb: 2\na: 3\n", [("SB104", 3, 1)]),
    "repeated as text": ("200: 1\n'200': 3\n", [("SB104", 2, 1)]),
    "all of them": (
        "a: 1\na: 2\nb: !x 3\na: 4\n",
        [("SB104", 2, 1), ("SB106", 3, 4), ("SB104", 4, 1)],
    ),
    "unknown tag": ("a: !thing b\n", [("SB106", 1, 4)]),
    "tag of 1.1": ("a: !!timestamp 2001-12-14\n", [("SB106", 1, 4)]),
    "tagged set": ("--- !!set {a, b}\n", [("SB106", 1, 5)]),
    "tag does not fit": ("a: !!int x\n", [("SB103", 1, 4)]),
    "no anchor": ("a: *b\n", [("SB103", 1, 4)]),
    "holds itself": ("a: &a\n  - *a\n", [("SB103", 2, 5)]),
    "mapping as key": ("{{a: 1}: 2}", [("SB103", 1, 2)]),
    "alias to a mapping as key": ("a: &a {}\n*a : 2\n", [("SB103", 2, 1)]),
    "merge of text": ("<<: x\n", [("SB103", 1, 1)]),
    "second document": ("a: 1\n---\nb: 1\n", [("SB103", 2, 1)]),
    "nothing": ("# nothing\n", [("SB103", 2, 1)]),
    "control": ("a: 1\nb: \x07\n", [("SB103", 2, 4)]),
    "too many digits": (f"a: 1\nb: {'9' * 5000}\n", [("SB105", 2, 4)]),
    "infinity": ("[.inf, -.INF, +.Inf]", [("SB105", 1, 2), ("SB105", 1, 8), ("SB105", 1, 15)]),
    "not a number": ("[.nan, .NaN]", [("SB105", 1, 2), ("SB105", 1, 8)]),
    "beyond a float": ("a: 1e400\n", [("SB105", 1, 4)]),
    "a tab that indents": ("a:\n\tb: 1\n", [("SB103", 2, 1)]),
    "a tab that indents a mapping in an entry": ("-\ta: 1\n", [("SB103", 1, 2)]),
    "a tab that indents an entry in an entry": ("a:\n- \t - 1\n", [("SB103", 2, 3)]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, parser: Parser) -> None:
    text, wanted = REFUSED[name]
    with pytest.raises(Unreadable) as caught:
        load_yaml(text, parser)
    found = [(p.code, p.position.line, p.position.column) for p in caught.value.problems]
    assert found == wanted


def test_syntax_errors_have_a_line(parser: Parser) -> None:
    with pytest.raises(Unreadable) as caught:
        load_yaml("a: 1\nb: [1,\nc: }\n", parser)
    (problem,) = caught.value.problems
    assert (problem.code, problem.position.line) == ("SB103", 3)


WAYS_OUT = {
    "a:\n  b: 1\n c: 2\n": "indent it as the keys beside it",
    "a: b: c\n": "quote a text with `: `",
    "a: 'it's'\n": "quote a text with quotes",
    "a:\n\tb: 1\n": "indent with spaces",
    "a: @b\n": "put the text in quotes",
    "a: 1\nb\nc: 2\n": "a key needs a colon",
    'a: "b\n': "close the quotes",
    'a: "\\d"\n': "write \\\\ for a backslash",
    "a: [1, 2\nb: 1\n": "close the bracket",
    "a: {b: 1\nc: 2\n": "close the brace",
}


@pytest.mark.parametrize("text", WAYS_OUT)
def test_what_people_do_has_a_way_out(text: str) -> None:
    with pytest.raises(Unreadable) as caught:
        load_yaml(text)
    (problem,) = caught.value.problems
    assert WAYS_OUT[text] in str(problem.help)


def test_what_is_not_closed_is_told_from_where() -> None:
    with pytest.raises(Unreadable, match="a flow sequence that begins on line 2"):
        load_yaml("a: 1\nb: [1, 2\nc: 1\n")


def test_repeated_key_names_the_first_place(parser: Parser) -> None:
    with pytest.raises(Unreadable, match=r"'b' is already on line 2, column 3"):
        load_yaml("a:\n  b: 1\n  c: 1\n  b: 2\n", parser)


def test_depth_is_bounded(parser: Parser) -> None:
    load_yaml("[" * MAX_DEPTH + "]" * MAX_DEPTH, parser)
    with pytest.raises(Unreadable) as caught:
        load_yaml("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), parser)
    (problem,) = caught.value.problems
    assert (problem.code, problem.position.column) == ("SB105", MAX_DEPTH + 1)


def test_depth_through_aliases_is_bounded(parser: Parser) -> None:
    levels = [f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, MAX_DEPTH + 1)]
    with pytest.raises(Unreadable) as caught:
        load_yaml("\n".join(["a0: &a0 []", *levels]), parser)
    assert [p.code for p in caught.value.problems] == ["SB105"]
