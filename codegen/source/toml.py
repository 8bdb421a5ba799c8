"""TOML 1.0 text into JSON values, and the places of its keys, which `tomllib` does not tell.

`tomllib` decides what is TOML and what it means. The locator runs over text that `tomllib` took, so
it may rely on its being right, and looks for nothing but where each key and each item starts.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from typing import TypeAlias, cast

from codegen.diagnostics import Position
from codegen.source.positions import Lines, Places
from codegen.source.problem import Problem, Unreadable
from codegen.source.values import (
    MAX_DEPTH,
    MAX_DIGITS,
    Json,
    OutOfRange,
    check_number,
    is_too_deep,
)
from codegen.stack import deep

_Path: TypeAlias = tuple[str | int, ...]

# tomllib tells the place in its message only, before Python 3.14.
_PLACE = re.compile(r"(?P<message>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|.*)\)")

_GAP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING = re.compile(
    r'"""(?:\\.|(?!""").)*"{3,5}' r"|'''(?:(?!''').)*'{3,5}" r'|"(?:\\.|[^"\\])*"' r"|'[^']*'",
    re.DOTALL,
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}\r\n#]+")
# `tomllib` does not say where such a number is; no text of a configuration looks like one.
_LONG_NUMBER = re.compile(rf"(?<![\w.])[0-9_]{{{MAX_DIGITS + 1},}}")
_TOO_DEEP = Problem("SB105", f"nested deeper than {MAX_DEPTH} levels", Position(line=1, column=1))


@deep
def locate_toml(text: str) -> tuple[Json, Places]:
    """Return the value the text holds, and the place of each member and item in it.

    Raises `Unreadable` with the problems: SB103 (syntax), SB105 (limits), SB106 (dates).
    """
    lines = Lines(text)
    if found := _LONG_NUMBER.search(text):
        message = f"a number of more than {MAX_DIGITS:,} digits"
        raise Unreadable(Problem("SB105", message, lines.position(found.start())))
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(_syntax(str(error), lines, len(text))) from None
    except RecursionError:
        raise Unreadable(_TOO_DEEP) from None
    if is_too_deep(cast("Json", data)):
        raise Unreadable(_TOO_DEEP)
    places = Places()
    problems: list[Problem] = []
    for path, offset in _Locator(text).run().items():
        position = lines.position(offset)
        container = cast("Json", data)
        for token in path[:-1]:
            container = _step(container, token)
        places.open(container)[path[-1]] = (position.line, position.column)
        problems += _check(_step(container, path[-1]), position)
    if problems:
        raise Unreadable(*problems)
    return cast("Json", data), places


def _check(value: object, position: Position) -> Iterator[Problem]:
    if isinstance(value, datetime | date | time):
        yield Problem("SB106", "a date has no form in JSON", position)
    if isinstance(value, int | float):
        try:
            check_number(value)
        except OutOfRange as error:
            yield Problem("SB105", str(error), position)


def _step(container: Json, token: str | int) -> Json:
    return cast("Mapping[str | int, Json]", container)[token]


def _syntax(message: str, lines: Lines, end: int) -> Problem:
    found = _PLACE.fullmatch(message)
    if found is None:
        return Problem("SB103", message, Position(line=1, column=1))
    position = lines.position(end)
    if found["line"]:
        position = Position(line=int(found["line"]), column=int(found["column"]))
    return Problem("SB103", found["message"], position)


class _Locator:
    """Runs once over the text; the offsets of keys and items by their paths."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._offsets: dict[_Path, int] = {}
        self._lengths: dict[_Path, int] = {}

    def run(self) -> dict[_Path, int]:
        table: _Path = ()
        while not self._ends():
            if self._take("["):
                is_item = self._take("[")
                table = self._key((), is_item=is_item)
                self._take("]")
                self._take("]")
            else:
                self._pair(table)
        return self._offsets

    def _ends(self) -> bool:
        self._skip(_GAP)
        return self._at == len(self._text)

    def _pair(self, table: _Path) -> None:
        path = self._key(table)
        self._take("=")
        self._value(path)

    def _key(self, path: _Path, *, is_item: bool = False) -> _Path:
        """Read a dotted key below a path; in a header, an array of tables means its last one."""
        while True:
            self._skip(_GAP)
            start = self._at
            path = (*path, self._part())
            self._offsets.setdefault(path, start)
            is_last = not self._take(".")
            if is_item and is_last:
                self._lengths[path] = self._lengths.get(path, 0) + 1
            if path in self._lengths:
                path = (*path, self._lengths[path] - 1)
                self._offsets.setdefault(path, start)
            if is_last:
                return path

    def _part(self) -> str:
        found = self._skip(_STRING)
        if found:
            return str(tomllib.loads(f"key = {found}")["key"])
        return self._skip(_BARE_KEY)

    def _value(self, path: _Path) -> None:
        self._skip(_GAP)
        if self._take("["):
            index = 0
            while not self._take("]"):
                self._skip(_GAP)
                self._offsets[(*path, index)] = self._at
                self._value((*path, index))
                self._take(",")
                index += 1
        elif self._take("{"):
            while not self._take("}"):
                self._pair(path)
                self._take(",")
        elif not self._skip(_STRING):
            self._skip(_SCALAR)

    def _take(self, mark: str) -> bool:
        """Go past a mark and the gaps around it, if it comes next."""
        start = self._at
        self._skip(_GAP)
        if not self._text.startswith(mark, self._at):
            self._at = start
            return False
        self._at += len(mark)
        return True

    def _skip(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._at)
        if found is None:
            return ""
        self._at = found.end()
        return found[0]
