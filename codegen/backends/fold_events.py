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
    Step,
    SwitchStep,
)
from codegen.ir.rules import Member
from codegen.python.code import Code, code_join, snippet
from codegen.python.layout import (
    Expr,
    Group,
    atom,
    call,
    fits,
    flat,
    ops,
    statement,
)
from codegen.python.literals import format_string, format_value

_WHOLE, _EVENT, _HELD = Code("whole"), Code("event"), Code("held")


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
        bound = _WHOLE
        for step in steps:
            if isinstance(step, SwitchStep):
                yield from self._switch(step, indent)
                bound = _WHOLE
                continue
            links = tuple(self._links(step))
            container = code_join(Code("."), (_WHOLE, *map(flat, links)))
            if links and container != bound:
                yield from _open(links, indent)
            bound = container
            yield from self._step(step, _HELD if links else _WHOLE, indent)

    def _links(self, step: PutStep | FoldStep | SetStep | CloseStep) -> Iterator[Group]:
        """The calls that lead to what holds the place of a step; for a step into an object, to
        that object.
        """
        target = step.target
        is_inside = isinstance(step, CloseStep) or (
            isinstance(step, FoldStep) and isinstance(step.how, Merge)
        )
        for index, at in enumerate(target):
            after = target[index + 1] if index + 1 < len(target) else None
            if after is None and not is_inside:
                break
            is_array = isinstance(after, At) and not after.is_map
            make: tuple[Expr, ...] = ()
            if after is None and isinstance(step, FoldStep) and step.make:
                make = (constants(step.make),)
            word = Code("array") if is_array else Code("object")
            yield call(word, atom(self._key(at)), *make)

    def _key(self, at: Member | At) -> Code:
        if isinstance(at, Member):
            return format_string(at.name)
        if at.default is not None and not at.source.is_certain:
            name, default = format_string(at.source.path[0]), format_value(at.default)
            return snippet("event.get({}, {})", name, default)
        return flat(self._parts.value(at.source, _EVENT))

    def _step(
        self, step: PutStep | FoldStep | SetStep | CloseStep, held: Code, indent: int
    ) -> Iterator[Code]:
        key = self._key(step.target[-1]) if step.target else Code("")
        match step:
            case PutStep(source=source):
                value = self._parts.value(source, _EVENT)
                if not source.is_certain:
                    yield statement(Code("if "), there(value), Code(":"), indent=indent)
                    value, indent = atom(Code("value")), indent + 4
                if step.target:
                    yield statement(snippet("{}[{}] = ", held, key), value, indent=indent)
                else:
                    yield statement(Code(""), call(Code("whole.become"), value), indent=indent)
            case FoldStep(how=Merge(part=part), source=source):
                value = self._parts.value(source, _EVENT)
                if not source.is_certain:
                    yield statement(Code("if "), there(value), Code(":"), indent=indent)
                    value, indent = atom(Code("value")), indent + 4
                yield self._parts.merge(part, held, value, indent)
            case FoldStep(how=how, source=source):
                yield from self._parts.take(how, held, key, source, _EVENT, indent)
            case SetStep(value=value):
                constant = atom(format_value(value))
                yield statement(snippet("{}[{}] = ", held, key), constant, indent=indent)
            case CloseStep(members=members):
                yield self._parts.close(held, members, indent)

    def _switch(self, step: SwitchStep, indent: int) -> Iterator[Code]:
        value = self._parts.value(step.source, _EVENT)
        yield statement(Code("match "), value, Code(":"), indent=indent)
        for text, steps in step.cases:
            yield _case((text,), indent + 4)
            yield from self._steps(steps, indent + 8)
        yield from _otherwise(indent + 4)


def _case(names: tuple[str, ...], indent: int) -> Code:
    options = ops(Code("|"), *(atom(format_string(name)) for name in names))
    return statement(Code("case "), options, Code(":"), indent=indent)


def _open(links: tuple[Group, ...], indent: int) -> Iterator[Code]:
    """`held`, by calls in one line if they fit, or else one by one."""
    whole = code_join(Code("."), (_WHOLE, *map(flat, links)))
    line = snippet("{}held = {}", Code(" " * indent), whole)
    if fits(line):
        yield line
        return
    held = _WHOLE
    for link in links:
        link = replace(link, head=snippet("{}.{}", held, link.head))
        yield statement(Code("held = "), link, indent=indent)
        held = _HELD


def _otherwise(indent: int) -> Iterator[Code]:
    """The case that does nothing, without which pyright takes the match for unfinished."""
    yield snippet("{}case _:", Code(" " * indent))
    yield snippet("{}pass", Code(" " * (indent + 4)))
