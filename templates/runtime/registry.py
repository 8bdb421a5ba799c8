"""How the types of a package are decoded that have no class to ask."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin

from .decoding import PARTS, TAGS, Decoder
from .marks import Tagged


class Registry:
    """Decoders by type."""

    def __init__(self) -> None:
        self._decoders: dict[Any, Decoder[Any]] = {}
        self._types: dict[Decoder[Any], Any] = {}
        # A | B equals B | A, but may be read in another order: each alias is known by
        # itself.
        self._aliases: dict[int, tuple[Any, Decoder[Any]]] = {}

    def add(self, tp: Any, decode: Decoder[Any]) -> None:
        """Say how a type is decoded."""
        self._decoders[tp] = decode
        self._types[decode] = tp
        self._aliases[id(tp)] = (tp, decode)

    def find(self, tp: Any) -> Decoder[Any]:
        """Find how a type is decoded; raises TypeError for one that is not known."""
        if id(tp) in self._aliases:
            return self._aliases[id(tp)][1]
        try:
            return self._decoders[tp]
        except (KeyError, TypeError):
            raise TypeError(f"not a type of this package: {tp!r}") from None

    def tag(self, tp: Any) -> Tagged | None:
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
            name, decoders = TAGS[decode]
            return Tagged(name, {it: self._type(part) for it, part in decoders.items()})
        return next(filter(None, map(self._tag_in, PARTS.get(decode, ()))), None)

    def _type(self, decode: Decoder[Any]) -> Any:
        if decode in PARTS and decode not in self._types:
            return cast(Any, Union)[tuple(map(self._type, PARTS[decode]))]
        return self._types.get(decode) or getattr(decode, "__self__", Any)


def _members(tp: Any) -> frozenset[Any]:
    return frozenset(get_args(tp)) - {NoneType}
