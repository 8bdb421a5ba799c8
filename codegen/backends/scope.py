"""Names inside one generated module: what it calls itself, and what it has to import from its siblings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from codegen.backends.naming import Module, Naming
from codegen.ir.api import Alias, Api, Decl, Doc, Field, Object
from codegen.ir.types import Anything, DeclId, Null, Nullable, Type, refs
from codegen.ir.walk import decls_by_id, holds_objects, resolve
from codegen.python.code import Code, identifier
from codegen.python.imports import Imports
from codegen.python.literals import format_docstring


@dataclass(slots=True)
class Scope:
    """One module of a variant: `package` is where the models lie, seen from the module."""

    module: str
    naming: Naming
    decls: Mapping[DeclId, Decl]
    package: str = "."
    imports: Imports = field(default_factory=Imports)

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
        return self.imports.name(self.package + module, name)

    def use(self, module: str, name: str) -> Code:
        return self.imports.name(module, name)

    def alias_type(self, id_: DeclId) -> Type:
        decl = self.decls[id_]
        if not isinstance(decl, Alias):
            raise TypeError(f"{id_} is an object")
        return decl.type

    def holds_objects(self, type_: Type) -> bool:
        return holds_objects(type_, self.decls)

    def allows_null(self, type_: Type) -> bool:
        return isinstance(resolve(type_, self.decls), Nullable | Null | Anything)


def scopes(api: Api, naming: Naming) -> list[tuple[Module, Scope]]:
    """Every module with a fresh scope."""
    decls = decls_by_id(api)
    return [(module, Scope(module.name, naming, decls)) for module in naming.modules]


def module_doc(module: Module) -> Code:
    """The docstring of a module: which places of the document it is made from."""
    places = [d.origin.pointer for d in module.decls if d.id == d.home] or [
        module.decls[0].origin.pointer
    ]
    if len(places) == 1:
        return format_docstring(f"Types of `{places[0]}`.", 0)
    lines = "\n".join(f"- `{place}`" for place in places)
    return format_docstring(f"Types that refer to each other:\n\n{lines}", 0)


def doc_of(doc: Doc, indent: int, *notes: str) -> Code | None:
    """The docstring of something, or None where the document says nothing."""
    parts = ["Deprecated."] if doc.deprecated else []
    parts += [text for text in (doc.text.strip(), *notes) if text]
    return format_docstring("\n\n".join(parts), indent) if parts else None


def field_doc(field_: Field) -> Code | None:
    note = f"Default: `{field_.default}`." if field_.default is not None else ""
    return doc_of(field_.doc, 4, note)


def in_order(module: Module) -> list[Decl]:
    """Objects as the document has them, then aliases, each after those it is made of."""
    aliases = {d.id: d for d in module.decls if isinstance(d, Alias)}
    order: dict[DeclId, Decl] = {}

    def visit(alias: Alias) -> None:
        for target in refs(alias.type):
            if target in aliases and target not in order:
                visit(aliases[target])
        order[alias.id] = alias

    for alias in aliases.values():
        if alias.id not in order:
            visit(alias)
    return [*(d for d in module.decls if isinstance(d, Object)), *order.values()]
