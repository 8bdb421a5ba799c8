"""`ir.Type` -> the expression that annotates a value of it.

In: types, and how a variant spells declared names. Out: expressions for `python.layout`; what they
need is imported. Rules: an integer may stand for a number and stays one, so numbers are `int |
float`; an open literal lists its values and allows any other of their kinds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from codegen.ir.types import (
    Anything,
    Array,
    Conversion,
    DeclId,
    JsonScalar,
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
    scalar_kind,
)
from codegen.python.code import Code
from codegen.python.imports import Imports
from codegen.python.layout import Expr, atom, flat, ops, subscript
from codegen.python.literals import format_value

_NUMBER = (Code("int"), Code("float"))
_KINDS = {
    ScalarKind.STRING: (Code("str"),),
    ScalarKind.INTEGER: (Code("int"),),
    ScalarKind.NUMBER: _NUMBER,
    ScalarKind.BOOLEAN: (Code("bool"),),
}


class Annotator:
    """Annotates the values of one module.

    `declared` spells a declaration and imports it, `unlisted` is the type of objects that an open
    union keeps as they came, `converted` that of strings which are read as something else,
    `in_order` what marks a union whose first fitting member is meant where that takes a mark,
    `never_from` the module whose `Never` is meant, and `exactly_from` the
    one whose `EXACTLY` keeps constants of other kinds than string apart, where that takes a mark.
    """

    def __init__(
        self,
        imports: Imports,
        declared: Callable[[DeclId], Code],
        unlisted: Callable[[], Expr],
        converted: Callable[[Conversion], Expr],
        never_from: str = "typing",
        exactly_from: str | None = None,
        in_order: Callable[[Union], Expr | None] | None = None,
    ) -> None:
        self._imports = imports
        self._declared = declared
        self._unlisted = unlisted
        self._converted = converted
        self._never_from = never_from
        self._exactly_from = exactly_from
        self._in_order = in_order

    def annotate(self, type_: Type) -> Expr:
        return ops(Code("|"), *self.options(type_))

    def options(self, type_: Type) -> tuple[Expr, ...]:
        """The operands of the union that a type is, each once."""
        found = {flat(option): option for option in self._options(type_)}
        if Code("Any") in found:
            return (found[Code("Any")],)
        none = found.pop(Code("None"), None)
        return (*found.values(), none) if none is not None else tuple(found.values())

    def _options(self, type_: Type) -> tuple[Expr, ...]:
        match type_:
            case Anything():
                return (self._typing("Any"),)
            case Never():
                return (atom(self._imports.name(self._never_from, "Never")),)
            case Null():
                return (atom(Code("None")),)
            case Scalar(conversion=conversion) if conversion is not None:
                return (self._converted(conversion),)
            case Scalar(kind=kind):
                return tuple(atom(code) for code in _KINDS[kind])
            case Literal():
                return self._literal(type_)
            case Array(item=item):
                return (subscript(Code("list"), self.annotate(item)),)
            case Map(value=value):
                return (subscript(Code("dict"), atom(Code("str")), self.annotate(value)),)
            case Ref(target=target):
                return (atom(self._declared(target)),)
            case Nullable(type=inner):
                return (*self._options(inner), atom(Code("None")))
            case Union():
                return self._union(type_)
            case _:
                assert_never(type_)

    def _union(self, type_: Union) -> tuple[Expr, ...]:
        options = tuple(o for member in type_.members for o in self._options(member))
        if type_.open and type_.tag:
            options = (*options, self._unlisted())
        mark = self._in_order(type_) if self._in_order is not None and len(options) > 1 else None
        if mark is None:
            return options
        annotated = self._imports.name("typing", "Annotated")
        return (subscript(annotated, ops(Code("|"), *options), mark),)

    def _literal(self, type_: Literal) -> tuple[Expr, ...]:
        values = [value for value in type_.values if _is_writable(value)]
        kinds = type_.kinds
        if not type_.open:
            kinds = tuple({scalar_kind(v): None for v in type_.values if v not in values})
        options = tuple(atom(code) for kind in kinds for code in _KINDS[kind])
        return (self._constants(values), *options) if values else options

    def _constants(self, values: list[JsonScalar]) -> Expr:
        name = self._imports.name("typing", "Literal")
        literal = subscript(name, *(atom(format_value(value)) for value in values))
        if self._exactly_from is None or all(isinstance(value, str) for value in values):
            return literal
        exactly = atom(self._imports.name(self._exactly_from, "EXACTLY"))
        return subscript(self._imports.name("typing", "Annotated"), literal, exactly)

    def _typing(self, name: str) -> Expr:
        return atom(self._imports.name("typing", name))


def _is_writable(value: JsonScalar) -> bool:
    """Whether typing.Literal can hold a value: no float, and no text that is not Unicode."""
    if isinstance(value, str):
        return not any("\ud800" <= char <= "\udfff" for char in value)
    return not isinstance(value, float)
