"""Streams that nobody thought of: the three variants agree on each, and none ever raises.

Damaged chunks, any JSON, any bytes, in any pieces. What agrees is all that can be seen: the items
with their places of error, the outcome, the snapshot.
"""

import importlib
import json
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from codegen.pipeline import VARIANTS
from tests.wire import DONE, VALID, frame, summary


def find_paths(value: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place inside a JSON value."""
    yield at
    inside: Iterable[tuple[str | int, Any]] = ()
    if isinstance(value, dict):
        inside = value.items()
    elif isinstance(value, list):
        inside = enumerate(value)
    for step, member in inside:
        yield from find_paths(member, (*at, step))


def put(value: Any, path: tuple[str | int, ...], new: Any) -> Any:
    """A copy of a JSON value that differs at one place."""
    if not path:
        return new
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = put(value[path[0]], path[1:], new)
    return copy


def take(value: Any, path: tuple[str | int, ...]) -> Any:
    """A copy of a JSON value that lacks one place."""
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    if len(path) == 1:
        del copy[path[0]]
    else:
        copy[path[0]] = take(value[path[0]], path[1:])
    return copy


def text(value: Any) -> str:
    """JSON text: unlike in Python, 1 is neither true nor 1.0."""
    return json.dumps(value, sort_keys=True)


FULL: dict[str, Any] = {
    **VALID,
    "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3},
    "service_tier": "scale",
    "system_fingerprint": "fp",
    "u": 1,
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "logprobs": {
                "content": [{"token": "a", "logprob": -1, "bytes": [97], "top_logprobs": []}],
                "refusal": None,
            },
            "delta": {
                "role": "assistant",
                "content": "a",
                "function_call": {"name": "f", "arguments": "{}"},
                "tool_calls": [
                    {"index": 0, "id": "t", "type": "function", "function": {"arguments": "{}"}}
                ],
            },
        }
    ],
}
VALUES = [None, True, 0, 1, -1.5, 10**30, "", "stop", "\ud83d", [], [None], {}, {"index": 0}]
CHANGED = [put(FULL, path, value) for path in find_paths(FULL) for value in VALUES]
CHANGED += [take(FULL, path) for path in find_paths(FULL) if path]


def agree(package: ModuleType, *pieces: bytes) -> Any:
    """Decode in each variant; the three answers, which are one."""
    names = [f"{package.__name__}.{name}" for name in VARIANTS]
    answers = [summary(importlib.import_module(name), *pieces) for name in names]
    assert text(answers[0]) == text(answers[1]) == text(answers[2])
    return answers[0]


def kept(item: Any) -> Any:
    """The JSON of an item: an invalid event is kept as it came, a chunk is written back."""
    return json.loads(item[1]) if isinstance(item, tuple) else item


def test_any_value_in_any_place(package: ModuleType) -> None:
    invalid = 0
    for value in CHANGED:
        ((item,), *_) = agree(package, frame(value), DONE)
        assert text(kept(item)) == text(value)
        invalid += isinstance(item, tuple)
    assert len(CHANGED) / 4 < invalid < len(CHANGED)


@given(st.lists(st.binary(max_size=30), max_size=5))
def test_any_bytes(package: ModuleType, pieces: list[bytes]) -> None:
    agree(package, *pieces)


# Names too short for `error`, which would end the stream.
NAMES = st.text(max_size=4)
SCALARS = st.none() | st.booleans() | st.integers() | NAMES
JSON = st.recursive(
    SCALARS | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner),
    max_leaves=6,
)


@given(st.lists(JSON | st.sampled_from([VALID, FULL]), max_size=5))
def test_any_json(package: ModuleType, values: list[Any]) -> None:
    items, *_ = agree(package, frame(*values), DONE)
    assert text([kept(item) for item in items]) == text(values)


EDITS = st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 3), st.binary(max_size=4)))


@given(edits=EDITS, cuts=st.lists(st.integers(0, 10_000)))
def test_a_damaged_body_in_any_pieces(
    package: ModuleType, edits: list[tuple[int, int, bytes]], cuts: list[int]
) -> None:
    damaged = frame(VALID, FULL) + b": c\r\nid: 1\r\n" + frame(VALID) + DONE
    for at, gone, new in edits:
        at %= len(damaged) + 1
        damaged = damaged[:at] + new + damaged[at + gone :]
    ends = sorted(cut % (len(damaged) + 1) for cut in cuts)
    pieces = [damaged[i:j] for i, j in zip([0, *ends], [*ends, len(damaged)], strict=True)]
    assert agree(package, *pieces) == agree(package, damaged)
