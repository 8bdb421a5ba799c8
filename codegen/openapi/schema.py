"""Schema Object -> `ir.Type` and declarations (OpenAPI 3.0 section 4.7.24, 3.1 section 4.8.24).

In: nodes that hold schemas. Out: a type for the place they stand at; each object becomes a
declaration, named after the schemas and members that lead to it. Rules: a schema referred to is
declared once and referred to by id, so recursion of every shape ends; what cannot be expressed is a
diagnostic with a place.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product

from codegen.ir.api import Access, Alias, Decl, Field, Name, Object
from codegen.ir.types import (
    Anything,
    Array,
    DeclId,
    Map,
    Never,
    Null,
    Ref,
    Scalar,
    ScalarKind,
    Type,
    nullable,
)
from codegen.openapi.choices import Choice, adds, choices, is_possible, sole_reference
from codegen.openapi.conjunction import (
    COMPOSITION,
    Facts,
    gather,
    is_nullable,
    own_keywords,
    says,
    stated_references,
)
from codegen.openapi.constants import fits, fitting, listed_names, read_constants
from codegen.openapi.constraints import constraints_of
from codegen.openapi.doc import read_doc
from codegen.openapi.excluding_types import without_excluding_types
from codegen.openapi.family import Families
from codegen.openapi.keywords import is_annotation
from codegen.openapi.listed import TYPES
from codegen.openapi.names import is_declared, name_at
from codegen.openapi.node import Node
from codegen.openapi.place import Place, key_of
from codegen.openapi.resolver import Resolver
from codegen.openapi.rules import read_rule
from codegen.openapi.union import join_types, read_mapping, replace_member, tag_name
from codegen.source.pointer import split

# The largest documents take some ten thousand; each union of unions may double the rest.
MAX_READS = 500_000


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
    # Schemas that are being read and declare nothing, and whether one of them holds itself.
    _open: dict[DeclId, bool] = field(default_factory=dict[DeclId, bool])
    _reads: int = 0
    _families: Families = field(init=False)

    def __post_init__(self) -> None:
        self._families = Families(self.resolver)

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
        type_ = self._read_named(node, name)
        # A schema that says nothing but itself is an alias too, if of nothing.
        if type_ != Ref(node.id) or self._decls[node.id] is None:
            type_ = self._free(node.id, type_)
            self._decls[node.id] = Alias(
                id=node.id,
                name=name,
                doc=read_doc(node),
                origin=node.origin,
                home=node.id,
                type=type_,
            )

    def _read_named(self, node: Node, name: Name) -> Type:
        family = self._families.find(node)
        if family is None:
            return self.read((node,), Place(name, node.id, node.id))
        types: dict[DeclId, Type] = {it.id: self.declare(it, name_at(it)) for it in family.heirs}
        if node.id in family.cases.values():
            types[node.id] = self.read((node,), Place(name, node.id, DeclId(node.id + "?")))
        mapping = {value: types[id_] for value, id_ in family.cases.items()}
        return join_types(types.values(), family.field, mapping)

    def _free(self, id_: DeclId, type_: Type) -> Type:
        """Free an id that an object has taken, for an alias that allows something else beside it.

        References from further inside mean the alias.
        """
        decl = self._decls[id_]
        if not isinstance(decl, Object):
            return type_
        new = DeclId(id_ + "?")
        self._decls[new] = replace(decl, id=new)
        return replace_member(type_, Ref(id_), Ref(new))

    def read(self, nodes: tuple[Node, ...], place: Place) -> Type:
        """The type of a value for which all nodes hold."""
        self._reads += 1
        if self._reads > MAX_READS:
            message = f"by here, schemas combine to more than {MAX_READS:,} types"
            self.resolver.diagnostics.add("SB105", message, origin=nodes[0].origin)
            self.resolver.diagnostics.check()
        nodes = without_excluding_types(nodes, self.resolver)
        if len(nodes) == 1 and nodes[0].id in self._names and place.id != nodes[0].id:
            return self.declare(nodes[0], self._names[nodes[0].id])
        if len(nodes) == 1 and (inner := self._sole_part(node := nodes[0])) is not None:
            is_member = bool(node.keywords.get("allOf"))
            type_ = self.read((inner,), place) if is_member else self._refer(inner, node, place)
            return nullable(type_) if is_nullable(node) else type_
        if (sole := sole_reference(nodes, self.resolver)) is not None:
            return self.read((sole,), place)
        key = key_of(nodes)
        if key in place.around:
            return Never()  # one of itself or others is one of the others
        if key in self._open and key not in self._decls:
            self._open[key] = True
            return Ref(_held_inside(key))
        self._open[key] = False
        facts = gather(nodes, self.resolver)
        type_ = self._read_facts(facts, nodes, place)
        return self._declare_held(key, type_, nodes, place) if self._open.pop(key, False) else type_

    def _declare_held(self, key: DeclId, type_: Type, nodes: tuple[Node, ...], place: Place) -> Ref:
        """Declare a type that holds itself, though no name in the document refers to it."""
        id_ = _held_inside(key)
        self._decls[id_] = Alias(
            id=id_,
            name=place.name,
            doc=read_doc(*nodes),
            origin=nodes[-1].origin,
            home=place.home,
            type=type_,
        )
        return Ref(id_)

    def _sole_part(self, node: Node) -> Node | None:
        """What a reference or an `allOf` of one schema leads to, where nothing beside it adds to
        that.
        """
        stated = COMPOSITION.intersection(node.keywords)
        if not stated or "oneOf" in stated or "anyOf" in stated:
            return None
        members = tuple(node.entries_of("allOf"))
        keyword = next(iter(stated_references(node)), None)
        if keyword is None:
            part = members[0] if len(members) == 1 else None
        else:
            part = None if members else self.resolver.target(node, keyword)
        if part is None:
            return None
        own = own_keywords(node)
        beside = (key for key in own.keywords if key not in ("type", keyword))
        if all(map(is_annotation, beside)) and "type" not in own.keywords:
            return part
        return None if adds(gather((own,), self.resolver), (part,), self.resolver) else part

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
        for unknown in sorted((facts.types or frozenset()).difference(TYPES)):
            origin = nodes[0].child("type").origin
            self.resolver.diagnostics.add("SB205", f"no such type: {unknown!r}", origin=origin)
            return Anything()
        if facts.values is not None:
            type_ = self._read_values(facts, nodes)
            return nullable(type_) if fits(None, facts, self.resolver) else type_
        found = choices(facts, self.resolver)
        if found is not None:  # null is one of them
            return self._read_choices(found, facts, place.choosing(key_of(nodes)))
        type_ = self._read_types(facts, nodes, place)
        return nullable(type_) if facts.nullable else type_

    def _read_values(self, facts: Facts, nodes: tuple[Node, ...]) -> Type:
        fit = fitting(facts.values or (), facts, self.resolver)
        type_ = read_constants(fit, nodes[0], self.resolver)
        if isinstance(type_, Never) and not facts.nullable:
            return self._exclude(nodes)
        return type_

    def _exclude(self, nodes: tuple[Node, ...]) -> Never:
        message = "these schemas exclude each other"
        self.resolver.diagnostics.add("SB206", message, origin=nodes[0].origin)
        return Never()

    def _read_types(self, facts: Facts, nodes: tuple[Node, ...], place: Place) -> Type:
        types = facts.kinds
        if types is None:
            return Anything()
        if not types:
            return Null() if facts.nullable else self._exclude(nodes)
        return join_types(self._read_type(it, facts, nodes, place) for it in TYPES if it in types)

    def _read_type(self, name: str, facts: Facts, nodes: tuple[Node, ...], place: Place) -> Type:
        constraints = constraints_of(name, facts.constraints)
        match name:
            case "object":
                return self._read_object(facts, nodes, place)
            case "array":
                return self._read_array(facts, place)
            case "string" if facts.content:
                content = self.read(tuple(facts.content), Place(place.name, place.home))
                return Scalar(ScalarKind.STRING, facts.format, constraints, content)
            case _:
                return Scalar(ScalarKind(name), facts.format, constraints)

    def _read_array(self, facts: Facts, place: Place) -> Array:
        count = max((len(entries.first) for entries in facts.entries), default=0)
        entry = place.entry()
        first = tuple(
            self._read_entry(facts.entry(i), entry.inside(str(i + 1))) for i in range(count)
        )
        rest = [entries.rest for entries in facts.entries if entries.rest is not None]
        item = self._read_entry(rest, entry)
        most = (it.value for it in facts.constraints if it.keyword == "maxItems")
        if count and count in most:
            item = Never()
        return Array(item, constraints_of("array", facts.constraints), first)

    def _read_entry(self, nodes: list[Node], place: Place) -> Type:
        return self.read(tuple(nodes), place) if nodes else Anything()

    def _read_object(self, facts: Facts, nodes: tuple[Node, ...], place: Place) -> Type:
        names = listed_names(facts, self.resolver)
        constraints = constraints_of("object", facts.constraints)
        if not facts.describes_object and names is None:
            return Map(self._read_extra(facts, place), constraints)
        id_ = place.id or key_of(nodes)
        # Composition reads one place several times. It is called after the schema that it lies in,
        # whichever comes first.
        is_home = f"{nodes[-1].id}/".startswith(f"{place.home}/")
        if place.id is None and id_ in self._decls and not (is_home and id_ in self._abroad):
            return Ref(id_)
        if id_ in self._abroad:
            self._abroad.remove(id_)
            del self._decls[id_]
        elif not is_home:
            self._abroad.add(id_)
        # An object comes before those inside it.
        self._decls[id_] = None
        extra = self._read_extra(facts, place)
        self._decls[id_] = Object(
            id=id_,
            name=place.name,
            doc=read_doc(*nodes),
            origin=nodes[-1].origin,
            home=place.home,
            fields=tuple(self._read_fields(facts, names, extra, place)),
            extra=extra if names is None else Never(),
            constraints=constraints,
        )
        return Ref(id_)

    def _read_fields(
        self, facts: Facts, names: Mapping[str, Node] | None, extra: Type, place: Place
    ) -> Iterator[Field]:
        for wire, members in facts.properties.items():
            field_ = self._read_field(wire, members, facts, place)
            is_named = names is None or wire in names
            yield field_ if is_named else replace(field_, type=Never())
        for wire, node in (names or {}).items():
            if wire not in facts.properties:
                yield _undeclared(wire, extra, node, required=wire in facts.required)
        for wire, entry in facts.required.items():
            if wire not in facts.properties and wire not in (names or {}):
                message = f"required {wire!r} is not declared"
                self.resolver.diagnostics.add("SB207", message, origin=entry.origin)
                type_ = Anything() if isinstance(extra, Never) else extra
                yield _undeclared(wire, type_, entry, required=True)

    def _read_extra(self, facts: Facts, place: Place) -> Type:
        """The type of undeclared members: of each schema that speaks of them, one of those that it
        lists holds.
        """
        if not facts.extra:
            return Anything()
        together = [it for it in product(*facts.extra) if is_possible(it, self.resolver)]
        return join_types(self.read(nodes, place.inside("value")) for nodes in together)

    def _read_field(self, wire: str, members: list[Node], facts: Facts, place: Place) -> Field:
        nodes = tuple(members)
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

    def _read_choices(self, found: list[Choice], facts: Facts, place: Place) -> Type:
        discriminator = facts.alternatives[0].discriminator
        types = [self.read(it.nodes, place.choice(it.name)) for it in found]
        targets = read_mapping(discriminator, self.resolver)
        mapping: dict[str, Type] = {}
        for type_, choice in zip(types, found, strict=True):
            ids = {self._target_id(member) for member in choice.members}
            mapping |= {value: type_ for value, target in targets.items() if target in ids}
        return join_types(types, tag_name(discriminator), mapping)

    def _target_id(self, node: Node) -> DeclId:
        target = self.resolver.target(node) if node.text("$ref") else None
        return target.id if target is not None else node.id


def _held_inside(key: DeclId) -> DeclId:
    return DeclId(key + "*")


def _undeclared(wire: str, type_: Type, node: Node, *, required: bool) -> Field:
    return Field(
        wire=wire,
        type=type_,
        required=required,
        origin=node.origin,
    )
