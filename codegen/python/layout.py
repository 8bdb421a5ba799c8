"""Expressions as trees, and statements laid out in at most 88 columns, as `ruff format` leaves
them.

In: trees whose leaves are `Code`. Out: lines of `Code`. Rules: each tree knows its `code`, on one
line, however long; a statement that fits stays on one line; brackets open before anything else
gives way, then they hold one item a line; operators stand at the start of a line, in parentheses.
No tree changes once it is made, though none is frozen: that would take a tenth of all rendering.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import TypeAlias
from unicodedata import east_asian_width

from codegen.python.code import Code, code_join, snippet

WIDTH = 88
_STEP = 4
_NOTHING = Code("")
_COMMA = Code(", ")
_NEWLINE = Code("\n")
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
    code: Code = field(init=False, compare=False)

    def __post_init__(self) -> None:
        items = self.items
        inner = items[0].code if len(items) == 1 else code_join(_COMMA, [it.code for it in items])
        self.code = code_join(_NOTHING, (self.head, self.open, inner, self.close))


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
    """What stands in the brackets of a comprehension: `element` and `for name in source`."""

    element: Expr
    clause: Code
    code: Code = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self.code = snippet("{} {}", self.element.code, self.clause)


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
    """Calls one after the other, each of what the one before gives: `a.b(c).d(e)`."""

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


Expr: TypeAlias = Atom | Group | Ops | Comprehension | Entry | Chain | Conditional


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


def parens(inner: Expr, head: Code = _NOTHING) -> Group:
    return Group(head, _OPEN, _CLOSE, (inner,))


def display(*items: Expr) -> Group:
    """A tuple."""
    close = Code(",)") if len(items) == 1 else _CLOSE
    return Group(_NOTHING, _OPEN, close, items, spread=True)


def braces(*items: Expr) -> Group:
    """A set."""
    return Group(_NOTHING, Code("{"), Code("}"), items, spread=True)


def mapping(*entries: Entry) -> Group:
    return Group(_NOTHING, Code("{"), Code("}"), entries, spread=True)


def ops(operator: Code, *operands: Expr) -> Expr:
    """The operands joined; the operand itself where there is but one."""
    return operands[0] if len(operands) == 1 else Ops(operator, operands)


def statement(prefix: Code, expr: Expr, suffix: Code = _NOTHING, *, indent: int = 0) -> Code:
    """A statement that holds one expression between fixed text: `x = ` ... , `if ` ... `:`."""
    return _joined(_lay(expr, indent, prefix, suffix, enclosed=False))


def definition(prefix: Code, expr: Group, result: Code = _NOTHING, *, indent: int = 0) -> Code:
    """The head of a class, or of a function with its result: brackets break, and then get some
    around a result that is too long.
    """
    suffix = snippet(" -> {}:", result) if result else Code(":")
    lines = _lay(expr, indent, prefix, suffix, enclosed=True)
    wrapped = _in_parens(atom(result), indent, Code(") -> "), Code(":"))
    if not fits(lines[-1]) and all(map(fits, wrapped)):
        lines[-1:] = wrapped
    return _joined(lines)


def annotated(prefix: Code, type_: Expr, value: Expr, *, indent: int = 0) -> Code:
    """`name: type = value`: the value gives way first, then the type."""
    equals = Code(" = ")
    lone = isinstance(type_, Atom | Group)
    whole = _lay(type_, indent, prefix, snippet("{}{}", equals, value.code), enclosed=lone)
    if len(whole) == 1 and fits(whole[0]):
        return whole[0]
    group = value if isinstance(value, Group) and value.items else None
    for broken in (group, parens(value)):
        if broken is None:
            continue
        opening = snippet("{}{}{}", equals, broken.head, broken.open)
        head = _line(indent, prefix, type_.code, opening)
        if fits(head):
            body = _lay_group(broken, indent, _NOTHING, _NOTHING, enclosed=True)
            return _joined([head, *body[1:]])
    if fits(whole[-1]) or group is None:
        return _joined(whole)
    opening = snippet("{}{}{}", equals, group.head, group.open)
    lines = _lay(type_, indent, prefix, opening, enclosed=lone)
    rest = _lay_group(group, indent, _NOTHING, _NOTHING, enclosed=True)
    return _joined([*lines, *rest[1:]])


def _joined(lines: list[Code]) -> Code:
    return lines[0] if len(lines) == 1 else code_join(_NEWLINE, lines)


def _line(indent: int, *parts: Code) -> Code:
    return code_join(_NOTHING, (_margin(indent), *parts))


@cache
def _margin(indent: int) -> Code:
    return Code(" " * indent)


def fits(line: Code) -> bool:
    """Whether a line is short enough to stay whole."""
    return len(line) <= WIDTH and (line.isascii() or _width(line) <= WIDTH)


def _width(line: Code) -> int:
    """Columns of a line: what East Asian scripts write wide takes two."""
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in line)


def _lay(expr: Expr, indent: int, prefix: Code, suffix: Code, *, enclosed: bool) -> list[Code]:
    whole = _line(indent, prefix, expr.code, suffix)
    if fits(whole):
        return [whole]
    match expr:
        case Atom() if enclosed:
            return [whole]
        case Atom():
            wrapped = _in_parens(expr, indent, prefix, suffix)
            return wrapped if all(map(fits, wrapped)) else [whole]
        case Group():
            return _lay_group(expr, indent, prefix, suffix, enclosed=enclosed)
        case Ops(operator=operator, operands=(Group(head="") as first, second)) if not enclosed:
            after = snippet(" {} {}{}", operator, second.code, suffix)
            return _lay_group(first, indent, prefix, after, enclosed=enclosed)
        case Ops(operator=operator, operands=(first, *others)) if enclosed:
            parts = [(prefix, first), *((snippet("{} ", operator), it) for it in others)]
            return _lay_parts(parts, indent, suffix)
        case Conditional(value=value, test=test, other=other) if enclosed:
            parts = [(prefix, value), (Code("if "), test), (Code("else "), other)]
            return _lay_parts(parts, indent, suffix)
        case Ops() | Conditional():
            return _in_parens(expr, indent, prefix, suffix)
        case Comprehension(element=element, clause=clause):
            lines = _lay(element, indent, prefix, _NOTHING, enclosed=True)
            return [*lines, _line(indent, clause, suffix)]
        case Entry(key=key, value=value, mark=mark):
            return _lay(value, indent, snippet("{}{}{}", prefix, key, mark), suffix, enclosed=True)
        case Chain(calls=calls):
            return _lay_chain(calls, indent, prefix, suffix)


def _lay_chain(calls: tuple[Group, ...], indent: int, prefix: Code, suffix: Code) -> list[Code]:
    """Of two calls the last gives way; of more, each has a line of its own."""
    *before, last = calls
    if len(calls) < 3:
        head = code_join(_NOTHING, (*(it.code for it in before), last.head))
        return _lay(replace(last, head=head), indent, prefix, suffix, enclosed=False)
    lines = [_line(indent, prefix, _OPEN)]
    for call_ in calls:
        lines += _lay(call_, indent + _STEP, _NOTHING, _NOTHING, enclosed=True)
    return [*lines, _line(indent, _CLOSE, suffix)]


def _in_parens(expr: Expr, indent: int, prefix: Code, suffix: Code) -> list[Code]:
    inner = _lay(expr, indent + _STEP, _NOTHING, _NOTHING, enclosed=True)
    return [_line(indent, prefix, _OPEN), *inner, _line(indent, _CLOSE, suffix)]


def _lay_parts(parts: list[tuple[Code, Expr]], indent: int, suffix: Code) -> list[Code]:
    """Expressions below each other, each after what introduces it."""
    *firsts, (before, last) = parts
    lines: list[Code] = []
    for introduction, part in firsts:
        lines += _lay(part, indent, introduction, _NOTHING, enclosed=True)
    return [*lines, *_lay(last, indent, before, suffix, enclosed=True)]


def _lay_group(
    expr: Group, indent: int, prefix: Code, suffix: Code, *, enclosed: bool
) -> list[Code]:
    first = _line(indent, prefix, expr.head, expr.open)
    if not enclosed and not fits(first):
        wrapped = _in_parens(expr, indent, prefix, suffix)
        if all(map(fits, wrapped)):
            return wrapped
    last = _line(indent, expr.close, suffix)
    body = _line(indent + _STEP, code_join(_COMMA, [item.code for item in expr.items]))
    if fits(body) and not expr.spread:
        return [first, body, last]
    comma = Code(",") if len(expr.items) > 1 or expr.ends_in_comma else _NOTHING
    lines = [first]
    for item in expr.items:
        lines += _lay(item, indent + _STEP, _NOTHING, comma, enclosed=True)
    return [*lines, last]
