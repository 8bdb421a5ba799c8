"""Whether Python and every variant take the names that someone chose.

In: an API whose declarations and fields may be spelled. Out: an error for each name that is no
identifier, that means something else there, or that two would have. Nothing chosen is ever changed.
"""

from __future__ import annotations

import builtins
import unicodedata
from collections.abc import Iterable
from keyword import iskeyword

from codegen.backends import VARIANTS
from codegen.backends.attributes import BUILTINS
from codegen.backends.classes import RESERVED
from codegen.backends.naming import name_api
from codegen.backends.package import COMMON
from codegen.diagnostics import Diagnostics, Origin
from codegen.ir.api import Api, Object

_OFFERED = RESERVED.union(COMMON, ("streams",), *(it.exports for it in VARIANTS.values()))
_ATTRIBUTES = BUILTINS.union(*(it.taken for it in VARIANTS.values()))


def check_names(api: Api, diagnostics: Diagnostics) -> None:
    """Report SB402 for a name that cannot be used, SB403 for one that another has too."""
    spelled = [(d.spelled, d.origin) for d in api.decls if d.spelled is not None]
    _check(spelled, _OFFERED.union(dir(builtins)), "type", diagnostics)
    objects = [decl for decl in api.decls if isinstance(decl, Object)]
    if not any(field.spelled is not None for object_ in objects for field in object_.fields):
        return
    taken = _ATTRIBUTES | name_api(api).taken
    for object_ in objects:
        fields = [(f.spelled, f.origin) for f in object_.fields if f.spelled is not None]
        _check(fields, taken, "member", diagnostics)


def _check(
    names: Iterable[tuple[str, Origin]], taken: frozenset[str], kind: str, diagnostics: Diagnostics
) -> None:
    first: dict[str, Origin] = {}
    for name, origin in names:
        if not _is_plain(name):
            diagnostics.add("SB402", f"{name!r} is no name for a {kind}", origin=origin)
        elif name in taken:
            message = f"{name!r} means something else where a {kind} stands"
            diagnostics.add("SB402", message, origin=origin)
        elif name in first:
            message = f"the {kind} at {first[name].pointer} has the name {name!r} too"
            diagnostics.add("SB403", message, origin=origin)
        first.setdefault(name, origin)


def _is_plain(name: str) -> bool:
    """Whether Python reads a name as it is written, and as nothing special."""
    is_normal = unicodedata.normalize("NFKC", name) == name
    return name.isidentifier() and not iskeyword(name) and name[0] != "_" and is_normal
