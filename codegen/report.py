"""Diagnostics to text: with excerpts for people, as JSON, as workflow commands for GitHub.

Everything here that comes from a document is hostile. Control characters, and those that reorder or
hide text, leave as visible escapes; in JSON the encoder sees to it.
"""

import json
import re
import unicodedata
from collections.abc import Iterator

from codegen.diagnostics import Diagnostic, Diagnostics, Origin, Position, Severity

# Columns of a line that an excerpt shows around the place.
_WIDTH = 80

_COLORS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTE: "36"}
# Controls, formats (bidi among them), surrogates, line and paragraph separators.
_UNSAFE = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))


def format_text(diagnostics: Diagnostics, *, color: bool) -> str:
    """Return each problem as a line, an excerpt and a line of help.

    The line reads `file:line:col: error SB203 message [#/json/pointer]`, as far as it is known.
    """
    return "".join(_format_item(item, diagnostics, Style(color)) for item in diagnostics)


def format_json(diagnostics: Diagnostics) -> str:
    """Return a JSON array with an object for each problem; what is not known is null."""
    return json.dumps([_members(item, diagnostics) for item in diagnostics], indent=2) + "\n"


def format_github(diagnostics: Diagnostics) -> str:
    """Return each problem as a workflow command, which GitHub shows at the line of the change."""
    commands = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
    lines: list[str] = []
    for item in diagnostics:
        position = locate(item, diagnostics)
        properties = {"title": f"{item.code.id} {item.code.slug}"}
        if item.document is not None:
            properties["file"] = item.document
        if position is not None:
            properties |= {"line": str(position.line), "col": str(position.column)}
        options = ",".join(f"{name}={_github_property(text)}" for name, text in properties.items())
        message = _github_data(item.message, *([f"help: {item.help}"] if item.help else []))
        lines.append(f"::{commands[item.code.severity]} {options}::{message}\n")
    return "".join(lines)


def locate(item: Diagnostic, diagnostics: Diagnostics) -> Position | None:
    """Return a problem's line and column; None if it has no place or an unknown document."""
    if item.position is not None or item.origin is None:
        return item.position
    return diagnostics.position(item.origin)


def place_members(origin: Origin, diagnostics: Diagnostics) -> dict[str, str | int | None]:
    """Return where something is as JSON says it; line and column are null where nobody knows."""
    position = diagnostics.position(origin)
    return {
        "file": origin.document,
        "line": None if position is None else position.line,
        "column": None if position is None else position.column,
        "pointer": origin.pointer,
    }


def escape(text: str) -> str:
    """Return text as a terminal may show it: on one line, without a character that acts."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_visible(character) for character in text)


def code_span(text: str) -> str:
    """Return text as a code span of Markdown: its fence is longer than any run of backticks in it
    (CommonMark, section 6.1).
    """
    text = escape(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


class Style:
    """Colours, or none."""

    def __init__(self, color: bool) -> None:
        self._color = color

    def paint(self, text: str, sgr: str) -> str:
        return f"\x1b[{sgr}m{text}\x1b[0m" if self._color else text


def _format_item(item: Diagnostic, diagnostics: Diagnostics, style: Style) -> str:
    position = locate(item, diagnostics)
    place = [] if item.document is None else [escape(item.document)]
    if position is not None:
        place += [str(position.line), str(position.column)]
    head = style.paint(":".join(place) + ": ", "1") if place else ""
    severity = item.code.severity
    kind = style.paint(f"{severity.value} {item.code.id}", f"1;{_COLORS[severity]}")
    pointer = f" [{escape(item.origin.pointer)}]" if item.origin is not None else ""
    lines = [f"{head}{kind} {escape(item.message)}{pointer}"]
    text = None if item.document is None else diagnostics.text(item.document)
    if text is not None and position is not None:
        lines += _excerpt(text.line(position.line), position, style)
    if item.help:
        lines.append(f"{style.paint('help:', '1')} {escape(item.help)}")
    return "\n".join(lines) + "\n"


def _excerpt(line: str, position: Position, style: Style) -> Iterator[str]:
    """Yield the line, or the part around the place if it is long, and a caret below."""
    column = min(position.column - 1, len(line))
    start = max(0, column - _WIDTH // 2) if len(line) > _WIDTH else 0
    shown = escape(line[start : start + _WIDTH].rstrip())
    before, after = "…" * (start > 0), "…" * (start + _WIDTH < len(line))
    offset = len(before) + measure(escape(line[start:column]))
    gutter = f"{position.line:>5} | "
    yield f"{gutter}{before}{shown}{after}"
    yield " " * 5 + " | " + " " * offset + style.paint("^", "1;32")


def _visible(character: str) -> str:
    if character == "\t":
        return " "
    if unicodedata.category(character) not in _UNSAFE:
        return character
    point = ord(character)
    if point < 0x100:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def measure(text: str) -> int:
    """Return how many cells of a terminal a text takes."""
    return len(text) if text.isascii() else sum(map(_width, text))


def counted(number: int, noun: str) -> str:
    """How many there are of something: `1 note`, `1,000 notes`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _members(item: Diagnostic, diagnostics: Diagnostics) -> dict[str, str | int | None]:
    position = locate(item, diagnostics)
    return {
        "severity": item.code.severity.value,
        "code": item.code.id,
        "slug": item.code.slug,
        "message": item.message,
        "file": item.document,
        "line": None if position is None else position.line,
        "column": None if position is None else position.column,
        "pointer": None if item.origin is None else item.origin.pointer,
        "help": item.help,
    }


def _github_data(*lines: str) -> str:
    return "%0A".join(escape(line).replace("%", "%25") for line in lines)


def _github_property(text: str) -> str:
    return escape(text).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
