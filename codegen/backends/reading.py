"""The two methods of a stream class that know the wire: `_read` takes one event, `encode` writes
one.

In: a stream, and how its variant decodes. Out: lines of code. What is tested first costs least: the
sentinel before the JSON is parsed, the kind of an event before it is decoded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from codegen.backends.scope import CODEC, DECODING, RUNTIME, Scope
from codegen.ir.api import (
    ErrorAt,
    Framing,
    StopAt,
    StopData,
    StopEvent,
    Stream,
    Unknown,
)
from codegen.ir.rules import Path
from codegen.ir.types import DeclId
from codegen.python.code import Code, snippet
from codegen.python.expressions import (
    Conditional,
    Entry,
    Expr,
    Group,
    Ops,
    atom,
    call,
    keyword,
    mapping,
    ops,
    parameters,
    parens,
    subscript,
)
from codegen.python.layout import annotated, definition, statement
from codegen.python.literals import format_string, literal

STREAM, ERRORS = RUNTIME + "stream", RUNTIME + "errors"
_MODULES = {
    Framing.SSE: "sse",
    Framing.JSON_LINES: "json_lines",
    Framing.JSON_SEQUENCE: "json_sequence",
    Framing.JSON_ARRAY: "json_array",
    Framing.MULTIPART: "multipart",
}
_NAME, _DATA, _JSON = atom(Code("name")), atom(Code("data")), atom(Code("json"))
_OR = Code("|")


class Reading:
    """Writes the lines of one stream; `event` declares what it reads, `decode` is how."""

    def __init__(self, stream: Stream, event: DeclId, scope: Scope, decode: Expr) -> None:
        self._stream = stream
        self._event = event
        self._scope = scope
        self._decoded = decode
        self._field = stream.kinds.field if stream.kinds else None
        self._on_wire = stream.kinds is None or stream.kinds.on_wire
        self._envelope = stream.envelope

    def item(self) -> Expr:
        """The type of what the stream delivers."""
        event = atom(self._scope.declared(self._event))
        return ops(_OR, event, atom(self._unknown())) if self._keeps_unknown() else event

    def _keeps_unknown(self) -> bool:
        kinds = self._stream.kinds
        return bool(kinds and kinds.names) and self._stream.unknown is Unknown.KEEP

    def _unknown(self) -> Code:
        return self._scope.use(ERRORS, "UnknownEvent")

    def read(self) -> Iterator[Code]:
        """`_read`: one event to an item, or None."""
        error = self._scope.use(ERRORS, "StreamError")
        results = [self.item(), atom(error), atom(Code("None"))]
        if self._stream.unknown is Unknown.ERROR:
            results.insert(1, atom(self._scope.use(ERRORS, "InvalidEvent")))
        yield method(Code("_read"), ops(_OR, *results), Code("name: str"), Code("data: str"))
        texts = [s.text for s in self._stream.stop if isinstance(s, StopData)]
        if texts:
            yield self._if(self._is_one_of(_DATA, texts))
            yield Code("            self._stop()")
            yield Code("            return None")
        if self._on_wire:
            yield from self._name_unnamed()
            yield from self._act_on_name()
        yield statement(Code("json = "), self._json(), indent=8)
        if not self._on_wire:
            yield statement(Code("name = "), self._name_of(_JSON), indent=8)
            yield from self._act_on_name()
        yield from self._fold_error()
        for place in self._stream.errors:
            if place.path:
                yield from self._error(place)
        yield from self._refuse_unknown()
        yield from self._decode()

    def check(self) -> Code:
        """The statement that says what is wrong with an event."""
        event = atom(self._scope.declared(self._event))
        if self._envelope is None:
            checked = call(self._scope.use(CODEC, "loads"), event, _DATA)
        else:
            checked = call(self._scope.use(CODEC, "from_json"), event, self._json())
        return statement(Code(""), checked, indent=8)

    def _json(self) -> Expr:
        """The JSON of the event: its data, or the envelope with these inside."""
        if self._envelope is not None and self._envelope.is_text:
            return call(Code("self._envelope"), _DATA, *self._members())
        parsed = call(Code("self._parse"), _DATA)
        if self._envelope is None:
            return parsed
        data: Expr = parsed
        if self._envelope.texts:
            is_text = self._is_one_of(_NAME, list(self._envelope.texts))
            data = Conditional(_DATA, is_text, parsed)
        return call(Code("self._envelope"), data, *self._members())

    def _members(self) -> Iterator[Expr]:
        """What the document says of an event beside its data."""
        assert self._envelope is not None
        return (atom(format_string(name)) for name in self._envelope.members)

    def _name_unnamed(self) -> Iterator[Code]:
        """What has no name on the wire is called `message` there; its data may know better."""
        if self._field is not None and self._envelope is None:
            yield self._if(self._is_one_of(_NAME, ["message"]))
            named = Ops(Code("or"), (self._name_of(self._payload()), _NAME))
            yield statement(Code("name = "), named, indent=12)

    def _payload(self) -> Group:
        return call(self._scope.use(STREAM, "payload_of"), _DATA)

    def _act_on_name(self) -> Iterator[Code]:
        """Do what depends on the name alone, whatever the event holds."""
        errors = [name for name in self._error_names() if name not in self._folded_errors()]
        if errors:
            payload: Expr = self._payload() if self._on_wire else _JSON
            # What another rule finds inside is the error itself.
            inside = [e.path for e in self._stream.errors if e.path and e.event in (None, *errors)]
            if inside and self._envelope is None:
                error_in = self._scope.use(STREAM, "error_in")
                tokens = (atom(format_string(token)) for token in inside[0])
                payload = call(error_in, payload, *tokens)
            yield self._if(self._is_one_of(_NAME, errors))
            yield statement(Code("return "), call(Code("self._fail"), payload), indent=12)
        stops = [stop.name for stop in self._stream.stop if isinstance(stop, StopEvent)]
        if stops:
            yield self._if(self._is_one_of(_NAME, stops))
            yield Code("            self._stop()")
        if self._stream.skip:
            yield self._if(self._is_one_of(_NAME, list(self._stream.skip)))
            yield Code("            return None")

    def _error_names(self) -> list[str]:
        """The events that are errors whatever they hold."""
        return [e.event for e in self._stream.errors if e.event is not None and not e.path]

    def _folded_errors(self) -> list[str]:
        """Of these, the ones that say something of the result besides."""
        cases = self._stream.fold.cases if self._stream.fold is not None else ()
        folded = {name for case in cases for name in case.names}
        return [name for name in self._error_names() if name in folded]

    def _fold_error(self) -> Iterator[Code]:
        """An error is one also if it is not what its type says; then it says nothing else."""
        if self._folded_errors():
            yield self._if(self._is_one_of(_NAME, self._folded_errors()))
            yield Code("            try:")
            yield statement(Code(""), self._decoded, indent=16)
            yield from self._fold(indent=16)
            yield snippet("            except {}:", self._scope.use(DECODING, "Mismatch"))
            yield Code("                pass")
            yield Code("            return self._fail(json)")

    def _error(self, place: ErrorAt) -> Iterator[Code]:
        named: tuple[Expr, ...] = ()
        if place.event is not None:
            named = (self._is_one_of(_NAME, [place.event]),)
        found = self._lookup(place.path)
        error = parens(replace(found, head=snippet("error := {}", found.head)))
        yield self._if(*named, Ops(Code("is not"), (error, atom(Code("None")))))
        yield Code("            return self._fail(error)")

    def _refuse_unknown(self) -> Iterator[Code]:
        kinds = self._stream.kinds
        if kinds is None or not kinds.names:
            return
        listed = Ops(Code("not in"), (_NAME, atom(Code("self.KINDS"))))
        yield self._if(_NAME, listed)
        match self._stream.unknown:
            case Unknown.KEEP:
                data = Code("json") if self._envelope is None else Code('json["data"]')
                yield snippet("            return {}(name, {})", self._unknown(), data)
            case Unknown.SKIP:
                yield Code("            return None")
            case Unknown.ERROR:
                yield from self._invalid()

    def _invalid(self) -> Iterator[Code]:
        problem = call(
            self._scope.use(ERRORS, "Problem"),
            atom(format_string("" if self._on_wire else f"/{self._field}")),
            atom(format_string("a kind of event that the document lists")),
            _NAME,
        )
        yield statement(Code("problem = "), problem, indent=12)
        invalid = self._scope.use(ERRORS, "InvalidEvent")
        yield snippet("            return {}(data, (problem,))", invalid)

    def _decode(self) -> Iterator[Code]:
        event = atom(self._scope.declared(self._event))
        yield annotated(Code("event: "), event, self._decoded, indent=8)
        yield from self._fold()
        if self._stream.resume is not None and self._stream.resume.path is not None:
            default = keyword(Code("default"), atom(Code("self._place")))
            place = self._lookup(self._stream.resume.path, default)
            yield statement(Code("self._place = "), place, indent=8)
        for stop in self._stream.stop:
            if isinstance(stop, StopAt):
                yield self._if(self._is_at(stop))
                yield Code("            self._stop()")
        yield Code("        return event")

    def _fold(self, indent: int = 8) -> Iterator[Code]:
        """Take the event into what has come; by the name its own data has, if they have one."""
        if self._stream.fold is None:
            return
        whole: list[Expr] = [atom(Code("self._whole"))]
        if self._stream.fold.part is None:
            inside = self._envelope is None and self._field is not None
            has_other_name = self._on_wire and inside
            whole.append(self._name_of(_JSON) if has_other_name else _NAME)
        yield statement(Code(""), call(Code("_fold"), *whole, _JSON), indent=indent)

    def _is_at(self, stop: StopAt) -> Expr:
        if stop.value is None:
            # Absence is not null.
            missing = keyword(Code("default"), atom(Code("False")))
            return Ops(Code("is"), (self._lookup(stop.path, missing), atom(Code("None"))))
        one_of = self._scope.use(DECODING, "one_of")
        return call(one_of, self._lookup(stop.path), literal(stop.value))

    def _lookup(self, path: Path, *more: Expr) -> Group:
        if len(path) == 1 and not more and not path[0].isdecimal():
            member_of = self._scope.use(STREAM, "member_of")
            return call(member_of, _JSON, atom(format_string(path[0])))
        tokens = (atom(format_string(token)) for token in path)
        return call(self._scope.use(STREAM, "lookup"), _JSON, *tokens, *more)

    def _name_of(self, json: Expr) -> Group:
        assert self._field is not None
        member = atom(format_string(self._field))
        return call(self._scope.use(STREAM, "name_of"), json, member)

    def _is_one_of(self, value: Expr, texts: list[str]) -> Expr:
        if len(texts) == 1:
            return Ops(Code("=="), (value, atom(format_string(texts[0]))))
        one_of = self._scope.use(DECODING, "one_of")
        return call(one_of, value, *(atom(format_string(text)) for text in texts))

    def _if(self, *conditions: Expr) -> Code:
        return statement(Code("if "), ops(Code("and"), *conditions), Code(":"), indent=8)

    def resume(self) -> Iterator[Code]:
        """`resume`: what asks a server for the rest."""
        resume = self._stream.resume
        if resume is None:
            return
        by_header = resume.path is None
        type_ = Code("str") if by_header else self._scope.use("typing", "Any")
        yield method(Code("resume"), subscript(Code("dict"), atom(Code("str")), atom(type_)))
        what = "header" if by_header else "query parameter"
        yield snippet(
            '        """Give the {} that asks for what comes next, if any did."""', Code(what)
        )
        place = atom(Code("self.last_event_id" if by_header else "self._place"))
        asked = mapping(Entry(format_string(resume.name), place))
        there = place if by_header else Ops(Code("is not"), (place, atom(Code("None"))))
        answer = Conditional(asked, there, atom(Code("{}")))
        yield statement(Code("return "), answer, indent=8)

    def encode(self) -> Iterator[Code]:
        """`encode`: one item to bytes."""
        arguments: list[Expr] = [Entry(Code("event"), self.item())]
        extra: list[Expr] = []
        if self._stream.framing is Framing.JSON_ARRAY:
            arguments += (atom(Code("*")), atom(Code("first: bool = False")))
            extra.append(keyword(Code("first"), atom(Code("first"))))
        yield definition(Code("def encode"), parameters(*arguments), atom(Code("bytes")), indent=4)
        yield Code('        """Write one event as it goes over the wire."""')
        if self._envelope is not None:
            yield from self._encode_envelope()
        elif self._field is not None:
            yield from self._encode_named(self.framing(), extra)
        else:
            dumps = call(self._scope.use(CODEC, "dumps"), atom(Code("event")))
            text = atom(snippet("{}.decode()", dumps.code))
            written = call(snippet("{}.encode", self.framing()), text, *extra)
            yield statement(Code("return "), written, indent=8)

    def framing(self) -> Code:
        """Spell the module of the framing."""
        return self._scope.use(RUNTIME.rstrip("."), _MODULES[self._stream.framing])

    def _encode_envelope(self) -> Iterator[Code]:
        assert self._envelope is not None
        if self._keeps_unknown():
            text = call(self._scope.use(RUNTIME + "jsontext", "format"), atom(Code("event.data")))
            name = keyword(Code("event"), atom(Code("event.name")))
            encoded = call(snippet("{}.encode", self.framing()), text, name)
            yield snippet("        if isinstance(event, {}):", self._unknown())
            yield statement(Code("return "), encoded, indent=12)
        json: Expr = call(self._scope.use(CODEC, "to_json"), atom(Code("event")))
        is_text: list[Expr] = []
        if self._envelope.is_text:
            is_text.append(keyword(Code("text"), atom(Code("True"))))
        elif self._envelope.texts:
            yield statement(Code("json = "), json, indent=8)
            json = _JSON
            is_one = self._is_one_of(atom(Code('json["event"]')), list(self._envelope.texts))
            is_text.append(keyword(Code("text"), is_one))
        envelope = self._scope.use(RUNTIME.rstrip("."), "envelope")
        encoded = call(snippet("{}.encode", envelope), json, *self._members(), *is_text)
        yield statement(Code("return "), encoded, indent=8)

    def _encode_named(self, module: Code, extra: list[Expr]) -> Iterator[Code]:
        text = call(self._scope.use(RUNTIME + "jsontext", "format"), _JSON)
        has_name = self._stream.framing is Framing.SSE
        if has_name:
            extra = [keyword(Code("event"), _NAME)]
        indent = 8
        if self._keeps_unknown():
            indent = 12
            yield snippet("        if isinstance(event, {}):", self._unknown())
            if has_name:
                yield Code("            json, name = event.data, event.name")
            else:
                yield Code("            json = event.data")
            yield Code("        else:")
        encoded = call(self._scope.use(CODEC, "to_json"), atom(Code("event")))
        yield statement(Code("json = "), encoded, indent=indent)
        if has_name:
            yield statement(Code("name = "), self._name_of(_JSON), indent=indent)
        yield statement(Code("return "), call(snippet("{}.encode", module), text, *extra), indent=8)


def method(name: Code, result: Expr, *arguments: Code) -> Code:
    """The head of a method."""
    declared = parameters(atom(Code("self")), *map(atom, arguments))
    return definition(snippet("def {}", name), declared, result, indent=4)
