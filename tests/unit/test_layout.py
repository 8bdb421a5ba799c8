"""Statements come out as `ruff format` leaves them: it is run on the one-line form of each.

A unit test, as a case shows few of the widths at which a line has to give way.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from codegen.python.code import Code, snippet
from codegen.python.expressions import (
    Chain,
    Comprehension,
    Conditional,
    Entry,
    Expr,
    Group,
    Ops,
    atom,
    call,
    display,
    keyword,
    mapping,
    ops,
    parameters,
    parens,
    subscript,
)
from codegen.python.layout import annotated, definition, statement
from codegen.python.literals import format_string


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A statement with one expression, or with a type and a value, or the head of a function."""

    prefix: Code
    expr: Expr
    value: Expr | None = None
    result: Expr | None = None
    suffix: Code = Code("")
    indent: int = 0

    @property
    def laid_out(self) -> Code:
        if self.result is not None:
            assert isinstance(self.expr, Group)
            return definition(self.prefix, self.expr, self.result, indent=self.indent)
        if self.value is not None:
            return annotated(self.prefix, self.expr, self.value, indent=self.indent)
        return statement(self.prefix, self.expr, self.suffix, indent=self.indent)

    @property
    def plain(self) -> str:
        value = "" if self.value is None else f" = {self.value.code}"
        value += "" if self.result is None else f" -> {self.result.code}:"
        return f"{' ' * self.indent}{self.prefix}{self.expr.code}{value}{self.suffix}"

    @property
    def is_open(self) -> bool:
        """Whether a block follows."""
        return self.result is not None or self.suffix.endswith(":")


def name(width: int, letter: str = "n") -> Expr:
    return atom(Code(letter * width))


def names(count: int, width: int) -> list[Expr]:
    return [name(width, chr(ord("a") + index)) for index in range(count)]


def text(width: int) -> Expr:
    return atom(format_string("t" * (width - 2)))


WIDTHS = (8, 20, 27, 40, 78, 86, 100)
COUNTS = (1, 2, 3, 6)
OR, AND, BAR = Code("or"), Code("and"), Code("|")
NONE = atom(Code("None"))
X, CONDITION = Code("x = "), Code("if ")


def expressions(count: int, width: int) -> Iterator[Expr]:
    """Expressions of every shape that back ends make."""
    items = names(count, width)
    yield items[0]
    yield text(width)
    yield call(Code("decode"), *items)
    yield call(Code("decode.of"), call(Code("inner"), *items))
    yield call(Code("decode"), text(8), *(keyword(Code("key"), item) for item in items))
    yield subscript(Code("list"), *items)
    yield subscript(Code("Literal"), *(text(width) for _ in items))
    yield subscript(Code("dict"), atom(Code("str")), subscript(Code("list"), ops(BAR, *items)))
    yield ops(BAR, *items)
    yield ops(BAR, *items, NONE)
    yield mapping(*(Entry(format_string(item.code), item) for item in items))
    yield mapping(*(Entry(format_string("k"), call(Code("f"), item)) for item in items))


def chains() -> Iterator[Expr]:
    """Calls of what a call gives, as ways into what has come."""
    for count in (1, 2, 3, 4):
        for width in (8, 20, 40):
            entries = mapping(*(Entry(format_string("k"), it) for it in names(3, width)))
            key = subscript(Code("event"), text(width))
            first = call(Code("whole.array"), text(8))
            *middle, last = [call(Code(".object"), key) for _ in range(count)]
            yield Chain((first, *middle, last))
            yield Chain((first, *middle, call(Code(".object"), key, entries)))


def conditionals(width: int) -> Iterator[Expr]:
    """What is decoded if it is there."""
    for key in (8, 30):
        value = snippet("json[{}]", text(key).code)
        is_there = Ops(Code("in"), (text(key), atom(Code("json"))))
        is_value = Ops(Code("is not"), (call(Code("json.get"), text(key)), NONE))
        for test in (is_there, is_value):
            yield Conditional(call(Code("f" * width), atom(value)), test, NONE)
            yield Conditional(call(Code("array"), atom(value), name(width)), test, NONE)


def conditions(count: int, width: int) -> Iterator[Expr]:
    items = [Ops(Code("is"), (call(Code("type"), it), name(3, "s"))) for it in names(count, width)]
    yield ops(AND, *items)
    yield ops(OR, *items, atom(Code("other")))
    yield parens(ops(OR, *items), Code("not "))
    yield parens(ops(AND, *items, parens(Ops(OR, (*items, atom(Code("z")))))), Code("not "))
    yield call(Code("all"), Comprehension(ops(AND, *items), Code("item"), atom(Code("self.items"))))
    yield Ops(AND, (call(Code("check"), *names(count, width)), atom(Code("z"))))
    yield ops(OR, *items, Ops(Code("not in"), (text(width), atom(Code("json")))))


def lines() -> Iterator[Line]:
    for count in COUNTS:
        for width in WIDTHS:
            for expr in expressions(count, width):
                yield Line(prefix=X, expr=expr)
                yield Line(prefix=X, expr=expr, indent=4)
                yield Line(prefix=Code("return "), expr=expr, indent=8)
            for expr in conditions(count, width):
                yield Line(prefix=CONDITION, expr=expr, suffix=Code(":"), indent=8)
            yield from annotated_lines(count, width)
            yield from definitions(width)
    for width in WIDTHS[:-2]:
        for expr in conditionals(width):
            yield Line(prefix=Code("self.x = "), expr=expr, indent=8)
    for expr in chains():
        yield Line(prefix=X, expr=expr, indent=8)
    yield Line(prefix=Code("x: tuple[str, ...] = "), expr=display(*names(3, 30)))


def annotated_lines(count: int, width: int) -> Iterator[Line]:
    items = names(count, width)
    for type_ in (ops(BAR, *items), subscript(Code("Nullable"), ops(BAR, *items))):
        yield Line(prefix=Code("x: "), expr=type_, indent=4)
        if not (count == 1 and width == 78):
            yield Line(prefix=Code("x: "), expr=type_, value=NONE, indent=4)
    alias = keyword(Code("validation_alias"), text(width))
    made = call(Code("Field"), keyword(Code("default"), NONE), alias)
    yield Line(prefix=Code("x: "), expr=ops(BAR, *items[:2], NONE), value=made, indent=4)
    decoder = subscript(Code("Decoder"), name(width))
    yield Line(prefix=Code("decode: "), expr=decoder, value=call(Code("tagged"), *items))
    yield Line(prefix=Code("decode: "), expr=decoder, value=name(width, "v"))
    yield Line(prefix=snippet("{}: ", Code("d" * 83)), expr=decoder, value=call(Code("f"), *items))


def definitions(width: int) -> Iterator[Line]:
    head = snippet("def {}", Code("f" * width))
    for result in (width, 76, 82, 84, 85):
        json = parameters(atom(Code("json: Any")))
        yield Line(prefix=head, expr=json, result=atom(Code("T" * result)))
    class_ = call(Code("C" * width), atom(Code("Record")))
    yield Line(prefix=Code("class "), expr=class_, suffix=Code(":"))


# Each shape once, however it was come to.
LINES = list({line.plain: line for line in lines()}.values())
MARK = "# the next one\n"


def formatted(lines: list[Line], form: str) -> list[str]:
    """What `ruff format` makes of a form of all lines, each in the block its indent asks for."""
    source = "".join(MARK + opened(line, getattr(line, form)) for line in lines)
    command = (sys.executable, "-m", "ruff", "format", "--isolated", "-")
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=True)
    return [text.rstrip() for text in done.stdout.split(MARK)[1:]]


def opened(line: Line, text: str) -> str:
    outer = "".join(f"{' ' * step}if a{step}:\n" for step in range(0, line.indent, 4))
    body = f"{' ' * (line.indent + 4)}pass\n" if line.is_open else ""
    return f"{outer}{text}\n{body}"


def check(lines: list[Line]) -> None:
    found = [opened(line, line.laid_out).rstrip() for line in lines]
    left = formatted(lines, "laid_out")
    assert [pair for pair in zip(found, left, strict=True) if pair[0] != pair[1]] == []
    plain = formatted(lines, "plain")
    assert [pair for pair in zip(found, plain, strict=True) if pair[0] != pair[1]] == []


def test_as_the_formatter_leaves_it() -> None:
    check(LINES)


@pytest.mark.parametrize("value", [NONE, call(Code("Field"), keyword(Code("default"), NONE))])
def test_a_long_name_that_is_the_whole_annotation(value: Expr) -> None:
    check([Line(prefix=Code("x: "), expr=name(78), value=value, indent=4)])
