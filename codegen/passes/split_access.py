"""After this, a member that only one side writes is declared only in what that side writes.

A server sets `readOnly` members and never sends `writeOnly` ones (OpenAPI 3.1, 4.8.24.2 and JSON
Schema 2020-12, validation 9.4). A declaration that both sides write has two forms where they
differ: responses keep its name, requests have a form called after it and `write`. One that a single
side writes has the members of that side; one that no operation reaches stays as it is written. The
member that tells the objects of a union apart stays in both. Members that are left out are still
kept on the wire, as undeclared ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from codegen.diagnostics import Diagnostics
from codegen.ir.api import Access, Api, Body, Decl, Direction, Object, Operation, Parameter
from codegen.ir.types import DeclId, Ref, Type, refs
from codegen.ir.walk import decls_by_id, map_decl, map_type, reached, roots, tag_fields, types_of

Part = TypeVar("Part", Body, Parameter)


def split_access(api: Api, diagnostics: Diagnostics) -> Api:
    """Give requests and responses a form of each declaration, two where they differ."""
    tags = tag_fields(api)
    read = {decl.id: _without(Access.WRITE, decl, tags) for decl in api.decls}
    write = {decl.id: _without(Access.READ, decl, tags) for decl in api.decls}
    in_requests = reached(roots(api, Direction.REQUEST), write)
    in_responses = reached(roots(api, Direction.RESPONSE), read)
    ids = {id_: DeclId(f"{id_}!") for id_ in _differing(read, write, in_requests & in_responses)}

    def refer(type_: Type) -> Type:
        return Ref(ids.get(type_.target, type_.target)) if isinstance(type_, Ref) else type_

    decls: list[Decl] = []
    for id_, decl in decls_by_id(api).items():
        written = map_decl(write[id_], refer)
        if id_ in in_responses:
            decls.append(read[id_])
        else:
            decls.append(written if id_ in in_requests else decl)
        if id_ in ids:
            name = (*decl.name, "write") if decl.spelled is None else (decl.spelled, "write")
            decls.append(replace(written, id=ids[id_], name=name, spelled=None))
    operations = {
        operation.id: replace(
            operation,
            parameters=tuple(_sent(parameter, refer) for parameter in operation.parameters),
            bodies=tuple(_sent(body, refer) for body in operation.bodies),
        )
        for operation in api.operations
    }
    return _with_operations(replace(api, decls=tuple(decls)), operations)


def _sent(part: Part, refer: Callable[[Type], Type]) -> Part:
    """The part as the client writes it; as it is, where the server does."""
    if part.direction is not Direction.REQUEST:
        return part
    return replace(part, type=map_type(part.type, refer))


def _without(access: Access, decl: Decl, tags: set[tuple[DeclId, str]]) -> Decl:
    """The declaration without the members of one access."""
    if not isinstance(decl, Object):
        return decl
    kept = (f for f in decl.fields if f.access is not access or (decl.id, f.wire) in tags)
    return replace(decl, fields=tuple(kept))


def _differing(
    read: Mapping[DeclId, Decl], write: Mapping[DeclId, Decl], shared: set[DeclId]
) -> set[DeclId]:
    """Those of the shared declarations whose forms differ, or hold one whose forms do."""
    holders: dict[DeclId, list[DeclId]] = defaultdict(list)
    for id_ in shared:
        for type_ in types_of(write[id_]):
            for target in refs(type_):
                holders[target].append(id_)
    found: set[DeclId] = set()
    pending = [id_ for id_ in shared if read[id_] != write[id_]]
    while pending:
        id_ = pending.pop()
        if id_ not in found:
            found.add(id_)
            pending += holders[id_]
    return found


def _with_operations(api: Api, operations: Mapping[str, Operation]) -> Api:
    return replace(
        api,
        operations=tuple(operations.values()),
        streams=tuple(replace(s, operation=operations[s.operation.id]) for s in api.streams),
    )
