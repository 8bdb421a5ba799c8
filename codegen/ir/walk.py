"""The only traversals of the IR: types inside declarations, their replacement, and what is reached
from where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from operator import is_
from typing import Any, TypeVar

from codegen.ir.api import Alias, Api, Body, Decl, Direction, Field, Object, Operation, Parameter
from codegen.ir.types import (
    Array,
    DeclId,
    Map,
    Nullable,
    Ref,
    Scalar,
    Type,
    Union,
    children,
    nullable,
    refs,
)

T = TypeVar("T")
Node = TypeVar("Node", bound=Type | Decl | Field | Operation | Body | Parameter)
Holder = TypeVar("Holder", Alias, Field, Body, Parameter)


def decls_by_id(api: Api) -> dict[DeclId, Decl]:
    return {decl.id: decl for decl in api.decls}


def types_of(decl: Decl) -> tuple[Type, ...]:
    """The types that stand directly in a declaration."""
    match decl:
        case Object(fields=fields, extra=extra):
            return (*(field.type for field in fields), extra)
        case Alias(type=type_):
            return (type_,)


def all_types(api: Api) -> Iterator[Type]:
    """Every type of the API, the types inside types included."""
    pending = [type_ for decl in api.decls for type_ in types_of(decl)]
    for operation in api.operations:
        pending += (part.type for part in operation.parts)
    pending += (stream.event for stream in api.streams)
    while pending:
        type_ = pending.pop()
        yield type_
        pending += children(type_)


def renew(node: Node, **members: Any) -> Node:
    """The node with these members: itself where they are its own already."""
    for name, member in members.items():
        if getattr(node, name) is not member:
            return replace(node, **members)
    return node


def map_all(items: tuple[T, ...], change: Callable[[T], T]) -> tuple[T, ...]:
    """Each of the items changed: the same tuple where none does."""
    # Not by `map`: Python 3.12 allows little recursion through C.
    changed = [change(item) for item in items]
    return items if all(map(is_, items, changed)) else tuple(changed)


def map_type(type_: Type, change: Callable[[Type], Type]) -> Type:
    """The type with `change` applied to each type inside it, and at last to itself.

    What does not change stays the very same, here and below.
    """

    def inside(type_: Type) -> Type:
        return map_type(type_, change)

    match type_:
        case Array(item=item, first=first):
            type_ = renew(type_, item=inside(item), first=map_all(first, inside))
        case Map(value=value):
            type_ = renew(type_, value=inside(value))
        case Nullable(type=held):
            changed = inside(held)
            type_ = type_ if changed is held else nullable(changed)
        case Scalar(content=content) if content is not None:
            type_ = renew(type_, content=inside(content))
        case Union(members=members):
            type_ = renew(type_, members=map_all(members, inside))
        case _:
            pass
    return change(type_)


def map_held(holder: Holder, change: Callable[[Type], Type]) -> Holder:
    """What has one type, with `change` applied to that."""
    return renew(holder, type=map_type(holder.type, change))


def map_decl(decl: Decl, change: Callable[[Type], Type]) -> Decl:
    """The declaration with `change` applied to all its types."""
    if isinstance(decl, Alias):
        return map_held(decl, change)
    fields = map_all(decl.fields, partial(map_held, change=change))
    return renew(decl, fields=fields, extra=map_type(decl.extra, change))


def map_operation(operation: Operation, change: Callable[[Type], Type]) -> Operation:
    """The operation with `change` applied to the types of its bodies and parameters."""
    bodies = map_all(operation.bodies, partial(map_held, change=change))
    parameters = map_all(operation.parameters, partial(map_held, change=change))
    return renew(operation, bodies=bodies, parameters=parameters)


def map_api(api: Api, change: Callable[[Type], Type]) -> Api:
    """The API with `change` applied to all its types."""
    operations = {it.id: map_operation(it, change) for it in api.operations}
    return replace(
        api,
        decls=tuple(map_decl(decl, change) for decl in api.decls),
        operations=tuple(operations.values()),
        streams=tuple(
            replace(
                s,
                event=map_type(s.event, change),
                result=s.result and map_type(s.result, change),
                operation=operations[s.operation.id],
            )
            for s in api.streams
        ),
    )


def roots(api: Api, direction: Direction) -> list[Type]:
    """The types that one side writes: parameters and bodies, and what streams make of them."""
    found = [
        part.type
        for operation in api.operations
        for part in operation.parts
        if part.direction is direction
    ]
    if direction is Direction.REQUEST:
        return found
    results = [stream.result for stream in api.streams if stream.result is not None]
    return [*found, *(stream.event for stream in api.streams), *results]


def reached(roots: Iterable[Type], decls: Mapping[DeclId, Decl]) -> set[DeclId]:
    """The declarations that a value of one of the types may hold."""
    return set(_reach(roots, decls))


def _reach(roots: Iterable[Type], decls: Mapping[DeclId, Decl]) -> Iterator[DeclId]:
    """Each declaration once, before those inside it."""
    found: set[DeclId] = set()
    pending = [target for root in roots for target in refs(root)]
    while pending:
        target = pending.pop()
        if target not in found:
            found.add(target)
            yield target
            pending += (id_ for type_ in types_of(decls[target]) for id_ in refs(type_))


def resolve(type_: Type, decls: Mapping[DeclId, Decl]) -> Type:
    """The type with names of other types followed to their end: a `Ref` that is left refers to an
    object.
    """
    while isinstance(type_, Ref):
        decl = decls[type_.target]
        if isinstance(decl, Object):
            break
        type_ = decl.type
    return type_


def without_null(type_: Type, decls: Mapping[DeclId, Decl]) -> Type:
    """The type with names of other types followed to their end, and null left out."""
    type_ = resolve(type_, decls)
    return without_null(type_.type, decls) if isinstance(type_, Nullable) else type_


def holds_objects(type_: Type, decls: Mapping[DeclId, Decl]) -> bool:
    """Whether a value of the type may hold an object that is declared."""
    return any(isinstance(decls[id_], Object) for id_ in _reach([type_], decls))


def is_converted(type_: Type, decls: Mapping[DeclId, Decl]) -> bool:
    """Whether more than a check makes a value of the type of JSON."""
    return holds_objects(type_, decls) or holds_conversions(type_, decls)


def holds_conversions(type_: Type, decls: Mapping[DeclId, Decl]) -> bool:
    """Whether a value of the type may hold a string that is read as something else."""
    held = (it for id_ in _reach([type_], decls) for it in types_of(decls[id_]))
    return _is_read_as_else(type_) or any(map(_is_read_as_else, held))


def _is_read_as_else(type_: Type) -> bool:
    if isinstance(type_, Scalar) and type_.conversion is not None:
        return True
    return any(map(_is_read_as_else, children(type_)))


def objects_of(member: Type, decls: Mapping[DeclId, Decl]) -> list[Object]:
    """The objects that one member of a union may be."""
    type_ = resolve(member, decls)
    if isinstance(type_, Ref):
        decl = decls[type_.target]
        return [decl] if isinstance(decl, Object) else []
    if isinstance(type_, Union | Nullable):
        return [found for child in children(type_) for found in objects_of(child, decls)]
    return []


def tag_fields(api: Api) -> set[tuple[DeclId, str]]:
    """The members that tell the objects of unions apart, each with its object."""
    decls = decls_by_id(api)
    return {
        (object_.id, type_.tag.field)
        for type_ in all_types(api)
        if isinstance(type_, Union) and type_.tag is not None
        for member in type_.members
        for object_ in objects_of(member, decls)
    }
