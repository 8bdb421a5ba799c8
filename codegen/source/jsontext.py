"""JSON text to JSON values, RFC 8259, with a place for all that is wrong.

The standard library reads a sound document quickly but cannot say where a name repeats. So a
document it refuses, or that needs positions, is read again by the scanner below, which is slow,
counts, and either explains or answers. Refused: names that repeat, NaN and Infinity, numbers and
nesting beyond the common limits, anything after the value.
"""

import json
import re
from typing import NoReturn

from codegen.diagnostics import Position
from codegen.source.positions import Lines, Places
from codegen.source.problem import Problem, Unreadable, repeated_key
from codegen.source.values import (
    MAX_DEPTH,
    Json,
    OutOfRange,
    check_number,
    is_too_deep,
    read_integer,
)
from codegen.stack import deep

_BLANK = re.compile(r"[ \t\n\r]+")


class _Suspect(ValueError):
    """The quick reader met something that needs a place."""


@deep
def load_json(text: str) -> Json:
    """Return the value a JSON text holds; `Unreadable` with every problem if it holds none."""
    try:
        data: Json = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_suspect, parse_float=_read_float
        )
    except (ValueError, RecursionError):
        return locate_json(text)[0]
    if is_too_deep(data):
        return locate_json(text)[0]
    return data


@deep
def locate_json(text: str) -> tuple[Json, Places]:
    """Return the value a JSON text holds, with the places of its parts; raises as `load_json`."""
    scanner = _Scanner(text)
    data = scanner.document()
    if scanner.problems:
        raise Unreadable(*scanner.problems)
    return data, scanner.places


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _Suspect
    return members


def _read_float(text: str) -> float:
    number = float(text)
    check_number(number)
    return number


def _suspect(constant: str) -> NoReturn:
    raise _Suspect(constant)


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = Lines(text)
        self.problems: list[Problem] = []
        self.offset = 0
        self._decoder = json.JSONDecoder(
            parse_constant=_suspect, parse_float=_read_float, parse_int=read_integer
        )
        self.places = Places()

    def document(self) -> Json:
        self._skip_blank()
        data = self._value(0)
        self._skip_blank()
        if self.offset < len(self.text):
            self._fail("text after the end of the document")
        return data

    def _value(self, depth: int) -> Json:
        match self.text[self.offset : self.offset + 1]:
            case "{" | "[" if depth == MAX_DEPTH:
                self._fail(f"nested deeper than {MAX_DEPTH} levels", "SB105")
            case "{":
                return self._object(depth)
            case "[":
                return self._array(depth)
            case _:
                return self._scalar()

    def _object(self, depth: int) -> dict[str, Json]:
        members: dict[str, Json] = {}
        places = self.places.open(members)
        while self._another("}", first=not members):
            if self.text[self.offset : self.offset + 1] != '"':
                self._fail("a member name in double quotes is missing here")
            place, name = self._here(), str(self._scalar())
            first = places.setdefault(name, (place.line, place.column))
            if name in members:
                self.problems.append(repeated_key(name, first, place))
            self._skip_blank()
            self._expect(":")
            members[name] = self._value(depth + 1)
        return members

    def _array(self, depth: int) -> list[Json]:
        items: list[Json] = []
        places = self.places.open(items)
        while self._another("]", first=not items):
            place = self._here()
            places[len(items)] = (place.line, place.column)
            items.append(self._value(depth + 1))
        return items

    def _another(self, end: str, *, first: bool) -> bool:
        """Step over the opening bracket or a comma; False, and past it, at the closing bracket."""
        if first:
            self.offset += 1
        self._skip_blank()
        found = self.text[self.offset : self.offset + 1]
        if found == end:
            self.offset += 1
            return False
        if not first:
            self._expect(",", f"`,` or `{end}`")
        return True

    def _scalar(self) -> Json:
        try:
            value: Json
            value, self.offset = self._decoder.raw_decode(self.text, self.offset)
        except json.JSONDecodeError as error:
            self.offset = error.pos
            self._fail(_first_lower(error.msg))
        except _Suspect as constant:
            self._fail(f"{constant} is not JSON")
        except OutOfRange as error:
            self._fail(str(error), "SB105")
        return value

    def _expect(self, mark: str, wanted: str = "") -> None:
        if self.text[self.offset : self.offset + 1] != mark:
            self._fail(f"{wanted or f'`{mark}`'} is missing here")
        self.offset += 1
        self._skip_blank()

    def _skip_blank(self) -> None:
        if blank := _BLANK.match(self.text, self.offset):
            self.offset = blank.end()

    def _here(self) -> Position:
        return self.lines.position(self.offset)

    def _fail(self, message: str, code: str = "SB103") -> NoReturn:
        raise Unreadable(*self.problems, Problem(code, message, self._here()))


def _first_lower(text: str) -> str:
    return text[:1].lower() + text[1:]
