"""Objects with attributes, as dataclasses and pydantic models have them: names, types, defaults.

A member that may be absent is `T | None = None`; one that may also be null is `Nullable[T] = None`,
which a type checker reads as the same, and the codec as the difference.
"""

from __future__ import annotations

from collections.abc import Container

from codegen.backends.scope import CODEC, Scope, field_doc
from codegen.backends.views import FieldView
from codegen.ir.api import Field, Object
from codegen.ir.types import Anything
from codegen.python.annotations import Annotator
from codegen.python.code import Code, identifier, snippet
from codegen.python.distinct import distinct
from codegen.python.expressions import Expr, atom, ops, subscript
from codegen.python.layout import annotated, statement
from codegen.python.names import snake, split_words

NONE = atom(Code("None"))
# What annotations mean inside a class body stays what it means outside.
BUILTINS = frozenset({"str", "int", "float", "bool", "list", "dict"})


def attribute_names(object_: Object, *taken: Container[str]) -> dict[str, str]:
    """The attribute for each member of an object, by its name on the wire."""
    chosen = {f.wire: f.spelled for f in object_.fields if f.spelled is not None}
    wanted = {f.wire: snake(split_words(f.wire)) for f in object_.fields if f.wire not in chosen}
    names = chosen | distinct(wanted, *taken, BUILTINS, chosen.values())
    return {field.wire: names[field.wire] for field in object_.fields}


def attribute_type(field: Field, scope: Scope, annotator: Annotator) -> Expr:
    """The annotation of a member's attribute."""
    options = annotator.options(field.type)
    if not field.required and not isinstance(field.type, Anything):
        options = tuple(option for option in options if option != NONE) or (NONE,)
        if scope.allows_null(field.type):
            return subscript(scope.use(CODEC, "Nullable"), ops(Code("|"), *options))
        options = (*options, NONE)
    return ops(Code("|"), *options)


def attribute(name: Code, field: Field, type_: Expr) -> Code:
    """The statement that declares a member under its own name."""
    prefix = snippet("{}: ", name)
    if field.required:
        return statement(prefix, type_, indent=4)
    return annotated(prefix, type_, NONE, indent=4)


def others(object_: Object, scope: Scope, annotator: Annotator) -> Code:
    """The statement that says of what type undeclared members are."""
    type_ = subscript(scope.use("typing", "ClassVar"), annotator.annotate(object_.extra))
    return statement(Code("__others__: "), type_, indent=4)


def field_views(
    object_: Object, codes: dict[str, Code], names: dict[str, str]
) -> tuple[FieldView, ...]:
    """The views of an object's fields, from their statements by name on the wire."""
    docs = {field.wire: field_doc(field) for field in object_.fields if field.wire in codes}
    spread = any(docs.values())
    return tuple(
        FieldView(name=identifier(names[wire]), code=codes[wire], doc=doc, gap=spread and index > 0)
        for index, (wire, doc) in enumerate(docs.items())
    )
