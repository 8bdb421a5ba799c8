"""What the constraints of a type come to in Python: bounds, lengths, whether items differ.

In: a type or an object of the IR. Out: limits by the names that `Limits` of the run time has, and
pydantic's `Field`. Rules: only what is checked, so nothing that a server may loosen; of several
bounds the strictest; the bounds of integers are integers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TypeAlias

from codegen.backends.scope import RUNTIME, Scope
from codegen.ir.api import Object
from codegen.ir.types import Array, Constraint, Map, Scalar, ScalarKind, Type
from codegen.python.code import Code, identifier
from codegen.python.expressions import Expr, Group, Ops, atom, call, keyword
from codegen.python.layout import statement
from codegen.python.literals import format_scalar, literal

LIMITS = RUNTIME + "limits"
Bounds: TypeAlias = Mapping[str, int | float | bool]

_NAMES = {
    "minimum": "ge",
    "exclusiveMinimum": "gt",
    "maximum": "le",
    "exclusiveMaximum": "lt",
    "multipleOf": "multiple_of",
    "minLength": "min_length",
    "maxLength": "max_length",
    "minItems": "min_length",
    "maxItems": "max_length",
    "uniqueItems": "unique",
    "minProperties": "min_length",
    "maxProperties": "max_length",
}
_OPERATORS = {
    "ge": Code(">="),
    "gt": Code(">"),
    "le": Code("<="),
    "lt": Code("<"),
    "min_length": Code(">="),
    "max_length": Code("<="),
}
_MIRRORED = {"ge": Code("<="), "gt": Code("<"), "min_length": Code("<=")}
_STRICTEST = {"ge": max, "gt": max, "min_length": max, "le": min, "lt": min, "max_length": min}


def bounds_of(type_: Type | Object) -> Bounds:
    """What values of a type are held to; nothing where a string is read as something else."""
    match type_:
        case Scalar(conversion=None, kind=kind):
            bounds = _gather(type_.constraints)
            return _whole(bounds) if kind is ScalarKind.INTEGER else bounds
        case Array() | Map() | Object():
            return _gather(type_.constraints)
        case _:
            return {}


def _gather(constraints: tuple[Constraint, ...]) -> dict[str, int | float | bool]:
    bounds: dict[str, int | float | bool] = {}
    for it in constraints:
        if it.open or it.keyword not in _NAMES or isinstance(it.value, str | None):
            continue
        name, value = _NAMES[it.keyword], it.value
        if name not in bounds:
            bounds[name] = value
        elif name == "multiple_of":
            bounds[name] = _common_multiple(bounds[name], value)
        elif name in _STRICTEST:
            bounds[name] = _STRICTEST[name](bounds[name], value)
    return bounds


def _whole(bounds: Bounds) -> Bounds:
    """The same bounds of an integer, as integers."""
    whole: dict[str, int | float | bool] = {}
    for name, bound in bounds.items():
        match name:
            case "ge" | "lt":
                whole[name] = math.ceil(bound)
            case "gt" | "le":
                whole[name] = math.floor(bound)
            case _:
                # An integer is a multiple of 2.5 if it is one of 5.
                whole[name] = _exactly(bound).numerator
    return whole


def _common_multiple(one: float, other: float) -> int | float:
    a, b = _exactly(one), _exactly(other)
    common = Fraction(math.lcm(a.numerator, b.numerator), math.gcd(a.denominator, b.denominator))
    return common.numerator if common.denominator == 1 else float(common)


def _exactly(number: float) -> Fraction:
    """A number as it is written: 0.1 is a tenth."""
    return Fraction(number) if isinstance(number, int) else Fraction(repr(number))


def limits_of(type_: Type | Object, scope: Scope) -> tuple[Expr, ...]:
    """The call that makes the limits of a type; none where there is nothing to hold to."""
    bounds = bounds_of(type_)
    return (call_with(bounds, scope.use(LIMITS, "Limits")),) if bounds else ()


def limits_setting(object_: Object, module: str, scope: Scope) -> tuple[Code, ...]:
    """The statement in a class that says how many members its objects have."""
    bounds = bounds_of(object_)
    if not bounds:
        return ()
    limits = call_with(bounds, scope.use(module, "Limits"))
    return (statement(Code("__limits__ = "), limits, indent=4),)


def call_with(bounds: Bounds, function: Code) -> Group:
    """A call with the bounds as keywords, as `Limits` and pydantic's `Field` take them."""
    keywords = {identifier(name): literal(it) for name, it in bounds.items()}
    return call(function, *(keyword(name, value) for name, value in keywords.items()))


def conditions_of(type_: Type | Object, value: Expr, scope: Scope) -> Iterator[Expr]:
    """The conditions under which a value of the right type is within its limits."""
    bounds = bounds_of(type_)
    if not bounds:
        return
    yield from _between(bounds, value, ("ge", "gt"), ("le", "lt"))
    length = call(Code("len"), value)
    yield from _between(bounds, length, ("min_length",), ("max_length",))
    if "multiple_of" in bounds:
        yield _is_multiple(type_, value, format_scalar(bounds["multiple_of"]), scope)
    if "unique" in bounds:
        yield call(scope.use(LIMITS, "is_unique"), value)


def _between(
    bounds: Bounds, measured: Expr, lower: tuple[str, ...], upper: tuple[str, ...]
) -> Iterator[Expr]:
    lows = [(name, format_scalar(bounds[name])) for name in lower if name in bounds]
    highs = [(name, format_scalar(bounds[name])) for name in upper if name in bounds]
    if len(lows) == len(highs) == 1:
        [(below, low)], [(above, high)] = lows, highs
        inner = Ops(_OPERATORS[above], (measured, atom(high)))
        rest = inner.operands if _MIRRORED[below] == _OPERATORS[above] else (inner,)
        yield Ops(_MIRRORED[below], (atom(low), *rest))
        return
    for name, bound in (*lows, *highs):
        yield Ops(_OPERATORS[name], (measured, atom(bound)))


def _is_multiple(type_: Type | Object, value: Expr, of: Code, scope: Scope) -> Expr:
    if isinstance(type_, Scalar) and type_.kind is ScalarKind.INTEGER:
        return Ops(Code("=="), (Ops(Code("%"), (value, atom(of))), atom(Code("0"))))
    return call(scope.use(LIMITS, "is_multiple"), value, atom(of))
