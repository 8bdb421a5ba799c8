"""Laying out Markdown descriptions to a width.

In: lines of escaped text without tabs. Out: lines no wider than asked, where words allow it.
Rules: paragraphs are filled; list items, quotes and headings keep to their own lines and hang when
they are too long; code, tables and rules stay as they are. No word is added, dropped or moved
across another, and runs of blank lines become one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_FENCE = re.compile(r" *(`{3,}(?=[^`]*$)|~{3,})")
_FIXED = re.compile(rf" {{4}}| *\|| *([-=_*])\1{{2,}}$|{_FENCE.pattern}")
# The spaces are bounded, as a line that hangs repeats them.
_MARKER = re.compile(r" {0,20}(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})(?: {1,4}|$)|> ?)")


def lay_out(lines: Iterable[str], width: int, first: int) -> list[str]:
    """Fill lines, the last of which is not blank, to a width; the first has its own, as opening
    quotes stand before it.
    """
    out: list[str] = []
    for prefix, words in _blocks(lines):
        if words:
            out += _fill(prefix, words, width, width if out else first)
        elif prefix or (out and out[-1]):
            out.append(prefix)
    return _dedent(out)


def _blocks(lines: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Give each block as its prefix and the words to fill after it; none for a line to keep."""
    prefix, fence = "", ""
    words: list[str] = []
    for line in map(str.rstrip, lines):
        marker = None if fence else _MARKER.match(line)
        keep = not line or bool(fence) or (not marker and bool(_FIXED.match(line)))
        if words and not keep and not marker and (not prefix or line.startswith(" ")):
            words += line.split()
            continue
        if words:
            yield prefix, words
            words = []
        if keep:
            yield line, []
            fence = _fence_after(fence, line)
            continue
        prefix = marker[0] if marker else ""
        words = line[len(prefix) :].split()
        if not words:
            yield prefix, []
    if words:
        yield prefix, words


def _fence_after(fence: str, line: str) -> str:
    mark = _FENCE.match(line)
    if mark is None:
        return fence
    if not fence:
        return mark[1]
    return "" if mark[1].startswith(fence) and mark[0] == line else fence


def _fill(prefix: str, words: list[str], width: int, first: int) -> Iterator[str]:
    line, limit = prefix + words[0], first
    for word in words[1:]:
        if len(line) + 1 + len(word) <= limit:
            line += f" {word}"
        else:
            yield line
            line, limit = " " * len(prefix) + word, width
    yield line


def _dedent(lines: list[str]) -> list[str]:
    """Take away what the lines after the first are all indented by; formatters do."""
    rest = lines[1:]
    margin = min((len(line) - len(line.lstrip()) for line in rest if line), default=0)
    return [line.lstrip() for line in lines[:1]] + [line[margin:] for line in rest]
