"""After this, every union of objects that a member tells apart has a `Tag` with all its cases.

The member is the one the discriminator names, or else one that every object requires and restricts
to constants: the schemas of a union often say by `const` alone what is meant. Values come from the
mapping, which has the last word on those that it names, from the constants of the member, and last
from the name of the schema (OpenAPI 3.1 section 4.8.25.4). A member that is a number tells nothing
apart. What an object is that lacks the member, the specification leaves open; by its schema it may
be any of those that do not require it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from codegen.diagnostics import Diagnostics
from codegen.ir.api import Api, Object
from codegen.ir.members import Decls, constant_texts, member_of
from codegen.ir.types import Constant, Literal, Map, Nullable, Scalar, ScalarKind, Tag, Type, Union
from codegen.ir.walk import decls_by_id, map_api, objects_of, without_null


def find_tags(api: Api, diagnostics: Diagnostics) -> Api:
    """Complete the declared tags, and find those that are not declared."""
    decls = decls_by_id(api)

    def change(type_: Type) -> Type:
        if not isinstance(type_, Union):
            return type_
        if any(_is_free(member, decls) for member in type_.members):
            return Union(type_.members, None, type_.open)
        objects = [objects_of(member, decls) for member in type_.members]
        if type_.tag is not None and _are_texts(type_.tag.field, objects, decls):
            return Union(type_.members, _complete(type_.tag, objects, decls), type_.open)
        return Union(type_.members, _infer(objects, decls), type_.open)

    return map_api(api, change)


def _are_texts(field: str, objects: list[list[Object]], decls: Decls) -> bool:
    """Whether each object that declares a member lets it be a text, as the values of a tag are."""
    declared = (member_of(option, field) for options in objects for option in options)
    types = (without_null(it.type, decls) for it in declared if it is not None)
    return all(
        it.kind is ScalarKind.STRING
        if isinstance(it, Scalar)
        else not isinstance(it, Literal) or ScalarKind.STRING in it.kinds
        for it in types
    )


def _is_free(member: Type, decls: Decls) -> bool:
    """Whether a member may be an object that declares nothing, and so has no tag."""
    type_ = without_null(member, decls)
    if isinstance(type_, Union):
        return any(_is_free(inner, decls) for inner in type_.members)
    return isinstance(type_, Map | Constant)


def _complete(tag: Tag, objects: list[list[Object]], decls: Decls) -> Tag:
    cases: defaultdict[str, list[int]] = defaultdict(list)
    for value, indices in tag.cases:
        cases[value] += indices
    named = frozenset(cases)
    mapped = {index for indices in cases.values() for index in indices}
    for index, options in enumerate(objects):
        for option in options:
            values = constant_texts(option, tag.field, decls)
            for value in values or (() if index in mapped else option.name[-1:]):
                if value not in named and index not in cases[value]:
                    cases[value].append(index)
    return _tag(tag.field, cases, objects)


def _tag(field: str, cases: Mapping[str, list[int]], objects: list[list[Object]]) -> Tag:
    untagged = (i for i, options in enumerate(objects) if any(_lack(it, field) for it in options))
    listed = ((value, tuple(indices)) for value, indices in cases.items())
    return Tag(field, tuple(listed), tuple(untagged))


def _lack(object_: Object, field: str) -> bool:
    """Whether an object may come without what tells it apart, or with null there."""
    declared = member_of(object_, field)
    return declared is None or not declared.required or isinstance(declared.type, Nullable)


def _infer(objects: list[list[Object]], decls: Decls) -> Tag | None:
    present = [options for options in objects if options]
    if len(present) < 2:
        return None
    best: Tag | None = None
    fewest = len(present)
    for field in present[0][0].fields:
        cases = _constant_cases(field.wire, objects, decls)
        most = max(map(len, cases.values()), default=fewest)
        if most < fewest:
            best, fewest = _tag(field.wire, cases, objects), most
    return best


def _constant_cases(
    field: str, objects: list[list[Object]], decls: Decls
) -> Mapping[str, list[int]]:
    """The objects that each constant of a member means; none unless all require it and restrict it
    to constants.
    """
    cases: defaultdict[str, list[int]] = defaultdict(list)
    for index, options in enumerate(objects):
        for option in options:
            declared = member_of(option, field)
            values = constant_texts(option, field, decls)
            if declared is None or not declared.required or not values:
                return {}
            for value in values:
                if index not in cases[value]:
                    cases[value].append(index)
    return cases
