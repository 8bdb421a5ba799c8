"""What a model says of its members: the strings that stand below them in its source.

They are read when a JSON Schema is made, and not before: pydantic would read the source
of every class that is imported.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any


def member_docs(cls: type[Any]) -> Mapping[str, str]:
    """The docstrings of the attributes of a class; none where there is no source."""
    docs: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        docs.update(_docs_of(base.__module__).get(base.__qualname__, {}))
    return docs


@cache
def _docs_of(module: str) -> Mapping[str, Mapping[str, str]]:
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (KeyError, OSError, TypeError):
        return {}
    classes = (node for node in tree.body if isinstance(node, ast.ClassDef))
    return {node.name: dict(_docs_in(node)) for node in classes}


def _docs_in(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for member, doc in zip(node.body, node.body[1:], strict=False):
        match member, doc:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, inspect.cleandoc(text)
            case _:
                pass
