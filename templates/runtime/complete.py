"""From what has come of an object to the whole of it, or to what its type allows.

A server leaves out of its chunks what goes without saying. What the type of the
result requires and never came is null where it may be, an empty array, or the one
value it can have; anything else is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    members = describe.members(tp)
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
    """Find the member of a union that a value is on its way to, if that can be told."""
    found = list(_find(options, value, describe))
    if len(found) < 2:
        return found[0][0] if found else None
    return next((option for option, is_told in found if is_told), None)


def _find(
    options: Sequence[Any], value: Any, describe: Describe
) -> Iterator[tuple[Any, bool]]:
    """Give the members of a union that may be meant, and whether their constants came.

    A missing one would be made up, and with it the choice.
    """
    for option in options:
        members = describe.members(option)
        if get_origin(option) is list and is_array(value):
            yield option, True
        elif get_origin(option) is Annotated:
            yield from _find(get_args(get_args(option)[0]), value, describe)
        elif members is not None and is_object(value) and members.declared:
            named = [m for m in members.declared if get_origin(m.type) is Literal]
            values = [(get_args(m.type), value.get(m.name, _MISSING)) for m in named]
            if all(held in (*args, _MISSING) for args, held in values):
                missing = [args for args, held in values if held is _MISSING]
                yield option, all(len(args) > 1 for args in missing)
