"""The TypedDicts variant: the parsed JSON itself, checked and typed.

Each TypedDict has a function that checks JSON in straight lines and returns it unchanged, as `Any`:
whoever calls it says what it is. Type checkers would else compare each TypedDict of a union with
each other, for a third of their time. Keys are the names on the wire; those that cannot stand in a
class body are declared in a base made by the functional form. Annotations are evaluated at once,
since `__required_keys__` is wrong for postponed ones: so definitions come before their uses, and
what cannot is quoted.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from keyword import iskeyword

from codegen.backends.attributes import field_views
from codegen.backends.conditions import Conditions, all_of, any_of, has_only, negated
from codegen.backends.conversions import reader, text_type
from codegen.backends.decoders import Decoders
from codegen.backends.limits import conditions_of, limits_of
from codegen.backends.members import JSON, Member, Members, is_absent, is_there
from codegen.backends.models import build_models
from codegen.backends.naming import Naming
from codegen.backends.scope import (
    DECODING,
    MARKS,
    RUNTIME,
    Scope,
    class_doc,
    decoded_alias_view,
    register,
    uses_last,
)
from codegen.backends.variant import Variant
from codegen.backends.views import AliasView, ClassView, File
from codegen.ir.api import Alias, Api, Field, Object
from codegen.ir.types import Anything, Conversion, DeclId, Ref, Type
from codegen.ir.walk import map_type
from codegen.python.annotations import Annotator
from codegen.python.code import Code, identifier, snippet
from codegen.python.expressions import (
    Entry,
    Expr,
    atom,
    call,
    keyword,
    mapping,
    parameters,
    subscript,
)
from codegen.python.layout import definition, statement
from codegen.python.literals import format_string

_NAME = re.compile(r"\w+")
_TEXT = re.compile(r'"[^"]*"')


def build_typeddicts(api: Api, naming: Naming) -> Iterator[File]:
    """The model modules of the variant."""
    return build_models("typeddicts", api, naming, uses_last, _Builder)


class _Builder:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._defined: set[DeclId] = set()
        self._is_early = False
        self._annotator = Annotator(
            scope.imports,
            self._declared,
            self._unlisted_type,
            lambda conversion: text_type(conversion, scope),
            lambda type_: limits_of(type_, scope),
            MARKS,
        )
        self._conditions = Conditions(scope)
        # What becomes of a member is of no interest, only whether it can be read.
        self._checks = Decoders(
            scope, scope.function, self._unlisted, lambda conversion: reader(conversion, scope)
        )
        self._decoders = Decoders(scope, scope.function, self._unlisted, self._verbatim)

    def _declared(self, id_: DeclId) -> Code:
        here = self._scope.naming.module_of[id_] == self._scope.module
        self._is_early |= here and id_ not in self._defined
        return self._scope.declared(id_)

    def _unlisted_type(self) -> Expr:
        any_ = self._scope.use("typing", "Any")
        return subscript(Code("dict"), atom(Code("str")), atom(any_))

    def _unlisted(self) -> Expr:
        return atom(self._scope.use(DECODING, "anything"))

    def _verbatim(self, conversion: Conversion) -> Expr:
        verbatim = self._scope.use(RUNTIME + "texts", "verbatim")
        return call(verbatim, reader(conversion, self._scope))

    def build_alias(self, alias: Alias) -> AliasView:
        type_ = self._annotator.annotate(alias.type)
        self._defined.add(alias.id)
        return decoded_alias_view(alias, self._scope, type_, self._decoders.decoder(alias.type))

    def build_class(self, object_: Object) -> ClassView:
        name, decode = self._scope.declared(object_.id), self._scope.function(object_.id)
        types = {field.wire: self._annotation(field) for field in object_.fields}
        mentioned = {
            word for type_ in types.values() for word in _NAME.findall(_TEXT.sub("", type_.code))
        }
        plain = [w for w in types if _is_plain(w) and w not in mentioned]
        codes = {w: statement(snippet("{}: ", identifier(w)), types[w], indent=4) for w in plain}
        base, before = self._base(name, {w: t for w, t in types.items() if w not in codes})
        self._defined.add(object_.id)
        members = Members(object_, self._scope, self._checks)
        any_ = self._scope.use("typing", "Any")
        json = parameters(atom(snippet("json: {}", any_)))
        return ClassView(
            name=name,
            head=definition(Code("class "), call(name, atom(base))),
            doc=class_doc(object_),
            before=before,
            fields=field_views(object_, codes, {wire: wire for wire in codes}),
            method=(
                definition(snippet("def {}", decode), json, atom(any_)),
                *self._decode(object_, members),
            ),
            after=(self._register(object_, name, decode),),
        )

    def _register(self, object_: Object, name: Code, decode: Code) -> Code:
        others, limits = self._others(object_), limits_of(object_, self._scope)
        settings = [keyword(Code("others"), others)] if others is not None else []
        settings += (keyword(Code("limits"), it) for it in limits)
        return register(name, decode, self._scope, *settings)

    def _base(self, name: Code, types: dict[str, Expr]) -> tuple[Code, tuple[Code, ...]]:
        """The base class, and the statement that makes it where there are keys for it."""
        typed_dict = self._scope.use("typing", "TypedDict")
        if not types:
            return typed_dict, ()
        base = snippet("_{}Keys", name)
        keys = mapping(*(Entry(format_string(wire), type_) for wire, type_ in types.items()))
        made = call(typed_dict, atom(format_string(base)), keys)
        return base, (statement(snippet("{} = ", base), made),)

    def _annotation(self, field: Field) -> Expr:
        type_ = self._defined_type(field.type)
        if field.required:
            return type_
        return subscript(self._scope.use("typing", "NotRequired"), type_)

    def _others(self, object_: Object) -> Expr | None:
        """The type of undeclared members, unless they may be anything."""
        return None if isinstance(object_.extra, Anything) else self._defined_type(object_.extra)

    def _defined_type(self, type_: Type) -> Expr:
        """An annotation, quoted where it names what is not defined yet."""
        self._is_early = False
        annotation = self._annotator.annotate(map_type(type_, self._spell_out))
        return atom(format_string(annotation.code)) if self._is_early else annotation

    def _spell_out(self, type_: Type) -> Type:
        """What a recursive alias stands for. mypy takes every way through such aliases and the
        TypedDicts they lead to, one by one, which are too many in a large circle.
        """
        recursive = self._scope.naming.recursive
        if not isinstance(type_, Ref) or type_.target not in recursive:
            return type_
        decl = self._scope.decls[type_.target]
        return map_type(decl.type, self._spell_out) if isinstance(decl, Alias) else type_

    def _decode(self, object_: Object, members: Members) -> Iterator[Code]:
        conditions: list[Expr] = [call(self._scope.use(DECODING, "is_object"), JSON)]
        if object_.is_closed:
            wires = [format_string(field.wire) for field in object_.fields]
            conditions.append(has_only(Code("json"), wires))
        conditions += conditions_of(object_, JSON, self._scope)
        lines: list[Code] = []
        for field in object_.fields:
            key = format_string(field.wire)
            if self._scope.is_converted(field.type):
                lines += _check(members.member(field, key))
                if field.required and self._scope.allows_null(field.type):
                    conditions.append(is_there(key))
            elif (condition := self._condition(field, key)) is not None:
                conditions.append(condition)
        yield statement(Code("if "), negated(all_of(*conditions)), Code(":"), indent=4)
        yield snippet("        raise {}", self._scope.use(DECODING, "Mismatch"))
        yield from lines
        if object_.has_typed_others:
            yield statement(Code(""), members.check_others(), indent=4)
        yield Code("    return json")

    def _condition(self, field: Field, key: Code) -> Expr | None:
        if field.required and not self._scope.allows_null(field.type):
            return self._conditions.holds(field.type, call(Code("json.get"), atom(key)))
        there = is_there(key)
        holds = self._conditions.holds(field.type, subscript(Code("json"), atom(key)))
        if holds is None:
            return there if field.required else None
        missing = is_absent(key)
        return all_of(there, holds) if field.required else any_of(missing, holds)


def _check(member: Member) -> Iterator[Code]:
    """The lines that decode a member if it is there."""
    if member.is_there is None:
        yield statement(Code(""), member.decoded, indent=4)
        return
    yield statement(Code("if "), member.is_there, Code(":"), indent=4)
    yield statement(Code(""), member.decoded, indent=8)


def _is_plain(key: str) -> bool:
    """Whether a key means itself in a class body."""
    mangled = key.startswith("__") and not key.endswith("__")
    normal = unicodedata.normalize("NFKC", key) == key
    return key.isidentifier() and not iskeyword(key) and not mangled and normal


def _decode_event(scope: Scope, event: DeclId) -> Expr:
    return call(scope.function(event), atom(Code("json")))


def _keys(object_: Object, naming: Naming) -> dict[str, str]:
    return {field.wire: field.wire for field in object_.fields}


TYPEDDICTS = Variant(
    name="typeddicts",
    about="TypedDicts",
    models=build_typeddicts,
    decode=_decode_event,
    members=_keys,
    exports=(),
    has_attributes=False,
)
