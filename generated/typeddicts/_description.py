"""What the types hold: their annotations, read for those who explain or complete."""

from __future__ import annotations

import sys
from functools import cache
from types import SimpleNamespace
from typing import (
    Any,
    Final,
    NotRequired,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from .._runtime.explain import Describe, Member, Members
from .._runtime.tags import Tags
from ._codec import limits_of, others_of, registry


@cache
def _members(tp: Any) -> Members | None:
    if not is_typeddict(tp):
        return None
    hints = get_type_hints(tp, include_extras=True)
    declared = (_member(name, hint) for name, hint in hints.items())
    return Members(tuple(declared), _others(tp), limits_of.get(tp))


def _others(tp: Any) -> Any:
    others = others_of.get(tp, Any)
    names = vars(sys.modules[tp.__module__])
    holder = SimpleNamespace(__annotations__={"others": others})
    return get_type_hints(holder, names, include_extras=True)["others"]


def _member(name: str, hint: Any) -> Member:
    if get_origin(hint) is NotRequired:
        return Member(name, get_args(hint)[0], required=False)
    return Member(name, hint, required=True)


DESCRIBE: Final = Describe(_members, Tags(registry).find)
