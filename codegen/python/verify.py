"""The second lock: generated text is parsed and held against what the back end declared.

In: the text of a module and its `Shape`. Out: nothing, or `Surplus` with the file and the line.
Rules: the statements of the module and of its classes are those declared, in their order; below
them only the nodes listed here occur, and only names that were declared. The text may not change
its own encoding, which Python obeys when it reads the file and `ast.parse` does not.

The outline has an entry for each statement, after those it stands in and ` > `:
    docstring · from ..models.pet import Pet · import typing · if TYPE_CHECKING > import typing
    assign Pet · class Pet · class Pet > docstring · class Pet > field name
    class Pet > def from_dict · def decode_pet · pass
`field` is an annotated name in a class, `assign` any other binding. Bodies of functions,
decorators, bases and values have no entries: there the nodes and names decide.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple, cast

# PEP 263: in the first line, or in the second after a blank line or a comment.
_ENCODING = re.compile(
    r"\ufeff|(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))?[ \t\f]*#[^\r\n]*?coding[:=]"
)
_RUNS_TEXT = frozenset(
    ["__import__", "breakpoint", "compile", "eval", "exec", "globals", "input", "locals", "open"]
)
_NODES: frozenset[type[ast.AST]] = frozenset(
    {
        *(ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr, ast.Expr, ast.Pass),
        *(ast.If, ast.For, ast.Break, ast.Continue, ast.Return, ast.Raise),
        *(ast.Match, ast.match_case, ast.MatchValue, ast.MatchOr, ast.MatchAs),
        *(ast.Try, ast.ExceptHandler, ast.IfExp),
        *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension),
        *(ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Call, ast.keyword),
        *(ast.Attribute, ast.Subscript, ast.Slice, ast.Name, ast.Constant),
        *(ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Starred, ast.arguments, ast.arg),
    }
)
# Where each kind of node keeps its identifier.
_IDENTIFIERS: dict[type[ast.AST], str] = {
    ast.Name: "id",
    ast.Attribute: "attr",
    ast.arg: "arg",
    ast.keyword: "arg",
    ast.ExceptHandler: "name",
    ast.MatchAs: "name",
}
# Fields that hold no nodes, or harmless ones.
_HARMLESS = frozenset(["ctx", "is_async", "kind", "op", "ops", "simple", "type_comment"])
_FIELDS = {
    kind: tuple(it for it in kind._fields if it not in {*_HARMLESS, _IDENTIFIERS.get(kind)})
    for kind in _NODES - {ast.Constant}
} | {ast.Constant: ()}


class Surplus(ValueError):
    """The text holds something that its back end did not declare, or lacks something it did."""

    def __init__(self, file: str, line: int, message: str) -> None:
        super().__init__(f"{file}:{line}: {message}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """What a module may hold: its outline, and every identifier outside of import lines."""

    statements: tuple[str, ...]
    names: frozenset[str]


class _Entry(NamedTuple):
    """A statement of the outline, and the parts of it that the outline does not tell."""

    text: str
    line: int
    parts: tuple[ast.AST, ...] = ()


def verify(text: str, shape: Shape, file: str) -> None:
    """Raise Surplus unless a module is what its shape says."""
    found = list(_entries(_parse(text, file).body, ""))
    for wanted, entry in zip_longest(shape.statements, found):
        if entry is None:
            raise Surplus(file, text.count("\n") + 1, f"`{wanted}` is missing")
        if entry.text != wanted:
            instead = "the end" if wanted is None else f"`{wanted}`"
            raise Surplus(file, entry.line, f"found {entry.text!r} instead of {instead}")
    _check((part for entry in found for part in entry.parts), shape.names, file)


def _parse(text: str, file: str) -> ast.Module:
    if mark := _ENCODING.match(text):
        raise Surplus(file, mark[0].count("\n") + 1, "declares an encoding")
    try:
        return ast.parse(text)
    except SyntaxError as error:
        raise Surplus(file, error.lineno or 1, f"not Python: {error.msg}") from error
    except (ValueError, MemoryError, RecursionError) as error:  # NUL, surrogates, nesting
        raise Surplus(file, 1, f"not Python: {error}") from error


def _entries(body: Iterable[ast.stmt], prefix: str, owner: type = ast.Module) -> Iterator[_Entry]:
    for node in body:
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                yield _Entry(text=f"{prefix}docstring", line=node.lineno)
            case ast.Import() | ast.ImportFrom():
                for alias in node.names:
                    yield _Entry(text=prefix + _import_line(node, alias), line=node.lineno)
            case ast.If(test=test):
                text = f"{prefix}if {test.id}" if isinstance(test, ast.Name) else f"{prefix}if"
                yield _Entry(text=text, line=node.lineno, parts=(test,))
                yield from _entries(node.body, f"{text} > ", owner)
                yield from _entries(node.orelse, f"{text} > else > ", owner)
            case ast.ClassDef():
                text = f"{prefix}class {node.name}"
                members = set(node.body)
                parts = tuple(it for it in ast.iter_child_nodes(node) if it not in members)
                yield _Entry(text=text, line=node.lineno, parts=parts)
                yield from _entries(node.body, f"{text} > ", ast.ClassDef)
            case _:
                parts = tuple(ast.iter_child_nodes(node)) if type(node) not in _NODES else (node,)
                yield _Entry(text=prefix + _simple(node, owner), line=node.lineno, parts=parts)


def _import_line(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    renamed = f" as {alias.asname}" if alias.asname else ""
    if isinstance(node, ast.Import):
        return f"import {alias.name}{renamed}"
    return f"from {'.' * node.level}{node.module or ''} import {alias.name}{renamed}"


def _simple(node: ast.stmt, owner: type) -> str:
    match node:
        case ast.AnnAssign(target=ast.Name(id=name)):
            return f"field {name}" if owner is ast.ClassDef else f"assign {name}"
        case ast.Assign(targets=[ast.Name(id=name)]):
            return f"assign {name}"
        case ast.FunctionDef(name=name):
            return f"def {name}"
        case _:
            return type(node).__name__.lower()


def _check(parts: Iterable[ast.AST], names: frozenset[str], file: str) -> None:
    """A node at a time, and no call for most: all that is generated passes by here."""
    stack = list[ast.AST | None](parts)
    while stack:
        node = stack.pop()
        # A display may have nothing in place of a key.
        if node is None:
            continue
        kind = type(node)
        if kind not in _FIELDS:
            raise Surplus(file, _line(node), f"{kind.__name__} is not allowed here")
        if kind in _IDENTIFIERS:
            name = cast("str | None", getattr(node, _IDENTIFIERS[kind]))
            if name is None and kind is ast.keyword:
                raise Surplus(file, _line(node), "`**` in a call")
            if name is not None and name not in names:
                raise Surplus(file, _line(node), f"name `{name}` was not declared")
        elif kind is ast.Call:
            _check_call(cast("ast.Call", node), file)
        for field in _FIELDS[kind]:
            held: list[ast.AST | None] | ast.AST | None = getattr(node, field)
            if isinstance(held, list):
                stack += held
            else:
                stack.append(held)


def _check_call(call: ast.Call, file: str) -> None:
    if isinstance(call.func, ast.Name) and call.func.id in _RUNS_TEXT:
        raise Surplus(file, call.lineno, f"`{call.func.id}` is called")
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        raise Surplus(file, call.lineno, "`*` in a call")


def _line(node: ast.AST) -> int:
    return cast("int", getattr(node, "lineno", 1))
