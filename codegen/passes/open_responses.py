"""After this, what the server writes is open: unlisted enum values, unlisted members of a union and
values beyond its limits are kept.

A server may learn new values while its clients stay as they are; a client knows all it writes. So
enums and tagged unions are closed, and limits hold, only where requests alone reach them. A
constant stays closed, and so does a member that tells the objects of a union apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from codegen.diagnostics import Diagnostics, Origin
from codegen.ir.api import Api, Decl, Direction, Object
from codegen.ir.types import (
    Anything,
    Array,
    Constraint,
    DeclId,
    Literal,
    Map,
    Never,
    Ref,
    Scalar,
    Type,
    Union,
)
from codegen.ir.walk import decls_by_id, map_decl, map_type, reached, renew, roots, tag_fields


def open_responses(api: Api, diagnostics: Diagnostics) -> Api:
    """Open every declaration that is not reached from requests alone."""
    decls = decls_by_id(api)
    asked = reached(roots(api, Direction.REQUEST), decls)
    answered = reached(roots(api, Direction.RESPONSE), decls)
    extended = _extended(asked, decls) - _extended(answered, decls)
    closed = (asked | extended) - answered
    tags = tag_fields(api)
    closed |= {
        target
        for decl in api.decls
        if isinstance(decl, Object)
        for field in decl.fields
        if (decl.id, field.wire) in tags
        for target in reached([field.type], decls)
        if not isinstance(decls[target], Object)
    }
    return replace(
        api,
        decls=tuple(decl if decl.id in closed else _open_decl(decl, tags) for decl in api.decls),
        streams=tuple(replace(s, event=map_type(s.event, _open)) for s in api.streams),
    )


def _extended(ids: Iterable[DeclId], decls: Mapping[DeclId, Decl]) -> set[DeclId]:
    """What objects are composed of: a schema that no operation refers to is meant where another one
    extends it.
    """
    objects = [it for id_ in ids if isinstance(it := decls[id_], Object)]
    places = (_holders(field.origin) for object_ in objects for field in object_.fields)
    extended = {next((it for it in holders if it in decls), None) for holders in places}
    return reached((Ref(it) for it in extended if it is not None), decls)


def _holders(origin: Origin) -> Iterator[DeclId]:
    """The places that a member stands in, from the innermost on."""
    pointer = origin.pointer
    while "/" in pointer:
        pointer = pointer.rpartition("/")[0]
        yield DeclId(origin.document + pointer)


def _open_decl(decl: Decl, tags: set[tuple[DeclId, str]]) -> Decl:
    if not isinstance(decl, Object):
        return map_decl(decl, _open)
    how = {field.wire: _loosen if (decl.id, field.wire) in tags else _open for field in decl.fields}
    fields = tuple(
        renew(field, type=map_type(field.type, how[field.wire])) for field in decl.fields
    )
    extra = Anything() if isinstance(decl.extra, Never) else map_type(decl.extra, _open)
    return replace(decl, fields=fields, extra=extra, constraints=_loose(decl.constraints))


def _open(type_: Type) -> Type:
    match type_:
        case Literal(values=values) if len(values) > 1:
            return renew(type_, open=True)
        case Map(value=Never()):
            return _loosen(replace(type_, value=Anything()))
        case Union(tag=tag) if tag is not None:
            return renew(type_, open=True)
        case _:
            return _loosen(type_)


def _loosen(type_: Type) -> Type:
    """The type without limits that hold."""
    match type_:
        case Scalar() | Array() | Map():
            return renew(type_, constraints=_loose(type_.constraints))
        case _:
            return type_


def _loose(constraints: tuple[Constraint, ...]) -> tuple[Constraint, ...]:
    return tuple(replace(constraint, open=True) for constraint in constraints)
