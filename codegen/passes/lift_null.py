"""After this, a schema that is one object or null is a class: its name means the object, and null
stands where it is used.

`Prompt: {anyOf: [{type: object, ...}, {type: "null"}]}` is how documents write "an object that may
be null". A name for `object | None` would leave the object itself without one.
"""

from __future__ import annotations

from dataclasses import replace

from codegen.diagnostics import Diagnostics
from codegen.ir.api import Alias, Api, Decl, Object
from codegen.ir.types import DeclId, Nullable, Ref, Type
from codegen.ir.walk import decls_by_id, map_api, renew


def lift_null(api: Api, diagnostics: Diagnostics) -> Api:
    """Give the name of a nullable object to the object, and `Nullable` to all who refer to it."""
    decls = decls_by_id(api)
    lifted: dict[DeclId, DeclId] = {}
    for decl in api.decls:
        if isinstance(decl, Alias) and isinstance(decl.type, Nullable):
            inner = decl.type.type
            held = decls[inner.target] if isinstance(inner, Ref) else None
            if isinstance(held, Object) and held.name == decl.name:
                lifted[decl.id] = held.id

    # The object takes the place of the name in the document, if it stands there.
    moved = {held: alias for alias, held in lifted.items() if decls[held].home == alias}

    def change(type_: Type) -> Type:
        if not isinstance(type_, Ref):
            return type_
        held = lifted.get(type_.target, type_.target)
        found = renew(type_, target=moved.get(held, held))
        return Nullable(found) if type_.target in lifted else found

    aliases = {lifted[decl.id]: decl for decl in api.decls if decl.id in lifted}
    api = map_api(api, change)
    kept: list[Decl] = []
    for decl in api.decls:
        if decl.id in lifted:
            continue
        if (alias := aliases.get(decl.id)) is not None:
            decl = replace(decl, doc=alias.doc if alias.doc.text else decl.doc)
            if decl.id in moved:
                decl = replace(decl, id=alias.id, origin=alias.origin)
        kept.append(decl)
    return replace(api, decls=tuple(kept))
