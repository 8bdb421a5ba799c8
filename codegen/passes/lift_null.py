"""After this, a schema that is one object or null is a class: its name means the object, and null
stands where it is used.

`Prompt: {anyOf: [{type: object, ...}, {type: "null"}]}` is how documents write "an object that may
be null". A name for `object | None` would leave the object itself without one.
"""

from __future__ import annotations

from dataclasses import replace

from codegen.diagnostics import Diagnostics
from codegen.ir.api import Alias, Api, Object
from codegen.ir.types import DeclId, Nullable, Ref, Type
from codegen.ir.walk import decls_by_id, map_api


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

    def change(type_: Type) -> Type:
        if isinstance(type_, Ref) and type_.target in lifted:
            return Nullable(Ref(lifted[type_.target]))
        return type_

    docs = {lifted[decl.id]: decl.doc for decl in api.decls if decl.id in lifted}
    api = map_api(api, change)
    kept = (
        replace(decl, doc=docs[decl.id]) if docs.get(decl.id) and docs[decl.id].text else decl
        for decl in api.decls
        if decl.id not in lifted
    )
    return replace(api, decls=tuple(kept))
