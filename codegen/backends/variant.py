"""A variant: one way to write the same API in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from codegen.backends.access import Access
from codegen.backends.naming import Naming
from codegen.backends.scope import Scope
from codegen.backends.views import File
from codegen.ir.api import Api


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """`models` builds the modules of a variant, `access` tells stream code how its objects are
    used.

    `about` completes "OpenAI API 2.3.0 as ...", `exports` lists what its codec offers beside the
    common functions.
    """

    name: str
    about: str
    models: Callable[[Api, Naming], Iterable[File]]
    access: Callable[[Scope], Access]
    exports: tuple[str, ...]
