"""Parsers that streams may be given: whatever the text, what comes of it is what `jsontext` reads.

Compared by `repr`, which tells 1 from 1.0 and true, and -0.0 from 0.0.
"""

import json
from collections.abc import Callable
from typing import Any

import msgspec
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from templates.runtime import jsontext
from templates.runtime.parsers import exact
from tests.test_jsontext import ACCEPTED, REFUSED
from tests.wire import DONE, VALID, frame

PARSERS: dict[str, Callable[[str], Any]] = {
    "orjson": orjson.loads,
    "msgspec": msgspec.json.decode,
    "a decoder of msgspec": msgspec.json.Decoder().decode,
}
each_parser = pytest.mark.parametrize("parse", PARSERS.values(), ids=PARSERS)

KNOWN = [text for text, _ in (*ACCEPTED.values(), *REFUSED.values()) if isinstance(text, str)]
NUMBERS = [
    *(
        str(number)
        for n in (53, 63, 64)
        for number in (2**n - 1, 2**n, 2**n + 1, -(2**n), -(2**n) - 1)
    ),
    *("-0", "-0.0", "1.0", "1E5", "1e22", "1e23", "5e-324", "2.4703282292062328e-324"),
    *("100000000000000000000.0", "0.1234567890123456789012345", "123456789012345678901e-20"),
    *("+1", "1.", ".5", "1_0", "--1", "1e", "0x1", "٣"),
    *("9" * digits for digits in (18, 19, 20, 4300, 4301)),
]
TEXTS = [
    *KNOWN,
    *NUMBERS,
    *(f'{{"a": [{number}]}}' for number in NUMBERS),
    *(r'"\ud800"', r'"\udc00\ud800"', r'{"\udfff": 1}', r'"\u0000"', r'"\x"', r'"\u12"'),
    *('"\t"', '"\x7f"', '{"": {"": 1}}', "{1: 2}", "[1,]", '{"a": 1,}', "nul", "[] []"),
    *('{"a": {"b": 1}, "a": {"c": 2}}', "/**/1", '"' + "1" * 30 + '"'),
    "[" * 500 + "]" * 500,
]


def outcome(parse: Callable[[str], Any], text: str) -> str:
    try:
        return repr(parse(text))
    except ValueError as error:
        return f"{type(error).__name__}: {error}"


@each_parser
@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text[:30]))
def test_odd_texts(parse: Callable[[str], Any], text: str) -> None:
    assert outcome(exact(parse), text) == outcome(jsontext.parse, text)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.integers(2**62, 2**65) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@each_parser
@given(
    value=VALUES, where=st.integers(0, 200), more=st.text('0123456789eE.-+[]{},:"\\ ua', max_size=3)
)
def test_any_text(parse: Callable[[str], Any], value: Any, where: int, more: str) -> None:
    text = json.dumps(value)
    for it in (text, text[:where] + more + text[where:]):
        assert outcome(exact(parse), it) == outcome(jsontext.parse, it)


@pytest.mark.parametrize("parse", [json.loads, lambda text: float(text)], ids=["json", "float"])
def test_a_parser_of_more_than_json_is_refused(variant: Any, parse: Callable[[str], Any]) -> None:
    with pytest.raises(ValueError, match="NaN, which is not JSON"):
        variant.streams.CreateChatCompletionStream(parse=parse)


def test_only_one_that_would_lose_digits_is_not_asked_about_long_numbers() -> None:
    asked: list[str] = []

    def spied(parse: Callable[[str], Any]) -> Callable[[str], Any]:
        def ask(text: str) -> Any:
            asked.append(text)
            return parse(text)

        return exact(ask)

    by_orjson, by_msgspec = spied(orjson.loads), spied(msgspec.json.decode)
    asked.clear()
    for text in ("[123456789012345678]", "[1234567890123456789]"):
        by_orjson(text)
        by_msgspec(text)
    assert asked == ["[123456789012345678]", "[123456789012345678]", "[1234567890123456789]"]


@each_parser
def test_a_stream(variant: Any, parse: Callable[[str], Any]) -> None:
    """What is kept, what is invalid and what it says are the same."""
    chunks = [VALID, {**VALID, "u": 2**70}, {**VALID, "u": "\ud800"}, {**VALID, "created": 1.5}]
    body = frame(*chunks) + b'data: {"id": NaN}\n\ndata: {\n\n' + DONE
    plain, fast = (variant.streams.CreateChatCompletionStream(parse=it) for it in (None, parse))
    assert [*map(repr, fast.feed(body))] == [*map(repr, plain.feed(body))]
    assert repr(fast.snapshot()) == repr(plain.snapshot())
    assert fast.outcome is plain.outcome
