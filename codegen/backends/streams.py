"""`ir.Stream` -> one class that reads its events, and the classes that accumulate them.

In: streams, and how a variant reads and builds its objects. Out: one file a stream, the same in
every variant but for that access. What all streams share is in the run time's `stream` module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from codegen.backends.fold_events import EventsBuilder
from codegen.backends.folds import NAMES, FoldBuilder, FunctionView, constants
from codegen.backends.naming import Naming
from codegen.backends.reading import Reading, method
from codegen.backends.scope import CODEC, RUNTIME, Scope
from codegen.backends.shapes import OWN_NAMES
from codegen.backends.views import File
from codegen.ir.api import Api, Framing, StopData, Stream
from codegen.ir.fold import Fold
from codegen.ir.types import DeclId, Ref
from codegen.ir.walk import decls_by_id
from codegen.python.code import Code, identifier, snippet
from codegen.python.expressions import Expr, atom, braces, call, ops, subscript
from codegen.python.layout import annotated, definition, statement
from codegen.python.literals import Json, format_docstring, format_string, literal
from codegen.python.verify import Shape

_BASES = {
    Framing.SSE: ("event_stream", "EventStream"),
    Framing.JSON_LINES: ("json_streams", "JsonLinesStream"),
    Framing.JSON_SEQUENCE: ("json_streams", "JsonSequenceStream"),
    Framing.JSON_ARRAY: ("json_streams", "JsonArrayStream"),
    Framing.MULTIPART: ("json_streams", "MultipartStream"),
}
# What the lines of this file and of `reading` use, and the template.
_NAMES = NAMES | frozenset(
    """START END EOF_IS_ERROR KINDS REQUEST encode decode bytes bool int event error name data json
    snapshot result resume first problem frozenset isinstance text format _begin _whole _envelope
    _parse _read _check _stop _fail _place last_event_id __decode__ staticmethod""".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamView:
    """A stream class, its methods complete with their heads, and the functions beside it."""

    doc: Code
    imports: tuple[Code, ...]
    head: Code
    about: Code
    constants: tuple[Code, ...]
    encode: tuple[Code, ...]
    resume: tuple[Code, ...]
    snapshot: tuple[Code, ...]
    result: tuple[Code, ...]
    read: tuple[Code, ...]
    check: tuple[Code, ...]
    begin: tuple[Code, ...]
    functions: tuple[FunctionView, ...]


def build_streams(
    api: Api,
    naming: Naming,
    variant: str,
    decode: Callable[[Scope, DeclId], Expr],
    modules: dict[str, str],
) -> Iterator[File]:
    """The stream modules of a variant; `modules` names the module of each class."""
    decls = decls_by_id(api)
    for name, stream in naming.streams.items():
        # A schema may be called as the stream, and no module of its own is this one.
        scope = Scope("", naming, decls, "..models.", defined=frozenset((name,)))
        builder = _StreamBuilder(stream, identifier(name), scope, decode)
        yield builder.file(f"{variant}/streams/{modules[name]}.py")


class _StreamBuilder:
    def __init__(
        self,
        stream: Stream,
        name: Code,
        scope: Scope,
        decode: Callable[[Scope, DeclId], Expr],
    ) -> None:
        assert isinstance(stream.event, Ref)
        self._stream = stream
        self._name = name
        self._scope = scope
        event = stream.event.target
        self._reading = Reading(stream, event, scope, decode(scope, event))
        self._event = scope.declared(event)
        self._scope.use("__future__", "annotations")

    def file(self, path: str) -> File:
        fold = self._stream.fold
        operation = self._stream.operation
        module, base = _BASES[self._stream.framing]
        if self._stream.envelope is not None:
            module, base = "envelope", "EnvelopeStream"
        parent = subscript(self._scope.use(RUNTIME + module, base), self._reading.item())
        attributes = dict(self._constants())
        view = StreamView(
            doc=format_docstring(f"Stream of `{operation.method} {operation.path}`.", 0),
            head=definition(Code("class "), call(self._name, parent)),
            about=format_docstring(self._about(), 4),
            constants=tuple(attributes.values()),
            encode=tuple(self._reading.encode()),
            resume=tuple(self._reading.resume()),
            snapshot=tuple(self._snapshot(fold.record)) if fold else (),
            result=tuple(self._result(fold.record)) if fold else (),
            read=tuple(self._reading.read()),
            check=tuple(self._check()),
            begin=tuple(self._begin(fold)) if fold else (),
            functions=tuple(self._functions(fold)) if fold else (),
            imports=self._scope.imports.lines(),
        )
        shape = self._shape(view, list(attributes))
        return File(path=path, template="stream.py.jinja", view=view, shape=shape)

    def _about(self) -> str:
        operation = self._stream.operation
        assert isinstance(self._stream.event, Ref)
        event = self._scope.naming.classes[self._stream.event.target]
        about = f"Events of `{operation.method} {operation.path}`: {event}."
        return f"{about}\n\n{operation.doc.text}" if operation.doc.text else about

    def _functions(self, fold: Fold) -> Iterator[FunctionView]:
        parts = FoldBuilder(fold, self._scope)
        if fold.part is None:
            yield EventsBuilder(fold, parts).function()
        yield from parts.functions()

    def _begin(self, fold: Fold) -> Iterator[Code]:
        yield Code("    def _begin(self) -> None:")
        accumulator = self._scope.use(RUNTIME + "accumulator", "Accumulator")
        start = (constants(fold.constants),) if fold.constants else ()
        yield statement(Code("self._whole = "), call(accumulator, *start), indent=8)

    def _constants(self) -> Iterator[tuple[str, Code]]:
        stops = [stop.text for stop in self._stream.stop if isinstance(stop, StopData)]
        is_array = self._stream.framing is Framing.JSON_ARRAY
        ends: list[Expr] = []
        if is_array:
            start = atom(snippet("{}.START", self._reading.framing()))
            yield self._constant("START", Code("bytes"), start)
        elif stops:
            encode = snippet("{}.encode", self._reading.framing())
            ends.append(call(encode, atom(format_string(stops[0]))))
        if is_array or self._stream.framing is Framing.MULTIPART:
            ends.append(atom(snippet("{}.END", self._reading.framing())))
        if ends:
            yield self._constant("END", Code("bytes"), ops(Code("+"), *ends))
        is_error = literal(self._stream.eof_is_error)
        yield self._constant("EOF_IS_ERROR", Code("bool"), is_error)
        if self._stream.kinds and self._stream.kinds.names:
            names = braces(*(atom(format_string(n)) for n in self._stream.kinds.names))
            kinds = call(Code("frozenset"), names)
            yield self._constant("KINDS", Code("frozenset[str]"), kinds)

        if self._stream.when is not None:
            any_ = self._scope.use("typing", "Any")
            request: Json = self._stream.when.value
            for name in reversed(self._stream.when.path):
                request = {name: request}
            yield self._constant("REQUEST", snippet("dict[str, {}]", any_), literal(request))

    def _constant(self, name: str, type_: Code, value: Expr) -> tuple[str, Code]:
        class_var = subscript(self._scope.use("typing", "ClassVar"), atom(type_))
        prefix = snippet("{}: ", identifier(name))
        return name, annotated(prefix, class_var, value, indent=4)

    def _snapshot(self, record: DeclId) -> Iterator[Code]:
        type_ = self._scope.declared(record)
        yield method(Code("snapshot"), atom(type_))
        yield Code('        """Show what has come so far, at any time."""')
        yield self._made("snapshot", "fit", type_, Code("self._whole.show()"))
        yield Code("        return snapshot")

    def _result(self, record: DeclId) -> Iterator[Code]:
        result = self._stream.result
        if not isinstance(result, Ref):
            function, type_ = "fit", self._scope.declared(record)
            about = '"""Return what all events together amount to."""'
        else:
            function, type_ = "complete", self._scope.declared(result.target)
            about = '"""Return the whole; raises IncompleteResult if some never came."""'
        yield method(Code("result"), atom(type_))
        yield Code(f"        {about}")
        yield self._made("result", function, type_, Code("self._whole.show(whole=True)"))
        yield Code("        return result")

    def _made(self, name: str, function: str, type_: Code, value: Code) -> Code:
        made = call(self._scope.use(CODEC, function), atom(type_), atom(value))
        return annotated(snippet("{}: ", identifier(name)), atom(type_), made, indent=8)

    def _check(self) -> Iterator[Code]:
        yield Code("    def _check(self, name: str, data: str) -> None:")
        yield self._reading.check()

    def _shape(self, view: StreamView, constants: list[str]) -> Shape:
        inside = f"class {self._name} > "
        statements = ["docstring", *self._scope.imports.outline, f"class {self._name}"]
        statements += [inside + "docstring", *(f"{inside}field {name}" for name in constants)]
        methods = ["snapshot", "result", "_begin"] if view.result else []
        resume = ["resume"] if view.resume else []
        methods = ["encode", *resume, *methods, "_read", "_check"]
        statements += [f"{inside}def {name}" for name in methods]
        names = OWN_NAMES | _NAMES | self._scope.imports.names | {self._name}
        for function in view.functions:
            names |= {function.name}
            if function.constant is not None:
                names |= {function.constant}
                statements.append(f"assign {function.constant}")
            statements.append(f"def {function.name}")
        return Shape(statements=tuple(statements), names=frozenset(names))
