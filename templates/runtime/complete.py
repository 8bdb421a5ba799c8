"""From what has come of an object to the whole of it, or to what its type allows.

A server leaves out of its chunks what goes without saying. What the type of the
result requires and never came is null where it may be, an empty array, or the one
value it can have; anything else is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from .decoding import is_array, is_object
from .explain import Describe, Members

_MISSING = object()


def complete(tp: Any, value: Any, describe: Describe) -> Any:
    """Add to JSON data what its type requires and lets be known."""
    origin, args = get_origin(tp), get_args(tp)
    if origin is Annotated:
        return complete(args[0], value, describe)
    if origin is Union or origin is UnionType:
        chosen = _choose(args, value, describe)
        return value if chosen is None else complete(chosen, value, describe)
    if origin is list and is_array(value):
        return [complete(args[0], item, describe) for item in value]
    if origin is dict and is_object(value):
        return {name: complete(args[1], item, describe) for name, item in value.items()}
    members = describe(tp)
    if members is None or not is_object(value):
        return value
    return _complete_object(members, value, describe)


def leave_out(value: Any, pointer: str) -> None:
    """Take out of JSON data the entry of an array, or the member, that a place is in.

    It is the innermost entry; where the place is in no array, the outermost member.
    """
    tokens = [it.replace("~1", "/").replace("~0", "~") for it in pointer.split("/")[1:]]
    owner, key = value, tokens[0]
    for token in tokens:
        if is_array(value):
            owner, key = value, token
        elif not is_object(value) or token not in value:
            break
        value = value[int(token) if is_array(value) else token]
    del owner[int(key) if is_array(owner) else key]


def _complete_object(
    members: Members, value: dict[str, Any], describe: Describe
) -> dict[str, Any]:
    whole = dict(value)
    for member in members.declared:
        if member.name in value:
            whole[member.name] = complete(member.type, value[member.name], describe)
        elif member.required:
            known = _known_value(member.type)
            if known is not _MISSING:
                whole[member.name] = known
    return whole


def _known_value(tp: Any) -> Any:
    origin, args = get_origin(tp), get_args(tp)
    if origin is Annotated:
        return _known_value(args[0])
    if tp is Any or tp is None or tp is NoneType:
        return None
    if origin is Union or origin is UnionType:
        return None if NoneType in args else _MISSING
    if origin is list:
        return []
    if origin is Literal and len(args) == 1:
        return args[0]
    return _MISSING


def _choose(options: Sequence[Any], value: Any, describe: Describe) -> Any:
    """Find the member of a union that a value is on its way to."""
    for option in options:
        if get_origin(option) is list and is_array(value):
            return option
        members = describe(option)
        if members is not None and is_object(value) and _agrees(members, value):
            return option
        if get_origin(option) is Annotated:
            chosen = _choose(get_args(get_args(option)[0]), value, describe)
            if chosen is not None:
                return chosen
    return None


def _agrees(members: Members, value: dict[str, Any]) -> bool:
    """Tell whether no constant of an object contradicts a value."""
    constants = (m for m in members.declared if get_origin(m.type) is Literal)
    return bool(members.declared) and all(
        value.get(m.name, get_args(m.type)[0]) in get_args(m.type) for m in constants
    )
