"""How one member of the object `json` is decoded, where a check is not enough."""

from __future__ import annotations

from dataclasses import dataclass

from codegen.backends.decoders import Decoders
from codegen.backends.limits import bounds_of
from codegen.backends.scope import DECODING, Scope
from codegen.ir.api import Field, Object
from codegen.ir.types import Array, Map, Nullable, Type
from codegen.python.code import Code, identifier
from codegen.python.expressions import Atom, Expr, Ops, atom, braces, call, ops, subscript
from codegen.python.literals import format_string
from codegen.python.names import snake, split_words

JSON = atom(Code("json"))


@dataclass(frozen=True, slots=True)
class Member:
    """The expression that decodes a member, and the condition under which there is one to decode,
    if it may be absent or null.
    """

    decoded: Expr
    is_there: Expr | None = None


class Members:
    """Decodes the members of one object.

    A decoder that is made of others becomes a constant: it is made once, and not whenever an object
    is decoded.
    """

    def __init__(self, object_: Object, scope: Scope, decoders: Decoders) -> None:
        self._object = object_
        self._scope = scope
        self._decoders = decoders

    def member(self, field: Field, key: Code) -> Member:
        """`key` is the member's name as a literal; absence and null are told apart as the document
        says, but for one that must be there and may be null: what decodes it takes absence for
        null.
        """
        type_, null = field.type, self._scope.allows_null(field.type)
        value, found = call(Code("json.get"), atom(key)), subscript(Code("json"), atom(key))
        if isinstance(type_, Nullable):
            is_value = Ops(Code("is not"), (value, atom(Code("None"))))
            return Member(self._decoded(type_.type, found, field.wire), is_value)
        # Where an alias allows null, so does its decoder.
        if field.required or null:
            return Member(self._decoded(type_, value, field.wire))
        return Member(self._decoded(type_, found, field.wire), is_there(key))

    def check_others(self) -> Expr:
        """The call that checks the members of `json` that are not declared."""
        fields = self._object.fields
        declared = braces(*(atom(format_string(field.wire)) for field in fields))
        names = declared if fields else call(Code("set"))
        check = self._scope.use(DECODING, "check_others")
        return call(check, JSON, names, self._decoder(self._object.extra, "others"))

    def _decoded(self, type_: Type, value: Expr, name: str) -> Expr:
        match type_:
            case Array(item=item, first=()) if not bounds_of(type_):
                array = self._scope.use(DECODING, "array")
                return call(array, value, self._decoder(item, name))
            case Map(value=inner) if not bounds_of(type_):
                mapping = self._scope.use(DECODING, "mapping")
                return call(mapping, value, self._decoder(inner, name))
            case _:
                decoder = self._decoder(type_, name)
                return call(decoder.code, value)

    def _decoder(self, type_: Type, name: str) -> Atom:
        """The name of a decoder."""
        decoder = self._decoders.decoder(type_)
        if isinstance(decoder, Atom):
            return decoder
        owner = self._scope.naming.functions[self._object.id]
        constant = identifier(f"_decode_{owner}_{snake(split_words(name))}")
        return atom(self._scope.keep(constant, decoder))


def is_there(key: Code) -> Expr:
    """Whether `json` has a member."""
    return ops(Code("in"), atom(key), JSON)


def is_absent(key: Code) -> Expr:
    """Whether `json` lacks a member."""
    return ops(Code("not in"), atom(key), JSON)
