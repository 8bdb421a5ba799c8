"""The shape of a module of models: what the second lock holds its text against."""

from __future__ import annotations

import re

from codegen.backends.scope import Scope
from codegen.backends.views import ClassView, ModuleView
from codegen.python.verify import Shape

# What templates and expressions of ours use, whatever the document says.
OWN_NAMES = frozenset(
    """str int float bool bytes list dict type all classmethod self cls json get values item inner
    innermost innermost_ slots kw_only __wire__ __decode__ validation_alias
    serialization_alias default __closed__ __others__ others keys rest len set
    model_config extra __limits__ limits ge gt le lt multiple_of min_length max_length
    unique untagged""".split()
)


def model_shape(view: ModuleView, scope: Scope, methods: tuple[str, ...]) -> Shape:
    """The shape of a module: its imports, then its items in order."""
    statements = ["docstring", *scope.imports.outline]
    names = set(OWN_NAMES | scope.imports.names)
    for item in view.items:
        names.add(item.name)
        if isinstance(item, ClassView):
            statements += _class_outline(item, methods)
            names |= {field.name for field in item.fields}
            names |= {_first_name(code) for code in item.before}
        else:
            statements.append(f"assign {item.name}")
            if item.doc:
                statements.append("docstring")
        if isinstance(item, ClassView) and item.method and item.method[0].startswith("def "):
            statements.append(_statement_outline(item.method[0]))
            names.add(_first_name(item.method[0]))
        for code in item.after:
            statements.append(_statement_outline(code))
            names.add(_first_name(code))
    for code in view.decoders:
        statements.append(_statement_outline(code))
        names.add(_first_name(code))
    return Shape(statements=tuple(statements), names=frozenset(names))


def _class_outline(item: ClassView, methods: tuple[str, ...]) -> list[str]:
    inside = f"class {item.name} > "
    lines = [_statement_outline(code) for code in item.before]
    lines.append(f"class {item.name}")
    if item.doc:
        lines.append(inside + "docstring")
    if item.is_empty:
        lines.append(inside + "pass")
    for field in item.fields:
        lines.append(f"{inside}field {field.name}")
        if field.doc:
            lines.append(inside + "docstring")
    lines += (inside + _statement_outline(code.lstrip(), "field") for code in item.settings)
    return [*lines, *(inside + method for method in methods)]


def _first_name(code: str) -> str:
    match = re.match(r"(?:def )?(\w+)", code)
    assert match is not None
    return match[1]


def _statement_outline(code: str, annotated: str = "assign") -> str:
    name = _first_name(code)
    if code.startswith("def "):
        return f"def {name}"
    if re.match(r"\w+: ", code):
        return f"{annotated} {name}"
    return f"assign {name}" if re.match(r"\w+ = ", code) else "expr"
