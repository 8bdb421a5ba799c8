"""The plan of objects inside events: what becomes of each member, by its rule or by its type.

A member without a rule takes the structural default: objects merge; arrays whose entries require an
integer `index` are keyed by it, others are appended; a plain string is set once; anything else is
the last that came.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from codegen.diagnostics import Diagnostics, Origin
from codegen.ir.api import Field, Object
from codegen.ir.fold import How, Keyed, Merge, Part, PartId, Slot, Source
from codegen.ir.members import Known, default_number, is_always_there, member_names, member_of
from codegen.ir.names import item_name
from codegen.ir.rules import (
    GlueRule,
    JsonKind,
    JsonRule,
    KeyedRule,
    KindRule,
    MemberRule,
    MergeRule,
    Otherwise,
    PatchRule,
    Rule,
    Simple,
)
from codegen.ir.types import Anything, Array, DeclId, Scalar, ScalarKind, Type
from codegen.ir.walk import resolve, without_null

NO_RULES = MergeRule(members=())
_TEXT = frozenset({ScalarKind.STRING})
_KEPT = (None, Simple.FIRST, Simple.LAST)
_NUMBERS = frozenset({ScalarKind.INTEGER, ScalarKind.NUMBER})


@dataclass(slots=True)
class PartPlanner:
    """Plans parts as they are asked for; one object by the same rules is one part."""

    known: Known
    diagnostics: Diagnostics
    planned: dict[PartId, Part | None] = field(default_factory=dict[PartId, Part | None])
    # An object that holds itself, by rules that say no more of it, is the same part again.
    _inside: dict[tuple[tuple[DeclId, ...], MergeRule], PartId] = field(
        default_factory=dict[tuple[tuple[DeclId, ...], MergeRule], PartId]
    )

    def parts(self) -> tuple[Part, ...]:
        return tuple(part for part in self.planned.values() if part is not None)

    def part(self, objects: Sequence[Object], rules: MergeRule, id_: PartId) -> PartId:
        """Plan what an object, one of these, does by the rules of its members."""
        key = (tuple(it.id for it in objects), rules)
        if key in self._inside:
            return self._inside[key]
        self._inside[key] = id_
        self.planned[id_] = None
        names = member_names(objects)
        slots = tuple(self._slots(objects, rules, names, id_))
        self.planned[id_] = Part(
            id=id_, objects=tuple(it.id for it in objects), declared=names, slots=slots
        )
        del self._inside[key]
        return id_

    def _slots(
        self, objects: Sequence[Object], rules: MergeRule, names: tuple[str, ...], id_: PartId
    ) -> Iterator[Slot]:
        for name, rule in self._kept(objects, rules, names):
            fields = [it for object_ in objects if (it := member_of(object_, name)) is not None]
            how = self.how(fields[0].type, rule.rule, (*id_, rule.into), rule.origin)
            if how is not None:
                everywhere = len(fields) == len(objects)
                sure = everywhere and all(is_always_there(it, self.known.decls) for it in fields)
                source = Source(path=(name,), type=fields[0].type, sure=int(sure), in_object=True)
                yield Slot(source=source, target=rule.into, how=how)

    def _kept(
        self, objects: Sequence[Object], rules: MergeRule, names: tuple[str, ...]
    ) -> Iterator[tuple[str, MemberRule]]:
        """The members that have a place in the result, with their rules."""
        by_name = {member.name: member for member in rules.members}
        for name in [it for it in by_name if it not in names]:
            message = f"the event has no member {name!r}"
            self.diagnostics.add("SB305", message, origin=by_name[name].origin)
        taken: set[str] = set()
        for name in names:
            field_ = next(it for object_ in objects if (it := member_of(object_, name)))
            plain = MemberRule(name=name, into=name, rule=field_.rule, origin=field_.origin)
            rule = by_name.get(name, plain)
            if rule.rule is Simple.DROP:
                continue
            if rule.into in taken:
                message = f"two members become {rule.into!r} of the result"
                help_ = "name one of them otherwise with `into`"
                self.diagnostics.add("SB304", message, origin=rule.origin, help=help_)
                continue
            taken.add(rule.into)
            yield name, rule

    def how(self, type_: Type, rule: Rule | None, id_: PartId, origin: Origin) -> How | None:
        """What becomes of a value of a type; None after reporting that the rule does not fit it."""
        type_ = without_null(type_, self.known.decls)
        match rule if rule is not None else self._default(type_):
            case MergeRule() as merge:
                objects = self.known.objects(type_)
                if not objects or not self.known.is_object(type_):
                    self._unfit("only objects merge", origin)
                    return None
                return Merge(self.part(objects, merge, id_))
            case KeyedRule() as keyed:
                return self._keyed(type_, keyed, id_, origin)
            case Simple() | GlueRule() | JsonRule() | PatchRule() | KindRule() as fitting:
                self._check(fitting, type_, origin)
                return _of_anything(fitting) if isinstance(type_, Anything) else fitting

    def _keyed(self, type_: Type, rule: KeyedRule, id_: PartId, origin: Origin) -> How | None:
        entries = self._entries(type_)
        found = [member_of(entry, rule.key) for entry in entries]
        keys = [it for it in found if it is not None and self._is_key(it, rule)]
        if not keys or len(keys) < len(found):
            message = f"only arrays of objects that require {rule.key!r} are keyed by it"
            self._unfit(message, origin)
            return None
        rule = self._with_apart(rule, entries, origin)
        part = self.part(entries, _with_key(rule, origin), (*id_[:-1], item_name(id_[-1])))
        defaults = (self._default_key(it, rule) for it in keys)
        default = next((it for it in defaults if it is not None), None)
        return Keyed(rule=rule, part=part, default=default)

    def _with_apart(self, rule: KeyedRule, entries: Sequence[Object], origin: Origin) -> KeyedRule:
        """The rule, without a member that tells entries apart if there is none."""
        if rule.apart is None or not self._names_members((rule.apart,), entries, origin):
            return replace(rule, apart=None)
        said = [it for it in rule.of.members if it.name == rule.apart]
        if any(it.into != it.name or it.rule not in _KEPT for it in said):
            message = f"entries are told apart by {rule.apart!r}, so it is kept: first or last"
            self._unfit(message, origin)
        return rule

    def _names_members(
        self, names: Sequence[str], objects: Sequence[Object], origin: Origin
    ) -> bool:
        """Whether the objects have all these members; says which they lack."""
        unknown = [name for name in names if name and name not in member_names(objects)]
        for name in unknown:
            message = f"the entries have no member {name!r}"
            self.diagnostics.add("SB305", message, origin=origin)
        return not unknown

    def _default(self, type_: Type) -> Rule:
        if isinstance(type_, Array):
            entries = self.known.objects(type_.item)
            index = KeyedRule.by_index()
            keys = [member_of(entry, index.key) for entry in entries]
            is_keyed = bool(keys) and all(it is not None and self._is_index(it) for it in keys)
            return index if is_keyed else Simple.APPEND
        if self.known.objects(type_) and self.known.is_object(type_):
            return NO_RULES
        plain = isinstance(type_, Scalar) and type_.kind is ScalarKind.STRING and not type_.format
        return Simple.FIRST if plain else Simple.LAST

    def _check(self, rule: Rule, type_: Type, origin: Origin) -> None:
        is_any = isinstance(type_, Anything)
        match rule:
            case Simple.CONCAT if not (is_any or _is_scalar(type_, _TEXT)):
                self._unfit("only strings are joined", origin)
            case JsonRule() if not _is_scalar(type_, _TEXT):
                self._unfit("only strings hold JSON texts", origin)
            case Simple.SUM | Simple.MAX if not _is_scalar(type_, _NUMBERS):
                self._unfit("only numbers are added or compared", origin)
            case Simple.APPEND if not (is_any or isinstance(type_, Array)):
                self._unfit("only arrays are appended", origin)
            case GlueRule() if is_any:
                pass
            case GlueRule() | PatchRule() if not self._entries(type_):
                self._unfit("only arrays of objects are taken apart so", origin)
            case GlueRule(glue=glue):
                names = (*glue.same, *glue.concat, *glue.last)
                self._names_members(names, self._entries(type_), origin)
            case PatchRule(path=path, values=values):
                self._names_members((path, *values), self._entries(type_), origin)
            case _:
                pass

    def _entries(self, type_: Type) -> list[Object]:
        return self.known.objects(type_.item) if isinstance(type_, Array) else []

    def _unfit(self, message: str, origin: Origin) -> None:
        self.diagnostics.add("SB304", message, origin=origin)

    def _is_key(self, field_: Field, rule: KeyedRule) -> bool:
        type_ = without_null(field_.type, self.known.decls)
        if rule.otherwise is not Otherwise.ERROR:
            return isinstance(type_, Scalar) and type_.kind is ScalarKind.INTEGER
        kinds = (ScalarKind.INTEGER, ScalarKind.STRING)
        fits = isinstance(type_, Scalar) and type_.kind in kinds
        is_there = is_always_there(field_, self.known.decls)
        return fits and (is_there or self._default_key(field_, rule) is not None)

    def _default_key(self, field_: Field, rule: KeyedRule) -> int | None:
        """The key of an entry without one, by its schema, where the rule says nothing else."""
        type_ = resolve(field_.type, self.known.decls)
        is_number = isinstance(type_, Scalar) and type_.kind is ScalarKind.INTEGER
        says_else = rule.otherwise is not Otherwise.ERROR or rule.apart is not None
        return default_number(field_) if is_number and not says_else else None

    def _is_index(self, field_: Field) -> bool:
        type_ = without_null(field_.type, self.known.decls)
        integer = isinstance(type_, Scalar) and type_.kind is ScalarKind.INTEGER
        return integer and is_always_there(field_, self.known.decls)


def _is_scalar(type_: Type, kinds: frozenset[ScalarKind]) -> bool:
    return isinstance(type_, Scalar) and type_.kind in kinds


def _of_anything(rule: How) -> How:
    """A rule for values of any kind takes those that it can join."""
    match rule:
        case Simple.CONCAT:
            return KindRule(rules=((JsonKind.STRING, rule),))
        case Simple.APPEND | GlueRule():
            return KindRule(rules=((JsonKind.ARRAY, rule),))
        case _:
            return rule


def _with_key(rule: KeyedRule, origin: Origin) -> MergeRule:
    """The rules of an entry, the key among them: kept as it first came, or dropped."""
    if any(member.name == rule.key for member in rule.of.members):
        return rule.of
    word = Simple.FIRST if rule.keep_key else Simple.DROP
    key = MemberRule(name=rule.key, into=rule.key, rule=word, origin=origin)
    return MergeRule(members=(*rule.of.members, key))
