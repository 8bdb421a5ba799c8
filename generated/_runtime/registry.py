"""How the types of a package are decoded that have no class to ask."""

from __future__ import annotations

from typing import Any

from .decoding import Decoder


class Registry:
    """Decoders by type."""

    def __init__(self) -> None:
        self._decoders: dict[Any, Decoder[Any]] = {}
        self.types: dict[Decoder[Any], Any] = {}
        """The type that a decoder gives."""
        self.aliases: dict[int, tuple[Any, Decoder[Any]]] = {}
        """Each type with its decoder, known by itself: A | B equals B | A, but may be
        read in another order.
        """

    def add(self, tp: Any, decode: Decoder[Any]) -> None:
        """Say how a type is decoded."""
        self._decoders[tp] = decode
        self.types[decode] = tp
        # Until Python 3.14, A | B joined with A is A | B itself, and was there before.
        self.aliases.setdefault(id(tp), (tp, decode))

    def find(self, tp: Any) -> Decoder[Any]:
        """Find how a type is decoded; raises TypeError for one that is not known."""
        if id(tp) in self.aliases:
            return self.aliases[id(tp)][1]
        try:
            return self._decoders[tp]
        except (KeyError, TypeError):
            raise TypeError(f"not a type of this package: {tp!r}") from None
