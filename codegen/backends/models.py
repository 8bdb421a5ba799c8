"""The model modules of a variant: one file for each module of the naming, built declaration by
declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from codegen.backends.naming import Module, Naming
from codegen.backends.scope import Scope, module_doc, scopes
from codegen.backends.shapes import model_shape
from codegen.backends.views import AliasView, ClassView, File, ModuleView
from codegen.ir.api import Alias, Api, Decl, Object
from codegen.python.code import snippet
from codegen.python.layout import statement


class ModelBuilder(Protocol):
    """Builds the declarations of one module of a variant."""

    def build_class(self, object_: Object) -> ClassView: ...
    def build_alias(self, alias: Alias) -> AliasView: ...


def build_models(
    variant: str,
    api: Api,
    naming: Naming,
    order: Callable[[Module], list[Decl]],
    builder: Callable[[Scope], ModelBuilder],
    methods: tuple[str, ...] = (),
) -> Iterator[File]:
    """The files of a variant; `methods` are those that each of its classes has."""
    for module, scope in scopes(api, naming):
        build = builder(scope)
        items = tuple(
            build.build_class(decl) if isinstance(decl, Object) else build.build_alias(decl)
            for decl in order(module)
        )
        view = ModuleView(
            class_template=f"{variant}/class.py.jinja",
            doc=module_doc(module, api.document),
            imports=scope.imports.lines(),
            items=items,
            decoders=tuple(
                statement(snippet("{} = ", name), decoder)
                for name, decoder in scope.decoders.items()
            ),
        )
        yield File(
            path=f"{variant}/models/{module.name}.py",
            template="module.py.jinja",
            view=view,
            shape=model_shape(view, scope, methods),
        )
