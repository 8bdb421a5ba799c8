"""How conversions of strings are spelled: the class, the types made of it, and what reads it."""

from __future__ import annotations

from codegen.backends.scope import RUNTIME, Scope
from codegen.ir.types import Conversion
from codegen.python.code import Code
from codegen.python.expressions import Expr, atom

FORMATS = ".._formats"

_CLASSES = {
    Conversion.DATE_TIME: ("datetime", "datetime"),
    Conversion.DATE: ("datetime", "date"),
    Conversion.TIME: ("datetime", "time"),
    Conversion.UUID: ("uuid", "UUID"),
    Conversion.BYTES: ("builtins", "bytes"),
    Conversion.DECIMAL: ("decimal", "Decimal"),
}
_NAMES = {
    Conversion.DATE_TIME: "DateTime",
    Conversion.DATE: "Date",
    Conversion.TIME: "Time",
    Conversion.UUID: "UUID",
    Conversion.BYTES: "Base64",
    Conversion.DECIMAL: "Decimal",
}
_MODULES = {
    Conversion.DATE_TIME: "datetimes",
    Conversion.DATE: "datetimes",
    Conversion.TIME: "datetimes",
    Conversion.UUID: "uuids",
    Conversion.BYTES: "base64s",
    Conversion.DECIMAL: "decimals",
}
_READERS = {
    Conversion.DATE_TIME: "read_date_time",
    Conversion.DATE: "read_date",
    Conversion.TIME: "read_time",
    Conversion.UUID: "read_uuid",
    Conversion.BYTES: "read_bytes",
    Conversion.DECIMAL: "read_decimal",
}


def class_of(conversion: Conversion, scope: Scope) -> Expr:
    """The class itself; a builtin is imported only where a member has its name."""
    module, name = _CLASSES[conversion]
    if module == "builtins" and name not in scope.members:
        return atom(Code("bytes"))
    return atom(scope.use(module, name))


def text_type(conversion: Conversion, scope: Scope) -> Expr:
    """The type of a text that is written as the values of a conversion are."""
    return atom(scope.use(RUNTIME + _MODULES[conversion], _NAMES[conversion] + "Text"))


def value_type(conversion: Conversion, scope: Scope) -> Expr:
    """The type of a value that pydantic reads from its text."""
    return atom(scope.use(FORMATS, _NAMES[conversion]))


def reader(conversion: Conversion, scope: Scope) -> Expr:
    """The decoder of a conversion."""
    return atom(scope.use(RUNTIME + _MODULES[conversion], _READERS[conversion]))
