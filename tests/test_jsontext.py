"""JSON text, losslessly: what is read, what is refused and where, what is written."""

import json
import math
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from templates.runtime import jsontext

ACCEPTED: dict[str, tuple[str | bytes, Any]] = {
    "null": ("null", None),
    "true": ("true", True),
    "string": ('"a"', "a"),
    "array": ("[1,2.5,-3e2]", [1, 2.5, -300.0]),
    "object": ('{"a":{"b":[]}}', {"a": {"b": []}}),
    "bytes": ('"é😀"'.encode(), "é😀"),
    "byte order mark": (b"\xef\xbb\xbf[1]", [1]),
    "space around": (" \t\r\n[1]\n\r\t ", [1]),
    "space around bytes": (b" 1 ", 1),
    "duplicate names": ('{"a":1,"b":2,"a":3}', {"a": 3, "b": 2}),
    "integer above 2**53": ("9007199254740993", 9007199254740993),
    "integer of 400 digits": ("9" * 400, 10**400 - 1),
    "largest float": ("1.7976931348623157e308", sys.float_info.max),
    "float too small": ("1e-999", 0.0),
    "surrogate pair": (r'"\ud83d\ude00"', "😀"),
    "lone surrogate": (r'"\ud83d"', "\ud83d"),
    "word in a string": ('["NaN","Infinity"]', ["NaN", "Infinity"]),
    "u+2028": ('"\u2028"', "\u2028"),
}

REFUSED: dict[str, tuple[str | bytes, int]] = {
    "nothing": ("", 0),
    "only space": ("  ", 2),
    "cut": ('{"a":', 5),
    "cut string": ('["a', 1),
    "two values": ("[1] [2]", 4),
    "text after": (" 1 x", 3),
    "space that is not JSON's": ("\u00a01", 0),
    "byte order mark in text": ("\ufeff1", 0),
    "second byte order mark": (b"\xef\xbb\xbf\xef\xbb\xbf1", 0),
    "NaN": ("NaN", 0),
    "Infinity": ('{"a\\"NaN":"NaN","b":Infinity}', 20),
    "-Infinity": ("[1, true, -Infinity]", 10),
    "number out of range": ("[1e3, 1e999]", 6),
    "long number out of range": ("[" + "9" * 400 + ", -1e999]", 403),
    "leading zero": ("[01]", 2),
    "single quotes": ("['a']", 1),
    "no comma": ("[1 2]", 3),
    "control character": ('"a\nb"', 2),
    "too many digits": ("[1," + "9" * 5000 + "]", 3),
    "too deep": (" " + "[" * 100_000 + "]" * 100_000, 1),
    "too deep in objects": ('{"a":' * 100_000, 0),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name: str) -> None:
    text, expected = ACCEPTED[name]
    value = jsontext.parse(text)
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_position(name: str) -> None:
    text, position = REFUSED[name]
    with pytest.raises(ValueError) as raised:
        jsontext.parse(text)
    assert isinstance(raised.value, json.JSONDecodeError)
    assert raised.value.pos == position


@pytest.mark.parametrize(
    ("data", "position"),
    [(b'"a\xff"', 2), (b'"\xed\xa0\xbd"', 1), ("1".encode("utf-16-be"), None)],
)
def test_bytes_are_utf8(data: bytes, position: int | None) -> None:
    with pytest.raises(ValueError) as raised:
        jsontext.parse(data)
    if position is not None:
        assert isinstance(raised.value, UnicodeDecodeError)
        assert raised.value.start == position


WRITTEN: dict[str, tuple[Any, str]] = {
    "compact": ({"a": [1, 2.5, None, True], "b": {}}, '{"a":[1,2.5,null,true],"b":{}}'),
    "order is kept": ({"b": 1, "a": 2}, '{"b":1,"a":2}'),
    "not only ascii": ("é😀\u2028", '"é😀\u2028"'),
    "escapes": ('"\\\n\0\x7f', '"\\"\\\\\\n\\u0000\x7f"'),
    "lone surrogate": (["é\ud83d"], r'["é\ud83d"]'),
    "lone surrogate in a name": ({"\udc00": 1}, r'{"\udc00":1}'),
    "two halves that were joined": ("\ud83d" + "\ude00", r'"\ud83d\ude00"'),
    "backslash before a surrogate": ("\\\ud83d", r'"\\\ud83d"'),
    "big integer": (10**400, "1" + "0" * 400),
    "big float": (1e22, "1e+22"),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_written(name: str) -> None:
    value, expected = WRITTEN[name]
    assert jsontext.format(value) == expected
    assert jsontext.format_bytes(value) == expected.encode()


def test_joined_halves_are_read_as_one_character() -> None:
    assert jsontext.parse(jsontext.format("\ud83d" + "\ude00")) == "😀"


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def cycle() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    "value",
    [math.nan, [math.inf], {"a": -math.inf}, nested(100_000), cycle(), 10**5000],
    ids=["nan", "inf", "-inf", "too deep", "cycle", "too many digits"],
)
def test_cannot_be_written(value: Any) -> None:
    with pytest.raises(ValueError):
        jsontext.format(value)


def test_only_json_is_written() -> None:
    with pytest.raises(TypeError):
        jsontext.format_bytes({"a": b""})


# A high surrogate before a low one is one character after reading, so one kind only.
TEXT = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("\ud83d\udbff"))
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | TEXT
    | st.floats(allow_nan=False).filter(math.isfinite),
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
)


@given(JSON)
def test_what_is_written_is_read_back(value: Any) -> None:
    data = jsontext.format_bytes(value)
    assert jsontext.parse(data) == value
    assert jsontext.parse(jsontext.format(value)) == value
    assert json.loads(data) == value


@given(st.text('{}[]",:\\ \n01.eE+-truefalsnNaIity\ud83d') | st.binary())
def test_any_text_is_read_as_json_reads_it_or_refused(text: str | bytes) -> None:
    try:
        value = jsontext.parse(text)
    except ValueError:
        return
    assert json.loads(text) == value
    assert jsontext.parse(jsontext.format(value)) == value
