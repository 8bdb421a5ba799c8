"""`ir.Stream` -> one class that reads its events, and the classes that accumulate them.

In: streams, and how a variant reads and builds its objects. Out: one file a stream, the same in
every variant but for that access. What all streams share is in the run time's `stream` module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from codegen.backends.access import Access
from codegen.backends.attributes import attribute_names
from codegen.backends.folds import FOLD, METHODS, FoldBuilder, PartView, method
from codegen.backends.naming import Naming, stream_name
from codegen.backends.scope import CODEC, RUNTIME, Scope
from codegen.backends.shapes import BUILTINS
from codegen.backends.views import File
from codegen.ir.api import Api, ErrorAt, Object, Stream
from codegen.ir.fold import Keyed, Merge, Part
from codegen.ir.types import DeclId, Ref
from codegen.ir.walk import decls_by_id
from codegen.python.annotations import Annotator
from codegen.python.code import Code, identifier, snippet
from codegen.python.layout import (
    Expr,
    Ops,
    annotated,
    atom,
    call,
    definition,
    flat,
    ops,
    parameters,
    statement,
    subscript,
)
from codegen.python.literals import format_docstring, format_string, format_value
from codegen.python.names import pascal, split_words
from codegen.python.verify import Shape

STREAM, ERRORS = RUNTIME + "stream", RUNTIME + "errors"


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
        self._event_id = stream.event.target
        self._event = self._scope.declared(self._event_id)
        self._scope.use("__future__", "annotations")

    def file(self, path: str) -> File:
        fold = self._stream.fold
        operation = self._stream.operation
        parts = self._parts(fold) if fold else ()
        base = subscript(self._scope.use(STREAM, "EventStream"), atom(self._event))
        view = StreamView(
            doc=format_docstring(f"Stream of `{operation.method} {operation.path}`.", 0),
            head=definition(Code("class "), call(self._name, base), Code(":")),
            about=format_docstring(self._about(), 4),
            constants=tuple(self._constants()),
            encode=tuple(self._encode()),
            snapshot=tuple(self._snapshot(fold)) if fold else (),
            result=tuple(self._result(fold)) if fold else (),
            read=tuple(self._read(fold)),
            check=tuple(self._check()),
            parts=parts,
            imports=self._scope.imports.lines(),
        )
        return File(path=path, template="stream.py.jinja", view=view, shape=self._shape(view))

    def _about(self) -> str:
        operation = self._stream.operation
        about = f"Events of `{operation.method} {operation.path}`: {self._event}."
        return f"{about}\n\n{operation.doc.text}" if operation.doc.text else about

    def _parts(self, fold: Part) -> tuple[PartView, ...]:
        annotator = Annotator(self._scope.imports, self._scope.declared, _no_unlisted)
        names = {id_: identifier(name) for id_, name in self._part_names(fold).items()}
        return tuple(FoldBuilder(self._access, annotator, names).views(fold))

    def _part_names(self, part: Part) -> dict[DeclId, str]:
        """Records are called after what they hold: `_Whole`, `_Choice`, `_ChoiceMessage`."""
        inside = self._scope.decls[part.record].name[3:]
        words = tuple(word for name in inside for word in split_words(name))
        names = {part.record: f"_{pascal(words)}" if words else "_Whole"}
        for slot in part.slots:
            if isinstance(slot.how, Merge | Keyed):
                names |= self._part_names(slot.how.part)
        return names

    def _constants(self) -> Iterator[Code]:
        classvar = self._scope.use("typing", "ClassVar")
        encode = snippet("{}.encode", self._scope.use(RUNTIME.rstrip("."), "sse"))
        if self._stream.stop:
            end = call(encode, atom(format_string(self._stream.stop[0])))
            yield statement(snippet("END: {}[bytes] = ", classvar), end, indent=4)
        value = format_value(self._stream.eof_is_error)
        yield snippet("    EOF_IS_ERROR: {}[bool] = {}", classvar, value)

    def _encode(self) -> Iterator[Code]:
        event = atom(snippet("event: {}", self._event))
        dumps = call(self._scope.use(CODEC, "dumps"), atom(Code("event")))
        yield definition(Code("def encode"), parameters(event), Code(" -> bytes:"), indent=4)
        yield Code('        """Write one event as it goes over the wire."""')
        text = snippet("{}.decode()", flat(dumps))
        yield statement(Code("return "), call(Code("sse.encode"), atom(text)), indent=8)

    def _snapshot(self, fold: Part) -> Iterator[Code]:
        record = self._scope.declared(fold.record)
        yield method(Code("snapshot"), record)
        yield Code('        """Show what has come so far, at any time."""')
        yield Code("        return self._whole.snapshot()")

    def _result(self, fold: Part) -> Iterator[Code]:
        record = self._scope.declared(fold.record)
        yield method(Code("result"), record)
        yield Code('        """Return what all events together amount to."""')
        yield Code("        return self.snapshot()")

    def _read(self, fold: Part | None) -> Iterator[Code]:
        error = self._scope.use(ERRORS, "StreamError")
        result = snippet("{} | {} | None", self._event, error)
        yield method(Code("_read"), result, Code("name: str"), Code("data: str"))
        if self._stream.stop:
            texts = (
                Ops(Code("=="), (atom(Code("data")), atom(format_string(t))))
                for t in self._stream.stop
            )
            yield statement(Code("if "), ops(Code("or"), *texts), Code(":"), indent=8)
            yield Code("            self._stop()")
            yield Code("            return None")
        parse = call(self._scope.use(RUNTIME + "jsontext", "parse"), atom(Code("data")))
        yield statement(Code("json = "), parse, indent=8)
        for place in self._stream.errors:
            yield from self._read_error(place, error)
        decoded = self._access.decode(self._event_id)
        yield annotated(Code("event: "), atom(self._event), decoded, indent=8)
        if fold is not None:
            yield Code("        self._whole.add(event)")
        yield Code("        return event")

    def _read_error(self, place: ErrorAt, error: Code) -> Iterator[Code]:
        path = (atom(format_string(name)) for name in place.path)
        found = call(self._scope.use(FOLD, "lookup"), atom(Code("json")), *path)
        yield statement(Code("error = "), found, indent=8)
        there: Expr = atom(Code("error is not None"))
        if place.event is not None:
            named = Ops(Code("=="), (atom(Code("name")), atom(format_string(place.event))))
            there = ops(Code("and"), named, there)
        yield statement(Code("if "), there, Code(":"), indent=8)
        yield snippet("            return {}(error)", error)

    def _check(self) -> Iterator[Code]:
        yield Code("    def _check(self, data: str) -> None:")
        loads = call(self._scope.use(CODEC, "loads"), atom(self._event), atom(Code("data")))
        yield statement(Code(""), loads, indent=8)

    def _shape(self, view: StreamView) -> Shape:
        inside = f"class {self._name} > "
        statements = ["docstring", *self._scope.imports.outline, f"class {self._name}"]
        statements += [inside + "docstring"]
        statements += [inside + "field END"] if self._stream.stop else []
        statements += [inside + "field EOF_IS_ERROR", inside + "def encode"]
        if view.result:
            statements += [inside + f"def {name}" for name in ("snapshot", "result", "_begin")]
        statements += [inside + "def _read", inside + "def _check"]
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

        def visit(part: Part) -> None:
            for id_ in (part.chunk, part.record):
                decl = self._scope.decls[id_]
                if isinstance(decl, Object):
                    found.update(self._access.names(decl).values())
                    found.update(attribute_names(decl, METHODS).values())
            for slot in part.slots:
                if isinstance(slot.how, Merge | Keyed):
                    visit(slot.how.part)

        if self._stream.fold:
            visit(self._stream.fold)
        return frozenset(found)


# What the lines above and the template use.
_NAMES = frozenset(
    """END EOF_IS_ERROR encode decode bytes event error name data json snapshot result add chunk
    entry folded append extend unknown _begin _whole _Whole _read _check _stop _unknown __slots__
    __init__ __decode__ staticmethod""".split()
)


def _no_unlisted() -> Expr:
    raise AssertionError("unions of objects have names")
