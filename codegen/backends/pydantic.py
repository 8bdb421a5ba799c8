"""The pydantic variant: strict models, open to undeclared members.

The models are ordinary ones; decoding is pydantic's own. Names that pydantic uses itself get a
trailing underscore, and an alias where they differ from the wire. Unions of objects are annotated
with what tells their members apart, so that they are read as in the other variants.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.backends.attributes import (
    NONE,
    attribute,
    attribute_names,
    attribute_type,
    field_views,
    others,
)
from codegen.backends.conversions import value_type
from codegen.backends.limits import bounds_of, call_with, limits_setting
from codegen.backends.models import build_models
from codegen.backends.naming import Naming
from codegen.backends.scope import CODEC, Scope, alias_view, class_doc, in_order
from codegen.backends.variant import Variant
from codegen.backends.views import AliasView, ClassView, File
from codegen.ir.api import Alias, Api, Field, Object
from codegen.ir.types import DeclId, Nullable, Scalar, ScalarKind, Tag, Type, Union
from codegen.ir.walk import holds_objects, objects_of
from codegen.python.annotations import Annotator
from codegen.python.code import Code, identifier, snippet
from codegen.python.expressions import Entry, Expr, atom, call, keyword, mapping, ops, subscript
from codegen.python.layout import annotated, definition, statement
from codegen.python.literals import format_string

# Attributes of BaseModel, which a field must not hide.
_TAKEN = frozenset(
    """construct copy dict from_orm json model_computed_fields model_config model_construct
    model_copy model_dump model_dump_json model_extra model_fields model_fields_set
    model_json_schema model_parametrized_name model_post_init model_rebuild model_validate
    model_validate_json model_validate_strings parse_file parse_obj parse_raw register schema
    schema_json update_forward_refs validate""".split()
)
_NO_TEXTS = frozenset({ScalarKind.INTEGER, ScalarKind.NUMBER, ScalarKind.BOOLEAN})
_LIMITS = ".._limits"
_MARKS = ".._marks"
_OR = Code("|")


def build_pydantic(api: Api, naming: Naming) -> Iterator[File]:
    """The model modules of the variant."""
    return build_models("pydantic", api, naming, in_order, _Builder)


class _Builder:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._annotator = Annotator(
            scope.imports,
            scope.declared,
            self._unlisted,
            lambda conversion: value_type(conversion, scope),
            self._limits,
            _MARKS,
            never_from=_MARKS,
            exactly=True,
            in_order=self._keeping_order,
        )
        scope.use("__future__", "annotations")

    def _unlisted(self) -> Expr:
        return atom(self._scope.use(CODEC, "UnknownVariant"))

    def build_alias(self, alias: Alias) -> AliasView:
        return alias_view(alias, self._scope, self._value(alias.type))

    def build_class(self, object_: Object) -> ClassView:
        name = self._scope.declared(object_.id)
        model = self._scope.use(CODEC, "Model")
        names = _names(object_, self._scope.naming)
        codes = {f.wire: self._field(identifier(names[f.wire]), f) for f in object_.fields}
        return ClassView(
            name=name,
            head=definition(Code("class "), call(name, atom(model))),
            doc=class_doc(object_),
            fields=field_views(object_, codes, names),
            settings=tuple(self._settings(object_)),
        )

    def _settings(self, object_: Object) -> Iterator[Code]:
        if object_.is_closed:
            config = self._scope.use("pydantic", "ConfigDict")
            forbid = keyword(Code("extra"), atom(Code('"forbid"')))
            yield statement(Code("model_config = "), call(config, forbid), indent=4)
        if object_.has_typed_others:
            yield others(object_, self._scope, self._annotator)
        yield from limits_setting(object_, _LIMITS, self._scope)

    def _field(self, name: Code, field: Field) -> Code:
        type_ = attribute_type(field, self._scope, self._annotator)
        if name == field.wire:
            return attribute(name, field, type_)
        default = () if field.required else (keyword(Code("default"), NONE),)
        wire = atom(format_string(field.wire))
        aliases = (keyword(Code(f), wire) for f in ("validation_alias", "serialization_alias"))
        made = call(self._scope.use("pydantic", "Field"), *default, *aliases)
        return annotated(snippet("{}: ", name), type_, made, indent=4)

    def _value(self, type_: Type) -> Expr:
        """An alias as an expression: with what pydantic needs to tell objects apart."""
        inner = type_.type if isinstance(type_, Nullable) else type_
        if not isinstance(inner, Union):
            return self._annotator.annotate(type_)
        objects = [m for m in inner.members if objects_of(m, self._scope.decls)]
        if inner.tag is None or len(objects) < 2:
            return self._annotator.annotate(type_)
        told = self._options(objects)
        if inner.open:
            told.append(self._unlisted())
        union = self._annotated(ops(_OR, *told), self._teller(inner, inner.tag))
        others = self._annotator.options(Union(tuple(m for m in inner.members if m not in objects)))
        return ops(_OR, *others, union, *([NONE] if inner is not type_ else []))

    def _options(self, members: list[Type]) -> list[Expr]:
        return [option for member in members for option in self._annotator.options(member)]

    def _annotated(self, type_: Expr, with_: Expr) -> Expr:
        return subscript(self._scope.use("typing", "Annotated"), type_, with_)

    def _teller(self, union: Union, tag: Tag) -> Expr:
        def answer(indices: tuple[int, ...]) -> Expr:
            options = self._options([union.members[index] for index in indices])
            either = ops(_OR, *options)
            return self._annotated(either, self._order()) if len(options) > 1 else either

        cases = (Entry(format_string(value), answer(indices)) for value, indices in tag.cases)
        more = [self._unlisted()] if union.open else []
        if tag.untagged:
            more.append(keyword(Code("untagged"), answer(tag.untagged)))
        name = atom(format_string(tag.field))
        return call(self._scope.use(_MARKS, "Tagged"), name, mapping(*cases), *more)

    def _keeping_order(self, union: Union) -> Expr | None:
        """What keeps the order of a union in which a text or an object may be several things."""
        plain = [m for m in union.members if isinstance(m, Scalar) and m.kind in _NO_TEXTS]
        inside = [m for m in union.members if holds_objects(m, self._scope.decls)]
        texts = len(union.members) - len(plain) > 1 and self._scope.holds_conversions(union)
        return self._order() if texts or len(inside) > 1 else None

    def _limits(self, type_: Type) -> tuple[Expr, ...]:
        """What holds a type to its limits; pydantic has no exact word for all of them."""
        bounds = bounds_of(type_)
        is_number = isinstance(type_, Scalar) and type_.kind is ScalarKind.NUMBER
        own = {name: it for name, it in bounds.items() if is_number or name == "unique"}
        known = {name: it for name, it in bounds.items() if name not in own}
        field = (call_with(known, self._scope.use("pydantic", "Field")),) if known else ()
        limits = (call_with(own, self._scope.use(_LIMITS, "Limits")),) if own else ()
        return (*field, *limits)

    def _order(self) -> Expr:
        """What makes pydantic take the first member that fits, and not the closest."""
        return call(self._scope.use(_MARKS, "InOrder"))


def _names(object_: Object, naming: Naming) -> dict[str, str]:
    return attribute_names(object_, _TAKEN, naming.taken)


def _decode_event(scope: Scope, event: DeclId) -> Expr:
    decode = scope.use(CODEC, "decode")
    return call(decode, atom(scope.declared(event)), atom(Code("json")))


PYDANTIC = Variant(
    name="pydantic",
    about="pydantic models",
    models=build_pydantic,
    decode=_decode_event,
    members=_names,
    exports=("UnknownVariant",),
    taken=_TAKEN,
)
