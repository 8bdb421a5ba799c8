"""`ir.fold.Part` -> the class that accumulates one object, in straight lines.

Each slot of the plan becomes an attribute that starts empty, the lines that take a chunk's member
into it, and the expression that shows it. Texts and entries are kept as they come and joined when a
snapshot is asked for, so a chunk costs the same however long the stream is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from codegen.backends.access import Access, Reading
from codegen.backends.attributes import attribute_names
from codegen.backends.scope import RUNTIME
from codegen.ir.api import Decl, Field, Object
from codegen.ir.fold import Keyed, Merge, Part, Simple, Slot
from codegen.ir.types import (
    Anything,
    DeclId,
    Literal,
    Nullable,
    Scalar,
    ScalarKind,
    Type,
    Union,
)
from codegen.ir.walk import resolve
from codegen.python.annotations import Annotator
from codegen.python.code import Code, identifier, snippet
from codegen.python.layout import (
    Expr,
    Ops,
    annotated,
    atom,
    call,
    definition,
    display,
    flat,
    ops,
    parameters,
    parens,
    statement,
    subscript,
)
from codegen.python.literals import format_docstring, format_string

FOLD = RUNTIME + "fold"
METHODS = frozenset({"add", "snapshot"})
_OR = Code("or")


@dataclass(frozen=True, slots=True, kw_only=True)
class PartView:
    """A class that accumulates; its three methods are complete, heads included."""

    name: Code
    doc: Code
    slots: Code
    start: tuple[Code, ...]
    add: tuple[Code, ...]
    show: tuple[Code, ...]


class FoldBuilder:
    """Builds the accumulating classes of one stream."""

    def __init__(
        self,
        fold: tuple[Part, ...],
        access: Access,
        annotator: Annotator,
        names: Mapping[DeclId, Code],
    ) -> None:
        self._fold = fold
        self._chunks = {part.record: part.chunk for part in fold}
        self._access = access
        self._annotator = annotator
        self._names = names
        self._scope = access.scope

    def views(self) -> Iterator[PartView]:
        """One class for each part of the plan."""
        return map(self._view, self._fold)

    def _view(self, part: Part) -> PartView:
        chunk, record = self._object(part.chunk), self._object(part.record)
        names = {w: identifier(n) for w, n in attribute_names(record, METHODS).items()}
        sources = {field.wire: field for field in chunk.fields}
        targets = {field.wire: field for field in record.fields}
        start: list[Code] = []
        taken = snippet("chunk: {}", self._scope.declared(chunk.id))
        add = [method(Code("add"), Code("None"), taken), *self._collect(chunk)]
        values: list[tuple[str, Code]] = []
        for slot in part.slots:
            target = snippet("self.{}", names[slot.target])
            reading = self._access.read(chunk, sources[slot.source])
            start.append(self._start(slot, target, targets[slot.target]))
            add += self._add(slot, target, reading, sources[slot.source])
            values.append((slot.target, self._show(slot, target)))
        any_ = self._scope.use("typing", "Any")
        unknown = snippet("        self._unknown: dict[str, list[{}]] = {}", any_, Code("{}"))
        start.append(unknown)
        record_name = self._scope.naming.classes[part.record]
        head = method(Code("snapshot"), self._scope.declared(record.id))
        attributes = (format_string(name) for name in (*names.values(), Code("_unknown")))
        listed = display(*map(atom, attributes))
        return PartView(
            name=self._names[part.record],
            doc=format_docstring(f"What has come of a `{record_name}`.", 4),
            slots=statement(Code("__slots__ = "), listed, indent=4),
            start=tuple(start),
            add=tuple(add),
            show=(head, *self._access.show(record, values)),
        )

    def _object(self, id_: DeclId) -> Object:
        decl: Decl = self._scope.decls[id_]
        if not isinstance(decl, Object):
            raise TypeError(f"{id_} is not an object")
        return decl

    def _collect(self, chunk: Object) -> list[Code]:
        collect = self._scope.use(FOLD, "collect")
        found = self._access.unknown(chunk)
        bound = replace(found, head=snippet("unknown := {}", found.head))
        return _when(bound, snippet("{}(self._unknown, unknown)", collect))

    def _start(self, slot: Slot, target: Code, field: Field) -> Code:
        match slot.how:
            case Simple.CONCAT:
                return snippet("        {}: list[str] = []", target)
            case Simple.APPEND:
                type_ = self._annotator.annotate(field.type)
                return annotated(snippet("{}: ", target), type_, atom(Code("[]")), indent=8)
            case Keyed(record=record):
                key, part = self._key_kind(slot.how), self._names[record]
                type_ = subscript(Code("dict"), atom(key), atom(part))
                return annotated(snippet("{}: ", target), type_, atom(Code("{}")), indent=8)
            case Merge(record=record):
                type_ = ops(Code("|"), atom(self._names[record]), atom(Code("None")))
                return annotated(snippet("{}: ", target), type_, atom(Code("None")), indent=8)
            case _:
                options = [o for o in self._annotator.options(field.type) if flat(o) != "None"]
                type_ = ops(Code("|"), *options, atom(Code("None")))
                return annotated(snippet("{}: ", target), type_, atom(Code("None")), indent=8)

    def _key_kind(self, how: Keyed) -> Code:
        if how.append_others:
            return Code("tuple[bool, int]")
        entry = self._object(self._chunks[how.record])
        field = next(f for f in entry.fields if f.wire == how.key)
        return flat(self._annotator.annotate(field.type))

    def _add(self, slot: Slot, target: Code, reading: Reading, field: Field) -> list[Code]:
        value = reading.value
        match slot.how:
            case Simple.FIRST:
                absent = self._is_nothing_yet(target, field.type)
                return _when_both(absent, reading.guard, _set(target, value))
            case Simple.CONCAT:
                return _when(reading.guard, _run(snippet("{}.append", target), value))
            case Simple.APPEND:
                return _when(reading.guard, _run(snippet("{}.extend", target), value))
            case Merge(record=record):
                made = _set(target, snippet("{}()", self._names[record]))
                first = _when(_is_none(target), made, indent=0)
                return _when(reading.guard, *first, _run(snippet("{}.add", target), value))
            case Keyed():
                return _when(reading.guard, *self._add_keyed(slot.how, target, value))
            case _:
                return _when(reading.guard, _set(target, value))

    def _add_keyed(self, how: Keyed, target: Code, value: Code) -> list[Code]:
        entry = self._object(self._chunks[how.record])
        field = next(f for f in entry.fields if f.wire == how.key)
        at = self._access.read(entry, field, of=Code("entry")).plain
        lines = [statement(Code("for entry in "), atom(value), Code(":"))]
        if how.append_others:
            key_for = call(self._scope.use(FOLD, "key_for"), atom(target), atom(at))
            lines.append(statement(Code("key = "), key_for, indent=4))
            at = Code("key")
        made = snippet("folded = {}[{}] = {}()", target, at, self._names[how.record])
        return [
            *lines,
            statement(snippet("folded = {}.get", target), parens(atom(at)), indent=4),
            Code("    if folded is None:"),
            snippet("        {}", made),
            Code("    folded.add(entry)"),
        ]

    def _is_nothing_yet(self, target: Code, type_: Type) -> Expr:
        """Null and an empty text, where there may be one, are nothing."""
        kinds = self._kinds(type_)
        if kinds == frozenset({ScalarKind.STRING}):
            return atom(snippet("not {}", target))
        if kinds is None or ScalarKind.STRING in kinds:
            empty = Ops(Code("=="), (atom(target), atom(Code('""'))))
            return ops(_OR, _is_none(target), empty)
        return _is_none(target)

    def _kinds(self, type_: Type) -> frozenset[ScalarKind] | None:
        """The kinds of scalar that a value may be; None: any."""
        match resolve(type_, self._scope.decls):
            case Nullable(type=inner):
                return self._kinds(inner)
            case Literal(kinds=kinds):
                return frozenset(kinds)
            case Scalar(kind=kind):
                return frozenset({kind})
            case Union(members=members):
                found = [self._kinds(member) for member in members]
                if None in found:
                    return None
                return frozenset(kind for kinds in found for kind in kinds or ())
            case Anything():
                return None
            case _:
                return frozenset()

    def _show(self, slot: Slot, target: Code) -> Code:
        match slot.how:
            case Simple.CONCAT:
                return self._helper("joined", target)
            case Simple.APPEND:
                return self._helper("listed", target)
            case Merge():
                return self._helper("snapshot_of", target)
            case Keyed():
                return self._helper("snapshots_of", target)
            case _:
                return target

    def _helper(self, name: str, target: Code) -> Code:
        return flat(call(self._scope.use(FOLD, name), atom(target)))


def _when(condition: Expr | None, *body: Code, indent: int = 8) -> list[Code]:
    """The lines of a body, under a condition where there is one."""
    if condition is None:
        return [_indented(line, indent) for line in body]
    head = statement(Code("if "), condition, Code(":"), indent=indent)
    return [head, *(_indented(line, indent + 4) for line in body)]


def _when_both(first: Expr, second: Expr | None, line: Code) -> list[Code]:
    """A line under two conditions, in one statement if it fits a line."""
    if second is not None:
        either = isinstance(first, Ops) and first.operator == _OR
        both = Ops(Code("and"), (parens(first) if either else first, second))
        together = _when(both, line)
        if "\n" not in together[0]:
            return together
    return _when(first, *_when(second, line, indent=0))


def _indented(line: Code, indent: int) -> Code:
    return snippet("{}{}", Code(" " * indent), line)


def _set(target: Code, value: Code) -> Code:
    return snippet("{} = {}", target, value)


def _run(function: Code, value: Code) -> Code:
    return flat(call(function, atom(value)))


def _is_none(target: Code) -> Expr:
    return Ops(Code("is"), (atom(target), atom(Code("None"))))


def method(name: Code, result: Code, *arguments: Code) -> Code:
    """The head of a method."""
    declared = parameters(atom(Code("self")), *map(atom, arguments))
    return definition(snippet("def {}", name), declared, snippet(" -> {}:", result), indent=4)
