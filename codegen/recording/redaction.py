"""Texts replaced by neutral ones of the same length and shape, so that a recording can be shown.

A text that the document itself lists (a constant, the name of an event) stays: it says nothing
that is not in the document. So do numbers, the names of members, and white space.
"""

from __future__ import annotations

import re
from dataclasses import replace

from codegen.ir.types import Literal, Type, Union, children
from codegen.ir.walk import types_of
from codegen.recording.events import Change, Deviation, Ending, Event, Kind
from codegen.recording.package import Package
from codegen.recording.typed import map_texts
from codegen.source.values import Json

# A string of JSON, perhaps cut off; with a colon behind it, it is a name.
_STRING = re.compile(r'"(?P<text>(?:[^"\\]|\\.)*)(?P<end>"|\\?$)(?P<colon>\s*:)?')
_CHARACTER = re.compile(r"\\u[0-9a-fA-F]{4}|\\.|.", re.DOTALL)


class Redaction:
    """Replaces what is told of the events of one stream."""

    def __init__(self, package: Package) -> None:
        kinds = package.stream.kinds
        self._listed: set[str] = set(kinds.names) if kinds else set()
        for decl in package.decls.values():
            for type_ in types_of(decl):
                self._list(type_)

    def event(self, event: Event) -> Event:
        """The event with neutral texts, its bytes too."""
        return replace(
            event,
            raw=self.raw(event.raw),
            json=self.json(event.json),
            typed=map_texts(event.typed, self.text),
            changes=tuple(map(self._change, event.changes)),
            deviations=tuple(map(self._deviation, event.deviations)),
        )

    def ending(self, ending: Ending) -> Ending:
        return replace(ending, snapshot=self.json(ending.snapshot))

    def raw(self, raw: bytes) -> bytes:
        """The bytes of an event with neutral texts: values in JSON, and data that is none."""
        lines = raw.decode("utf-8", "replace").split("\n")
        return "\n".join(map(self._line, lines)).encode()

    def _line(self, line: str) -> str:
        name, colon, value = line.partition(":")
        data = value.strip()
        if name in ("data", "id", "") and not data.startswith(("{", "[", '"', "}", "]")):
            return f"{name}{colon}{value.replace(data, self.text(data))}" if data else line
        return _STRING.sub(self._string, line)

    def _string(self, found: re.Match[str]) -> str:
        if found["colon"] is not None:
            return found[0]
        text = found["text"]
        return f'"{text if text in self._listed else _CHARACTER.sub(_replace, text)}{found["end"]}'

    def json(self, value: Json) -> Json:
        """JSON data with neutral texts."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.json(entry) for entry in value]
        if isinstance(value, dict):
            return {name: self.json(it) for name, it in value.items()}
        return value

    def text(self, text: str) -> str:
        return text if text in self._listed else "".join(map(_neutral, text))

    def _change(self, change: Change) -> Change:
        return replace(change, value=self.json(change.value))

    def _deviation(self, deviation: Deviation) -> Deviation:
        # A value outside an enum is what there is to tell.
        is_told = deviation.kind is Kind.VALUE and isinstance(deviation.value, str)
        return deviation if is_told else replace(deviation, value=self.json(deviation.value))

    def _list(self, type_: Type) -> None:
        match type_:
            case Literal(values=values):
                self._listed |= {value for value in values if isinstance(value, str)}
            case Union(tag=tag) if tag is not None:
                self._listed |= {value for value, _ in tag.cases}
            case _:
                pass
        for child in children(type_):
            self._list(child)


def _replace(character: re.Match[str]) -> str:
    # An escape stands for one character, and only those of letters say something.
    return character[0] if character[0].startswith("\\") else _neutral(character[0])


def _neutral(character: str) -> str:
    if character.isdigit():
        return "0"
    if character.isalpha():
        return "X" if character.isupper() else "x"
    return character
