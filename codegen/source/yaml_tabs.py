"""Tabs where YAML 1.2 allows them and the parsers do not: PyYAML's know YAML 1.1.

In: a text that a parser refused. Out: the same text, with spaces for tabs that only separate
(sections 6.2, 6.6 and 6.7): on lines that hold nothing else or a comment, and after the dash of an
entry that is no block collection. Nothing moves, so places stay the same. The text of a block
scalar is left alone.
"""

import re
from collections.abc import Iterator

_BLANK = re.compile(r"[ \t]*(?=#|$)")
# `- - x` and `- a: x` start collections, whose indentation may hold no tab (section 6.1).
_ENTRY = re.compile(r" *(?:- +)*-[ \t]*+(?!-\s)(?=[\[{\"'|>&*!]|(?:(?!: |:$| #).)+(?: #|$))")
_BLOCK_SCALAR = re.compile(r"(?:^|[\s:-])[|>][-+1-9]{0,2}[ \t]*(?:#.*)?$")
_LINE = re.compile(r"([^\r\n]*)(\r\n?|\n|\Z)")


def expand_tabs(text: str) -> str:
    """Return the text with spaces for the tabs that YAML 1.2 allows outside of values."""
    return "".join(_expanded(text))


def _expanded(text: str) -> Iterator[str]:
    inside: int | None = None
    for match in _LINE.finditer(text):
        line, end = match.groups()
        indentation = len(line) - len(line.lstrip(" "))
        is_blank = not line.strip()
        if inside is not None and (is_blank or indentation > inside):
            yield line + end
            continue
        inside = indentation if _BLOCK_SCALAR.search(line) else None if not is_blank else inside
        found = _BLANK.match(line) or _ENTRY.match(line)
        start = found.group() if found else ""
        yield start.replace("\t", " ") + line[len(start) :] + end
