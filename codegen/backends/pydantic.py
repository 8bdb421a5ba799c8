"""The pydantic variant: strict models, open to undeclared members.

The models are ordinary ones; decoding is pydantic's own. A member that may be absent is `T | None = None`; one that may
also be null is `Nullable[T] = None`. Names that pydantic uses itself get a trailing underscore.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.backends.access import CODEC, AttributeAccess
from codegen.backends.dataclasses import field_names
from codegen.backends.naming import Naming
from codegen.backends.scope import Scope, doc_of, field_doc, in_order, module_doc, scopes
from codegen.backends.shapes import model_shape
from codegen.backends.variant import Variant
from codegen.backends.views import AliasView, ClassView, FieldView, File, ModuleView
from codegen.ir.api import Alias, Api, Field, Object
from codegen.ir.types import Anything, DeclId, Nullable, Type, Union
from codegen.ir.walk import objects_of
from codegen.python.annotations import Annotator
from codegen.python.code import Code, identifier, snippet
from codegen.python.layout import Entry, Expr, annotated, atom, call, flat, mapping, ops, statement, subscript
from codegen.python.literals import format_string

# Attributes of BaseModel, which a field must not hide, and the names that annotations use.
TAKEN = frozenset(
    """str int float bool list dict construct copy dict from_orm json model_computed_fields model_config model_construct
    model_copy model_dump model_dump_json model_extra model_fields model_fields_set model_json_schema
    model_parametrized_name model_post_init model_rebuild model_validate model_validate_json model_validate_strings
    parse_file parse_obj parse_raw schema schema_json update_forward_refs validate
    register add snapshot""".split()
)


def build_pydantic(api: Api, naming: Naming) -> Iterator[File]:
    """The model modules of the variant."""
    for module, scope in scopes(api, naming):
        builder = _Builder(scope)
        items = tuple(
            builder.build_class(decl) if isinstance(decl, Object) else builder.build_alias(decl)
            for decl in in_order(module)
        )
        view = ModuleView(doc=module_doc(module), imports=scope.imports.lines(), items=items)
        yield File(
            path=f"pydantic/models/{module.name}.py",
            template="pydantic/module.py.jinja",
            view=view,
            shape=model_shape(view, scope, ()),
        )


class _Builder:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._annotator = Annotator(scope.imports, scope.declared, self._unlisted)
        scope.use("__future__", "annotations")

    def _unlisted(self) -> Expr:
        return atom(self.scope.use(CODEC, "UnknownVariant"))

    def build_alias(self, alias: Alias) -> AliasView:
        name = self.scope.declared(alias.id)
        self.scope.use("typing", "TypeAlias")
        return AliasView(
            name=name,
            code=statement(snippet("{}: TypeAlias = ", name), self._value(alias.type)),
            doc=doc_of(alias.doc, 0),
        )

    def build_class(self, object_: Object) -> ClassView:
        name = self.scope.declared(object_.id)
        model = self.scope.use(CODEC, "Model")
        names = {w: identifier(n) for w, n in field_names(object_, TAKEN).items()}
        docs = [field_doc(field) for field in object_.fields]
        return ClassView(
            name=name,
            head=statement(Code("class "), call(name, atom(model)), Code(":")),
            doc=doc_of(object_.doc, 4),
            fields=tuple(
                FieldView(
                    name=names[field.wire],
                    code=self._annotate(names[field.wire], field),
                    doc=doc,
                    gap=any(docs) and index > 0,
                )
                for index, (field, doc) in enumerate(zip(object_.fields, docs, strict=True))
            ),
        )

    def _annotate(self, name: Code, field: Field) -> Code:
        options = self._annotator.options(field.type)
        if not field.required:
            options = tuple(o for o in options if flat(o) != "None")
            if not self.scope.allows_null(field.type):
                options = (*options, atom(Code("None")))
            elif not isinstance(field.type, Anything):
                nullable = self.scope.use(CODEC, "Nullable")
                options = (subscript(nullable, ops(Code("|"), *options)),)
        type_ = ops(Code("|"), *options)
        prefix = snippet("{}: ", name)
        if name == field.wire:
            if field.required:
                return statement(prefix, type_, indent=4)
            return annotated(prefix, type_, atom(Code("None")), indent=4)
        alias = format_string(field.wire)
        default = () if field.required else (atom(Code("default=None")),)
        made = call(
            self.scope.use("pydantic", "Field"),
            *default,
            atom(snippet("validation_alias={}", alias)),
            atom(snippet("serialization_alias={}", alias)),
        )
        return annotated(prefix, type_, made, indent=4)

    def _value(self, type_: Type) -> Expr:
        """An alias as an expression: with what pydantic needs to tell objects apart."""
        inner = type_.type if isinstance(type_, Nullable) else type_
        if not isinstance(inner, Union):
            return self._annotator.annotate(type_)
        objects = [m for m in inner.members if objects_of(m, self.scope.decls)]
        if len(objects) < 2:
            return self._annotator.annotate(type_)
        told = [o for m in objects for o in self._annotator.options(m)]
        if inner.tag is not None and inner.open:
            told.append(self._unlisted())
        annotated_ = self.scope.use("typing", "Annotated")
        others = [o for m in inner.members if m not in objects for o in self._annotator.options(m)]
        none = [atom(Code("None"))] if inner is not type_ else []
        union = subscript(annotated_, ops(Code("|"), *told), self._teller(inner))
        return ops(Code("|"), *others, union, *none)

    def _teller(self, union: Union) -> Expr:
        if union.tag is None:
            return self._in_order()
        cases: list[Entry] = []
        for value, indices in union.tag.cases:
            options = [o for i in indices for o in self._annotator.options(union.members[i])]
            answer = ops(Code("|"), *options)
            if len(options) > 1:
                answer = subscript(self.scope.use("typing", "Annotated"), answer, self._in_order())
            cases.append(Entry(format_string(value), answer))
        unlisted = (self._unlisted(),) if union.open else ()
        name = atom(format_string(union.tag.field))
        return call(self.scope.use(CODEC, "Tagged"), name, mapping(*cases), *unlisted)

    def _in_order(self) -> Expr:
        """What makes pydantic take the first member that fits, and not the closest."""
        mode = atom(Code('union_mode="left_to_right"'))
        return call(self.scope.use("pydantic", "Field"), mode)


def _decode_event(scope: Scope, event: DeclId) -> Expr:
    decode = scope.use(CODEC, "decode")
    return call(decode, atom(scope.declared(event)), atom(Code("json")))


def _field_names(object_: Object) -> dict[str, str]:
    return field_names(object_, TAKEN)


def _access(scope: Scope) -> AttributeAccess:
    return AttributeAccess(scope, _decode_event, _field_names)


PYDANTIC = Variant(
    name="pydantic",
    about="pydantic models",
    models=build_pydantic,
    access=_access,
    exports=("Model", "UnknownVariant"),
)
