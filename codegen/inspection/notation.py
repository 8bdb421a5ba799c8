"""How values and places are spelled on one line: `choices[0].delta.content = "Hi"`.

What comes from the wire is hostile: no character leaves here that acts on a terminal.
"""

from __future__ import annotations

import json

from codegen.recording.events import Change, Deviation, Effect, Kind
from codegen.recording.typed import Path
from codegen.report import escape, measure
from codegen.source.values import Json


def format_path(path: Path) -> str:
    """A path as one reaches there in most languages."""
    text = "".join(f"[{it}]" if isinstance(it, int) else f".{it}" for it in path)
    return escape(text.removeprefix("."))


def format_value(value: Json) -> str:
    """A value as JSON on one line."""
    return escape(json.dumps(value, ensure_ascii=False))


def format_change(change: Change) -> str:
    """What became of a place of the snapshot."""
    path = format_path(change.path) or "the snapshot"
    match change.effect:
        case Effect.REMOVED:
            return f"{path} removed"
        case Effect.EXTENDED:
            return f"{path} += {format_value(change.value)}"
        case Effect.ADDED | Effect.REPLACED:
            return f"{path} = {format_value(change.value)}"


def format_deviation(deviation: Deviation) -> str:
    """What is wrong, where in the event, and what is there."""
    told = f"{deviation.kind.value}  {escape(deviation.pointer or deviation.name)}".rstrip()
    return told + format_evidence(deviation)


def format_evidence(deviation: Deviation, width: int | None = None) -> str:
    """What was expected and what is there, to be read after what is wrong; the value in as many
    columns as there are.
    """
    value = format_value(deviation.value)
    value = value if width is None else clip(value, width)
    match deviation.kind:
        case Kind.MISSING | Kind.NULL:
            return ""
        case Kind.ORDER:
            return f": {escape(deviation.expected)} expected, found {escape(str(deviation.value))}"
        case Kind.TYPE:
            return f": {escape(deviation.expected)} expected, found {value}"
        case Kind.VALUE | Kind.FIELD | Kind.EVENT:
            return f" = {value}"


def clip(text: str, width: int) -> str:
    """The text in as many columns as there are."""
    if measure(text) <= width:
        return text
    kept = ""
    left = width - 1
    for character in text:
        left -= measure(character)
        if left < 0:
            break
        kept += character
    return f"{kept}…"
