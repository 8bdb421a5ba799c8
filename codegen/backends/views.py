"""What back ends hand to templates: views, in which every name, type and line is decided.

A view holds `Code` and knows the outline that the second lock expects of its text. Templates put
the pieces in order; they decide nothing. Lines carry their indentation.
"""

from __future__ import annotations

from dataclasses import dataclass

from codegen.python.code import Code
from codegen.python.verify import Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldView:
    """An annotated member of a class; `gap` asks for a blank line before it."""

    name: str
    code: Code
    doc: Code | None
    gap: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassView:
    """A class with its fields; `settings` are other statements in it, `method` the lines of its
    decoder, which may stand in it or behind it, `before` and `after` the statements around it.
    """

    name: str
    head: Code
    doc: Code | None
    fields: tuple[FieldView, ...]
    before: tuple[Code, ...] = ()
    settings: tuple[Code, ...] = ()
    method: tuple[Code, ...] = ()
    after: tuple[Code, ...] = ()
    is_class: bool = True

    @property
    def has_gap(self) -> bool:
        return bool(self.doc and self.fields)

    @property
    def is_empty(self) -> bool:
        return not (self.doc or self.fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasView:
    """A type with a name; `after` are the statements that follow it."""

    name: str
    code: Code
    doc: Code | None
    after: tuple[Code, ...] = ()
    is_class: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleView:
    """A module of models; `class_template` lays out the classes of its variant, `decoders` are the
    statements that make what these are decoded with.
    """

    class_template: str
    doc: Code
    imports: tuple[Code, ...]
    items: tuple[ClassView | AliasView, ...]
    decoders: tuple[Code, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One file to render: its path in the package, its template with the view, and the shape it
    must come out in.
    """

    path: str
    template: str
    view: object
    shape: Shape
