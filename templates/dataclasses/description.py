"""What the classes hold: their annotations, read for those who explain or complete."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, Never, get_args, get_type_hints

from .._runtime.explain import Describe, Member, Members, present
from .._runtime.tags import Tags
from ._codec import Slot, is_record, registry, slots


@cache
def _members(tp: Any) -> Members | None:
    if not is_record(tp):
        return None
    return Members(tuple(map(_member, slots(tp))), _others(tp), tp.__limits__)


def _member(slot: Slot) -> Member:
    has_absence = not (slot.required or slot.nullable)
    tp = present(slot.type) if has_absence else slot.type
    return Member(slot.name, tp, slot.required)


def _others(tp: Any) -> Any:
    if tp.__closed__:
        return Never
    hint = get_type_hints(tp, include_extras=True).get("__others__")
    return Any if hint is None else get_args(hint)[0]


DESCRIBE: Final = Describe(_members, Tags(registry).find)
