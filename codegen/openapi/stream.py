"""Media types that stream, and their `x-stream` rules -> `ir.Stream`.

In: an operation and the nodes of its media types. Out: one stream for each response in `text/event-
stream`. The older form (`schema`) and OpenAPI 3.2's `itemSchema` (section 4.14.3) both describe one
event. Rules: an unknown key is an error with a place; what `x-stream` does not say has one default,
written beside its key below.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from codegen.diagnostics import Diagnostics
from codegen.ir.api import Body, Direction, ErrorAt, Framing, Operation, Stream
from codegen.ir.fold import MergeRule
from codegen.ir.types import Array
from codegen.openapi.fold import read_merge
from codegen.openapi.node import Node
from codegen.source.pointer import split

FRAMINGS = {"text/event-stream": Framing.SSE}


def read_streams(
    operation: Operation, media: tuple[Node, ...], diagnostics: Diagnostics
) -> Iterator[Stream]:
    """The streams among the responses of an operation; `media` holds the node of each of its
    bodies.
    """
    for body, node in zip(operation.bodies, media, strict=True):
        framing = FRAMINGS.get(body.media_type.split(";")[0].strip().lower())
        if framing is not None and body.direction is Direction.RESPONSE:
            yield _read_stream(operation, body, framing, node, diagnostics)


def _read_stream(
    operation: Operation, body: Body, framing: Framing, node: Node, diagnostics: Diagnostics
) -> Stream:
    rules = node.child("x-stream")
    check_keys(rules, ("stop", "eof", "error", "fold"), diagnostics)
    stop = tuple(_read_stop(rules.child("stop"), diagnostics))
    return Stream(
        name=(operation.id, "stream"),
        operation=operation,
        media_type=body.media_type,
        framing=framing,
        # An array in the older form describes the whole body: its entries are the events.
        event=body.type.item if isinstance(body.type, Array) else body.type,
        stop=stop,
        eof_is_error=_read_eof(rules.child("eof"), bool(stop), diagnostics),
        errors=tuple(_read_errors(rules.child("error"), diagnostics)),
        rules=_read_fold(rules.child("fold"), diagnostics),
        doc=operation.doc,
        origin=node.origin,
    )


def check_keys(node: Node, known: tuple[str, ...], diagnostics: Diagnostics) -> None:
    """Report each member of an object that is not among the known ones."""
    for key, member in node.members():
        if key not in known:
            near = get_close_matches(key, known, 1)
            help_ = f"did you mean `{near[0]}`?" if near else f"known here: {', '.join(known)}"
            diagnostics.add("SB301", f"unknown key {key!r}", origin=member.origin, help=help_)


def _read_stop(node: Node, diagnostics: Diagnostics) -> Iterator[str]:
    """`stop: [{data: TEXT}]`; default: the stream ends with the input."""
    for entry in node.entries():
        check_keys(entry, ("data",), diagnostics)
        if entry.text("data"):
            yield entry.text("data")
        else:
            diagnostics.add("SB302", "an entry of `stop` is {data: TEXT}", origin=entry.origin)


def _read_eof(node: Node, has_stop: bool, diagnostics: Diagnostics) -> bool:
    """`eof: error | ok`; default: an error where `stop` says how the stream ends."""
    if node.data not in (None, "error", "ok"):
        diagnostics.add("SB302", "`eof` is error or ok", origin=node.origin)
    return has_stop if node.data is None else bool(node.data == "error")


def _read_errors(node: Node, diagnostics: Diagnostics) -> Iterator[ErrorAt]:
    """`error: [{at: POINTER, event: NAME}]`; default: no event is an error."""
    for entry in node.entries():
        check_keys(entry, ("at", "event"), diagnostics)
        at = entry.text("at")
        if not at.startswith("/"):
            diagnostics.add("SB302", "`at` is a JSON pointer such as /error", origin=entry.origin)
            continue
        yield ErrorAt(path=split("#" + at), event=entry.text("event") or None)


def _read_fold(node: Node, diagnostics: Diagnostics) -> MergeRule | None:
    """`fold: {merge: {MEMBER: RULE}}`; default: events do not accumulate."""
    if node.data is None:
        return None
    check_keys(node, ("merge",), diagnostics)
    return read_merge(node.child("merge"), diagnostics)
