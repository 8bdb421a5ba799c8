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

    def find(self, tp: Any) -> Tagged | Either | None:
        """Find the member that tells the objects of a union apart, if one does, or the
        types that are tried in turn: Python joins unions inside of a union with it.

        It joins a union with null, too, so it is known by its members.
        """
        if id(tp) in self._aliases:
            return self._objects_in(self._aliases[id(tp)][1])
        if get_origin(tp) is not Union and get_origin(tp) is not UnionType:
            return None
        for other, decode in self._aliases.values():
            if _members(other) == _members(tp) and (found := self._objects_in(decode)):
                return found
        return None

    def _objects_in(self, decode: Decoder[Any]) -> Tagged | Either | None:
        if decode in TAGS:
            name, decoders, untagged = TAGS[decode]
            cases = {it: self._type(part) for it, part in decoders.items()}
            return Tagged(name, cases, untagged and self._type(untagged))
        parts = PARTS.get(decode, ())
        if len(parts) == 1:
            return self._objects_in(parts[0])
        types = [self._type(part) for part in parts]
        # What has no name is told better by the annotation.
        return Either(*types) if types and Any not in types else None

    def _type(self, decode: Decoder[Any]) -> Any:
        if decode in PARTS and decode not in self._types:
            return Either(*map(self._type, PARTS[decode]))
        return self._types.get(decode) or getattr(decode, "__self__", Any)


def _members(tp: Any) -> frozenset[Any]:
    return frozenset(get_args(tp)) - {NoneType}
