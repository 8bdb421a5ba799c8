"""`ir.Stream` -> one class that reads its events, and the classes that accumulate them.

In: streams, and how a variant reads and builds its objects. Out: one file a stream, the same in
every variant but for that access. What all streams share is in the run time's `stream` module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from codegen.backends.access import Access
from codegen.backends.attributes import attribute_names
from codegen.backends.folds import METHODS, FoldBuilder, PartView, method
from codegen.backends.naming import Naming, stream_name
from codegen.backends.reading import MODULES, Reading
from codegen.backends.scope import CODEC, RUNTIME, Scope
from codegen.backends.shapes import BUILTINS
from codegen.backends.views import File
from codegen.ir.api import Api, Framing, Object, StopData, Stream
from codegen.ir.fold import Part
from codegen.ir.types import DeclId, Ref
from codegen.ir.walk import decls_by_id
from codegen.python.annotations import Annotator
from codegen.python.code import Code, identifier, snippet
from codegen.python.layout import (
    Expr,
    annotated,
    atom,
    braces,
    call,
    definition,
    statement,
    subscript,
)
from codegen.python.literals import format_docstring, format_string, format_value
from codegen.python.names import pascal, split_words
from codegen.python.verify import Shape

_BASES = {
    Framing.SSE: ("event_stream", "EventStream"),
    Framing.JSON_LINES: ("json_streams", "JsonLinesStream"),
    Framing.JSON_SEQUENCE: ("json_streams", "JsonSequenceStream"),
    Framing.JSON_ARRAY: ("json_streams", "JsonArrayStream"),
}
# What the lines of this file, of `reading` and `folds`, and the template use.
_NAMES = frozenset(
    """START END EOF_IS_ERROR KINDS encode decode bytes bool int tuple event error name data
    json snapshot result add chunk entry key folded append extend unknown first problem
    frozenset isinstance _begin _whole _Whole _read _check _stop _fail _unknown __slots__
    __init__ __decode__ staticmethod""".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamView:
    """A stream class, its methods complete with their heads, and the classes beside it."""

    doc: Code
    imports: tuple[Code, ...]
    head: Code
    about: Code
    constants: tuple[Code, ...]
    encode: tuple[Code, ...]
    snapshot: tuple[Code, ...]
    result: tuple[Code, ...]
    read: tuple[Code, ...]
    check: tuple[Code, ...]
    parts: tuple[PartView, ...]


def build_streams(
    api: Api,
    naming: Naming,
    variant: str,
    access: Callable[[Scope], Access],
    modules: dict[str, str],
) -> Iterator[File]:
    """The stream modules of a variant; `modules` names the module of each class."""
    decls = decls_by_id(api)
    for stream in api.streams:
        name = stream_name(stream)
        scope = Scope(modules[name], naming, decls, "..models.")
        builder = _StreamBuilder(stream, identifier(name), access(scope))
        yield builder.file(f"{variant}/streams/{modules[name]}.py")


class _StreamBuilder:
    def __init__(self, stream: Stream, name: Code, access: Access) -> None:
        assert isinstance(stream.event, Ref)
        self._stream = stream
        self._name = name
        self._access = access
        self._scope = access.scope
        self._reading = Reading(stream, stream.event.target, access)
        self._event = self._scope.declared(stream.event.target)
        self._scope.use("__future__", "annotations")

    def file(self, path: str) -> File:
        fold = self._stream.fold
        operation = self._stream.operation
        parts = self._parts(fold) if fold else ()
        module, base = _BASES[self._stream.framing]
        parent = subscript(self._scope.use(RUNTIME + module, base), self._reading.item())
        constants = dict(self._constants())
        view = StreamView(
            doc=format_docstring(f"Stream of `{operation.method} {operation.path}`.", 0),
            head=definition(Code("class "), call(self._name, parent), Code(":")),
            about=format_docstring(self._about(), 4),
            constants=tuple(constants.values()),
            encode=tuple(self._reading.encode()),
            snapshot=tuple(self._snapshot(fold[0].record)) if fold else (),
            result=tuple(self._result(fold[0].record)) if fold else (),
            read=tuple(self._reading.read()),
            check=tuple(self._check()),
            parts=parts,
            imports=self._scope.imports.lines(),
        )
        shape = self._shape(view, list(constants))
        return File(path=path, template="stream.py.jinja", view=view, shape=shape)

    def _about(self) -> str:
        operation = self._stream.operation
        about = f"Events of `{operation.method} {operation.path}`: {self._event}."
        return f"{about}\n\n{operation.doc.text}" if operation.doc.text else about

    def _parts(self, fold: tuple[Part, ...]) -> tuple[PartView, ...]:
        annotator = Annotator(self._scope.imports, self._scope.declared, _no_unlisted)
        names = {part.record: identifier(self._part_name(part)) for part in fold}
        return tuple(FoldBuilder(fold, self._access, annotator, names).views())

    def _part_name(self, part: Part) -> str:
        """Parts are called after what they hold: `_Whole`, `_Choice`, `_ChoiceMessage`."""
        outside = len(self._stream.name) + 1
        inside = self._scope.decls[part.record].name[outside:]
        words = tuple(word for name in inside for word in split_words(name))
        return f"_{pascal(words)}" if words else "_Whole"

    def _constants(self) -> Iterator[tuple[str, Code]]:
        stops = [stop.text for stop in self._stream.stop if isinstance(stop, StopData)]
        module = self._scope.use(RUNTIME.rstrip("."), MODULES[self._stream.framing])
        if self._stream.framing is Framing.JSON_ARRAY:
            yield self._constant("START", Code("bytes"), atom(snippet("{}.START", module)))
            yield self._constant("END", Code("bytes"), atom(snippet("{}.END", module)))
        elif stops:
            end = call(snippet("{}.encode", module), atom(format_string(stops[0])))
            yield self._constant("END", Code("bytes"), end)
        value = atom(format_value(self._stream.eof_is_error))
        yield self._constant("EOF_IS_ERROR", Code("bool"), value)
        if self._stream.kinds and self._stream.kinds.names:
            names = braces(*(atom(format_string(n)) for n in self._stream.kinds.names))
            kinds = call(Code("frozenset"), names)
            yield self._constant("KINDS", Code("frozenset[str]"), kinds)

    def _constant(self, name: str, type_: Code, value: Expr) -> tuple[str, Code]:
        class_var = subscript(self._scope.use("typing", "ClassVar"), atom(type_))
        prefix = snippet("{}: ", identifier(name))
        return name, annotated(prefix, class_var, value, indent=4)

    def _snapshot(self, record: DeclId) -> Iterator[Code]:
        yield method(Code("snapshot"), self._scope.declared(record))
        yield Code('        """Show what has come so far, at any time."""')
        yield Code("        return self._whole.snapshot()")

    def _result(self, record: DeclId) -> Iterator[Code]:
        result = self._stream.result
        if not isinstance(result, Ref):
            yield method(Code("result"), self._scope.declared(record))
            yield Code('        """Return what all events together amount to."""')
            yield Code("        return self.snapshot()")
            return
        type_ = self._scope.declared(result.target)
        yield method(Code("result"), type_)
        yield Code('        """Return the whole; raises IncompleteResult if some never came."""')
        complete = call(
            self._scope.use(CODEC, "complete"), atom(type_), atom(Code("self.snapshot()"))
        )
        yield annotated(Code("result: "), atom(type_), complete, indent=8)
        yield Code("        return result")

    def _check(self) -> Iterator[Code]:
        yield Code("    def _check(self, data: str) -> None:")
        loads = call(self._scope.use(CODEC, "loads"), atom(self._event), atom(Code("data")))
        yield statement(Code(""), loads, indent=8)

    def _shape(self, view: StreamView, constants: list[str]) -> Shape:
        inside = f"class {self._name} > "
        statements = ["docstring", *self._scope.imports.outline, f"class {self._name}"]
        statements += [inside + "docstring", *(f"{inside}field {name}" for name in constants)]
        methods = ["snapshot", "result", "_begin"] if view.result else []
        methods = ["encode", *methods, "_read", "_check"]
        statements += [f"{inside}def {name}" for name in methods]
        names = BUILTINS | _NAMES | self._scope.imports.names | {self._name}
        for part in view.parts:
            inside = f"class {part.name} > "
            statements += [f"class {part.name}", inside + "docstring", inside + "assign __slots__"]
            statements += [inside + f"def {name}" for name in ("__init__", "add", "snapshot")]
            names |= {part.name} | self._member_names()
        return Shape(statements=tuple(statements), names=frozenset(names))

    def _member_names(self) -> frozenset[str]:
        """The attributes of the chunk's objects and of the records."""
        found: set[str] = set()
        for part in self._stream.fold or ():
            for id_ in (part.chunk, part.record):
                decl = self._scope.decls[id_]
                if isinstance(decl, Object):
                    found.update(self._access.names(decl).values())
                    found.update(attribute_names(decl, METHODS).values())
        return frozenset(found)


def _no_unlisted() -> Expr:
    raise AssertionError("unions of objects have names")
