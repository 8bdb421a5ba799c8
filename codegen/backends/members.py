"""The expression that decodes one member of the object `json`, where a check is not enough."""

from __future__ import annotations

from codegen.backends.decoders import Decoders
from codegen.backends.limits import bounds_of
from codegen.backends.scope import DECODING, Scope
from codegen.ir.api import Field, Object
from codegen.ir.types import Array, Nullable
from codegen.python.code import Code, snippet
from codegen.python.layout import Expr, applied, atom, braces, call, ops
from codegen.python.literals import format_string

JSON = atom(Code("json"))


def decode_member(field: Field, key: Code, scope: Scope, decoders: Decoders) -> Expr:
    """`key` is the member's name as a literal; absence and null are told apart as the document
    says.
    """
    type_, null = field.type, scope.allows_null(field.type)
    value = atom(snippet("json.get({})", key))
    is_plain = isinstance(type_, Array) and not type_.first and not bounds_of(type_)
    if field.required and not null and isinstance(type_, Array) and is_plain:
        return call(scope.use(DECODING, "array"), value, decoders.decoder(type_.item))
    # Where an alias allows null, so does its decoder; absence reads as null here.
    if field.required != null and not isinstance(type_, Nullable):
        return applied(decoders.decoder(type_), value)
    word = "required" if field.required else "nullable" if null else "optional"
    if word == "nullable" and isinstance(type_, Nullable):
        type_ = type_.type
    return call(scope.use(DECODING, word), JSON, atom(key), decoders.decoder(type_))


def is_absent(key: Code) -> Expr:
    """Whether `json` lacks a member."""
    return ops(Code("not in"), atom(key), JSON)


def check_others(object_: Object, scope: Scope, decoders: Decoders) -> Expr:
    """The call that checks the members of `json` that are not declared."""
    declared = braces(*(atom(format_string(field.wire)) for field in object_.fields))
    names = declared if object_.fields else call(Code("set"))
    check = scope.use(DECODING, "check_others")
    return call(check, JSON, names, decoders.decoder(object_.extra))
