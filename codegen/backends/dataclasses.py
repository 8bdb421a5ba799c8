"""The dataclasses variant: slotted, keyword-only classes that decode themselves in straight lines.

Each class has `__decode__`: it assigns every member from the JSON object, then checks those that need no conversion in
one condition. A member that may be absent is `T | None = None`; one that may also be null is `Nullable[T] = None`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codegen.backends.access import CODEC, AttributeAccess
from codegen.backends.conditions import Conditions, all_of, any_of, negated
from codegen.backends.decoders import DECODING, Decoders
from codegen.backends.naming import Naming
from codegen.backends.scope import Scope, doc_of, field_doc, in_order, module_doc, scopes
from codegen.backends.shapes import model_shape
from codegen.backends.variant import Variant
from codegen.backends.views import AliasView, ClassView, FieldView, File, ModuleView
from codegen.ir.api import Alias, Api, Field, Object
from codegen.ir.types import Anything, Array, DeclId, Nullable, Type
from codegen.python.annotations import Annotator
from codegen.python.code import Code, identifier, snippet
from codegen.python.distinct import distinct
from codegen.python.layout import Entry, Expr, annotated, atom, call, flat, mapping, ops, statement, subscript
from codegen.python.literals import format_string
from codegen.python.names import snake, split_words

# What annotations and the base class use keeps its meaning inside a class.
TAKEN = frozenset(
    {"str", "int", "float", "bool", "list", "dict", "from_dict", "to_dict", "add", "snapshot"}
)


def field_names(object_: Object, taken: frozenset[str] = TAKEN) -> dict[str, str]:
    """The attribute for each member of an object, by its name on the wire."""
    wanted = {field.wire: snake(split_words(field.wire)) for field in object_.fields}
    return distinct(wanted, taken)


def build_dataclasses(api: Api, naming: Naming) -> Iterator[File]:
    """The model modules of the variant."""
    for module, scope in scopes(api, naming):
        builder = _Builder(scope)
        items = tuple(
            builder.build_class(decl) if isinstance(decl, Object) else builder.build_alias(decl)
            for decl in in_order(module)
        )
        view = ModuleView(doc=module_doc(module), imports=scope.imports.lines(), items=items)
        yield File(
            path=f"dataclasses/models/{module.name}.py",
            template="dataclasses/module.py.jinja",
            view=view,
            shape=model_shape(view, scope, ("def __decode__",)),
        )


class _Builder:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._annotator = Annotator(scope.imports, scope.declared, self._unlisted_type)
        self._conditions = Conditions(scope, has_types=True)
        self._decoders = Decoders(scope, self._decode_object, self._unlisted)
        scope.use("__future__", "annotations")

    def _unlisted_type(self) -> Expr:
        return atom(self.scope.use(CODEC, "UnknownVariant"))

    def _unlisted(self) -> Expr:
        return atom(snippet("{}.__decode__", flat(self._unlisted_type())))

    def _decode_object(self, target: DeclId) -> Code:
        return snippet("{}.__decode__", self.scope.declared(target))

    def build_alias(self, alias: Alias) -> AliasView:
        name = self.scope.declared(alias.id)
        decode = self.scope.function(alias.id)
        self.scope.use("typing", "TypeAlias")
        self.scope.use(DECODING, "Decoder")
        decoder = subscript(Code("Decoder"), atom(name))
        register = call(self.scope.use(CODEC, "register"), atom(name), atom(decode))
        return AliasView(
            name=name,
            code=statement(snippet("{}: TypeAlias = ", name), self._annotator.annotate(alias.type)),
            doc=doc_of(alias.doc, 0),
            after=(
                annotated(snippet("{}: ", decode), decoder, self._decoders.decoder(alias.type)),
                statement(Code(""), register),
            ),
        )

    def build_class(self, object_: Object) -> ClassView:
        for module, name in (
            ("dataclasses", "dataclass"),
            ("typing", "Any"),
            ("typing", "Self"),
            (CODEC, "Record"),
            (CODEC, "new_record"),
        ):
            self.scope.use(module, name)
        names = {wire: identifier(name) for wire, name in field_names(object_).items()}
        docs = [field_doc(field) for field in object_.fields]
        gap = any(docs)
        name = self.scope.declared(object_.id)
        return ClassView(
            name=name,
            head=statement(Code("class "), call(name, atom(Code("Record"))), Code(":")),
            doc=doc_of(object_.doc, 4),
            fields=tuple(
                FieldView(
                    name=names[field.wire],
                    code=self._annotate(names[field.wire], field),
                    doc=doc,
                    gap=gap and index > 0,
                )
                for index, (field, doc) in enumerate(zip(object_.fields, docs, strict=True))
            ),
            wire=self._wire(names),
            decode=tuple(self._decode(object_.fields, names)),
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
        prefix, type_ = snippet("{}: ", name), ops(Code("|"), *options)
        if field.required:
            return statement(prefix, type_, indent=4)
        return annotated(prefix, type_, atom(Code("None")), indent=4)

    def _wire(self, names: dict[str, Code]) -> Code | None:
        renamed = {wire: name for wire, name in names.items() if wire != name}
        if not renamed:
            return None
        entries = (Entry(format_string(name), atom(format_string(wire))) for wire, name in renamed.items())
        self.scope.use("typing", "ClassVar")
        return statement(Code("__wire__: ClassVar[dict[str, str]] = "), mapping(*entries), indent=4)

    def _decode(self, fields: Iterable[Field], names: dict[str, Code]) -> Iterator[Code]:
        conditions: list[Expr | None] = []
        for field in fields:
            target, key = snippet("self.{}", names[field.wire]), format_string(field.wire)
            if self.scope.holds_objects(field.type):
                value = self._member(field, key)
            else:
                value = call(Code("json.get"), atom(key))
                conditions.append(self._condition(field, target, key))
            yield statement(snippet("{} = ", target), value, indent=8)
        kept = [condition for condition in conditions if condition is not None]
        if kept:
            self.scope.use(DECODING, "Mismatch")
            yield statement(Code("if "), negated(all_of(*kept)), Code(":"), indent=8)
            yield Code("            raise Mismatch")

    def _member(self, field: Field, key: Code) -> Expr:
        null = self.scope.allows_null(field.type)
        if field.required and not null:
            return self._apply(field.type, call(Code("json.get"), atom(key)))
        inner = field.type
        word = "required" if field.required else "nullable" if null else "optional"
        if word == "nullable" and isinstance(inner, Nullable):
            inner = inner.type
        decode = self._decoders.decoder(inner)
        return call(self.scope.use(DECODING, word), atom(Code("json")), atom(key), decode)

    def _apply(self, type_: Type, value: Expr) -> Expr:
        if isinstance(type_, Array):
            array = self.scope.use(DECODING, "array")
            return call(array, value, self._decoders.decoder(type_.item))
        return call(flat(self._decoders.decoder(type_)), value)

    def _condition(self, field: Field, target: Code, key: Code) -> Expr | None:
        there = atom(snippet("{} in json", key))
        missing = atom(snippet("{} not in json", key))
        holds = self._conditions.holds(field.type, target)
        if holds is None:
            return there if field.required else None
        if self.scope.allows_null(field.type):
            return all_of(there, holds) if field.required else holds
        return holds if field.required else any_of(holds, missing)


def _decode_event(scope: Scope, event: DeclId) -> Expr:
    decl = scope.decls[event]
    if isinstance(decl, Object):
        head = snippet("{}.__decode__", scope.declared(event))
    else:
        head = scope.function(event)
    return call(head, atom(Code("json")))


def _access(scope: Scope) -> AttributeAccess:
    return AttributeAccess(scope, _decode_event, field_names)


DATACLASSES = Variant(
    name="dataclasses",
    about="dataclasses",
    models=build_dataclasses,
    access=_access,
    exports=("Record", "UnknownVariant"),
)
