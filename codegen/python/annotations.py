"""`ir.Type` -> the expression that annotates a value of it.

In: types, and how a variant spells declared names. Out: expressions; what they need is imported.
Rules: an integer may stand for a number and stays one, so numbers are `int | float`; an open
literal lists its values and allows any other of their kinds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import assert_never

from codegen.ir.types import (
    Anything,
    Array,
    Constant,
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
from codegen.python.expressions import (
    Expr,
    atom,
    call,
    keyword,
    ops,
    subscript,
)
from codegen.python.imports import Imports
from codegen.python.literals import Json, literal

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
    `limits` the marks that hold a type to its limits, `marks_from` the module whose marks say what
    a type cannot, and `never_from` the one whose `Never` is meant. `exactly` asks for a mark on
    constants that Python takes for others, such as 1 for true, and `in_order` gives the mark of a
    union whose first fitting member is meant.
    """

    def __init__(
        self,
        imports: Imports,
        declared: Callable[[DeclId], Code],
        unlisted: Callable[[], Expr],
        converted: Callable[[Conversion], Expr],
        limits: Callable[[Type], tuple[Expr, ...]],
        marks_from: str,
        never_from: str = "typing",
        *,
        exactly: bool = False,
        in_order: Callable[[Union], Expr | None] | None = None,
    ) -> None:
        self._imports = imports
        self._declared = declared
        self._unlisted = unlisted
        self._converted = converted
        self._limits = limits
        self._never_from = never_from
        self._marks_from = marks_from
        self._exactly = exactly
        self._in_order = in_order

    def annotate(self, type_: Type) -> Expr:
        return ops(Code("|"), *self.options(type_))

    def options(self, type_: Type) -> tuple[Expr, ...]:
        """The operands of the union that a type is, each once."""
        found = {option.code: option for option in self._options(type_)}
        if Code("Any") in found:
            return (found[Code("Any")],)
        none = found.pop(Code("None"), None)
        return (*found.values(), none) if none is not None else tuple(found.values())

    def _options(self, type_: Type) -> tuple[Expr, ...]:
        options = self._plain_options(type_)
        limits = self._limits(type_)
        return (self._marked(ops(Code("|"), *options), *limits),) if limits else options

    def _plain_options(self, type_: Type) -> tuple[Expr, ...]:
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
            case Constant(text=text):
                return (self._one_of([json.loads(text)]),)
            case Array(item=item, first=()):
                return (subscript(Code("list"), self.annotate(item)),)
            case Array():
                return (self._prefixed(type_),)
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
        return options if mark is None else (self._marked(ops(Code("|"), *options), mark),)

    def _literal(self, type_: Literal) -> tuple[Expr, ...]:
        values = [value for value in type_.values if _is_writable(value)]
        others = [value for value in type_.values if not _is_writable(value)]
        options: list[Expr] = [self._constants(values)] if values else []
        if type_.open:
            options += (atom(code) for kind in type_.kinds for code in _KINDS[kind])
        else:
            kinds = {scalar_kind(value): None for value in others}
            options += (
                self._one_of([it for it in others if scalar_kind(it) == kind]) for kind in kinds
            )
        return tuple(options)

    def _constants(self, values: list[JsonScalar]) -> Expr:
        name = self._imports.name("typing", "Literal")
        one = subscript(name, *map(literal, values))
        if not self._exactly or all(isinstance(value, str) for value in values):
            return one
        return self._marked(one, atom(self._imports.name(self._marks_from, "EXACTLY")))

    def _one_of(self, values: Sequence[Json]) -> Expr:
        """Constants of one kind that `Literal` cannot hold."""
        mark = self._imports.name(self._marks_from, "OneOf")
        marked = call(mark, *map(literal, values))
        match values[0]:
            case list():
                return self._marked(subscript(Code("list"), self._typing("Any")), marked)
            case dict():
                any_ = self._typing("Any")
                return self._marked(subscript(Code("dict"), atom(Code("str")), any_), marked)
            case str():
                return self._marked(atom(Code("str")), marked)
            case _:
                return self._marked(ops(Code("|"), *map(atom, _NUMBER)), marked)

    def _prefixed(self, type_: Array) -> Expr:
        """An array whose first entries have types of their own."""
        types = [self.annotate(it) for it in type_.first]
        if not isinstance(type_.item, Never):
            types.append(keyword(Code("rest"), self.annotate(type_.item)))
        mark = call(self._imports.name(self._marks_from, "Prefix"), *types)
        entries = [it for it in (*type_.first, type_.item) if not isinstance(it, Never)]
        options = {option.code: option for it in entries for option in self.options(it)}
        whole = {Code("Any"): self._typing("Any")} if Code("Any") in options else options
        item = ops(Code("|"), *whole.values()) if whole else self.annotate(Never())
        return self._marked(subscript(Code("list"), item), mark)

    def _marked(self, type_: Expr, *marks: Expr) -> Expr:
        return subscript(self._imports.name("typing", "Annotated"), type_, *marks)

    def _typing(self, name: str) -> Expr:
        return atom(self._imports.name("typing", name))


def _is_writable(value: JsonScalar) -> bool:
    """Whether typing.Literal can hold a value: no float, and no text that is not Unicode."""
    if isinstance(value, str):
        return value.isascii() or not any("\ud800" <= char <= "\udfff" for char in value)
    return not isinstance(value, float)
