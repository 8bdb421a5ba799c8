"""The dataclasses variant: slotted, keyword-only classes that decode themselves in straight lines.

Each class has `__decode__`: it assigns every member from the JSON object, then checks those that
need no conversion in one condition. It gives `Any`: of its many comparisons, type checkers would
else conclude what each member is, for a third of their time.
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
from codegen.backends.conditions import Conditions, all_of, any_of, has_only, negated
from codegen.backends.conversions import class_of, reader
from codegen.backends.decoders import Decoders
from codegen.backends.limits import LIMITS, conditions_of, limits_of, limits_setting
from codegen.backends.members import JSON, Member, Members, is_absent, is_there
from codegen.backends.models import build_models
from codegen.backends.naming import Naming
from codegen.backends.scope import (
    CODEC,
    DECODING,
    MARKS,
    Scope,
    class_doc,
    decoded_alias_view,
    in_order,
)
from codegen.backends.variant import Variant
from codegen.backends.views import AliasView, ClassView, File
from codegen.ir.api import Alias, Api, Field, Object
from codegen.ir.types import DeclId
from codegen.python.annotations import Annotator
from codegen.python.code import Code, identifier, snippet
from codegen.python.expressions import Conditional, Entry, Expr, atom, call, mapping
from codegen.python.layout import definition, statement
from codegen.python.literals import format_string

_TAKEN = frozenset({"classmethod", "from_dict", "to_dict"})


def build_dataclasses(api: Api, naming: Naming) -> Iterator[File]:
    """The model modules of the variant."""
    return build_models("dataclasses", api, naming, in_order, _Builder, ("def __decode__",))


class _Builder:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._annotator = Annotator(
            scope.imports,
            scope.declared,
            self._unlisted_type,
            lambda conversion: class_of(conversion, scope),
            lambda type_: limits_of(type_, scope),
            MARKS,
        )
        self._conditions = Conditions(scope)
        self._decoders = Decoders(
            scope,
            self._decode_object,
            self._unlisted,
            lambda conversion: reader(conversion, scope),
        )
        scope.use("__future__", "annotations")

    def _unlisted_type(self) -> Expr:
        return atom(self._scope.use(CODEC, "UnknownVariant"))

    def _unlisted(self) -> Expr:
        return atom(snippet("{}.__decode__", self._unlisted_type().code))

    def _decode_object(self, target: DeclId) -> Code:
        return snippet("{}.__decode__", self._scope.declared(target))

    def build_alias(self, alias: Alias) -> AliasView:
        type_ = self._annotator.annotate(alias.type)
        decoder = self._decoders.decoder(alias.type)
        return decoded_alias_view(alias, self._scope, type_, decoder)

    def build_class(self, object_: Object) -> ClassView:
        self._scope.use("dataclasses", "dataclass")
        record = self._scope.use(CODEC, "Record")
        names = _names(object_, self._scope.naming)
        codes = {
            field.wire: attribute(
                identifier(names[field.wire]),
                field,
                attribute_type(field, self._scope, self._annotator),
            )
            for field in object_.fields
        }
        name = self._scope.declared(object_.id)
        members = Members(object_, self._scope, self._decoders)
        return ClassView(
            name=name,
            head=definition(Code("class "), call(name, atom(record))),
            doc=class_doc(object_),
            fields=field_views(object_, codes, names),
            settings=tuple(self._settings(object_, names)),
            method=tuple(self._decode(object_, names, members)),
        )

    def _settings(self, object_: Object, names: dict[str, str]) -> Iterator[Code]:
        entries = [
            Entry(format_string(name), atom(format_string(wire)))
            for wire, name in names.items()
            if wire != name
        ]
        if entries:
            class_var = self._scope.use("typing", "ClassVar")
            prefix = snippet("__wire__: {}[dict[str, str]] = ", class_var)
            yield statement(prefix, mapping(*entries), indent=4)
        if object_.is_closed:
            yield snippet("    __closed__: {}[bool] = True", self._scope.use("typing", "ClassVar"))
        if object_.has_typed_others:
            yield others(object_, self._scope, self._annotator)
        yield from limits_setting(object_, LIMITS, self._scope)

    def _decode(self, object_: Object, names: dict[str, str], members: Members) -> Iterator[Code]:
        any_ = self._scope.use("typing", "Any")
        new_record = call(self._scope.use(CODEC, "new_record"), atom(Code("cls")), JSON)
        yield Code("    @classmethod")
        yield snippet("    def __decode__(cls, json: {}) -> {}:", any_, any_)
        yield statement(Code("self = "), new_record, indent=8)
        conditions: list[Expr] = []
        if object_.is_closed:
            wires = [format_string(field.wire) for field in object_.fields]
            conditions.append(has_only(Code("json"), wires))
        conditions += conditions_of(object_, JSON, self._scope)
        for field in object_.fields:
            target = snippet("self.{}", identifier(names[field.wire]))
            key = format_string(field.wire)
            if self._scope.is_converted(field.type):
                value = self._value(members.member(field, key))
                if field.required and self._scope.allows_null(field.type):
                    conditions.append(is_there(key))
            else:
                value = call(Code("json.get"), atom(key))
                if (condition := self._condition(field, target, key)) is not None:
                    conditions.append(condition)
            yield statement(snippet("{} = ", target), value, indent=8)
        if object_.has_typed_others:
            yield statement(Code(""), members.check_others(), indent=8)
        if conditions:
            yield statement(Code("if "), negated(all_of(*conditions)), Code(":"), indent=8)
            yield snippet("            raise {}", self._scope.use(DECODING, "Mismatch"))
        yield Code("        return self")

    def _value(self, member: Member) -> Expr:
        if member.is_there is None:
            return member.decoded
        return Conditional(member.decoded, member.is_there, NONE)

    def _condition(self, field: Field, target: Code, key: Code) -> Expr | None:
        there = is_there(key)
        holds = self._conditions.holds(field.type, atom(target))
        if holds is None:
            return there if field.required else None
        if self._scope.allows_null(field.type):
            return all_of(there, holds) if field.required else holds
        return holds if field.required else any_of(holds, is_absent(key))


def _names(object_: Object, naming: Naming) -> dict[str, str]:
    return attribute_names(object_, _TAKEN, naming.taken)


def _decode_event(scope: Scope, event: DeclId) -> Expr:
    if isinstance(scope.decls[event], Object):
        return call(snippet("{}.__decode__", scope.declared(event)), atom(Code("json")))
    return call(scope.function(event), atom(Code("json")))


DATACLASSES = Variant(
    name="dataclasses",
    about="dataclasses",
    models=build_dataclasses,
    decode=_decode_event,
    members=_names,
    exports=("UnknownVariant",),
    taken=_TAKEN,
)
