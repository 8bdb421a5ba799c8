"""Names that someone chose: `x-python-name` in a document, or a choice made beside it.

In: an API, the documents it was read from, and choices. Out: the same API with those names. On a
property it is the name of the member, on any other schema that of its type. Whether Python takes
such a name is not asked here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import TypeAlias

from codegen.diagnostics import Diagnostics, Origin, suggestion
from codegen.ir.api import Api, Decl, Object
from codegen.ir.walk import renew
from codegen.openapi.names import leads_to_property
from codegen.source.document import Document
from codegen.source.pointer import child, join, lookup, split
from codegen.source.resources import find_objects
from codegen.source.values import Json

KEY = "x-python-name"

_Places: TypeAlias = set[tuple[Origin, str | None]]


def spell_names(
    api: Api, documents: Iterable[Document], choices: tuple[str, ...], diagnostics: Diagnostics
) -> Api:
    """The API with the names that its documents state, and with each choice: `POINTER=NAME`.

    Raises Refused for a choice of another form, and for one of a place that takes no name; SB405
    tells of a name that is stated at such a place.
    """
    read = {it.name: it for it in documents}
    speller = _Speller(read, _read(choices, api, diagnostics))
    taken: set[Origin] = set()
    decls: list[Decl] = []
    for decl in api.decls:
        is_first = decl.origin not in taken and _stands_there(decl)
        name = speller.find(decl.origin) if is_first else None
        if name is not None and not leads_to_property(split(decl.origin.pointer)):
            taken.add(decl.origin)
            decl = replace(decl, spelled=name)
        if isinstance(decl, Object):
            fields = (
                renew(f, spelled=speller.find(f.origin)) if _is_property(f.wire, f.origin) else f
                for f in decl.fields
            )
            decl = replace(decl, fields=tuple(fields))
        decls.append(decl)
    spelled = replace(api, decls=tuple(decls))
    stated = [pointer for pointer, _ in find_objects(read[api.document].data, (KEY,))]
    if stated or speller.chosen:
        places = _named(spelled)
        _check_used(speller.chosen, places, api.document, diagnostics)
        _tell_unused(stated, places, api.document, diagnostics)
    return spelled


class _Speller:
    def __init__(self, documents: dict[str, Document], chosen: dict[Origin, str]) -> None:
        self.chosen = chosen
        self._documents = documents
        self._value = cache(self._look_up)

    def find(self, origin: Origin) -> str | None:
        """The name that someone chose for what a schema makes, if there is one."""
        if origin in self.chosen:
            return self.chosen[origin]
        # The members of one object share the way to them.
        parent, _, _ = origin.pointer.rpartition("/")
        try:
            schema = child(self._value(origin.document, parent), split(origin.pointer)[-1])
        except LookupError:
            return None
        stated = schema.get(KEY) if isinstance(schema, dict) else None
        return None if stated is None else str(stated)

    def _look_up(self, document: str, pointer: str) -> Json:
        try:
            return lookup(self._documents[document].data, pointer)
        except (LookupError, ValueError):
            return None


def _read(choices: tuple[str, ...], api: Api, diagnostics: Diagnostics) -> dict[Origin, str]:
    chosen: dict[Origin, str] = {}
    for choice in choices:
        pointer, equals, name = choice.rpartition("=")
        if not equals or not pointer.startswith("#/"):
            diagnostics.add("SB605", f"{choice!r} names no place of the document")
        chosen[Origin(document=api.document, pointer=pointer)] = name
    diagnostics.check()
    return chosen


def _stands_there(decl: Decl) -> bool:
    """Whether a declaration is the one that its place makes, and not a copy with other members."""
    place = f"{decl.origin.document}{decl.origin.pointer}"
    return decl.id.removesuffix("?").endswith(place)


def _is_property(wire: str, origin: Origin) -> bool:
    return split(origin.pointer)[-2:] == ("properties", wire)


def _named(api: Api) -> _Places:
    """The places that names are of, with the names that someone chose."""
    places = {(decl.origin, decl.spelled) for decl in api.decls}
    fields = (it for decl in api.decls if isinstance(decl, Object) for it in decl.fields)
    return places | {(field.origin, field.spelled) for field in fields}


def _tell_unused(stated: list[str], places: _Places, root: str, diagnostics: Diagnostics) -> None:
    """Warn of names that the root states in vain; of other files only a part is read."""
    taken = {place.pointer for place, name in places if name and place.document == root}
    for pointer in stated:
        if pointer not in taken:
            message = f"nothing takes its name from this {KEY!r}"
            origin = Origin(document=root, pointer=join(pointer, KEY))
            diagnostics.add("SB405", message, origin=origin)


def _check_used(
    chosen: dict[Origin, str], places: _Places, root: str, diagnostics: Diagnostics
) -> None:
    known = sorted({place.pointer for place, _ in places if place.document == root})
    for place, name in chosen.items():
        if (place, name) not in places:
            hint = suggestion(place.pointer, known, "; ")
            diagnostics.add("SB605", f"nothing at {place.pointer!r} takes a name{hint}")
    diagnostics.check()
