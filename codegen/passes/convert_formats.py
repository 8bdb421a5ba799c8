"""After this, a string whose format stands for a value is read as that value.

Texts that a stream joins stay texts in its events: a part of a value is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from codegen.ir.api import Api, Decl, Object, Stream
from codegen.ir.fold import FoldStep, Step, SwitchStep
from codegen.ir.members import Known
from codegen.ir.rules import Simple
from codegen.ir.types import Conversion, DeclId, Scalar, ScalarKind, Type
from codegen.ir.walk import decls_by_id, map_api, renew


def convert_formats(api: Api, conversions: Mapping[str, Conversion]) -> Api:
    """Give each string its conversion, by its format."""

    def convert(type_: Type) -> Type:
        if not isinstance(type_, Scalar) or type_.kind is not ScalarKind.STRING or type_.content:
            return type_
        return renew(type_, conversion=conversions.get(type_.format or ""))

    before = decls_by_id(api)
    joined = {member for stream in api.streams for member in _joined(stream, before)}
    api = map_api(api, convert)
    decls = (_keep(decl, before[decl.id], joined) for decl in api.decls)
    return replace(api, decls=tuple(decls))


def _keep(decl: Decl, before: Decl, joined: set[tuple[DeclId, str]]) -> Decl:
    """The declaration with the members that are joined as they were before."""
    if not isinstance(decl, Object) or not isinstance(before, Object):
        return decl
    pairs = zip(decl.fields, before.fields, strict=True)
    fields = (old if (decl.id, old.wire) in joined else new for new, old in pairs)
    return renew(decl, fields=tuple(fields))


def _joined(stream: Stream, decls: Mapping[DeclId, Decl]) -> Iterator[tuple[DeclId, str]]:
    """The members of events whose texts are joined, each with its object."""
    if stream.fold is None:
        return
    for part in stream.fold.parts:
        for slot in part.slots:
            if slot.how is Simple.CONCAT:
                yield from ((id_, slot.source.path[0]) for id_ in part.objects)
    known = Known(decls)
    for step in _fold_steps(step for case in stream.fold.cases for step in case.steps):
        if step.how is Simple.CONCAT and step.source.path:
            *before, name = step.source.path
            if owner := known.follow(stream.event, tuple(before)):
                yield from ((it.id, name) for it in known.objects(owner.type, owner.path))


def _fold_steps(steps: Iterable[Step]) -> Iterator[FoldStep]:
    for step in steps:
        match step:
            case FoldStep():
                yield step
            case SwitchStep(cases=cases):
                yield from _fold_steps(inner for _, inside in cases for inner in inside)
            case _:
                pass
