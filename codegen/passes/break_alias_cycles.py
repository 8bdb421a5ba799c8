"""After this, following aliases ends, and soon: none leads back to itself but through an object."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from codegen.diagnostics import Diagnostics
from codegen.ir.api import Alias, Api, Decl
from codegen.ir.types import Anything, DeclId, Ref, Type, refs
from codegen.ir.walk import decls_by_id, map_decl

# Whatever follows aliases may do so by recursion.
MAX_STEPS = 100


def break_alias_cycles(api: Api, diagnostics: Diagnostics) -> Api:
    """Read an alias inside itself as any value: Python 3.11 has no name for it there."""
    decls = decls_by_id(api)
    closing: set[tuple[DeclId, DeclId]] = set()
    steps: dict[DeclId, int] = {}
    for decl in api.decls:
        if _visit(decl, decls, [], steps, closing) > MAX_STEPS:
            message = f"more than {MAX_STEPS} schemas stand for each other from here on"
            diagnostics.add("SB105", message, origin=decl.origin)
            diagnostics.check()
    if not closing:
        return api
    changed: list[Decl] = []
    for decl in api.decls:
        targets = {target for source, target in closing if source == decl.id}
        if targets:
            _report(decl, decls, diagnostics)
            decl = map_decl(decl, partial(_cut, targets))
        changed.append(decl)
    return replace(api, decls=tuple(changed))


def _report(decl: Decl, decls: dict[DeclId, Decl], diagnostics: Diagnostics) -> None:
    """A circle of nothing but references says nothing; of others, Python cannot say all."""
    chain = [decl]
    while isinstance(chain[-1], Alias) and isinstance(chain[-1].type, Ref):
        following = decls[chain[-1].type.target]
        if following in chain:
            for link in chain:
                diagnostics.add("SB202", "the reference leads to itself", origin=link.origin)
            return
        chain.append(following)
    diagnostics.add("SB401", "read as any value where it holds itself", origin=decl.origin)


def _cut(targets: set[DeclId], type_: Type) -> Type:
    return Anything() if isinstance(type_, Ref) and type_.target in targets else type_


def _visit(
    decl: Decl,
    decls: dict[DeclId, Decl],
    path: list[DeclId],
    steps: dict[DeclId, int],
    closing: set[tuple[DeclId, DeclId]],
) -> int:
    """Count the steps from a declaration to the end, to one too many at most."""
    if not isinstance(decl, Alias) or len(path) > MAX_STEPS:
        return 0
    if decl.id not in steps:
        path.append(decl.id)
        longest = 0
        for target in refs(decl.type):
            if target in path:
                closing.add((decl.id, target))
            else:
                longest = max(longest, _visit(decls[target], decls, path, steps, closing))
        path.pop()
        steps[decl.id] = longest + 1
    return steps[decl.id]
