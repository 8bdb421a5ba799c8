"""Statements laid out in at most 88 columns, as `ruff format` leaves them.

In: expressions. Out: lines of `Code`. Rules: a statement that fits stays on one line; brackets open
before anything else gives way, then they hold one item a line; operators stand at the start of a
line, in parentheses.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from unicodedata import east_asian_width

from codegen.python.code import Code, code_join, snippet
from codegen.python.expressions import (
    Atom,
    Chain,
    Comprehension,
    Conditional,
    Entry,
    Expr,
    Group,
    Ops,
    parens,
)

WIDTH = 88
_COMPARISONS = frozenset(map(Code, ("<", "<=", ">", ">=")))
_STEP = 4
_NOTHING = Code("")
_COMMA = Code(", ")
_NEWLINE = Code("\n")
_OPEN, _CLOSE = Code("("), Code(")")


def statement(prefix: Code, expr: Expr, suffix: Code = _NOTHING, *, indent: int = 0) -> Code:
    """A statement that holds one expression between fixed text: `x = ` ... , `if ` ... `:`."""
    return _joined(_lay(expr, indent, prefix, suffix, enclosed=False))


def assignment(target: Group, value: Expr, *, indent: int = 0) -> Code:
    """`target = value`: the value gives way first, then the target."""
    equals = Code(" = ")
    lines = _lay(value, indent, snippet("{}{}", target.code, equals), _NOTHING, enclosed=False)
    if fits(lines[0]):
        return _joined(lines)
    broken = _lay_group(target, indent, _NOTHING, _NOTHING, enclosed=True)[:-1]
    closing = snippet("{}{}", target.close, equals)
    return _joined([*broken, *_lay(value, indent, closing, _NOTHING, enclosed=False)])


def definition(prefix: Code, expr: Group, result: Expr | None = None, *, indent: int = 0) -> Code:
    """The head of a class, or of a function with its result: brackets break, and then those of a
    result that is too long, which gets some if it has none.
    """
    if result is None:
        return _joined(_lay(expr, indent, prefix, Code(":"), enclosed=True))
    suffix = snippet(" -> {}:", result.code)
    *lines, last = _lay(expr, indent, prefix, suffix, enclosed=True)
    if fits(last):
        return _joined([*lines, last])
    return _joined([*lines, *_lay(result, indent, Code(") -> "), Code(":"), enclosed=False)])


def annotated(prefix: Code, type_: Expr, value: Expr, *, indent: int = 0) -> Code:
    """`name: type = value`: the value gives way first, then the type. Beside a type that cannot
    give way, a value gets parentheses only if all of it fits in them.
    """
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
        body = _lay_group(broken, indent, _NOTHING, _NOTHING, enclosed=True)[1:]
        helps = broken is group or not isinstance(type_, Atom) or all(map(fits, body))
        if helps and fits(head):
            return _joined([head, *body])
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
        case Atom() | Group(items=()) if enclosed:
            return [whole]
        case Atom() | Group(items=()):
            wrapped = _in_parens(expr, indent, prefix, suffix)
            return wrapped if all(map(fits, wrapped)) else [whole]
        case Group():
            return _lay_group(expr, indent, prefix, suffix, enclosed=enclosed)
        case Ops(operator=operator, operands=(Group(head="") as first, second)) if not enclosed:
            after = snippet(" {} {}{}", operator, second.code, suffix)
            return _lay_group(first, indent, prefix, after, enclosed=enclosed)
        case Ops(operator=operator, operands=(first, Group(head="") as second)) if not enclosed:
            before = snippet("{}{} {} ", prefix, first.code, operator)
            if fits(_line(indent, before, second.open)):
                return _lay_group(second, indent, before, suffix, enclosed=enclosed)
            return _in_parens(expr, indent, prefix, suffix)
        case Ops() if enclosed:
            return _lay_parts(list(_parts(expr, prefix)), indent, suffix)
        case Conditional(value=value, test=test, other=other) if enclosed:
            parts = [(prefix, value), (Code("if "), test), (Code("else "), other)]
            return _lay_parts(parts, indent, suffix)
        case Ops() | Conditional():
            return _in_parens(expr, indent, prefix, suffix)
        case Comprehension(element=element, name=name, source=source):
            clause = snippet("for {} in ", name)
            lines = _lay(element, indent, prefix, _NOTHING, enclosed=True)
            return [*lines, *_lay(source, indent, clause, suffix, enclosed=True)]
        case Entry(key=key, value=value, mark=mark):
            return _lay(value, indent, snippet("{}{}{}", prefix, key, mark), suffix, enclosed=True)
        case Chain(calls=calls):
            return _lay_chain(calls, indent, prefix, suffix, enclosed=enclosed)


def _lay_chain(
    calls: tuple[Group, ...], indent: int, prefix: Code, suffix: Code, *, enclosed: bool
) -> list[Code]:
    """Of methods, two or more after each other have a line each; else each call gives way whose
    end, with what cannot be broken after it, is beyond the line.
    """
    if sum(it.head.startswith(".") for it in calls[1:]) > 1:
        lines = [_line(indent, prefix, _OPEN)]
        for call_ in calls:
            lines += _lay(call_, indent + _STEP, _NOTHING, _NOTHING, enclosed=True)
        return [*lines, _line(indent, _CLOSE, suffix)]
    lines, before = list[Code](), prefix
    for place, call_ in enumerate(calls, 1):
        whole = snippet("{}{}", before, call_.code)
        if not call_.items or fits(_line(indent, whole, _unbroken(calls[place:], suffix))):
            before = whole
        else:
            lines += _lay_group(call_, indent, before, _NOTHING, enclosed=True)[:-1]
            before = call_.close
    lines.append(_line(indent, before, suffix))
    if enclosed or fits(lines[0]):
        return lines
    wrapped = _in_parens(Chain(calls), indent, prefix, suffix)
    return wrapped if all(map(fits, wrapped)) else lines


def _unbroken(calls: tuple[Group, ...], suffix: Code) -> Code:
    """What has to follow on the same line, of calls and what comes after them."""
    if not calls:
        return suffix
    first, *others = calls
    if first.items:
        return snippet("{}{}", first.head, first.open)
    return snippet("{}{}", first.code, _unbroken(tuple(others), suffix))


def _in_parens(expr: Expr, indent: int, prefix: Code, suffix: Code) -> list[Code]:
    inner = _lay(expr, indent + _STEP, _NOTHING, _NOTHING, enclosed=True)
    return [_line(indent, prefix, _OPEN), *inner, _line(indent, _CLOSE, suffix)]


def _parts(expr: Ops, introduction: Code) -> Iterator[tuple[Code, Expr]]:
    """The operands, each after the operator before it; comparisons of one chain are peers."""
    for operand in expr.operands:
        if isinstance(operand, Ops) and {expr.operator, operand.operator} <= _COMPARISONS:
            yield from _parts(operand, introduction)
        else:
            yield introduction, operand
        introduction = snippet("{} ", expr.operator)


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
