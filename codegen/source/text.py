"""A document's text, as the user sees it and as a reader takes it.

The text is JSON, YAML, TOML (our own configuration and lock), or a Markdown page with one
definition in a fence, as developer portals serve them. A definition keeps the lines it has in its
page, so that every position is one in the page. The readers are imported where they are used:
YAML's is slow to load.
"""

import re
from functools import cached_property
from pathlib import PurePath
from typing import Literal

from codegen.diagnostics import Position
from codegen.source.pointer import split
from codegen.source.positions import Lines, Places
from codegen.source.problem import Problem, Unreadable
from codegen.source.values import Json

Format = Literal["json", "yaml", "toml", "markdown"]

_FORMATS: dict[str, Format] = {
    ".json": "json",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".toml": "toml",
    ".lock": "toml",
    ".md": "markdown",
    ".markdown": "markdown",
}
# CommonMark, section 4.5: a fence of three or more, and up to a closing one that is as long or
# longer.
_FENCE = re.compile(
    r"^(?P<indent>[ ]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<format>ya?ml|json)\b[^\r\n]*(?:\r\n?|\n)"
    r"(?P<body>.*?)(?:^(?P=indent)[ ]{0,3}(?P=fence)[`~]*[ \t]*\r?$|\Z)",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
# The member that makes a definition: in YAML at the fence's own indentation, in JSON with its
# version.
_MARKS = {
    "yaml": re.compile(r"""^(?P<indent>[ ]*)["']?(?:openapi|swagger)["']?[ ]*:""", re.MULTILINE),
    "json": re.compile(r""""(?:openapi|swagger)"\s*:\s*"[23]\."""),
}
_FIRST_SIGN = re.compile(
    r"""^(?:(?P<fence>```|~~~)|["']?(?:openapi|swagger|overlay)["']?[ ]*:)""", re.MULTILINE
)


class SourceText:
    """A text under its display name; its format is that of the path's suffix, else guessed."""

    def __init__(self, name: str, text: str, path: PurePath | None) -> None:
        self.name = name
        self._text = text
        self._format: Format = _format(text, path)

    def load(self) -> Json:
        """Return the value the text holds; `Unreadable` with the problems, SB103 to SB107."""
        body, format = self._definition
        if format == "json":
            from codegen.source.jsontext import load_json

            return load_json(body)
        return self._located[0]

    def position(self, pointer: str) -> Position:
        """Return where a value starts, a member at its name, a missing one at its parent."""
        data, places = self._located
        return places.find(data, split(pointer))

    def line(self, number: int) -> str:
        """Return a line of the text by its number from 1; empty beyond the last."""
        return self._lines.line(number)

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self._text)

    @cached_property
    def _definition(self) -> tuple[str, Format]:
        if self._format == "markdown":
            return _from_page(self._text)
        return self._text, self._format

    @cached_property
    def _located(self) -> tuple[Json, Places]:
        return _locate(*self._definition)


def has_suffix(name: str) -> bool:
    """Whether a file is known by its name to hold a text of one of the formats."""
    return PurePath(name).suffix.lower() in _FORMATS


def with_suffix(name: str, text: str) -> str:
    """The name that a text's file is to have: with a suffix of its format, unless it has one."""
    if has_suffix(name):
        return name
    format = _format(text, None)
    return name + next(suffix for suffix, known in _FORMATS.items() if known == format)


def _locate(body: str, format: Format) -> tuple[Json, Places]:
    if format == "json":
        from codegen.source.jsontext import locate_json

        return locate_json(body)
    if format == "toml":
        from codegen.source.toml import locate_toml

        return locate_toml(body)
    from codegen.source.yaml12 import load_yaml

    return load_yaml(body)


def _format(text: str, path: PurePath | None) -> Format:
    format = None if path is None else _FORMATS.get(path.suffix.lower())
    starts_as_json = text.lstrip()[:1] in ("{", "[")
    # JSON in a file of YAML's: it escapes characters beyond U+FFFF as YAML does not.
    if format == "yaml" and starts_as_json and _is_json(text):
        return "json"
    if format is not None or starts_as_json:
        return format or "json"
    sign = _FIRST_SIGN.search(text)
    return "markdown" if sign and sign["fence"] else "yaml"


def _is_json(text: str) -> bool:
    from codegen.source.jsontext import load_json

    try:
        load_json(text)
    except Unreadable:
        return False
    return True


def _from_page(page: str) -> tuple[str, Format]:
    """Return a page's one definition and its format, after as many line ends as come before it."""
    lines = Lines(page)
    found = [fence for fence in _FENCE.finditer(page) if _is_definition(fence)]
    if not found:
        message = "the page holds no OpenAPI definition in a fence"
        raise Unreadable(Problem("SB107", message, Position(line=1, column=1)))
    if len(found) > 1:
        first, second = (lines.position(fence.start("fence")) for fence in found[:2])
        message = f"a second definition; the first is on line {first.line}"
        raise Unreadable(Problem("SB107", message, second))
    body = found[0]["body"]
    above = lines.position(found[0].start("body")).line - 1
    return "\n" * above + body, _fence_format(found[0])


def _is_definition(fence: re.Match[str]) -> bool:
    format = _fence_format(fence)
    marks = _MARKS[format].finditer(fence["body"])
    return any(format == "json" or mark["indent"] == fence["indent"] for mark in marks)


def _fence_format(fence: re.Match[str]) -> Format:
    return "json" if fence["format"].lower() == "json" else "yaml"
