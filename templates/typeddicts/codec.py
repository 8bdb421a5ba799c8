"""JSON to TypedDicts and back.

The values are the parsed JSON itself: decoding checks it and changes nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from types import SimpleNamespace
from typing import (
    Any,
    NotRequired,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from .._runtime.codec import Codec
from .._runtime.decoding import Decoder
from .._runtime.explain import Describe, Member, Members
from .._runtime.limits import Limits
from .._runtime.registry import Registry

T = TypeVar("T")

_NOTHING: Mapping[str, Any] = {}
_registry = Registry()
_others: dict[Any, Any] = {}
_limits: dict[Any, Limits] = {}


def _encode(value: Any) -> Any:
    return value


@cache
def _describe(tp: Any) -> Members | None:
    if not is_typeddict(tp):
        return None
    hints = get_type_hints(tp, include_extras=True)
    declared = (_member(name, hint) for name, hint in hints.items())
    return Members(tuple(declared), _others_of(tp), _limits.get(tp))


def _others_of(tp: Any) -> Any:
    others = _others.get(tp, Any)
    names = vars(sys.modules[tp.__module__])
    holder = SimpleNamespace(__annotations__={"others": others})
    return get_type_hints(holder, names, include_extras=True)["others"]


def _member(name: str, hint: Any) -> Member:
    if get_origin(hint) is NotRequired:
        return Member(name, get_args(hint)[0], required=False)
    return Member(name, hint, required=True)


_codec = Codec(_registry.find, _encode, Describe(_describe, _registry.tag))
from_json = _codec.from_json
loads = _codec.loads
to_json = _codec.to_json
dumps = _codec.dumps
prepare = _codec.prepare
complete = _codec.complete
fit = _codec.fit


def register(
    tp: Any,
    decode: Decoder[T],
    *,
    others: Any = Any,
    limits: Limits | None = None,
) -> None:
    """Say how a type is decoded, of what type undeclared members are, and how many."""
    _registry.add(tp, decode)
    if others is not Any:
        _others[tp] = others
    if limits is not None:
        _limits[tp] = limits


def unknown_fields(tp: Any, value: Any) -> Mapping[str, Any]:
    """The members of an object of this type that the document does not declare."""
    source: Mapping[str, Any] = value
    declared = _declared(tp)
    if source.keys() <= declared:
        return _NOTHING
    return {name: source[name] for name in source if name not in declared}


@cache
def _declared(tp: Any) -> frozenset[str]:
    return frozenset(tp.__required_keys__ | tp.__optional_keys__)
