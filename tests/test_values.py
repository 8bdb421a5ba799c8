"""Decoded values as Python objects: copies, pickles, changes; and pydantic models as such.

A value that is copied is still what came over the wire: undeclared members and explicit nulls
survive. A model does what one of pydantic's own does; where it does not, the test says so.
"""

import copy
import dataclasses
import importlib
import json
import pickle
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError, create_model

# An undeclared member and an explicit null at each depth, and what is absent.
CHUNK: dict[str, Any] = {
    "id": "c",
    "object": "chat.completion.chunk",
    "created": 1,
    "model": "m",
    "service_tier": None,
    "u": {"v": None},
    "choices": [
        {
            "index": 0,
            "delta": {"content": None, "u": [1]},
            "logprobs": None,
            "finish_reason": None,
        }
    ],
}


def repickle(protocol: int, value: Any) -> Any:
    return pickle.loads(pickle.dumps(value, protocol))


COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle 2": partial(repickle, 2),
    "pickle 5": partial(repickle, 5),
}


def decode(variant: Any) -> Any:
    return variant.from_json(variant.CreateChatCompletionStreamResponse, copy.deepcopy(CHUNK))


def change(value: Any, name: str, new: Any) -> None:
    if isinstance(value, dict):
        value[name] = new
    else:
        setattr(value, name, new)


@pytest.mark.parametrize("how", COPIES)
def test_a_copy_is_equal_and_apart(variant: Any, how: str) -> None:
    value = decode(variant)
    twin = COPIES[how](value)
    assert twin == value
    assert twin is not value
    assert variant.to_json(twin) == CHUNK
    change(twin, "model", "n")
    change(twin, "service_tier", "scale")
    assert variant.to_json(twin) == {**CHUNK, "model": "n", "service_tier": "scale"}
    assert variant.to_json(value) == CHUNK


def test_what_is_changed_is_written(variant: Any) -> None:
    value = decode(variant)
    change(value, "system_fingerprint", "fp")
    change(value, "choices", [])
    assert variant.to_json(value) == {**CHUNK, "system_fingerprint": "fp", "choices": []}


def test_snapshots_and_errors_can_be_copied(variant: Any) -> None:
    stream = variant.streams.CreateChatCompletionStream()
    stream.feed(b"data: " + json.dumps(CHUNK).encode() + b"\n\n")
    snapshot = stream.snapshot()
    twin = pickle.loads(pickle.dumps(snapshot))
    assert variant.to_json(twin) == variant.to_json(snapshot)
    (item,) = stream.feed(b"data: 1\n\n")
    assert pickle.loads(pickle.dumps(item)) == item
    with pytest.raises(variant.DecodeError) as caught:
        variant.loads(variant.ChatCompletionStreamResponseDelta, b"1")
    for error in (
        caught.value,
        variant.streams.IncompleteResult(caught.value.errors),
        variant.streams.TruncatedStream("t"),
        variant.streams.StreamError({"a": 1}),
    ):
        for copied in COPIES.values():
            twin = copied(error)
            assert (type(twin), str(twin), vars(twin)) == (type(error), str(error), vars(error))


@pytest.mark.parametrize("name", ["dataclasses", "pydantic"])
def test_an_object_of_an_unknown_kind_made_by_hand(package: ModuleType, name: str) -> None:
    made = importlib.import_module(f"{package.__name__}.{name}")
    value = made.UnknownVariant(type="new", self=1)
    assert made.to_json(value) == {"type": "new", "self": 1}
    assert value == made.from_json(made.UnknownVariant, {"type": "new", "self": 1})
    assert "'new'" in repr(value)
    assert made.UnknownVariant() != value
    with pytest.raises(made.DecodeError):
        made.from_json(made.UnknownVariant, 1)


def test_events_that_are_none_of_the_types_compare_as_values(variant: Any) -> None:
    streams = variant.streams
    with pytest.raises(variant.DecodeError) as caught:
        variant.loads(variant.ChatCompletionStreamResponseDelta, b"1")
    problems = caught.value.errors
    for one, same, *others in (
        (
            streams.UnknownEvent("a", {"b": 1}),
            streams.UnknownEvent("a", {"b": 1}),
            streams.UnknownEvent("c", {"b": 1}),
            streams.UnknownEvent("a", {}),
        ),
        (
            streams.InvalidEvent("1", problems),
            streams.InvalidEvent("1", problems),
            streams.InvalidEvent("2", problems),
            streams.InvalidEvent("1", ()),
        ),
    ):
        assert one == same
        assert hash(one) == hash(same)
        assert [it for it in (*others, "a") if it == one] == []


@pytest.mark.parametrize("name", ["dataclasses", "typeddicts"])
def test_a_type_that_is_not_of_the_package(package: ModuleType, name: str) -> None:
    made = importlib.import_module(f"{package.__name__}.{name}")
    with pytest.raises(TypeError, match="not a type of this package: <class 'int'>"):
        made.loads(int, b"1")


def test_unknown_members_of_a_typed_dict(package: ModuleType) -> None:
    made = importlib.import_module(f"{package.__name__}.typeddicts")
    assert made.unknown_fields(made.CreateChatCompletionStreamResponse, CHUNK) == {"u": {"v": None}}
    (choice,) = CHUNK["choices"]
    assert made.unknown_fields(made.CreateChatCompletionStreamResponseChoice, choice) == {}


# Dataclasses


@pytest.fixture(scope="module")
def data(package: ModuleType) -> Any:
    return importlib.import_module(f"{package.__name__}.dataclasses")


def test_replace_makes_a_new_value_of_the_fields(data: Any) -> None:
    """As for any dataclass: what is no field does not come along, at this level."""
    value = decode(data)
    twin = dataclasses.replace(value, model="n")
    assert (twin.model, twin.id, twin.choices) == ("n", "c", value.choices)
    assert data.to_json(twin)["choices"] == CHUNK["choices"]
    assert data.to_json(value) == CHUNK


def test_a_dataclass_made_by_hand_writes_no_null_but_required_ones(data: Any) -> None:
    delta = data.ChatCompletionStreamResponseDelta(content="a", role=None)
    choice = data.CreateChatCompletionStreamResponseChoice(delta=delta, finish_reason=None, index=0)
    assert data.to_json(choice) == {
        "delta": {"content": "a"},
        "finish_reason": None,
        "index": 0,
    }
    assert choice.to_dict() == data.to_json(choice)
    assert data.unknown_fields(choice) == {}
    assert type(choice).from_dict(choice.to_dict()) == choice


def test_dataclasses_are_slotted_and_keyword_only(data: Any) -> None:
    value = decode(data)
    with pytest.raises(AttributeError):
        value.nonsense = 1
    with pytest.raises(TypeError):
        type(value)("c")


# pydantic


@pytest.fixture(scope="module")
def models(package: ModuleType) -> Any:
    return importlib.import_module(f"{package.__name__}.pydantic")


@pytest.fixture
def cls(models: Any) -> Any:
    return models.CreateChatCompletionStreamResponse


def test_model_validate_and_dump(models: Any, cls: Any) -> None:
    model = cls.model_validate(CHUNK)
    assert model == decode(models)
    assert model.model_dump(exclude_unset=True, by_alias=True) == CHUNK
    assert json.loads(model.model_dump_json(exclude_unset=True, by_alias=True)) == CHUNK
    assert cls.model_validate_json(json.dumps(CHUNK)) == model
    assert cls.model_validate(model) is model
    assert model.model_extra == {"u": {"v": None}}


def test_model_validate_takes_a_plain_dump(cls: Any) -> None:
    model = cls.model_validate(CHUNK)
    assert cls.model_validate(model.model_dump()).model_dump() == model.model_dump()


def test_model_copy(models: Any, cls: Any) -> None:
    model = cls.model_validate(CHUNK)
    changed = {"model": "n", "u": 1, "system_fingerprint": None}
    twin = model.model_copy(update=changed, deep=True)
    assert models.to_json(twin) == {**CHUNK, "model": "n", "u": 1}
    assert models.to_json(model) == CHUNK


def test_a_model_made_by_hand(models: Any, cls: Any) -> None:
    """None is what a user says for "none": it is written where the document allows null."""
    required = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    model = cls(**required, choices=[], system_fingerprint=None, service_tier=None, usage=None)
    written = {**required, "choices": [], "service_tier": None, "usage": None}
    assert models.to_json(model) == written
    assert model.model_dump(exclude_unset=True) == written
    assert models.to_json(cls.model_construct(**required, choices=[])) == {
        **required,
        "choices": [],
    }
    delta = models.ChatCompletionStreamResponseDelta(content=None, role=None, tool_calls=None)
    assert models.to_json(delta) == {"content": None}


def test_a_model_is_strict_and_says_where(models: Any, cls: Any) -> None:
    wrong = {**CHUNK, "created": "1", "system_fingerprint": None, "choices": [{"index": 0}]}
    with pytest.raises(ValidationError) as caught:
        cls.model_validate(wrong)
    places = {"/" + "/".join(map(str, error["loc"])) for error in caught.value.errors()}
    with pytest.raises(models.DecodeError) as ours:
        models.from_json(cls, wrong)
    assert places == {problem.pointer for problem in ours.value.errors}
    assert places == {
        "/created",
        "/system_fingerprint",
        "/choices/0/delta",
        "/choices/0/finish_reason",
    }
    with pytest.raises(ValidationError):
        models.ChatCompletionStreamResponseDelta(content=1)


def test_a_model_inside_others(cls: Any) -> None:
    box = create_model("Box", chunk=(cls, ...), more=(list[cls], []))
    value = box.model_validate({"chunk": CHUNK, "more": [CHUNK]})
    assert value.model_dump(exclude_unset=True) == {"chunk": CHUNK, "more": [CHUNK]}
    assert TypeAdapter(list[cls]).validate_python([CHUNK]) == [cls.model_validate(CHUNK)]
    schema = box.model_json_schema()["$defs"][cls.__name__]
    assert schema["required"] == ["id", "choices", "created", "model", "object"]
    assert schema["properties"]["system_fingerprint"]["type"] == "string"


def test_a_subclass_of_a_model(models: Any, cls: Any) -> None:
    """As pydantic has it, a base whose types are defined after it is completed first."""
    cls.model_rebuild()
    mine = create_model("Mine", __base__=cls, note=(str | None, None))
    value = mine.model_validate({**CHUNK, "note": "n"})
    assert models.to_json(value) == {**CHUNK, "note": "n"}
    assert models.to_json(mine.model_validate(CHUNK)) == CHUNK
