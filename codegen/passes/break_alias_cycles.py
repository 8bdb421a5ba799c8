"""After this, following aliases ends: none leads back to itself except through an object."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from codegen.diagnostics import Diagnostics
from codegen.ir.api import Alias, Api, Decl
from codegen.ir.types import Anything, DeclId, Ref, Type, refs
from codegen.ir.walk import decls_by_id, map_decl


def break_alias_cycles(api: Api, diagnostics: Diagnostics) -> Api:
    """Read an alias inside itself as any value: Python 3.11 has no name for it there."""
    decls = decls_by_id(api)
    closing: set[tuple[DeclId, DeclId]] = set()
    done: set[DeclId] = set()
    for decl in api.decls:
        _visit(decl, decls, [], done, closing)
    if not closing:
        return api
    changed: list[Decl] = []
    for decl in api.decls:
        targets = {target for source, target in closing if source == decl.id}
        if targets and isinstance(decl, Alias) and isinstance(decl.type, Ref):
            diagnostics.add("SB202", "the references lead back here", origin=decl.origin)
        if targets:
            diagnostics.add("SB401", "read as any value where it holds itself", origin=decl.origin)
            decl = map_decl(decl, partial(_cut, targets))
        changed.append(decl)
    return replace(api, decls=tuple(changed))


def _cut(targets: set[DeclId], type_: Type) -> Type:
    return Anything() if isinstance(type_, Ref) and type_.target in targets else type_


def _visit(
    decl: Decl,
    decls: dict[DeclId, Decl],
    path: list[DeclId],
    done: set[DeclId],
    closing: set[tuple[DeclId, DeclId]],
) -> None:
    if not isinstance(decl, Alias) or decl.id in done:
        return
    path.append(decl.id)
    for target in refs(decl.type):
        if target in path:
            closing.add((decl.id, target))
        else:
            _visit(decls[target], decls, path, done, closing)
    path.pop()
    done.add(decl.id)
