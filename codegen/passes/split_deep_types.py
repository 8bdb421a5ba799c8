"""After this, no type nests deeper than `DEPTH` levels: what lies further inside is an alias.

Python refuses brackets inside more than 200 others, and nobody can read a tenth of that.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from codegen.diagnostics import Diagnostics
from codegen.ir.api import Alias, Api, Decl
from codegen.ir.types import DeclId, Ref, Type, children
from codegen.ir.walk import map_decl

DEPTH = 20


def split_deep_types(api: Api, diagnostics: Diagnostics) -> Api:
    """Declare the inside of each type that is too deep as an alias beside its declaration."""
    decls: list[Decl] = []
    for decl in api.decls:
        splitter = _Splitter(decl)
        decls += (map_decl(decl, splitter.split), *splitter.found)
    return replace(api, decls=tuple(decls))


@dataclass(slots=True)
class _Splitter:
    """Splits the types of one declaration, from the innermost on."""

    decl: Decl
    found: list[Alias] = field(default_factory=list[Alias])

    def split(self, type_: Type) -> Type:
        """A name for a type as deep as allowed, so that what holds it starts anew."""
        if _levels(type_) < DEPTH:
            return type_
        number = len(self.found) + 1
        alias = Alias(
            id=DeclId(f"{self.decl.id}>{number}"),
            name=(*self.decl.name, *("inner",) * number),
            origin=self.decl.origin,
            home=self.decl.home,
            type=type_,
        )
        self.found.append(alias)
        return Ref(alias.id)


def _levels(type_: Type) -> int:
    return 1 + max(map(_levels, children(type_)), default=0)
