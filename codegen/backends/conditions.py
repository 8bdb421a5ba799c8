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
from codegen.python.expressions import (
    Comprehension,
    Expr,
    Operand,
    Ops,
    atom,
    braces,
    call,
    index,
    method,
    ops,
    parens,
    prefixed,
)
from codegen.python.literals import format_scalar, literal

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

    def holds(self, type_: Type, value: Operand, depth: int = 0) -> Expr | None:
        """The condition, or None where any value will do."""
        limits = list(conditions_of(type_, value, self._scope))
        condition = self._fits(type_, value, depth)
        return all_of(condition, *limits) if limits else condition

    def _fits(self, type_: Type, value: Operand, depth: int) -> Expr | None:
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
                return call(name, value, literal(json.loads(text)))
            case Array(item=item, first=()):
                each = self._each(item, value, depth)
                return all_of(self._container("is_array", value), each)
            case Array():
                return self._prefixed(type_, value, depth)
            case Map(value=member):
                each = self._each(member, method(value, Code("values")), depth)
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

    def _literal(self, type_: Literal, value: Operand) -> Expr:
        if type_.open:
            return any_of(*(c for kind in type_.kinds if (c := self.holds(Scalar(kind), value))))
        if len(type_.values) == 1 and isinstance(type_.values[0], str):
            return Ops(Code("=="), (value, literal(type_.values[0])))
        name = self._scope.use(DECODING, "one_of")
        return call(name, value, *map(literal, type_.values))

    def _container(self, is_one: str, value: Expr) -> Expr:
        return call(self._scope.use(DECODING, is_one), value)

    def _prefixed(self, type_: Array, value: Operand, depth: int) -> Expr:
        """The condition of an array whose first entries have types of their own."""
        rest = index(value, atom(snippet("{}:", _number(len(type_.first)))))
        return all_of(
            self._container("is_array", value),
            *(self._at(place, it, value, depth) for place, it in enumerate(type_.first)),
            self._each(type_.item, rest, depth),
        )

    def _at(self, place: int, type_: Type, array: Operand, depth: int) -> Expr | None:
        """The condition of one of the first entries, which may not be there."""
        number = atom(_number(place))
        condition = self.holds(type_, index(array, number), depth)
        if condition is None:
            return None
        length = call(Code("len"), array)
        missing = Ops(Code("<="), (length, number)) if place else negated(array)
        return missing if isinstance(type_, Never) else any_of(missing, condition)

    def _each(self, type_: Type, source: Operand, depth: int) -> Expr | None:
        if isinstance(type_, Never):
            return negated(source)
        name = _NAMES[depth] if depth < len(_NAMES) else snippet("{}_", _NAMES[-1])
        condition = self.holds(type_, atom(name), depth + 1)
        if condition is None:
            return None
        return call(Code("all"), Comprehension(condition, name, source))


def _number(value: int) -> Code:
    return format_scalar(value)


def has_only(value: Code, names: Sequence[Code]) -> Expr:
    """The condition that an object has no other members."""
    if not names:
        return Ops(Code("=="), (atom(value), atom(Code("{}"))))
    keys = snippet("{}.keys()", value)
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
    """The opposite of a condition or a value: of a comparison, or with `not` before it."""
    if isinstance(condition, Ops) and condition.operator in _OPPOSITES:
        return replace(condition, operator=_OPPOSITES[condition.operator])
    if isinstance(condition, Operand):
        return prefixed(Code("not "), condition)
    return parens(condition, Code("not "))


def _enclosed(condition: Expr) -> Expr:
    if isinstance(condition, Ops) and condition.operator == _OR:
        return parens(condition)
    return condition
