"""Small decoders, and how larger ones are made of them.

A decoder takes parsed JSON and returns the value it stands for, or raises
`Mismatch`. It says nothing of where and why: `explain` finds that out afterwards,
so that data which is right pays nothing for data which is not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from typing import Any, NamedTuple, TypeAlias, TypeVar

from .errors import Problem

T = TypeVar("T")
Decoder: TypeAlias = Callable[[Any], T]


class Tag(NamedTuple):
    """The member that tells objects apart, and the decoder for each of its values;
    `untagged` is for objects that lack it.
    """

    name: str
    decoders: Mapping[str, Decoder[Any]]
    untagged: Decoder[Any] | None


# What decoders of objects are made of, for explanations.
PARTS: dict[Decoder[Any], tuple[Decoder[Any], ...]] = {}
TAGS: dict[Decoder[Any], Tag] = {}


class Mismatch(Exception):
    """The data does not have the shape that a decoder expects."""


class Unfit(Exception):
    """An event cannot join what has come, though its type allows it."""

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(f"expected {expected}, found {found}")
        self.problem = Problem("", expected, found)


def is_array(value: Any) -> bool:
    """Tell whether a value is an array, and leave its type open."""
    return type(value) is list


def is_object(value: Any) -> bool:
    """Tell whether a value is an object, and leave its type open."""
    return type(value) is dict


def array(value: Any, decode: Decoder[T]) -> list[T]:
    """Decode every item of an array."""
    if value.__class__ is not list:
        raise Mismatch
    return [decode(item) for item in value]


def array_of(decode: Decoder[T]) -> Decoder[list[T]]:
    """Make a decoder of arrays."""
    return lambda value: array(value, decode)


def prefixed(*first: Decoder[Any], rest: Decoder[Any]) -> Decoder[list[Any]]:
    """Make a decoder of arrays whose first items have decoders of their own."""

    def decode_prefixed(value: Any) -> list[Any]:
        if not is_array(value):
            raise Mismatch
        known = [decode(item) for decode, item in zip(first, value, strict=False)]
        return known + [rest(item) for item in value[len(first) :]]

    return decode_prefixed


def mapping(value: Any, decode: Decoder[T]) -> dict[str, T]:
    """Decode every member of an object whose member names are free."""
    if value.__class__ is not dict:
        raise Mismatch
    return {name: decode(member) for name, member in value.items()}


def map_of(decode: Decoder[T]) -> Decoder[dict[str, T]]:
    """Make a decoder of objects whose member names are free."""
    return lambda value: mapping(value, decode)


def or_null(decode: Decoder[T]) -> Decoder[T | None]:
    """Make a decoder that also takes null."""

    def decode_nullable(value: Any) -> T | None:
        return None if value is None else decode(value)

    PARTS[decode_nullable] = (decode,)
    return decode_nullable


def check_others(
    json: dict[str, Any], declared: Set[str], decode: Decoder[Any]
) -> None:
    """Decode the members that are not declared; they are kept as they came."""
    for name in json.keys() - declared:
        decode(json[name])


def anything(value: Any) -> Any:
    """Take any value."""
    return value


def string(value: Any) -> str:
    if type(value) is not str:
        raise Mismatch
    return value


def integer(value: Any) -> int:
    if type(value) is not int:
        raise Mismatch
    return value


def number(value: Any) -> int | float:
    if type(value) is not float and type(value) is not int:
        raise Mismatch
    number: int | float = value
    return number


def boolean(value: Any) -> bool:
    if type(value) is not bool:
        raise Mismatch
    return value


def null(value: Any) -> None:
    if value is not None:
        raise Mismatch


def literal(*literals: Any) -> Decoder[Any]:
    """Make a decoder of constants."""

    def decode_literal(value: Any) -> Any:
        if not one_of(value, *literals):
            raise Mismatch
        return value

    return decode_literal


def one_of(value: Any, *literals: Any) -> bool:
    """Tell whether a value is one of the literals; unlike in Python, 1 is not true.

    A literal that is a float stands for the number, which may be whole.
    """
    return any(
        type(value) is type(it) and value == it
        if type(it) is str or type(it) is int
        else _is_same(value, it)
        for it in literals
    )


def _is_same(value: Any, other: Any) -> bool:
    """Tell whether two values are the same as JSON."""
    if type(value) is bool or type(other) is bool:
        return value is other
    if is_array(value) and is_array(other):
        return len(value) == len(other) and all(map(_is_same, value, other))
    if is_object(value) and is_object(other):
        return value.keys() == other.keys() and all(
            _is_same(value[name], other[name]) for name in other
        )
    return bool(value == other)


def first_of(*decoders: Decoder[Any]) -> Decoder[Any]:
    """Make a decoder that takes what the first fitting one makes of a value."""

    def decode_first(value: Any) -> Any:
        for decode in decoders:
            try:
                return decode(value)
            except Mismatch:
                continue
        raise Mismatch

    PARTS[decode_first] = decoders
    return decode_first


def by_kind(decoders: Mapping[type[Any], Decoder[Any]]) -> Decoder[Any]:
    """Make a decoder that goes by the Python type of the JSON value."""

    def decode_kind(value: Any) -> Any:
        decode = decoders.get(value.__class__)
        if decode is None:
            raise Mismatch
        return decode(value)

    if dict in decoders:
        PARTS[decode_kind] = (decoders[dict],)
    return decode_kind


def tagged(
    name: str,
    decoders: Mapping[str, Decoder[Any]],
    unlisted: Decoder[Any] | None = None,
    *,
    untagged: Decoder[Any] | None = None,
) -> Decoder[Any]:
    """Make a decoder of objects that a member tells apart.

    `unlisted` takes those whose member holds a string that has no decoder, `untagged`
    those that have no such member, or null there.
    """

    def decode_tagged(value: Any) -> Any:
        if not is_object(value):
            raise Mismatch
        tag = value.get(name)
        if type(tag) is str:
            decode = decoders.get(tag, unlisted)
        else:
            decode = untagged if tag is None else None
        if decode is None:
            raise Mismatch
        return decode(value)

    TAGS[decode_tagged] = Tag(name, decoders, untagged)
    return decode_tagged
