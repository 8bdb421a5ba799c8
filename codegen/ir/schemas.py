"""The schemas that documents give a name, among all that is declared."""

from __future__ import annotations

from codegen.ir.api import Api, Decl
from codegen.ir.types import DeclId


def schema_names(api: Api) -> dict[DeclId, str]:
    """What the document calls each schema that it names; its pointer, where another one has that
    name nearer to the root.
    """
    first = first_named(api)
    return {
        decl.id: decl.name[0] if first[decl.name[0]] == decl.id else decl.origin.pointer
        for decl in api.decls
        if has_name(decl)
    }


def first_named(api: Api) -> dict[str, DeclId]:
    """Who has a name that the documents give: the one nearest to the root of the first of them."""

    def distance(decl: Decl) -> tuple[bool, int, str]:
        return decl.origin.document != api.document, decl.origin.pointer.count("/"), decl.id

    first: dict[str, DeclId] = {}
    for decl in sorted(filter(has_name, api.decls), key=distance):
        first.setdefault(decl.name[0], decl.id)
    return first


def has_name(decl: Decl) -> bool:
    """Whether a declaration is a schema that a document names, and not one inside."""
    return decl.id == decl.home and len(decl.name) == 1
