"""Expressions as trees, whose leaves are `Code`.

Each tree knows its `code`, on one line, however long; `python.layout` breaks it into lines. No tree
changes once it is made, though none is frozen: that would take a tenth of all rendering.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from typing import TypeAlias, TypeGuard

from codegen.python.code import Code, code_join, snippet

_NOTHING = Code("")
_COMMA = Code(", ")
_OPEN, _CLOSE = Code("("), Code(")")
_OPEN_SQUARE, _CLOSE_SQUARE = Code("["), Code("]")


@dataclass(slots=True)
class Atom:
    """Code that is never broken."""

    code: Code


@dataclass(slots=True)
class Group:
    """Items in brackets after a head: a call, a subscript, a display, or (with one item) plain
    parentheses. A sole item below its head gets a comma only where it `ends_in_comma`.
    """

    head: Code
    open: Code
    close: Code
    items: tuple[Expr, ...]
    spread: bool = False
    ends_in_comma: bool = False
    is_tuple: bool = False
    code: Code = field(init=False, compare=False)

    def __post_init__(self) -> None:
        items = self.items
        inner = items[0].code if len(items) == 1 else code_join(_COMMA, [it.code for it in items])
        lone = Code(",") if self.is_tuple and len(items) == 1 else _NOTHING
        self.code = code_join(_NOTHING, (self.head, self.open, inner, lone, self.close))


@dataclass(slots=True)
class Ops:
    """Operands with one operator between them, such as ` | `."""

    operator: Code
    operands: tuple[Expr, ...]
    code: Code = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self.code = code_join(_between(self.operator), [operand.code for operand in self.operands])


@dataclass(slots=True)
class Comprehension:
    """What stands in the brackets of a comprehension: `element for name in source`."""

    element: Expr
    name: Code
    source: Expr
    code: Code = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self.code = snippet("{} for {} in {}", self.element.code, self.name, self.source.code)


@dataclass(slots=True)
class Entry:
    """`key: value` in a display of a dict, or with another mark, `name=value` in a call."""

    key: Code
    value: Expr
    mark: Code = Code(": ")
    code: Code = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self.code = code_join(_NOTHING, (self.key, self.mark, self.value.code))


@dataclass(slots=True)
class Chain:
    """Calls and subscripts, each of what the one before gives: `a.b(c).d(e)`, `a[b][c]`."""

    calls: tuple[Group, ...]
    code: Code = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self.code = code_join(_NOTHING, [call_.code for call_ in self.calls])


@dataclass(slots=True)
class Conditional:
    """One value under a condition, else another: `value if test else other`."""

    value: Expr
    test: Expr
    other: Expr
    code: Code = field(init=False, compare=False)

    def __post_init__(self) -> None:
        value, test, other = self.value.code, self.test.code, self.other.code
        self.code = snippet("{} if {} else {}", value, test, other)


@cache
def _between(operator: Code) -> Code:
    return snippet(" {} ", operator)


# What stands beside an operator, before a dot or a bracket, without parentheses.
Operand: TypeAlias = Atom | Group | Chain
Expr: TypeAlias = Operand | Ops | Comprehension | Entry | Conditional


def atom(code: Code) -> Atom:
    return Atom(code)


def call(head: Code, *arguments: Expr) -> Group:
    return Group(head, _OPEN, _CLOSE, arguments)


def subscript(head: Code, *arguments: Expr) -> Group:
    return Group(head, _OPEN_SQUARE, _CLOSE_SQUARE, arguments)


def keyword(name: Code, value: Expr) -> Entry:
    return Entry(name, value, Code("="))


def parameters(*declared: Expr) -> Group:
    return Group(_NOTHING, _OPEN, _CLOSE, declared, spread=len(declared) == 1, ends_in_comma=True)


def index(of: Operand, key: Expr) -> Operand:
    """What a value holds under a key: `of[key]`."""
    return _follow(of, subscript(_NOTHING, key))


def method(of: Operand, name: Code, *arguments: Expr) -> Operand:
    """What a method of a value gives: `of.name(...)`."""
    return _follow(of, call(snippet(".{}", name), *arguments))


def _follow(of: Operand, last: Group) -> Operand:
    match of:
        case Atom(code=code):
            return prefixed(code, last)
        case Group():
            return Chain((of, last))
        case Chain(calls=calls):
            return Chain((*calls, last))


def prefixed(prefix: Code, expr: Operand) -> Operand:
    """The same with something before it, such as `not `."""
    match expr:
        case Atom(code=code):
            return Atom(snippet("{}{}", prefix, code))
        case Group(head=head):
            return replace(expr, head=snippet("{}{}", prefix, head))
        case Chain(calls=calls):
            first, *others = calls
            return Chain((replace(first, head=snippet("{}{}", prefix, first.head)), *others))


def parens(inner: Expr, head: Code = _NOTHING) -> Group:
    return Group(head, _OPEN, _CLOSE, (inner,))


def display(*items: Expr) -> Group:
    """A tuple."""
    return Group(_NOTHING, _OPEN, _CLOSE, items, spread=True, ends_in_comma=True, is_tuple=True)


def braces(*items: Expr) -> Group:
    """A set."""
    return Group(_NOTHING, Code("{"), Code("}"), items, spread=True)


def sequence(*items: Expr) -> Group:
    """A list."""
    return Group(_NOTHING, _OPEN_SQUARE, _CLOSE_SQUARE, items, spread=True)


def mapping(*entries: Entry) -> Group:
    """A dict."""
    return Group(_NOTHING, Code("{"), Code("}"), entries, spread=True)


def ops(operator: Code, *operands: Expr) -> Expr:
    """The operands joined; the operand itself where there is but one."""
    if len(operands) == 1:
        return operands[0]
    inside = [it.operands if _joins(it, operator) else (it,) for it in operands]
    return Ops(operator, tuple(chain.from_iterable(inside)))


def _joins(operand: Expr, operator: Code) -> TypeGuard[Ops]:
    return isinstance(operand, Ops) and operand.operator == operator
