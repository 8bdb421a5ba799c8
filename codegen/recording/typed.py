"""The typed form of an event, as its user sees it: classes and attributes in place of JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""The names and indices that lead to a value inside data."""


Typed: TypeAlias = "Record | dict[str, Typed] | list[Typed] | str | int | float | bool | None"


@dataclass(frozen=True, slots=True)
class Record:
    """An object of a class: its attributes that are not None."""

    name: str
    members: tuple[tuple[str, Typed], ...]


def describe(value: Any) -> Typed:
    """A typed value as records, lists, dicts and scalars."""
    if _is_a(value, list):
        return [describe(entry) for entry in value]
    if _is_a(value, dict):
        return {name: describe(it) for name, it in value.items()}
    if value is None or isinstance(value, str | int | float):
        return value
    if not hasattr(value, "to_dict"):
        # Read from a string of some format: a date, an id.
        return str(value)
    # An object of a kind that the document does not list has no attributes.
    attributes = fields(value) if is_dataclass(value) else ()
    named = ((field.name, getattr(value, field.name)) for field in attributes)
    members = tuple((name, describe(it)) for name, it in named if it is not None)
    return Record(type(value).__name__, members)


def _is_a(value: Any, kind: type) -> bool:
    """Tell whether a value is of a type, and leave what it holds open."""
    return type(value) is kind


def map_texts(value: Typed, change: Callable[[str], str]) -> Typed:
    """The description with each text in it changed."""
    match value:
        case Record(name=name, members=members):
            return Record(name, tuple((key, map_texts(it, change)) for key, it in members))
        case str():
            return change(value)
        case list():
            return [map_texts(entry, change) for entry in value]
        case dict():
            return {k: map_texts(it, change) for k, it in value.items()}
        case _:
            return value


def leaves(value: Typed, path: Path = ()) -> Iterator[tuple[Path, str | int | float | None]]:
    """The scalars of a description, each with the attributes and indices that lead to it."""
    match value:
        case Record(members=members):
            for name, member in members:
                yield from leaves(member, (*path, name))
        case list():
            for index, entry in enumerate(value):
                yield from leaves(entry, (*path, index))
        case dict():
            for name, member in value.items():
                yield from leaves(member, (*path, name))
        case _:
            yield path, value
