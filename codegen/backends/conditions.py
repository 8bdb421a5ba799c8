"""`ir.Type` -> the condition under which a JSON value is one of it.

In: a type and the expression of a value. Out: a boolean expression, straight and without calls
where it can be. Used for values that need no conversion; objects are decoded by functions of their
own.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from codegen.backends.limits import conditions_of
from codegen.backends.scope import DECODING, Scope
from codegen.ir.types import (
    Anything,
    Array,
    Constant,
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
)
from codegen.python.code import Code, snippet
from codegen.python.layout import (
    Comprehension,
    Expr,
    Group,
    Ops,
    atom,
    braces,
    call,
    ops,
    parens,
)
from codegen.python.literals import format_value

_NAMES = (Code("item"), Code("inner"), Code("innermost"))
_KINDS = {
    ScalarKind.STRING: Code("str"),
    ScalarKind.INTEGER: Code("int"),
    ScalarKind.NUMBER: Code("float"),
    ScalarKind.BOOLEAN: Code("bool"),
}
_AND, _OR = Code("and"), Code("or")
_NONE = atom(Code("None"))
_OPPOSITES = {Code("is"): Code("is not"), Code("=="): Code("!=")}


class Conditions:
    """Builds the conditions of one module.

    Values are `Any`, and containers are told by functions: by `type(x) is list`, a value would
    become a list of unknown to type checkers.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def holds(self, type_: Type, value: Expr, depth: int = 0) -> Expr | None:
        """The condition, or None where any value will do."""
        limits = list(conditions_of(type_, value, self._scope))
        condition = self._fits(type_, value, depth)
        return all_of(condition, *limits) if limits else condition

    def _fits(self, type_: Type, value: Expr, depth: int) -> Expr | None:
        """The condition that the limits of the type come after."""
        match type_:
            case Anything():
                return None
            case Never():
                return atom(Code("False"))
            case Null():
                return _is_none(value)
            case Scalar(kind=ScalarKind.NUMBER):
                return any_of(kind_is(value, Code("float")), kind_is(value, Code("int")))
            case Scalar(kind=kind):
                return kind_is(value, _KINDS[kind])
            case Literal():
                return self._literal(type_, value)
            case Constant(text=text):
                name = self._scope.use(DECODING, "one_of")
                return call(name, value, atom(format_value(json.loads(text))))
            case Array(item=item, first=()):
                each = self._each(item, value.code, depth)
                return all_of(self._container("is_array", value), each)
            case Array(item=item, first=first):
                return all_of(
                    self._container("is_array", value),
                    *(self._at(i, it, value.code, depth) for i, it in enumerate(first)),
                    self._each(item, snippet("{}[{}:]", value.code, _number(len(first))), depth),
                )
            case Map(value=member):
                each = self._each(member, snippet("{}.values()", value.code), depth)
                return all_of(self._container("is_object", value), each)
            case Ref(target=target):
                return self.holds(self._scope.alias_type(target), value, depth)
            case Nullable(type=inner):
                condition = self.holds(inner, value, depth)
                return condition and any_of(_is_none(value), condition)
            case Union(members=members):
                conditions = [self.holds(member, value, depth) for member in members]
                return any_of(*(c for c in conditions if c is not None))
            case _:
                assert_never(type_)

    def _literal(self, type_: Literal, value: Expr) -> Expr:
        if type_.open:
            return any_of(*(c for kind in type_.kinds if (c := self.holds(Scalar(kind), value))))
        if len(type_.values) == 1 and isinstance(type_.values[0], str):
            return Ops(Code("=="), (value, atom(format_value(type_.values[0]))))
        name = self._scope.use(DECODING, "one_of")
        return call(name, value, *(atom(format_value(v)) for v in type_.values))

    def _container(self, is_one: str, value: Expr) -> Expr:
        return call(self._scope.use(DECODING, is_one), value)

    def _at(self, index: int, type_: Type, array: Code, depth: int) -> Expr | None:
        """The condition of one of the first entries, which may not be there."""
        place = _number(index)
        condition = self.holds(type_, atom(snippet("{}[{}]", array, place)), depth)
        if condition is None:
            return None
        empty = snippet("not {}", array)
        missing = atom(snippet("len({}) <= {}", array, place) if index else empty)
        return missing if isinstance(type_, Never) else any_of(missing, condition)

    def _each(self, type_: Type, source: Code, depth: int) -> Expr | None:
        if isinstance(type_, Never):
            return atom(snippet("not {}", source))
        name = _NAMES[depth] if depth < len(_NAMES) else snippet("{}_", _NAMES[-1])
        condition = self.holds(type_, atom(name), depth + 1)
        if condition is None:
            return None
        return call(Code("all"), Comprehension(condition, snippet("for {} in {}", name, source)))


def _number(value: int) -> Code:
    return format_value(value)


def has_only(value: Code, names: Sequence[Code]) -> Expr:
    """The condition that an object has no other members."""
    keys = snippet("{}.keys()", value)
    if not names:
        return atom(snippet("not {}", value))
    return Ops(Code("<="), (atom(keys), braces(*map(atom, names))))


def kind_is(value: Expr, kind: Code) -> Expr:
    return Ops(Code("is"), (call(Code("type"), value), atom(kind)))


def _is_none(value: Expr) -> Expr:
    return Ops(Code("is"), (value, _NONE))


def all_of(*conditions: Expr | None) -> Expr:
    """The conditions joined by `and`."""
    parts: list[Expr] = []
    for condition in conditions:
        if isinstance(condition, Ops) and condition.operator == _AND:
            parts += condition.operands
        elif condition is not None:
            parts.append(_enclosed(condition))
    return ops(_AND, *parts)


def any_of(*conditions: Expr) -> Expr:
    """The conditions joined by `or`, each once."""
    parts: list[Expr] = []
    for condition in conditions:
        if isinstance(condition, Ops) and condition.operator == _OR:
            parts += condition.operands
        elif isinstance(condition, Ops) and condition.operator == _AND:
            parts.append(parens(condition))
        else:
            parts.append(condition)
    return ops(_OR, *{condition.code: condition for condition in parts}.values())


def negated(condition: Expr) -> Expr:
    """The opposite of a condition: of a comparison, or with `not` before it."""
    if isinstance(condition, Ops) and condition.operator in _OPPOSITES:
        return replace(condition, operator=_OPPOSITES[condition.operator])
    if isinstance(condition, Group):
        return replace(condition, head=snippet("not {}", condition.head))
    return parens(condition, Code("not "))


def _enclosed(condition: Expr) -> Expr:
    if isinstance(condition, Ops) and condition.operator == _OR:
        return parens(condition)
    return condition
