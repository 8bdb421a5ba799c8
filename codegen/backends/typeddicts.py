"""The TypedDicts variant: the parsed JSON itself, checked and typed.

Each TypedDict has a function that checks JSON in straight lines and returns it unchanged. Keys are the names on the wire;
those that cannot stand in a class body are declared in a base made by the functional form. Annotations are evaluated at
once, since `__required_keys__` is wrong for postponed ones: so definitions come before their uses, and what cannot is
quoted.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from keyword import iskeyword

from codegen.backends.access import CODEC, KeyAccess
from codegen.backends.conditions import Conditions, all_of, any_of, negated
from codegen.backends.decoders import DECODING, Decoders
from codegen.backends.naming import Module, Naming
from codegen.backends.scope import Scope, doc_of, field_doc, module_doc, scopes
from codegen.backends.shapes import model_shape
from codegen.backends.variant import Variant
from codegen.backends.views import AliasView, ClassView, FieldView, File, ModuleView
from codegen.ir.api import Alias, Api, Decl, Field, Object
from codegen.ir.types import Array, DeclId, Nullable, Type, refs
from codegen.ir.walk import types_of
from codegen.python.annotations import Annotator
from codegen.python.code import Code, identifier, snippet
from codegen.python.distinct import distinct
from codegen.python.layout import (
    Entry,
    Expr,
    annotated,
    atom,
    call,
    flat,
    mapping,
    ops,
    parameters,
    statement,
    subscript,
)
from codegen.python.literals import format_string
from codegen.python.names import snake, split_words

_NAME = re.compile(r"\w+")
_TEXT = re.compile(r'"[^"]*"')


def build_typeddicts(api: Api, naming: Naming) -> Iterator[File]:
    """The model modules of the variant."""
    for module, scope in scopes(api, naming):
        builder = _Builder(scope)
        items = tuple(builder.build(decl) for decl in uses_last(module))
        view = ModuleView(doc=module_doc(module), imports=scope.imports.lines(), items=items)
        yield File(
            path=f"typeddicts/models/{module.name}.py",
            template="typeddicts/module.py.jinja",
            view=view,
            shape=model_shape(view, scope, ()),
        )


def uses_last(module: Module) -> list[Decl]:
    """The declarations of a module, each after those it uses where they do not use each other.

    An alias is a value, so it always comes after what it is made of.
    """
    members = {decl.id: decl for decl in module.decls}
    order: dict[DeclId, Decl] = {}
    seen: set[DeclId] = set()
    waiting: dict[DeclId, Alias] = {}

    def uses(decl: Decl) -> list[DeclId]:
        return [t for type_ in types_of(decl) for t in refs(type_) if t in members]

    def place(decl: Decl) -> None:
        order[decl.id] = decl
        waiting.pop(decl.id, None)
        for alias in list(waiting.values()):
            if alias.id in waiting and all(target in order for target in uses(alias)):
                place(alias)

    def visit(decl: Decl) -> None:
        seen.add(decl.id)
        for target in uses(decl):
            if target not in seen:
                visit(members[target])
        if isinstance(decl, Alias) and not all(target in order for target in uses(decl)):
            waiting[decl.id] = decl
        else:
            place(decl)

    for decl in module.decls:
        if decl.id not in seen:
            visit(decl)
    return list(order.values())


class _Builder:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._defined: set[DeclId] = set()
        self._is_early = False
        self._annotator = Annotator(scope.imports, self._declared, self._unlisted_type)
        self._conditions = Conditions(scope, has_types=False)
        self._decoders = Decoders(scope, scope.function, self._unlisted)

    def _declared(self, id_: DeclId) -> Code:
        here = self.scope.naming.module_of[id_] == self.scope.module
        self._is_early |= here and id_ not in self._defined
        return self.scope.declared(id_)

    def _unlisted_type(self) -> Expr:
        return subscript(Code("dict"), atom(Code("str")), atom(self.scope.use("typing", "Any")))

    def _unlisted(self) -> Expr:
        return atom(self.scope.use(DECODING, "anything"))

    def build(self, decl: Decl) -> ClassView | AliasView:
        view = self._class(decl) if isinstance(decl, Object) else self._alias(decl)
        self._defined.add(decl.id)
        return view

    def _alias(self, alias: Alias) -> AliasView:
        name = self.scope.declared(alias.id)
        decode = self.scope.function(alias.id)
        self.scope.use("typing", "TypeAlias")
        self.scope.use(DECODING, "Decoder")
        decoder = subscript(Code("Decoder"), atom(name))
        return AliasView(
            name=name,
            code=statement(snippet("{}: TypeAlias = ", name), self._annotator.annotate(alias.type)),
            doc=doc_of(alias.doc, 0),
            after=(
                annotated(snippet("{}: ", decode), decoder, self._decoders.decoder(alias.type)),
                self._register(name, decode),
            ),
        )

    def _register(self, name: Code, decode: Code) -> Code:
        return statement(
            Code(""), call(self.scope.use(CODEC, "register"), atom(name), atom(decode))
        )

    def _class(self, object_: Object) -> ClassView:
        name = self.scope.declared(object_.id)
        decode = self.scope.function(object_.id)
        typed_dict = self.scope.use("typing", "TypedDict")
        for used in ("Any", "cast"):
            self.scope.use("typing", used)
        self.scope.use(DECODING, "Mismatch")
        types = {field.wire: self._annotation(field) for field in object_.fields}
        used = {name for type_ in types.values() for name in _NAME.findall(_TEXT.sub("", flat(type_)))}
        fields = [f for f in object_.fields if _is_plain(f.wire) and f.wire not in used]
        others = [f for f in object_.fields if f not in fields]
        base, before = typed_dict, tuple[Code, ...]()
        if others:
            base = snippet("_{}Keys", name)
            keys = (Entry(format_string(f.wire), types[f.wire]) for f in others)
            made = call(typed_dict, atom(format_string(base)), mapping(*keys))
            before = (statement(snippet("{} = ", base), made),)
        docs = [field_doc(field) for field in fields]
        head = call(name, atom(base))
        return ClassView(
            name=name,
            head=statement(Code("class "), head, Code(":")),
            doc=doc_of(object_.doc, 4),
            before=before,
            fields=tuple(
                FieldView(
                    name=field.wire,
                    code=statement(
                        snippet("{}: ", identifier(field.wire)), types[field.wire], indent=4
                    ),
                    doc=doc,
                    gap=any(docs) and index > 0,
                )
                for index, (field, doc) in enumerate(zip(fields, docs, strict=True))
            ),
            decode=(
                statement(snippet("def {}", decode), parameters(atom(Code("json: Any"))), snippet(" -> {}:", name)),
                *self._decode(object_, name),
            ),
            after=(self._register(name, decode),),
        )

    def _annotation(self, field: Field) -> Expr:
        self._is_early = False
        type_ = self._annotator.annotate(field.type)
        if self._is_early:
            type_ = atom(format_string(flat(type_)))
        if field.required:
            return type_
        return subscript(self.scope.use("typing", "NotRequired"), type_)

    def _decode(self, object_: Object, name: Code) -> Iterator[Code]:
        conditions: list[Expr] = [call(self.scope.use(DECODING, "is_object"), atom(Code("json")))]
        calls: list[Expr] = []
        for field in object_.fields:
            key = format_string(field.wire)
            if self.scope.holds_objects(field.type):
                calls.append(self._member(field, key))
            elif (condition := self._condition(field, key)) is not None:
                conditions.append(condition)
        yield statement(Code("if "), negated(all_of(*conditions)), Code(":"), indent=4)
        yield Code("        raise Mismatch")
        for expression in calls:
            yield statement(Code(""), expression, indent=4)
        yield statement(Code("return "), call(Code("cast"), atom(name), atom(Code("json"))), indent=4)

    def _member(self, field: Field, key: Code) -> Expr:
        null = self.scope.allows_null(field.type)
        if field.required and not null:
            return self._apply(field.type, snippet("json.get({})", key))
        inner = field.type
        word = "required" if field.required else "nullable" if null else "optional"
        if word == "nullable" and isinstance(inner, Nullable):
            inner = inner.type
        decode = self._decoders.decoder(inner)
        return call(self.scope.use(DECODING, word), atom(Code("json")), atom(key), decode)

    def _apply(self, type_: Type, value: Code) -> Expr:
        if isinstance(type_, Array):
            array = self.scope.use(DECODING, "array")
            return call(array, atom(value), self._decoders.decoder(type_.item))
        return call(flat(self._decoders.decoder(type_)), atom(value))

    def _condition(self, field: Field, key: Code) -> Expr | None:
        missing = atom(snippet("{} not in json", key))
        there = atom(snippet("{} in json", key))
        if field.required and not self.scope.allows_null(field.type):
            return self._conditions.holds(field.type, snippet("json.get({})", key))
        holds = self._conditions.holds(field.type, snippet("json[{}]", key))
        if holds is None:
            return there if field.required else None
        return all_of(there, holds) if field.required else any_of(missing, holds)


def _is_plain(key: str) -> bool:
    """Whether a key means itself in a class body."""
    mangled = key.startswith("__") and not key.endswith("__")
    normal = unicodedata.normalize("NFKC", key) == key
    return key.isidentifier() and not iskeyword(key) and not mangled and normal


# Names that stream code uses beside those of an object's members.
_LOCALS = frozenset({"self", "chunk", "entry", "folded", "snapshot", "add"})


def _local_names(object_: Object) -> dict[str, str]:
    wanted = {field.wire: snake(split_words(field.wire)) for field in object_.fields}
    return distinct(wanted, _LOCALS)


def _access(scope: Scope) -> KeyAccess:
    return KeyAccess(scope, _local_names)


TYPEDDICTS = Variant(
    name="typeddicts",
    about="TypedDicts",
    models=build_typeddicts,
    access=_access,
    exports=(),
)
