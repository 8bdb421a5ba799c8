"""`ir.Type` -> the decoder of a type, composed of those in the run time's `decoding` module.

In: a type. Out: the expression of a decoder. Used for aliases, and inside arrays and maps; the
members of objects are decoded by straight lines instead.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from typing import assert_never

from codegen.backends.limits import LIMITS, limits_of
from codegen.backends.scope import DECODING, Scope
from codegen.ir.api import Alias
from codegen.ir.types import (
    Anything,
    Array,
    Constant,
    Conversion,
    DeclId,
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
from codegen.python.code import Code
from codegen.python.expressions import Entry, Expr, atom, call, keyword, mapping
from codegen.python.literals import format_string, literal

_KINDS = {
    ScalarKind.STRING: ("str",),
    ScalarKind.INTEGER: ("int",),
    ScalarKind.NUMBER: ("int", "float"),
    ScalarKind.BOOLEAN: ("bool",),
}


class Decoders:
    """Composes the decoders of one module; `of_object` spells the decoder of a declared object,
    `convert` that of a string which is read as something else.
    """

    def __init__(
        self,
        scope: Scope,
        of_object: Callable[[DeclId], Code],
        unlisted: Callable[[], Expr],
        convert: Callable[[Conversion], Expr],
    ) -> None:
        self._scope = scope
        self._of_object = of_object
        self._unlisted = unlisted
        self._convert = convert

    def decoder(self, type_: Type) -> Expr:
        decoder, limits = self._decoder(type_), limits_of(type_, self._scope)
        if not limits:
            return decoder
        return call(self._scope.use(LIMITS, "limited"), decoder, *limits)

    def _decoder(self, type_: Type) -> Expr:
        match type_:
            case Anything():
                return self._name("anything")
            case Never():
                return self._call("literal")
            case Null():
                return self._name("null")
            case Scalar(conversion=conversion) if conversion is not None:
                return self._convert(conversion)
            case Scalar(kind=kind):
                return self._name(kind.value)
            case Literal():
                return self._literal(type_)
            case Constant(text=text):
                return self._call("literal", literal(json.loads(text)))
            case Array(item=item, first=()):
                return self._call("array_of", self.decoder(item))
            case Array(item=item, first=first):
                rest = keyword(Code("rest"), self.decoder(item))
                return self._call("prefixed", *map(self.decoder, first), rest)
            case Map(value=value):
                return self._call("map_of", self.decoder(value))
            case Nullable(type=inner):
                return self._call("or_null", self.decoder(inner))
            case Ref(target=target):
                if isinstance(self._scope.decls[target], Alias):
                    return atom(self._scope.function(target))
                return atom(self._of_object(target))
            case Union():
                return self._union(type_)
            case _:
                assert_never(type_)

    def _name(self, name: str) -> Expr:
        return atom(self._scope.use(DECODING, name))

    def _call(self, name: str, *arguments: Expr) -> Expr:
        return call(self._scope.use(DECODING, name), *arguments)

    def _literal(self, type_: Literal) -> Expr:
        if not type_.open:
            return self._call("literal", *map(literal, type_.values))
        return self._first([self._name(kind.value) for kind in type_.kinds])

    def _first(self, decoders: list[Expr]) -> Expr:
        return decoders[0] if len(decoders) == 1 else self._call("first_of", *decoders)

    def _union(self, type_: Union) -> Expr:
        """By JSON type first; by the tag among objects; in order where neither decides."""
        groups: defaultdict[str, list[Type]] = defaultdict(list)
        for member in type_.members:
            for kind in self._kinds(member):
                groups[kind].append(member)
        by_kind = {kind: self._group(kind, members, type_) for kind, members in groups.items()}
        if len(by_kind) == 1:
            return next(iter(by_kind.values()))
        entries = (Entry(Code(kind), decoder) for kind, decoder in by_kind.items())
        return self._call("by_kind", mapping(*entries))

    def _group(self, kind: str, members: list[Type], union: Union) -> Expr:
        if kind == "dict" and union.tag is not None and len(members) > 1:
            return self._tagged(union)
        return self._first([self.decoder(member) for member in members])

    def _tagged(self, union: Union) -> Expr:
        assert union.tag is not None
        entries = [
            Entry(
                format_string(value),
                self._first([self.decoder(union.members[index]) for index in indices]),
            )
            for value, indices in union.tag.cases
        ]
        more = [self._unlisted()] if union.open else []
        if union.tag.untagged:
            members = [self.decoder(union.members[index]) for index in union.tag.untagged]
            more.append(keyword(Code("untagged"), self._first(members)))
        name = atom(format_string(union.tag.field))
        return self._call("tagged", name, mapping(*entries), *more)

    def _kinds(self, type_: Type) -> tuple[str, ...]:
        """The Python types that JSON values of a type have."""
        match type_:
            case Anything():
                return ("str", "int", "float", "bool", "list", "dict")
            case Never() | Null():
                return ()
            case Scalar(kind=kind):
                return _KINDS[kind]
            case Literal(kinds=kinds):
                return tuple(dict.fromkeys(name for kind in kinds for name in _KINDS[kind]))
            case Array():
                return ("list",)
            case Constant(text=text):
                return ("list",) if text.startswith("[") else ("dict",)
            case Map():
                return ("dict",)
            case Nullable(type=inner):
                return self._kinds(inner)
            case Ref(target=target):
                decl = self._scope.decls[target]
                return self._kinds(decl.type) if isinstance(decl, Alias) else ("dict",)
            case Union(members=members):
                return tuple(dict.fromkeys(k for member in members for k in self._kinds(member)))
            case _:
                assert_never(type_)
