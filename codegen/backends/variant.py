"""A variant: one way to write the same API in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from codegen.backends.naming import Naming
from codegen.backends.scope import Scope
from codegen.backends.views import File
from codegen.ir.api import Api, Object
from codegen.ir.types import DeclId
from codegen.python.expressions import Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """`models` builds the modules of a variant, `decode` writes how `json` becomes a type of its,
    `members` names what stands for the members of an object, by their names on the wire.

    `about` completes "OpenAI API 2.3.0 as ...", `exports` lists what its codec offers beside the
    common functions, `taken` the names that no attribute of its classes may have, if
    `has_attributes`: else members are keys.
    """

    name: str
    about: str
    models: Callable[[Api, Naming], Iterable[File]]
    decode: Callable[[Scope, DeclId], Expr]
    members: Callable[[Object, Naming], dict[str, str]]
    exports: tuple[str, ...]
    taken: frozenset[str] = frozenset()
    has_attributes: bool = True
