"""The expression that decodes one member of the object `json`, where a check is not enough."""

from __future__ import annotations

from codegen.backends.decoders import Decoders
from codegen.backends.scope import DECODING, Scope
from codegen.ir.api import Field
from codegen.ir.types import Array, Nullable
from codegen.python.code import Code, snippet
from codegen.python.layout import Expr, atom, call, flat

JSON = atom(Code("json"))


def decode_member(field: Field, key: Code, scope: Scope, decoders: Decoders) -> Expr:
    """`key` is the member's name as a literal; absence and null are told apart as the document
    says.
    """
    null = scope.allows_null(field.type)
    if field.required and not null:
        value = atom(snippet("json.get({})", key))
        if isinstance(field.type, Array):
            item = decoders.decoder(field.type.item)
            return call(scope.use(DECODING, "array"), value, item)
        return call(flat(decoders.decoder(field.type)), value)
    type_ = field.type
    if field.required:
        word = "required"
    elif isinstance(type_, Nullable):
        word, type_ = "nullable", type_.type
    else:  # where an alias allows null, so does its decoder
        word = "optional"
    return call(scope.use(DECODING, word), JSON, atom(key), decoders.decoder(type_))
