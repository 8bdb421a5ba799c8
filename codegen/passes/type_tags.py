"""After this, the member that tells an object apart says which values mean that object, where the
unions that hold it alone agree on that.

`Start: {properties: {type: {type: string}}}` may owe its name on the wire to the mapping of a
discriminator, or to being called `Start` (OpenAPI 3.1 section 4.8.25.4). An object that something
else refers to as well may have other values there, and stays as it is written.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace

from codegen.diagnostics import Diagnostics
from codegen.ir.api import Api, Decl, Object
from codegen.ir.types import DeclId, Literal, Ref, Scalar, ScalarKind, Tag, Union
from codegen.ir.walk import all_types


def type_tags(api: Api, diagnostics: Diagnostics) -> Api:
    """Restrict each plain string that is a tag to the values that lead to its object."""
    values: defaultdict[tuple[DeclId, str], set[tuple[str, ...]]] = defaultdict(set)
    referred: Counter[DeclId] = Counter()
    told_apart: Counter[tuple[DeclId, str]] = Counter()
    for type_ in all_types(api):
        if isinstance(type_, Ref):
            referred[type_.target] += 1
        elif isinstance(type_, Union) and type_.tag is not None:
            for target, found in _values_by_member(type_, type_.tag).items():
                values[target, type_.tag.field].add(tuple(found))
                told_apart[target, type_.tag.field] += 1
    known = {
        key: next(iter(found))
        for key, found in values.items()
        if len(found) == 1 and told_apart[key] == referred[key[0]]
    }
    return replace(api, decls=tuple(_restrict(decl, known) for decl in api.decls))


def _values_by_member(union: Union, tag: Tag) -> dict[DeclId, list[str]]:
    """The values that lead to each declaration that is a member."""
    found: dict[DeclId, list[str]] = {m.target: [] for m in union.members if isinstance(m, Ref)}
    for value, indices in tag.cases:
        for index in indices:
            member = union.members[index]
            if isinstance(member, Ref):
                found[member.target].append(value)
    return found


def _restrict(decl: Decl, known: Mapping[tuple[DeclId, str], tuple[str, ...]]) -> Decl:
    if not isinstance(decl, Object):
        return decl
    fields = (
        replace(field, type=Literal(known[decl.id, field.wire]))
        if field.type == Scalar(ScalarKind.STRING) and known.get((decl.id, field.wire))
        else field
        for field in decl.fields
    )
    return replace(decl, fields=tuple(fields))
