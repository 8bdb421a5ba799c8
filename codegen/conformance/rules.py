"""Where the rules of a stream depend on what a schema says: keys of entries, names of the result.

What recordings take from a schema, such as a key that every entry requires, its rules have to do
without.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from codegen.diagnostics import Origin
from codegen.ir.api import Decl, Stream
from codegen.ir.members import Known, member_of
from codegen.ir.rules import KeyedRule, MergeRule, Otherwise
from codegen.ir.types import Array, DeclId, Type, Union
from codegen.ir.walk import without_null


@dataclass(frozen=True, slots=True)
class Ruled:
    """The rules of the members of some objects; `keyed`, if they are entries, says by what key."""

    objects: frozenset[DeclId]
    rule: MergeRule
    keyed: KeyedRule | None
    origin: Origin


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one stream, beside the types that they are about."""

    stream: Stream
    decls: Mapping[DeclId, Decl]

    def needs_key(self, owner: DeclId | None, name: str) -> Origin | None:
        """The rule that takes for granted that an object has this key."""
        for ruled in self._all():
            keyed = ruled.keyed
            needs_one = keyed is not None and keyed.otherwise is Otherwise.ERROR
            if keyed and needs_one and keyed.key == name and owner in ruled.objects:
                return ruled.origin
        return None

    def has_taken(self, pointer: str, name: str) -> bool:
        """Whether another member of the objects declared at a place has this name in the result."""
        return any(
            member.into == name and member.name != name
            for ruled in self._all()
            if any(self.decls[id_].origin.pointer == pointer for id_ in ruled.objects)
            for member in ruled.rule.members
        )

    def _all(self) -> Iterator[Ruled]:
        rules = self.stream.rules
        if rules is not None and isinstance(rules.how, MergeRule):
            yield from self._inside(rules.how, [self.stream.event], None, rules.origin)

    def _inside(
        self, rule: MergeRule, types: list[Type], keyed: KeyedRule | None, origin: Origin
    ) -> Iterator[Ruled]:
        known = Known(self.decls)
        objects = [object_ for type_ in types for object_ in known.objects(type_)]
        yield Ruled(frozenset(it.id for it in objects), rule, keyed, origin)
        for member in rule.members:
            declared = (member_of(object_, member.name) for object_ in objects)
            inside = [field.type for field in declared if field is not None]
            match member.rule:
                case MergeRule() as merge:
                    yield from self._inside(merge, inside, None, member.origin)
                case KeyedRule(of=merge) as entries:
                    items = [item for type_ in inside for item in self._items(type_)]
                    yield from self._inside(merge, items, entries, member.origin)
                case _:
                    pass

    def _items(self, type_: Type) -> Iterator[Type]:
        match without_null(type_, self.decls):
            case Array(item=item):
                yield item
            case Union(members=members):
                for member in members:
                    yield from self._items(member)
            case _:
                pass
