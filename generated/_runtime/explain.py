"""Why data does not fit a type: every place, found by walking the annotations.

Runs only after a decoder has refused the data, so it is written for good answers
and not for speed. The annotations of the generated classes are the schema.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    Never,
    NoReturn,
    Union,
    cast,
    get_args,
    get_origin,
)

from .decoding import Mismatch, is_array, is_object, one_of
from .errors import Problem, pointer_to
from .limits import Limits, unmet
from .marks import Either, OneOf, Prefix, Tagged
from .texts import TEXTS, read


class Member(NamedTuple):
    """One member of an object: its name on the wire, its type, whether it must come."""

    name: str
    type: Any
    required: bool


class Members(NamedTuple):
    """What an object may hold: its members, the type of all others, and how many."""

    declared: tuple[Member, ...]
    others: Any
    limits: Limits | None = None


def present(tp: Any) -> Any:
    """Say the type of a member that may be absent but not null: what None stands for in
    Python would be wrong on the wire.
    """
    kept = tuple(arg for arg in get_args(tp) if arg is not NoneType)
    return cast(Any, Union)[kept]


class _Misfit(NamedTuple):
    """A place, each alternative of what was wanted there, and what was found."""

    pointer: str
    expected: tuple[str, ...]
    found: str


class Describe(NamedTuple):
    """What types say of objects; each gives None for any other type."""

    members: Callable[[Any], Members | None]
    """What a class that stands for an object may hold."""
    objects: Callable[[Any], Tagged | Either | None]
    """How the objects of a union are told apart, or what types they are tried as."""


_NAMES: dict[Any, str] = {
    str: "a string",
    int: "an integer",
    float: "a number",
    bool: "a boolean",
    None: "null",
    NoneType: "null",
    Never: "no value",
    NoReturn: "no value",
}


def explain(tp: Any, value: Any, describe: Describe) -> tuple[Problem, ...]:
    """List every place at which parsed JSON does not fit a type.

    Where each place fits on its own, the whole is named.
    """
    found = list(_misfits(tp, value, "", describe))
    misfits = found or [_Misfit("", (_name(tp),), _show(value))]
    return tuple(
        Problem(pointer, " or ".join(expected), found)
        for pointer, expected, found in misfits
    )


def _misfits(tp: Any, value: Any, at: str, describe: Describe) -> Iterator[_Misfit]:
    origin, args = get_origin(tp), get_args(tp)
    if isinstance(tp, Either):
        yield from _in_union(tp.types, value, at, describe)
    elif origin is Annotated:
        found = list(_marked(args, value, at, describe))
        yield from found or _beyond(args[1:], value, at)
    elif origin is Union or origin is UnionType:
        objects = describe.objects(tp) if is_object(value) else None
        # What leads back to the union itself tells nothing: all members may answer to
        # one value. A member that equals the union may still be read otherwise.
        if isinstance(objects, Either) and not _has(objects.types, tp):
            yield from _in_union(objects.types, value, at, describe)
        elif isinstance(objects, Tagged) and not _has(objects.cases.values(), tp):
            yield from _in_tagged(objects, value, at, describe)
        else:
            yield from _in_union(args, value, at, describe)
    elif origin is Literal:
        if not any(type(arg) is type(value) and arg == value for arg in args):
            yield _Misfit(at, tuple(map(_show, args)), _show(value))
    elif origin is list:
        if not is_array(value):
            yield _Misfit(at, ("an array",), _show(value))
            return
        for index, item in enumerate(value):
            yield from _misfits(args[0], item, f"{at}/{index}", describe)
    elif origin is dict:
        if not is_object(value):
            yield _Misfit(at, ("an object",), _show(value))
            return
        for name, item in value.items():
            yield from _misfits(args[1], item, pointer_to(at, name), describe)
    else:
        yield from _in_class(tp, value, at, describe)


def _has(types: Iterable[Any], tp: Any) -> bool:
    return any(it is tp for it in types)


def _beyond(marks: Iterable[Any], value: Any, at: str) -> Iterator[_Misfit]:
    """Tell which limits a value of the right type is beyond."""
    for expected in unmet(marks, value):
        yield _Misfit(at, (expected,), _show(value))


def _marked(
    args: Sequence[Any], value: Any, at: str, describe: Describe
) -> Iterator[_Misfit]:
    tp, *marks = args
    for mark in marks:
        if isinstance(mark, OneOf):
            if not one_of(value, *mark.values):
                wanted = tuple(map(_show, mark.values))
                yield _Misfit(at, wanted, _show(value))
            return
        if isinstance(mark, Prefix):
            if not is_array(value):
                yield _Misfit(at, ("an array",), _show(value))
                return
            for index, item in enumerate(value):
                place = f"{at}/{index}"
                yield from _misfits(mark.item(index), item, place, describe)
            return
        if isinstance(mark, Tagged) and is_object(value):
            yield from _in_tagged(mark, value, at, describe)
            return
    # A text is marked with the type that it is written as.
    text = next((mark for mark in marks if _is_class(mark)), tp)
    yield from _misfits(text, value, at, describe)


def _in_class(tp: Any, value: Any, at: str, describe: Describe) -> Iterator[_Misfit]:
    members = describe.members(tp)
    if members is None:
        if not _is_scalar(tp, value):
            yield _Misfit(at, (_name(tp),), _show(value))
    elif not is_object(value):
        yield _Misfit(at, ("an object",), _show(value))
    else:
        yield from _in_object(members, value, at, describe)


def _in_object(
    members: Members, value: dict[str, Any], at: str, describe: Describe
) -> Iterator[_Misfit]:
    for member in members.declared:
        place = pointer_to(at, member.name)
        if member.name in value:
            yield from _misfits(member.type, value[member.name], place, describe)
        elif member.required:
            yield _Misfit(place, ("a value",), "nothing")
    names = {member.name for member in members.declared}
    for name, other in value.items():
        place = pointer_to(at, name)
        if name in names:
            continue
        if members.others in (Never, NoReturn):
            yield _Misfit(place, ("no such member",), _show(other))
        else:
            yield from _misfits(members.others, other, place, describe)
    if members.limits is not None:
        yield from _beyond((members.limits,), value, at)


def _is_scalar(tp: Any, value: Any) -> bool:
    if tp is Any:
        return True
    if tp is None or tp is NoneType:
        return value is None
    if tp in TEXTS:
        return _is_text(tp, value)
    return type(value) is tp


def _is_class(mark: Any) -> bool:
    return isinstance(mark, type)


def _is_text(tp: Any, value: Any) -> bool:
    try:
        read(tp, value)
    except Mismatch:
        return False
    return True


def _in_union(
    args: Sequence[Any], value: Any, at: str, describe: Describe
) -> Iterator[_Misfit]:
    objects = [arg for arg in args if describe.members(arg) or _is_union(arg)]
    options = objects if is_object(value) and objects else args
    answers = [list(_misfits(option, value, at, describe)) for option in options]
    if not all(answers):
        return
    if len(answers) == 1:
        yield from answers[0]
        return
    deeper = [
        answer
        for answer in answers
        if not any(misfit.pointer == at for misfit in answer)
    ]
    meant = [answer for answer in deeper if not any(_tells(it, at) for it in answer)]
    if meant or len(deeper) == 1:
        yield from min(meant or deeper, key=_distance)
    elif deeper and (told := _told_apart(deeper, at)):
        yield told
    elif deeper:
        yield from min(deeper, key=_distance)
    else:
        yield _Misfit(at, _each(misfit for misfit, *_ in answers), _show(value))


def _is_union(tp: Any) -> bool:
    origin = get_origin(tp)
    if origin is Annotated:
        return _is_union(get_args(tp)[0])
    return isinstance(tp, Either) or origin is Union or origin is UnionType


def _in_tagged(
    tag: Tagged, value: dict[str, Any], at: str, describe: Describe
) -> Iterator[_Misfit]:
    told = value.get(tag.name)
    if isinstance(told, str) and told in tag.cases:
        yield from _misfits(tag.cases[told], value, at, describe)
        return
    if told is None and tag.untagged is not None:
        yield from _misfits(tag.untagged, value, at, describe)
        return
    found = _show(told) if tag.name in value else "nothing"
    wanted = tuple(map(_show, tag.cases))
    yield _Misfit(pointer_to(at, tag.name), wanted, found)


def _distance(answer: list[_Misfit]) -> tuple[int, int]:
    """Tell how far data is from a member of a union: what is missing counts first."""
    missing = sum(misfit.found == "nothing" for misfit in answer)
    return missing, len(answer)


def _tells(misfit: _Misfit, at: str) -> bool:
    """Tell whether a constant of an object is wrong: then another member of the union
    was meant.
    """
    is_there = misfit.found != "nothing"
    is_member = "/" not in misfit.pointer[len(at) + 1 :]
    is_constant = any(it.startswith('"') for it in misfit.expected)
    return is_there and is_member and is_constant


def _told_apart(answers: list[list[_Misfit]], at: str) -> _Misfit | None:
    """Find the member whose constants no member of a union agrees with."""
    for place in (it.pointer for it in answers[0] if _tells(it, at)):
        found = [it for answer in answers for it in answer if it.pointer == place]
        if len(found) == len(answers) and all(_tells(it, at) for it in found):
            return _Misfit(place, _each(found), found[0].found)
    return None


def _each(misfits: Iterable[_Misfit]) -> tuple[str, ...]:
    """Give every alternative that is wanted at one place, once."""
    return tuple(dict.fromkeys(it for misfit in misfits for it in misfit.expected))


def _name(tp: Any) -> str:
    if tp in TEXTS:
        return TEXTS[tp].expected
    try:
        return _NAMES[tp]
    except KeyError:
        return getattr(tp, "__name__", None) or str(tp)


def _show(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            text = value if len(value) <= 40 else value[:39] + "…"
            return f'"{text}"'
        case int() | float():
            return repr(value)
        case list():
            return "an array"
        case _:
            return "an object"
