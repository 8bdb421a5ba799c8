"""Schema Object -> `ir.Type` and declarations (OpenAPI 3.0 section 4.7.24, 3.1 section 4.8.24).

In: nodes that hold schemas. Out: a type for the place they stand at; each object becomes a
declaration, named after the schemas and members that lead to it. Rules: a schema referred to is
declared once and referred to by id, so recursion of every shape ends; what cannot be expressed is a
diagnostic with a place.
"""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass, field, replace

from codegen.ir.api import Access, Alias, Decl, Doc, Field, Name, Object
from codegen.ir.names import item_name
from codegen.ir.types import (
    Anything,
    Array,
    DeclId,
    JsonScalar,
    Literal,
    Map,
    Never,
    Null,
    Nullable,
    Ref,
    Scalar,
    ScalarKind,
    Type,
    Union,
    nullable,
    scalar_kind,
)
from codegen.openapi.conjunction import (
    TYPES,
    Facts,
    declared_types,
    gather,
    is_annotation,
    is_nullable,
    says,
)
from codegen.openapi.names import is_declared, name_at, variant_names
from codegen.openapi.node import Node
from codegen.openapi.resolver import REFERENCES, Resolver
from codegen.openapi.rules import read_rule
from codegen.openapi.union import join_types, read_mapping
from codegen.source.pointer import split


@dataclass(frozen=True, slots=True)
class Place:
    """Where a schema stands: the name an object there would take, the named schema it lies in, and,
    where it is that schema, the id it is referred to by.
    """

    name: Name
    home: DeclId
    id: DeclId | None = None

    def inside(self, *parts: str) -> Place:
        return Place((*self.name, *parts), self.home)

    def entry(self) -> Place:
        """The place of one entry of an array that stands here."""
        return Place((*self.name[:-1], item_name(self.name[-1])), self.home)


@dataclass(slots=True)
class SchemaReader:
    """Reads schemas on demand and collects what they declare."""

    resolver: Resolver
    _decls: dict[DeclId, Decl | None] = field(default_factory=dict[DeclId, Decl | None])
    _unread: deque[tuple[Node, Name]] = field(default_factory=deque[tuple[Node, Name]])
    # Names given to schemas that have none of their own, and where these are referred from.
    _names: dict[DeclId, Name] = field(default_factory=dict[DeclId, Name])
    _named: dict[DeclId, Node] = field(default_factory=dict[DeclId, Node])
    # What was read by way of a schema that it does not lie in.
    _abroad: set[DeclId] = field(default_factory=set[DeclId])

    def read_at(self, schema: Node, name: Name) -> Type:
        """The type of a schema that has no name of its own; any value where there is none."""
        if schema.data is None:
            schema = Node({}, schema.document, schema.pointer)
        return self.read((schema,), Place(name, schema.id))

    def lend(self, name: Name, node: Node) -> None:
        """Give the name of a schema that is nothing but a reference to what it refers to, unless
        that has a name too.

        `Pet: {$ref: pet.yaml}` means the schema in the file, not another name for it.
        """
        if set(node.keywords) != {"$ref"}:
            return
        target = self.resolver.resolve(node)
        if target is None or not isinstance(target.data, dict) or target.id in self._names:
            return
        if target.document is not node.document or not is_declared(split(target.pointer)):
            self._names[target.id] = name
            self._named[node.id] = target

    def declare(self, node: Node, name: Name) -> Ref:
        """Declare a schema that has a name of its own, and refer to it."""
        node = self._named.get(node.id, node)
        if node.id not in self._decls:
            # Read later: schemas refer to each other in circles, and in chains of any length.
            self._decls[node.id] = None
            self._unread.append((node, name))
        return Ref(node.id)

    def read_declared(self) -> tuple[Decl, ...]:
        """Read all that was referred to so far, and return every declaration."""
        while self._unread:
            self._read_declared(*self._unread.popleft())
        return tuple(decl for decl in self._decls.values() if decl is not None)

    def _read_declared(self, node: Node, name: Name) -> None:
        type_ = self.read((node,), Place(name, node.id, node.id))
        if type_ != Ref(node.id):
            type_ = self._free(node.id, type_)
            self._decls[node.id] = Alias(
                id=node.id,
                name=name,
                doc=read_doc(node),
                origin=node.origin,
                home=node.id,
                type=type_,
            )

    def _free(self, id_: DeclId, type_: Type) -> Type:
        """Free an id that an object has taken, for an alias that allows something else beside it.

        References from further inside mean the alias.
        """
        decl = self._decls[id_]
        if not isinstance(decl, Object):
            return type_
        new = DeclId(id_ + "?")
        self._decls[new] = replace(decl, id=new)

        def refer(type_: Type) -> Type:
            match type_:
                case Nullable(type=inner):
                    return nullable(refer(inner))
                case Union(members=members):
                    return replace(type_, members=tuple(map(refer, members)))
                case _:
                    return Ref(new) if type_ == Ref(id_) else type_

        return refer(type_)

    def read(self, nodes: tuple[Node, ...], place: Place) -> Type:
        """The type of a value for which all nodes hold."""
        if len(nodes) == 1:
            node = nodes[0]
            if node.id in self._names and place.id != node.id:
                return self.declare(node, self._names[node.id])
            if (inner := self._only_reference(node)) is not None:
                type_ = self._refer(inner, node, place)
                return nullable(type_) if _allows_null(node) else type_
            if (inner := _only_member(node)) is not None:
                type_ = self.read((inner,), place)
                return nullable(type_) if _allows_null(node) else type_
        facts = gather(nodes, self.resolver)
        type_ = self._read_facts(facts, nodes, place)
        return nullable(type_) if facts.nullable else type_

    def _only_reference(self, node: Node) -> Node | None:
        """The target of a schema that is nothing but a reference, annotations aside."""
        keyword = next((keyword for keyword in REFERENCES if node.text(keyword)), None)
        if keyword is None:
            return None
        if any(key != keyword and not is_annotation(key) for key in node.keywords if key != "type"):
            return None
        return self.resolver.target(node, keyword)

    def _refer(self, target: Node, node: Node, place: Place) -> Type:
        # A schema with holes is read again where they are filled, under the name it has there.
        if not isinstance(target.data, dict) or target.scope not in ((), node.scope):
            if place.id == node.id:
                self._named[target.id] = node
            return self.read((target,), place)
        return self.declare(target, self._names.get(target.id) or name_at(target))

    def _read_facts(self, facts: Facts, nodes: tuple[Node, ...], place: Place) -> Type:
        if facts.never:
            return Never()
        if facts.values is not None:
            scalars = [value for value in facts.values if not isinstance(value, dict | list)]
            if len(scalars) == len(facts.values):
                return self._read_values(scalars, nodes)
        if facts.alternatives:
            return self._read_alternatives(facts, place)
        return self._read_types(facts, nodes, place)

    def _read_values(self, scalars: list[JsonScalar], nodes: tuple[Node, ...]) -> Type:
        values = tuple(value for value in scalars if value is not None)
        if any(isinstance(value, float) for value in values):
            message = "which of the numbers it is is not checked"
            self.resolver.diagnostics.add("SB204", message, origin=nodes[-1].child("enum").origin)
            kinds = dict.fromkeys(scalar_kind(value) for value in values)
            return join_types(Scalar(kind) for kind in kinds if kind is not ScalarKind.INTEGER)
        return Literal(values) if values else Null() if scalars else Never()

    def _read_types(self, facts: Facts, nodes: tuple[Node, ...], place: Place) -> Type:
        types = facts.types
        if types is None:
            if facts.describes_object or facts.extra:
                types = frozenset({"object"})
            elif facts.items:
                types = frozenset({"array"})
            elif facts.content:
                types = frozenset({"string"})
            else:
                return Anything()
        for unknown in sorted(types - TYPES):
            self.resolver.diagnostics.add(
                "SB205", f"no such type: {unknown!r}", origin=nodes[0].child("type").origin
            )
            return Anything()
        if not types:
            self.resolver.diagnostics.add(
                "SB206", "these schemas exclude each other", origin=nodes[0].origin
            )
            return Never()
        return join_types(self._read_type(name, facts, nodes, place) for name in _ordered(types))

    def _read_type(self, name: str, facts: Facts, nodes: tuple[Node, ...], place: Place) -> Type:
        constraints = tuple(facts.constraints)
        match name:
            case "null":
                return Null()
            case "object":
                return self._read_object(facts, nodes, place)
            case "array":
                item = self.read(tuple(facts.items), place.entry()) if facts.items else Anything()
                return Array(item, constraints)
            case "string" if facts.content:
                content = self.read(tuple(facts.content), Place(place.name, place.home))
                return Scalar(ScalarKind.STRING, facts.format, constraints, content)
            case _:
                return Scalar(ScalarKind(name), facts.format, constraints)

    def _read_object(self, facts: Facts, nodes: tuple[Node, ...], place: Place) -> Type:
        extra = self._read_extra(facts, place)
        if not facts.describes_object:
            return Map(extra)
        id_ = place.id or DeclId("|".join(node.id for node in nodes))
        # Composition reads one place several times. It is called after the schema that it lies in,
        # whichever comes first.
        is_home = nodes[-1].id.startswith(f"{place.home}/")
        if place.id is None and id_ in self._decls and not (is_home and id_ in self._abroad):
            return Ref(id_)
        if id_ in self._abroad:
            self._abroad.remove(id_)
            del self._decls[id_]
        elif not is_home:
            self._abroad.add(id_)
        # An object comes before those inside it.
        self._decls[id_] = None
        fields = [self._read_field(wire, facts, place) for wire in facts.properties]
        for wire, entry in facts.required.items():
            if wire not in facts.properties:
                self.resolver.diagnostics.add(
                    "SB207", f"required {wire!r} is not declared", origin=entry.origin
                )
                fields.append(_undeclared(wire, entry))
        self._decls[id_] = Object(
            id=id_,
            name=place.name,
            doc=read_doc(*nodes),
            origin=nodes[-1].origin,
            home=place.home,
            fields=tuple(fields),
            extra=extra,
        )
        return Ref(id_)

    def _read_extra(self, facts: Facts, place: Place) -> Type:
        stated = [node for node in facts.extra if node.data is not True and node.data != {}]
        if not stated:
            return Anything()
        type_ = self.read(tuple(stated), place.inside("value"))
        if facts.describes_object and not isinstance(type_, Never):
            self.resolver.diagnostics.add(
                "SB204", "the type of undeclared members is not checked", origin=stated[-1].origin
            )
        return type_

    def _read_field(self, wire: str, facts: Facts, place: Place) -> Field:
        nodes = tuple(facts.properties[wire])
        access = Access.BOTH
        if any(says(node, "readOnly", self.resolver) for node in nodes):
            access = Access.READ
        elif any(says(node, "writeOnly", self.resolver) for node in nodes):
            access = Access.WRITE
        merges = (node.child("x-merge") for node in nodes if "x-merge" in node.keywords)
        rules = [read_rule(merge, self.resolver.diagnostics) for merge in merges]
        defaults = [n.keywords["default"] for n in nodes if "default" in n.keywords]
        return Field(
            wire=wire,
            type=self.read(nodes, place.inside(wire)),
            required=wire in facts.required,
            default=json.dumps(defaults[-1], ensure_ascii=False) if defaults else None,
            access=access,
            rule=rules[-1] if rules else None,
            doc=read_doc(*nodes),
            origin=nodes[-1].origin,
        )

    def _read_alternatives(self, facts: Facts, place: Place) -> Type:
        first, *others = facts.alternatives
        for other in others:
            self.resolver.diagnostics.add(
                "SB204",
                "a second oneOf or anyOf beside the first is not checked",
                origin=other.node.origin,
            )
        members = [m for m in first.members if not _only_requires(m)]
        if not members:
            self.resolver.diagnostics.add(
                "SB204",
                "which of the members are required together is not checked",
                origin=first.node.origin,
            )
            return self._read_types(replace(facts, alternatives=[]), tuple(facts.plain), place)
        base = tuple(node for node in facts.plain if _adds_members(node))
        names = variant_names(members, self.resolver, merged=bool(base))
        alone = len(members) - sum(_is_null(member) for member in members) == 1
        types = [
            self.read((*base, member), place if alone else place.inside(*name))
            for member, name in zip(members, names, strict=True)
        ]
        mapping = read_mapping(first.discriminator, self.resolver)
        return join_types(types, first.discriminator.text("propertyName"), mapping)


def read_doc(*nodes: Node) -> Doc:
    """The description that stands nearest: the last one of schemas that hold together."""
    texts = [node.text("description") for node in nodes if node.text("description").strip()]
    deprecated = any(node.flag("deprecated") for node in nodes)
    return Doc(text=texts[-1] if texts else "", deprecated=deprecated)


def _undeclared(wire: str, entry: Node) -> Field:
    return Field(
        wire=wire,
        type=Anything(),
        required=True,
        default=None,
        access=Access.BOTH,
        doc=Doc(),
        origin=entry.origin,
    )


def _ordered(types: frozenset[str]) -> list[str]:
    order = ("boolean", "integer", "number", "string", "array", "object", "null")
    return [name for name in order if name in types]


def _allows_null(node: Node) -> bool:
    return is_nullable(node) or "null" in declared_types(node)


def _only_member(node: Node) -> Node | None:
    """The one schema of an `allOf` that has nothing but annotations beside it."""
    members = tuple(node.child("allOf").entries())
    if len(members) != 1:
        return None
    rest = (key for key in node.keywords if key not in ("allOf", "type"))
    return members[0] if all(is_annotation(key) for key in rest) else None


def _is_null(node: Node) -> bool:
    return node.text("type") == "null"


def _only_requires(node: Node) -> bool:
    """A member of a union that only says which properties come together."""
    return (
        isinstance(node.data, dict)
        and "required" in node.data
        and all(key in ("required", "type") or is_annotation(key) for key in node.keywords)
    )


def _adds_members(node: Node) -> bool:
    return any(key in node.keywords for key in ("properties", "required", "additionalProperties"))
