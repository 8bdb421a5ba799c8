"""Which member tells the objects of a union apart, by how the union is decoded."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from .decoding import PARTS, TAGS, Decoder
from .marks import Either, Tagged
from .registry import Registry


class Tags:
    """Finds the tags of the unions that a registry knows."""

    def __init__(self, registry: Registry) -> None:
        self._aliases = registry.aliases
        self._types = registry.types

    def find(self, tp: Any) -> Tagged | None:
        """Find the member that tells the objects of a union apart, if one does.

        Python joins a union with null, so it is known by its members.
        """
        if id(tp) in self._aliases:
            return self._tag_in(self._aliases[id(tp)][1])
        if get_origin(tp) is not Union and get_origin(tp) is not UnionType:
            return None
        aliases = self._aliases.values()
        same = (decode for other, decode in aliases if _members(other) == _members(tp))
        return next(filter(None, map(self._tag_in, same)), None)

    def _tag_in(self, decode: Decoder[Any]) -> Tagged | None:
        if decode in TAGS:
            name, decoders, untagged = TAGS[decode]
            cases = {it: self._type(part) for it, part in decoders.items()}
            return Tagged(name, cases, untagged and self._type(untagged))
        return next(filter(None, map(self._tag_in, PARTS.get(decode, ()))), None)

    def _type(self, decode: Decoder[Any]) -> Any:
        if decode in PARTS and decode not in self._types:
            return Either(*map(self._type, PARTS[decode]))
        return self._types.get(decode) or getattr(decode, "__self__", Any)


def _members(tp: Any) -> frozenset[Any]:
    return frozenset(get_args(tp)) - {NoneType}
