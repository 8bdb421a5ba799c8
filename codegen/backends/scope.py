"""Names inside one generated module: what it calls itself, and what it has to import from its
siblings.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from os.path import dirname, relpath

from codegen.backends.naming import Module, Naming
from codegen.backends.views import AliasView
from codegen.ir.api import Alias, Api, Decl, Doc, Field, Object
from codegen.ir.types import (
    Anything,
    Array,
    Constraint,
    DeclId,
    Map,
    Null,
    Nullable,
    Scalar,
    Type,
    refs,
)
from codegen.ir.walk import decls_by_id, holds_conversions, is_converted, resolve, types_of
from codegen.python.code import Code, identifier, snippet
from codegen.python.expressions import Expr, atom, call, subscript
from codegen.python.imports import Imports
from codegen.python.layout import annotated, statement
from codegen.python.literals import format_docstring

RUNTIME = "..._runtime."
DECODING = RUNTIME + "decoding"
MARKS = RUNTIME + "marks"
CODEC = ".._codec"

_HIDDEN = frozenset({"bytes", "date", "datetime", "time"})


@dataclass(slots=True)
class Scope:
    """One module of a variant: `package` is where the models lie, seen from the module, `members`
    are the names in its classes that hide those of imports, `defined` what it is that it defines
    beside the models, `decoders` what its end defines.
    """

    module: str
    naming: Naming
    decls: Mapping[DeclId, Decl]
    package: str = "."
    members: frozenset[str] = frozenset()
    defined: frozenset[str] = frozenset()
    imports: Imports = field(init=False)
    decoders: dict[Code, Expr] = field(default_factory=dict[Code, Expr])

    def __post_init__(self) -> None:
        self.imports = Imports(self.naming.taken, self.members, defined=self.defined)

    def declared(self, id_: DeclId) -> Code:
        """Spell the class or alias of a declaration."""
        return self._spell(id_, self.naming.classes[id_])

    def function(self, id_: DeclId) -> Code:
        """Spell the decoder of a declaration."""
        return self._spell(id_, f"decode_{self.naming.functions[id_]}")

    def _spell(self, id_: DeclId, name: str) -> Code:
        module = self.naming.module_of[id_]
        if module == self.module:
            return identifier(name)
        return self.imports.declared(self.package + module, name)

    def use(self, module: str, name: str) -> Code:
        """Spell a name from elsewhere, and import it."""
        return self.imports.name(module, name)

    def keep(self, name: Code, decoder: Expr) -> Code:
        """Spell a decoder that is made once, at the end of the module, under a name of its own."""
        while name in self.decoders:
            name = snippet("{}_", name)
        self.decoders[name] = decoder
        return name

    def alias_type(self, id_: DeclId) -> Type:
        decl = self.decls[id_]
        if not isinstance(decl, Alias):
            raise TypeError(f"{id_} is an object")
        return decl.type

    def is_converted(self, type_: Type) -> bool:
        return is_converted(type_, self.decls)

    def holds_conversions(self, type_: Type) -> bool:
        return holds_conversions(type_, self.decls)

    def allows_null(self, type_: Type) -> bool:
        return isinstance(resolve(type_, self.decls), Nullable | Null | Anything)


def scopes(api: Api, naming: Naming) -> list[tuple[Module, Scope]]:
    """Every module with a fresh scope."""
    decls = decls_by_id(api)
    return [
        (module, Scope(module.name, naming, decls, members=_hiding(module)))
        for module in naming.modules
    ]


def _hiding(module: Module) -> frozenset[str]:
    """The members whose attributes are called as a class is that annotations may need."""
    objects = (decl for decl in module.decls if isinstance(decl, Object))
    return _HIDDEN & {field.wire.lower() for object_ in objects for field in object_.fields}


def module_doc(module: Module, document: str) -> Code:
    """The docstring of a module: which places it is made from, with the file where it is not the
    document itself.
    """
    named = [decl for decl in module.decls if decl.id == decl.home] or module.decls[:1]
    places = [_place(decl, document) for decl in named]
    if len(places) == 1:
        return format_docstring(f"Types of `{places[0]}`.", 0)
    lines = "\n".join(f"- `{place}`" for place in places)
    return format_docstring(f"Types that refer to each other:\n\n{lines}", 0)


def _place(decl: Decl, document: str) -> str:
    origin = decl.origin
    if origin.document == document:
        return origin.pointer
    file = relpath(origin.document, dirname(document) or ".")
    return file if origin.pointer == "#" else file + origin.pointer


def doc_of(doc: Doc, indent: int, *notes: str) -> Code | None:
    """The docstring of something, or None where the document says nothing."""
    parts = ["Deprecated."] if doc.deprecated else []
    parts += [text for text in (doc.text.strip(), *notes) if text]
    return format_docstring("\n\n".join(parts), indent) if parts else None


def field_doc(field_: Field) -> Code | None:
    """The docstring of a field: the description, and what its annotation cannot say."""
    type_ = field_.type.type if isinstance(field_.type, Nullable) else field_.type
    limits = type_.constraints if isinstance(type_, Scalar | Array | Map) else ()
    notes: list[str] = []
    if isinstance(type_, Scalar) and type_.format and type_.conversion is None:
        notes.append(f"Format: `{type_.format}`.")
    notes += [f"Default: `{field_.default}`."] if field_.default is not None else []
    notes += _limits_note(limits)
    return doc_of(field_.doc, 4, " ".join(notes))


def class_doc(object_: Object) -> Code | None:
    """The docstring of a class: the description, and what its members cannot say."""
    return doc_of(object_.doc, 4, *_limits_note(object_.constraints))


def _limits_note(constraints: tuple[Constraint, ...]) -> list[str]:
    listed = ", ".join(f"`{it.keyword}: {json.dumps(it.value)}`" for it in constraints)
    return [f"Limits: {listed}."] if listed else []


def in_order(module: Module) -> list[Decl]:
    """Objects as the document has them, then aliases, each after those it is made of."""
    objects = [decl for decl in module.decls if isinstance(decl, Object)]
    aliases = [decl for decl in uses_last(module) if isinstance(decl, Alias)]
    return [*objects, *aliases]


def alias_view(alias: Alias, scope: Scope, type_: Expr) -> AliasView:
    """An alias, as a name for a type."""
    name, kind = scope.declared(alias.id), scope.use("typing", "TypeAlias")
    return AliasView(
        name=name,
        code=statement(snippet("{}: {} = ", name, kind), type_),
        doc=doc_of(alias.doc, 0),
    )


def decoded_alias_view(alias: Alias, scope: Scope, type_: Expr, decoder: Expr) -> AliasView:
    """An alias with its decoder, registered: no class could say how it is decoded. What the decoder
    gives is `Any`, for the sake of type checkers, who would compare the members of unions.
    """
    name, decode = scope.declared(alias.id), scope.function(alias.id)
    kind = subscript(scope.use(DECODING, "Decoder"), atom(scope.use("typing", "Any")))
    declared = annotated(snippet("{}: ", decode), kind, decoder)
    after = (declared, register(name, decode, scope))
    return replace(alias_view(alias, scope, type_), after=after)


def register(name: Code, decode: Code, scope: Scope, *settings: Expr) -> Code:
    """The statement that says how a type is decoded, and what else is to be known of it."""
    function = scope.use(CODEC, "register")
    return statement(Code(""), call(function, atom(name), atom(decode), *settings))


def uses_last(module: Module) -> list[Decl]:
    """The declarations of a module, each after those it uses unless they use each other.

    An alias is a value, so it always comes after what it is made of.
    """
    order = _Order({decl.id: decl for decl in module.decls})
    for decl in module.decls:
        order.visit(decl)
    return list(order.placed.values())


class _Order:
    def __init__(self, members: Mapping[DeclId, Decl]) -> None:
        self.placed: dict[DeclId, Decl] = {}
        self._members = members
        self._seen: set[DeclId] = set()
        self._waiting: dict[DeclId, Alias] = {}

    def visit(self, decl: Decl) -> None:
        if decl.id in self._seen:
            return
        self._seen.add(decl.id)
        for target in self._uses(decl):
            self.visit(self._members[target])
        if isinstance(decl, Object) or self._is_ready(decl):
            self._place(decl)
        else:
            self._waiting[decl.id] = decl

    def _place(self, decl: Decl) -> None:
        self.placed[decl.id] = decl
        self._waiting.pop(decl.id, None)
        for alias in list(self._waiting.values()):
            if alias.id in self._waiting and self._is_ready(alias):
                self._place(alias)

    def _is_ready(self, alias: Alias) -> bool:
        return all(target in self.placed for target in self._uses(alias))

    def _uses(self, decl: Decl) -> list[DeclId]:
        return [t for type_ in types_of(decl) for t in refs(type_) if t in self._members]
