"""Members of values, followed through unions: what a path into an event or a result leads to.

A value is known by the objects it may be. What an event is known to hold (its kind, the tag of an
object inside) leaves fewer of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from codegen.ir.api import Decl, Field, Object
from codegen.ir.fold import Source
from codegen.ir.rules import Path
from codegen.ir.types import Anything, Array, DeclId, Literal, Map, Nullable, Ref, Type, Union
from codegen.ir.walk import resolve, without_null

Decls = Mapping[DeclId, Decl]


@dataclass(frozen=True, slots=True)
class Known:
    """The texts that are known to stand at some paths of an event."""

    decls: Decls
    texts: Mapping[Path, str] = field(default_factory=dict[Path, str])

    def also(self, path: Path, text: str) -> Known:
        return Known(self.decls, {**self.texts, path: text})

    def objects(self, type_: Type, path: Path = ()) -> list[Object]:
        """The objects that a value at a path may be."""
        found: list[Object] = []
        for branch in self._branches(type_, path):
            decl = self.decls[branch.target] if isinstance(branch, Ref) else None
            if isinstance(decl, Object) and self._agrees(decl, path):
                found.append(decl)
        return found

    def follow(self, type_: Type, path: Path) -> Source | None:
        """What a path leads to; None if no branch of the type has such a value.

        Of several types, the first stands for all.
        """
        types, sure, is_sure, in_object = [type_], 0, True, True
        for depth, token in enumerate(path):
            before = path[:depth]
            stepped = [self._step(it, before, token) for it in types]
            if is_sure:
                in_object = all(self.is_object(it, before) for it in types)
                is_sure = in_object and all(always for _, always in stepped)
                sure += is_sure
            types = [it for found, _ in stepped for it in found]
            if not types:
                return None
        type_ = self._narrowed(types[0], path)
        return Source(path=path, type=type_, sure=sure, in_object=in_object)

    def _narrowed(self, type_: Type, path: Path) -> Type:
        """The one object that a value is known to be, or else its type."""
        match [*self._branches(type_, path)], self.objects(type_, path):
            case [Ref() as only], [_]:
                return only
            case _:
                return type_

    def is_object(self, type_: Type, path: Path = ()) -> bool:
        """Whether a value at a path is an object in every branch."""
        return all(isinstance(branch, Ref | Map) for branch in self._branches(type_, path))

    def _step(self, type_: Type, path: Path, token: str) -> tuple[list[Type], bool]:
        """What one token leads to, and whether it does in every branch."""
        types: list[Type] = []
        is_sure = True
        objects = self.objects(type_, path)
        for object_ in objects:
            member = member_of(object_, token)
            if member is not None:
                types.append(member.type)
            is_sure = is_sure and member is not None and is_always_there(member, self.decls)
        others = [it for it in self._branches(type_, path) if not isinstance(it, Ref)]
        for branch in others:
            match branch:
                case Array(item=item, first=first) if token.isdecimal():
                    types.append(first[int(token)] if int(token) < len(first) else item)
                case Map(value=value):
                    types.append(value)
                case Anything():
                    types.append(branch)
                case _:
                    pass
        return types, is_sure and not others

    def _branches(self, type_: Type, path: Path) -> Iterator[Type]:
        """The types that a value is one of, unions inside unions opened."""
        type_ = resolve(type_, self.decls)
        match type_:
            case Nullable(type=inner):
                yield from self._branches(inner, path)
            case Union(members=members, tag=tag):
                text = self.texts.get((*path, tag.field)) if tag is not None else None
                if tag is not None and text is not None:
                    members = tuple(
                        members[i] for value, at in tag.cases if value == text for i in at
                    )
                for member in members:
                    yield from self._branches(member, path)
            case _:
                yield type_

    def _agrees(self, object_: Object, path: Path) -> bool:
        """Whether no constant of an object contradicts what is known."""
        return not any(
            place[:-1] == path
            and (member := member_of(object_, place[-1])) is not None
            and isinstance(type_ := resolve(member.type, self.decls), Literal)
            and not type_.open
            and text not in type_.values
            for place, text in self.texts.items()
            if place
        )


def member_of(object_: Object, name: str) -> Field | None:
    """The declared member of that name."""
    return next((field for field in object_.fields if field.wire == name), None)


def constant_texts(object_: Object, name: str, decls: Decls) -> tuple[str, ...]:
    """The strings that a member of an object is restricted to; none where it is free."""
    declared = member_of(object_, name)
    type_ = without_null(declared.type, decls) if declared is not None else None
    if isinstance(type_, Literal) and not type_.open:
        return tuple(value for value in type_.values if isinstance(value, str))
    return ()


def is_always_there(field: Field, decls: Decls) -> bool:
    """Whether a member is required and never null."""
    return field.required and not isinstance(resolve(field.type, decls), Nullable | Anything)


def default_number(field: Field) -> int | None:
    """What a member amounts to that is not there, where its schema says so: a whole number."""
    value = json.loads(field.default) if field.default else None
    return value if type(value) is int else None


def member_names(objects: Sequence[Object]) -> tuple[str, ...]:
    """The names of the members that any of the objects declares, each once."""
    return tuple(dict.fromkeys(field.wire for object_ in objects for field in object_.fields))
