"""`_fold`, the function that takes one event into what has come.

Events of one kind are one object, and its part does all. Of several kinds each takes steps of its
own: the name of the event decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from codegen.backends.folds import FoldBuilder, FunctionView, constants, there
from codegen.ir.fold import (
    At,
    CloseStep,
    Fold,
    FoldStep,
    Merge,
    PutStep,
    SetStep,
    Source,
    Step,
    SwitchStep,
)
from codegen.ir.rules import Member, Simple
from codegen.python.code import Code, snippet
from codegen.python.expressions import (
    Chain,
    Expr,
    Group,
    Operand,
    atom,
    call,
    display,
    keyword,
    method,
    ops,
    subscript,
)
from codegen.python.layout import assignment, statement
from codegen.python.literals import format_string, literal

_WHOLE, _EVENT = Code("whole"), Code("event")
_HELD, _ENTRIES = Code("held"), Code("entries")
_WHOLE_ITSELF = Chain(())


class EventsBuilder:
    """Writes the function for events of several kinds."""

    def __init__(self, fold: Fold, parts: FoldBuilder) -> None:
        self._fold = fold
        self._parts = parts

    def function(self) -> FunctionView:
        lines = [self._parts.head(Code("_fold"), _WHOLE, Code("name"), _EVENT)]
        lines.append(Code("    match name:"))
        for case in self._fold.cases:
            lines.append(_case(case.names, 8))
            lines += self._steps(case.steps, 12)
        lines += _otherwise(8)
        return FunctionView(name=Code("_fold"), lines=tuple(lines))

    def _steps(self, steps: tuple[Step, ...], indent: int) -> Iterator[Code]:
        bound = _WHOLE_ITSELF
        for step in steps:
            if isinstance(step, SwitchStep):
                yield from self._switch(step, indent)
                bound = _WHOLE_ITSELF
                continue
            if isinstance(step, CloseStep):
                yield self._close(step, indent)
                continue
            container = self._container(step)
            if container not in (_WHOLE_ITSELF, bound):
                if not isinstance(step, SetStep) and not step.source.is_certain:
                    # What is held after it depends on the event.
                    yield from self._begin(step, container, indent)
                    bound = _WHOLE_ITSELF
                    continue
                yield _hold(step, container, indent)
            bound = container
            yield from self._step(step, _holder(step) if container.calls else _WHOLE, indent)

    def _close(self, step: CloseStep, indent: int) -> Code:
        path = display(*(self._key(at) for at in step.target))
        return self._parts.close(_WHOLE, path, step.members, indent)

    def _container(self, step: PutStep | FoldStep | SetStep) -> Chain:
        """What holds the place of a step; for a step into an object, that object."""
        target = step.target
        are_arrays = [_is_entry(after) for after in target[1:]] + [False]
        depth = len(target) if _goes_inside(step) else len(target) - 1
        calls, keys = list[Group](), list[Expr]()
        for index, at in enumerate(target[:depth]):
            keys.append(self._key(at))
            if are_arrays[index]:
                if index + 1 < depth and not are_arrays[index + 1]:
                    # An array and its entry are found by one call.
                    continue
                word = Code("array")
            else:
                word = Code("entry") if len(keys) > 1 else Code("object")
            if index + 1 == len(target) and isinstance(step, FoldStep) and step.make:
                keys.append(keyword(Code("make"), constants(step.make)))
            of = Code("") if calls else _WHOLE
            calls.append(call(snippet("{}.{}", of, word), *keys))
            keys = []
        return Chain(tuple(calls))

    def _key(self, at: Member | At) -> Operand:
        if isinstance(at, Member):
            return atom(format_string(at.name))
        if at.default is not None and not at.source.is_certain:
            name, default = atom(format_string(at.source.path[0])), literal(at.default)
            return method(atom(_EVENT), Code("get"), name, default)
        return self._parts.value(at.source, _EVENT)

    def _begin(self, step: PutStep | FoldStep, container: Chain, indent: int) -> Iterator[Code]:
        """The lines of a step whose container begins when the value is there."""
        if isinstance(step, FoldStep) and step.how is Simple.REPLACE:
            test, *lines = self._step(step, _holder(step), indent)
            yield from (test, _hold(step, container, indent + 4), *lines)
            return
        lines, _, inside = self._found(step.source, _EVENT, indent)
        yield from lines
        yield _hold(step, container, inside)
        found = replace(step.source, path=(), sure=0)
        yield from self._step(replace(step, source=found), _holder(step), inside, Code("value"))

    def _step(
        self,
        step: PutStep | FoldStep | SetStep,
        held: Code,
        indent: int,
        of: Code = _EVENT,
    ) -> Iterator[Code]:
        key = self._key(step.target[-1]) if step.target else atom(Code(""))
        match step:
            case PutStep(source=source):
                lines, value, indent = self._found(source, of, indent)
                yield from lines
                if step.target:
                    yield assignment(subscript(held, key), value, indent=indent)
                else:
                    yield statement(Code(""), call(Code("whole.become"), value), indent=indent)
            case FoldStep(how=Merge(part=part), source=source):
                lines, value, indent = self._found(source, of, indent)
                yield from lines
                yield self._parts.merge(part, held, value, indent)
            case FoldStep(how=how, source=source):
                yield from self._parts.take(how, held, key, source, of, indent)
            case SetStep(value=value):
                yield assignment(subscript(held, key), literal(value), indent=indent)

    def _found(self, source: Source, of: Code, indent: int) -> tuple[list[Code], Expr, int]:
        """A value after the condition that it is there, if it may be absent, and its indent."""
        value = self._parts.value(source, of)
        if source.is_certain:
            return [], value, indent
        test = statement(Code("if "), there(value), Code(":"), indent=indent)
        return [test], atom(Code("value")), indent + 4

    def _switch(self, step: SwitchStep, indent: int) -> Iterator[Code]:
        value = self._parts.value(step.source, _EVENT)
        yield statement(Code("match "), value, Code(":"), indent=indent)
        for text, steps in step.cases:
            yield _case((text,), indent + 4)
            yield from self._steps(steps, indent + 8)
        yield from _otherwise(indent + 4)


def _goes_inside(step: Step) -> bool:
    return isinstance(step, FoldStep) and isinstance(step.how, Merge)


def _is_entry(at: Member | At | None) -> bool:
    return isinstance(at, At) and not at.is_map


def _holder(step: PutStep | FoldStep | SetStep) -> Code:
    """What that is called which holds the place of a step."""
    return _ENTRIES if _is_entry(step.target[-1]) and not _goes_inside(step) else _HELD


def _hold(step: PutStep | FoldStep | SetStep, container: Chain, indent: int) -> Code:
    return statement(snippet("{} = ", _holder(step)), container, indent=indent)


def _case(names: tuple[str, ...], indent: int) -> Code:
    options = ops(Code("|"), *(atom(format_string(name)) for name in names))
    return statement(Code("case "), options, Code(":"), indent=indent)


def _otherwise(indent: int) -> Iterator[Code]:
    """The case that does nothing, without which pyright takes the match for unfinished."""
    yield snippet("{}case _:", Code(" " * indent))
    yield snippet("{}pass", Code(" " * (indent + 4)))
