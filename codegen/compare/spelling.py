"""How the members and types of an API read in the Python of one variant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from codegen.backends import VARIANTS
from codegen.backends.attributes import attribute_type
from codegen.backends.conversions import class_of, text_type
from codegen.backends.naming import Naming, name_api
from codegen.backends.scope import CODEC, Scope
from codegen.ir.api import Api, Decl, Field, Object
from codegen.ir.types import DeclId, Type
from codegen.ir.walk import decls_by_id
from codegen.python.annotations import Annotator
from codegen.python.code import Code, identifier
from codegen.python.expressions import (
    Expr,
    atom,
    subscript,
)


@dataclass(slots=True)
class Package:
    """An API with the names that its package has for everything."""

    api: Api
    decls: Mapping[DeclId, Decl] = field(init=False)
    naming: Naming = field(init=False)
    spellings: Mapping[str, Spelling] = field(init=False)

    def __post_init__(self) -> None:
        self.decls = decls_by_id(self.api)
        self.naming = name_api(self.api)
        self.spellings = {name: Spelling(name, self) for name in VARIANTS}

    @property
    def classes(self) -> Mapping[DeclId, str]:
        return self.naming.classes


class Spelling:
    """The Python of one variant."""

    def __init__(self, variant: str, package: Package) -> None:
        self._variant = VARIANTS[variant]
        self._naming = package.naming
        # A module of no name declares nothing: what it spells is what users import.
        self._scope = Scope("", package.naming, package.decls)
        spell = class_of if self._variant.has_attributes else text_type
        self._annotator = Annotator(
            self._scope.imports,
            lambda id_: identifier(package.classes[id_]),
            self._unlisted,
            lambda conversion: spell(conversion, self._scope),
            # Type checkers see no limits.
            lambda type_: (),
            CODEC,
        )

    def names(self, object_: Object) -> dict[str, str]:
        """What each member is called, by its name on the wire."""
        return self._variant.members(object_, self._naming)

    def type(self, type_: Type) -> str:
        return self._annotator.annotate(type_).code

    def member(self, field: Field) -> str:
        """The annotation of a member, and that it may be left out."""
        if self._variant.has_attributes:
            type_ = attribute_type(field, self._scope, self._annotator).code
            return type_ if field.required else f"{type_} = None"
        type_ = self._annotator.annotate(field.type).code
        return type_ if field.required else f"NotRequired[{type_}]"

    def _unlisted(self) -> Expr:
        if self._variant.has_attributes:
            return atom(self._scope.use(CODEC, "UnknownVariant"))
        any_ = atom(self._scope.use("typing", "Any"))
        return subscript(Code("dict"), atom(Code("str")), any_)
