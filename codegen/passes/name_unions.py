"""After this, every union that may hold objects is the type of an alias, named after the member it
stands at: of the object that declares it, not of those composed of that one.

A union of objects is worth a name: it is decoded in one place, and users write it in their own
annotations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from codegen.diagnostics import Diagnostics, Origin
from codegen.ir.api import Alias, Api, Decl, Field, Name, Object
from codegen.ir.names import item_name
from codegen.ir.types import Array, DeclId, Map, Nullable, Ref, Type, Union
from codegen.ir.walk import decls_by_id, holds_objects, renew


def name_unions(api: Api, diagnostics: Diagnostics) -> Api:
    """Declare each inline union of objects as an alias beside the object that holds it."""
    decls = decls_by_id(api)
    known: dict[DeclId, Alias] = {}
    fields = _name_fields(api, decls, known)
    changed: list[Decl] = []
    for decl in api.decls:
        namer = _Namer(decls, known, decl.home, decl.origin)
        match decl:
            case Object(name=name):
                extra = namer.move(decl.extra, (*name, "value"), decl.origin.pointer + "/extra")
                named, aliases = fields[decl.id]
                decl = replace(decl, fields=named, extra=extra)
                changed += (decl, *aliases, *namer.found)
            case Alias(name=name, type=type_):
                decl = replace(decl, type=namer.content(type_, name, decl.origin.pointer))
                changed += (decl, *namer.found)
    streams = list(api.streams)
    for index, stream in enumerate(streams):
        name = (*stream.name, "event")
        namer = _Namer(
            decls, known, DeclId(stream.origin.document + stream.origin.pointer), stream.origin
        )
        result = (*stream.name, "result")
        streams[index] = replace(
            stream,
            event=namer.name(stream.event, name, stream.origin.pointer),
            result=stream.result
            and namer.name(stream.result, result, stream.origin.pointer + "/result"),
        )
        changed += namer.found
    return replace(api, decls=tuple(changed), streams=tuple(streams))


def _name_fields(
    api: Api, decls: Mapping[DeclId, Decl], known: dict[DeclId, Alias]
) -> dict[DeclId, tuple[tuple[Field, ...], list[Alias]]]:
    """The fields of each object, and the aliases of their unions.

    Those that an object declares itself come first: others have the same by composition.
    """
    objects = [decl for decl in api.decls if isinstance(decl, Object)]
    types: dict[tuple[DeclId, str], Type] = {}
    aliases: defaultdict[DeclId, list[Alias]] = defaultdict(list)
    for is_own in (True, False):
        for object_ in objects:
            namer = _Namer(decls, known, object_.home, object_.origin)
            for field in object_.fields:
                if _declares(object_, field) is is_own:
                    name = (*object_.name, field.wire)
                    type_ = namer.move(field.type, name, field.origin.pointer)
                    types[object_.id, field.wire] = type_
            aliases[object_.id] += namer.found
    return {
        object_.id: (
            tuple(renew(f, type=types[object_.id, f.wire]) for f in object_.fields),
            aliases[object_.id],
        )
        for object_ in objects
    }


def _declares(object_: Object, field: Field) -> bool:
    place = object_.home.partition("#")[2]
    is_inside = field.origin.pointer.startswith(f"#{place}/")
    return is_inside and field.origin.document == object_.origin.document


class _Namer:
    """Moves the unions of one declaration into aliases."""

    def __init__(
        self,
        decls: Mapping[DeclId, Decl],
        known: dict[DeclId, Alias],
        home: DeclId,
        origin: Origin,
    ) -> None:
        self._decls = decls
        self._known = known
        self._home = home
        self._document = origin.document
        self.found: list[Alias] = []

    def move(self, type_: Type, name: Name, pointer: str) -> Type:
        """The type with a reference in place of each union of objects."""
        if isinstance(type_, Union) and holds_objects(type_, self._decls):
            return self.name(type_, name, pointer)
        return self.inside(type_, name, pointer)

    def name(self, type_: Type, name: Name, pointer: str) -> Ref:
        """A reference to the type, which is declared as an alias unless it has a name."""
        if isinstance(type_, Ref):
            return type_
        id_ = DeclId(self._document + pointer)
        held = self.inside(type_, name, pointer)
        while id_ in self._known or id_ in self._decls:
            # Composition reads one place several times: the same type, unless more holds there.
            if id_ in self._known and self._known[id_].type == held:
                return Ref(id_)
            id_ = DeclId(id_ + "+")
        alias = Alias(
            id=id_,
            name=name,
            origin=Origin(document=self._document, pointer=pointer),
            home=self._home,
            type=held,
        )
        self._known[id_] = alias
        self.found.append(alias)
        return Ref(id_)

    def content(self, type_: Type, name: Name, pointer: str) -> Type:
        """The type of a declaration, whose name also covers the null beside a union."""
        if isinstance(type_, Nullable):
            return Nullable(self.inside(type_.type, name, pointer))
        return self.inside(type_, name, pointer)

    def inside(self, type_: Type, name: Name, pointer: str) -> Type:
        """The type itself as it is, the unions inside it moved."""
        match type_:
            case Nullable(type=inner):
                return Nullable(self.move(inner, name, pointer))
            case Array(item=item, first=first):
                entry = (*name[:-1], item_name(name[-1]))
                moved = tuple(
                    self.move(it, (*entry, str(i + 1)), f"{pointer}/prefixItems/{i}")
                    for i, it in enumerate(first)
                )
                item = self.move(item, entry, pointer + "/items")
                return renew(type_, item=item, first=moved or first)
            case Map(value=value):
                value = self.move(value, (*name, "value"), pointer + "/additionalProperties")
                return renew(type_, value=value)
            case Union(members=members, tag=tag, open=open_):
                # The name is that of the whole; inside, what may be an object is called one.
                names = (
                    (*name, "object") if isinstance(member, Union) else name for member in members
                )
                moved = tuple(
                    self.move(member, its, f"{pointer}/{index}")
                    for index, (member, its) in enumerate(zip(members, names, strict=True))
                )
                return Union(moved, tag, open_)
            case _:
                return type_
