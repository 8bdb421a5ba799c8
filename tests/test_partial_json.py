"""What is whole of a JSON text that was cut: a writer of ours knows it after each character."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from templates.runtime.partial_json import parse_partial
from tests.support import canonical

NOTHING = object()

WHOLE: dict[str, Any] = {
    "{": {},
    "[": [],
    '{"a': {},
    '{"a"': {},
    '{"a":': {},
    '{"a": 1': {},
    '{"a": 1 ': {"a": 1},
    '{"a": 1,': {"a": 1},
    '{"a": "b"': {"a": "b"},
    '{"a": "b': {},
    '{"a": 1, "a": 2,': {"a": 2},
    '["a", "b\\': ["a"],
    '["a", "b\\u12': ["a"],
    '["a", "b\\ud83d\\ude0': ["a"],
    "[true, tru": [True],
    "[null, fals": [None],
    "[1, -": [1],
    "[1, 1e": [1],
    "[1, 12": [1],
    "[1, 12]": [1, 12],
    '{"a": {"b": [1, {"c": [': {"a": {"b": [1, {"c": []}]}},
    '{"a]": "}\\"{", "b": "[': {"a]": '}"{'},
    "12 ": 12,
    '"a"': "a",
    " \t\r\n[ \n": [],
}
NOT_WHOLE = ["", " ", '"', '"a', "1", "-", "tru", "true"]
NO_JSON = [
    "{a: 1}",
    "[1, nope",
    "[1, nope,",
    "[}",
    "[1 2,",
    "{} x",
    "]",
    '{"a" 1,',
    "[01,",
    "{'",
]


@pytest.mark.parametrize(("text", "value"), WHOLE.items(), ids=WHOLE)
def test_what_is_whole(text: str, value: Any) -> None:
    assert canonical(parse_partial(text)) == canonical(value)


@pytest.mark.parametrize("text", [*NOT_WHOLE, *NO_JSON])
def test_nothing_is(text: str) -> None:
    with pytest.raises(ValueError):
        parse_partial(text)


TEXTS = st.text(max_size=8)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=10,
)


def grow(value: Any) -> Iterator[tuple[str, Any]]:
    """Each character of a JSON text, and what is whole after it."""
    if isinstance(value, list):
        yield from grow_list(value)
    elif isinstance(value, dict):
        yield from grow_dict(value)
    else:
        text = json.dumps(value)
        # A number or a word is whole once something else comes.
        is_whole = isinstance(value, str)
        yield from ((char, NOTHING) for char in text[:-1])
        yield text[-1], value if is_whole else NOTHING


def grow_list(value: list[Any]) -> Iterator[tuple[str, Any]]:
    yield "[", []
    for index, entry in enumerate(value):
        before = value[:index]
        if index:
            yield ",", before
        for char, part in grow(entry):
            yield char, before if part is NOTHING else [*before, part]
    yield "]", value


def grow_dict(value: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    yield "{", {}
    for index, (name, member) in enumerate(value.items()):
        before = dict(list(value.items())[:index])
        start = f"{',' if index else ''}{json.dumps(name)}:"
        yield from ((char, before) for char in start)
        for char, part in grow(member):
            yield char, before if part is NOTHING else {**before, name: part}
    yield "}", value


@given(JSON)
def test_every_cut_of_any_text(value: Any) -> None:
    text = ""
    for char, whole in grow(value):
        text += char
        if whole is NOTHING:
            with pytest.raises(ValueError):
                parse_partial(text)
        else:
            assert canonical(parse_partial(text)) == canonical(whole)
    assert canonical(json.loads(text)) == canonical(value)


@given(JSON, st.sampled_from([None, 0, 1, "\t"]))
def test_spaces_change_nothing(value: Any, indent: Any) -> None:
    assert canonical(parse_partial(json.dumps(value, indent=indent) + " ")) == canonical(value)


@given(JSON, st.data())
def test_more_text_takes_nothing_away(value: Any, data: st.DataObject) -> None:
    text = json.dumps(value, indent=1)
    shorter, longer = sorted(data.draw(st.integers(0, len(text))) for _ in range(2))
    assert is_beginning(partial(text[:shorter]), partial(text[:longer]))


def partial(text: str) -> Any:
    try:
        return parse_partial(text)
    except ValueError:
        return NOTHING


def is_beginning(less: Any, more: Any) -> bool:
    """Whether a value may have become another as more of it came."""
    if less is NOTHING:
        return True
    if isinstance(less, list) and isinstance(more, list):
        pairs = list(zip(less, more, strict=False))
        return len(less) <= len(more) and all(is_beginning(*pair) for pair in pairs)
    if isinstance(less, dict) and isinstance(more, dict):
        known = less.keys() <= more.keys()
        return known and all(is_beginning(less[name], more[name]) for name in less)
    return more is not NOTHING and canonical(less) == canonical(more)
