"""JSON to TypedDicts and back.

The values are the parsed JSON itself: decoding checks it and changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from .._runtime.codec import Codec
from .._runtime.decoding import Decoder
from .._runtime.registry import Registry

if TYPE_CHECKING:
    from .._runtime.explain import Describe
    from .._runtime.limits import Limits

_NOTHING: Mapping[str, Any] = {}
registry = Registry()
others_of: dict[Any, Any] = {}
"""The type of undeclared members, where they may not be anything."""
limits_of: dict[Any, Limits] = {}
"""How many members an object has, where that is limited."""


def _encode(value: Any) -> Any:
    return value


def _describe() -> Describe:
    from ._description import DESCRIBE

    return DESCRIBE


_codec = Codec(registry.find, _encode, _describe)
from_json = _codec.from_json
loads = _codec.loads
to_json = _codec.to_json
dumps = _codec.dumps
prepare = _codec.prepare
complete = _codec.complete
fit = _codec.fit


def register(
    tp: Any,
    decode: Decoder[Any],
    *,
    others: Any = Any,
    limits: Limits | None = None,
) -> None:
    """Say how a type is decoded, of what type undeclared members are, and how many."""
    registry.add(tp, decode)
    if others is not Any:
        others_of[tp] = others
    if limits is not None:
        limits_of[tp] = limits


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
