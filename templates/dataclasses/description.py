"""What the classes hold: their annotations, read for those who explain or complete."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, Never, Union, cast, get_args, get_type_hints

from .._runtime.explain import Describe, Member, Members
from .._runtime.tags import Tags
from ._codec import Slot, is_record, registry, slots


@cache
def _members(tp: Any) -> Members | None:
    if not is_record(tp):
        return None
    declared = (Member(s.name, _type_if_present(s), s.required) for s in slots(tp))
    return Members(tuple(declared), _others(tp), tp.__limits__)


def _others(tp: Any) -> Any:
    if tp.__closed__:
        return Never
    hint = get_type_hints(tp, include_extras=True).get("__others__")
    return Any if hint is None else get_args(hint)[0]


def _type_if_present(slot: Slot) -> Any:
    if slot.required or slot.nullable:
        return slot.type
    # This None only stands for absence; on the wire it would be wrong.
    kept = tuple(arg for arg in get_args(slot.type) if arg is not type(None))
    return cast(Any, Union)[kept]


DESCRIBE: Final = Describe(_members, Tags(registry).find)
