"""How a variant reads members of its objects and builds new ones: what stream code needs to know of
it.

Objects with attributes (dataclasses, models) and objects with keys (TypedDicts) differ in nothing
else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from codegen.backends.naming import Naming
from codegen.backends.scope import CODEC, Scope
from codegen.ir.api import Field, Object
from codegen.ir.types import DeclId
from codegen.python.code import Code, identifier, snippet
from codegen.python.layout import (
    Expr,
    Group,
    Ops,
    atom,
    call,
    keyword,
    parens,
    statement,
)
from codegen.python.literals import format_string

CHUNK = Code("chunk")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A member of an object: `plain` is its value or None, `value` its value where `guard` holds
    (None: always).
    """

    plain: Code
    guard: Expr | None
    value: Code


class Access(Protocol):
    """The part of a variant that stream code depends on."""

    scope: Scope

    def names(self, object_: Object) -> dict[str, str]:
        """The Python name of each member, by its name on the wire."""
        ...

    def decode(self, event: DeclId) -> Expr:
        """The event that `json` holds."""
        ...

    def unknown(self, object_: Object) -> Group:
        """The undeclared members of `chunk`."""
        ...

    def read(self, object_: Object, field: Field, of: Code = CHUNK) -> Reading: ...

    def show(self, record: Object, values: Sequence[tuple[str, Code]]) -> list[Code]:
        """The lines that return a record with these members, each possibly None."""
        ...


@dataclass(slots=True)
class AttributeAccess:
    scope: Scope
    decoder: Callable[[Scope, DeclId], Expr]
    name_fields: Callable[[Object, Naming], dict[str, str]]

    def names(self, object_: Object) -> dict[str, str]:
        return self.name_fields(object_, self.scope.naming)

    def decode(self, event: DeclId) -> Expr:
        return self.decoder(self.scope, event)

    def unknown(self, object_: Object) -> Group:
        return call(self.scope.use(CODEC, "unknown_fields"), atom(Code("chunk")))

    def read(self, object_: Object, field: Field, of: Code = CHUNK) -> Reading:
        value = snippet("{}.{}", of, identifier(self.names(object_)[field.wire]))
        always = field.required and not self.scope.allows_null(field.type)
        return Reading(plain=value, guard=None if always else _is_there(atom(value)), value=value)

    def show(self, record: Object, values: Sequence[tuple[str, Code]]) -> list[Code]:
        names = self.names(record)
        made = call(
            self.scope.declared(record.id),
            *(keyword(identifier(names[wire]), atom(value)) for wire, value in values),
        )
        kept = call(self.scope.use(CODEC, "with_unknown"), made, atom(Code("self._unknown")))
        return [statement(Code("return "), kept, indent=8)]


@dataclass(slots=True)
class KeyAccess:
    scope: Scope
    name_fields: Callable[[Object, Naming], dict[str, str]]

    def names(self, object_: Object) -> dict[str, str]:
        return self.name_fields(object_, self.scope.naming)

    def decode(self, event: DeclId) -> Expr:
        return call(self.scope.function(event), atom(Code("json")))

    def unknown(self, object_: Object) -> Group:
        name = atom(self.scope.declared(object_.id))
        return call(self.scope.use(CODEC, "unknown_fields"), name, atom(Code("chunk")))

    def read(self, object_: Object, field: Field, of: Code = CHUNK) -> Reading:
        key = format_string(field.wire)
        if field.required and not self.scope.allows_null(field.type):
            value = snippet("{}[{}]", of, key)
            return Reading(plain=value, guard=None, value=value)
        name, plain = identifier(self.names(object_)[field.wire]), snippet("{}.get({})", of, key)
        bound = parens(atom(snippet("{} := {}", name, plain)))
        return Reading(plain=plain, guard=_is_there(bound), value=name)

    def show(self, record: Object, values: Sequence[tuple[str, Code]]) -> list[Code]:
        names = self.names(record)
        lines = [
            statement(
                snippet("snapshot: {} = ", self.scope.declared(record.id)),
                atom(Code("{}")),
                indent=8,
            )
        ]
        for wire, value in values:
            name = identifier(names[wire])
            there = _is_there(parens(atom(snippet("{} := {}", name, value))))
            target = snippet("snapshot[{}] = ", format_string(wire))
            lines += (
                statement(Code("if "), there, Code(":"), indent=8),
                statement(target, atom(name), indent=12),
            )
        kept = call(
            self.scope.use(CODEC, "with_unknown"),
            atom(self.scope.declared(record.id)),
            atom(Code("snapshot")),
            atom(Code("self._unknown")),
        )
        return [*lines, statement(Code("return "), kept, indent=8)]


def _is_there(value: Expr) -> Expr:
    return Ops(Code("is not"), (value, atom(Code("None"))))
