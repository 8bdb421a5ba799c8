"""`x-stream.fold` -> `ir.rules`.

`merge: RULES` for events of one kind, or `events: {NAME: OPERATION or [OPERATION]}`; beside them
`set: {MEMBER: VALUE}`, what the result holds from the start, and `extra: list | last | concat`.
`openapi.rules` tells what a rule is; an operation is one of

    {put: PLACE, from: POINTER}                 the value takes the place
    {fold: PLACE, from: POINTER, rule: RULE}    the value joins what is there; `make` begins it
    {set: PLACE, value: VALUE}                  a constant takes the place
    {close: PLACE, json: [MEMBER]}              these JSON texts are whole
    {by: POINTER, cases: {TEXT: OPERATION}}     what the text at the pointer decides
    {stop: ok | error}                          the event ends the stream, or is its error

Every error has its place in the document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from codegen.diagnostics import Diagnostics
from codegen.ir.api import ErrorAt, StopEvent
from codegen.ir.rules import (
    Close,
    Entry,
    EventRule,
    Extra,
    FoldInto,
    FoldRules,
    Member,
    MergeRule,
    Operation,
    Path,
    Place,
    Put,
    Set,
    Switch,
)
from codegen.openapi.node import Node
from codegen.openapi.rules import read_merge, read_rule
from codegen.openapi.stream_values import (
    check_keys,
    read_constants,
    read_names,
    read_path,
    read_scalar,
    read_word,
)

_PLACE = re.compile(r"(?:[^.\[\]{}]+(?:\[\{[^{}]+\}\]|\{[^{}]+\})*)(?:\.|\Z)")
_STEP = re.compile(r"(?P<name>[^.\[\]{}]+)|\[\{(?P<index>[^{}]+)\}\]|\{(?P<key>[^{}]+)\}")
_OPERATIONS = {
    "put": ("put", "from"),
    "fold": ("fold", "from", "rule", "make"),
    "set": ("set", "value"),
    "close": ("close", "json"),
    "by": ("by", "cases"),
    "stop": ("stop",),
}


@dataclass(frozen=True, slots=True)
class Reading:
    """What `fold` says, and what its operations say of the end of the stream."""

    rules: FoldRules | None = None
    stop: tuple[StopEvent, ...] = ()
    errors: tuple[ErrorAt, ...] = ()


def read_fold(node: Node, diagnostics: Diagnostics) -> Reading:
    """The rules of a stream; default: its events do not accumulate."""
    if node.data is None:
        return Reading()
    check_keys(node, ("merge", "events", "set", "extra"), diagnostics)
    keys = [key for key in ("merge", "events") if key in node.keywords]
    if len(keys) != 1:
        message = "write `merge` for events of one kind, or `events` for several"
        diagnostics.add("SB303", message, origin=node.origin)
    events = _Events(diagnostics)
    if "events" in keys:
        how: MergeRule | tuple[EventRule, ...] = tuple(events.read(node.child("events")))
    else:
        how = read_merge(node.child("merge"), diagnostics) if keys else MergeRule(members=())
    # A new member of an object that was put in the result is the same member later.
    default = Extra.LAST if "events" in keys else Extra.LIST
    rules = FoldRules(
        how=how,
        extra=read_word(node.child("extra"), Extra, default, diagnostics),
        constants=read_constants(node.child("set"), diagnostics),
        origin=node.origin,
    )
    return Reading(rules, tuple(events.stop), tuple(events.errors))


class _Events:
    """Reads operations, and sets aside what they say of the end."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self.stop: list[StopEvent] = []
        self.errors: list[ErrorAt] = []
        self._diagnostics = diagnostics
        self._readers: dict[str, Callable[[Node], Operation]] = {
            "put": self._put,
            "fold": self._fold,
            "set": self._set,
            "close": self._close,
            "by": self._by,
        }

    def read(self, node: Node) -> Iterator[EventRule]:
        if not isinstance(node.data, dict):
            self._error(node, "`events` is an object: {NAME: OPERATION}")
        for name, event in node.members():
            plain: list[Node] = []
            for entry in _operations(event):
                if "stop" in entry.keywords:
                    self._end(name, entry)
                else:
                    plain.append(entry)
            operations = tuple(self._read_all(plain))
            if operations:
                yield EventRule(name=name, operations=operations, origin=event.origin)

    def _end(self, name: str, node: Node) -> None:
        check_keys(node, _OPERATIONS["stop"], self._diagnostics)
        if node.data == {"stop": "error"}:
            self.errors.append(ErrorAt(path=(), event=name))
        elif node.data == {"stop": "ok"}:
            self.stop.append(StopEvent(name=name))
        else:
            self._error(node.child("stop"), "`stop` is ok or error")

    def _read_all(self, nodes: list[Node]) -> Iterator[Operation]:
        for node in nodes:
            known = next((key for key in _OPERATIONS if key in node.keywords), None)
            if known is None:
                words = ", ".join(_OPERATIONS)
                self._error(node, f"an operation is an object with one of {words}")
            elif known == "stop":
                help_ = "write it in a list beside `by`, or at `x-stream.stop`"
                message = "an event ends the stream whatever is in it"
                self._diagnostics.add("SB303", message, origin=node.origin, help=help_)
            else:
                check_keys(node, _OPERATIONS[known], self._diagnostics)
                yield self._readers[known](node)

    def _put(self, node: Node) -> Operation:
        place, source = self._place(node.child("put")), self._source(node)
        return Put(place=place, source=source, origin=node.origin)

    def _fold(self, node: Node) -> Operation:
        place, source = self._place(node.child("fold")), self._source(node)
        has_rule = "rule" in node.keywords
        rule = read_rule(node.child("rule"), self._diagnostics) if has_rule else None
        make = read_constants(node.child("make"), self._diagnostics)
        return FoldInto(place=place, source=source, rule=rule, make=make, origin=node.origin)

    def _set(self, node: Node) -> Operation:
        place = self._place(node.child("set"))
        value = read_scalar(node.child("value"), self._diagnostics)
        if "value" not in node.keywords:
            self._error(node, "`set` needs a `value`")
        return Set(place=place, value=value, origin=node.origin)

    def _close(self, node: Node) -> Operation:
        place = self._place(node.child("close"))
        members = tuple(read_names(node.child("json"), self._diagnostics))
        if not members:
            self._error(node, "`close` needs the members that hold JSON texts: `json: [MEMBER]`")
        return Close(place=place, members=members, origin=node.origin)

    def _by(self, node: Node) -> Operation:
        source = read_path(node.child("by"), self._diagnostics)
        cases = tuple(
            (value, tuple(self._read_all(list(_operations(case)))))
            for value, case in node.members_of("cases")
        )
        if not cases:
            self._error(node, "`by` needs `cases: {TEXT: OPERATION}`")
        return Switch(source=source, cases=cases, origin=node.origin)

    def _source(self, node: Node) -> Path:
        if "from" not in node.keywords:
            self._error(node, "say where the value is: `from: POINTER`")
            return ()
        # Nobody names a member with an empty text: `/` is read as the event itself.
        source = node.child("from")
        return () if source.data in ("", "/") else read_path(source, self._diagnostics)

    def _place(self, node: Node) -> Place:
        if node.data == "$":
            return ()
        text = node.data if isinstance(node.data, str) else ""
        if not text or text.endswith(".") or "".join(_PLACE.findall(text)) != text:
            help_ = "write it as $, member, a.b, list[{index}].text or map{data/id}"
            message = "this is no place in the result"
            self._diagnostics.add("SB303", message, origin=node.origin, help=help_)
            return ()
        return tuple(map(_step, _STEP.finditer(text)))

    def _error(self, node: Node, message: str) -> None:
        self._diagnostics.add("SB303", message, origin=node.origin)


def _operations(node: Node) -> Iterator[Node]:
    """One operation, or those of a list."""
    yield from node.entries() if isinstance(node.data, list) else (node,)


def _step(match: re.Match[str]) -> Member | Entry:
    if match["name"] is not None:
        return Member(match["name"])
    is_map = match["key"] is not None
    pointer = match["key"] if is_map else match["index"]
    return Entry(tuple(pointer.removeprefix("/").split("/")), is_map)
