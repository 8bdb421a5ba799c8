"""Quoting: the only place that turns text and JSON values into Python literals and docstrings.

In: any text, however hostile, or a JSON value. Out: `Code` that evaluates back to it, spelled the
way `ruff format` spells it.
Rules: letters stay readable; what no reader can see (controls, bidirectional marks, surrogates,
line separators, private use) is written as an escape. The ranges are fixed here, so that the
output does not depend on the Unicode tables of the Python that runs us.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from codegen.python.code import Code
from codegen.python.expressions import (
    Entry,
    Expr,
    atom,
    mapping,
    sequence,
)
from codegen.python.prose import lay_out

Json: TypeAlias = "str | int | float | bool | Sequence[Json] | Mapping[str, Json] | None"

_RANGES = (
    r"\x00-\x1f\x7f-\xa0\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160"
    r"\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164"
    r"\ud800-\uf8ff\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U000110bd\U000110cd"
    r"\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff"
)
_SHORT = {"\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t"}
_ESCAPED = {quote: re.compile(rf"[{_RANGES}\\{quote}]") for quote in "\"'"}
# A quote at either end would join the quotes around it.
_IN_DOCSTRING = re.compile(rf'\A"|"\Z|"{{3}}|(?!\n)[{_RANGES}\\]')
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_SPACE = re.compile(r"[^\S\n ]")
_QUOTES = '"""'
_DOCSTRING_WIDTH = 88


@lru_cache(maxsize=65536)
def format_string(text: str) -> Code:
    """Quote text; double quotes unless single ones need fewer escapes."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    return Code(f"{quote}{_ESCAPED[quote].sub(_escape_match, text)}{quote}")


def format_scalar(value: str | int | float | bool | None) -> Code:
    """Spell a JSON value that holds no others.

    Raises ValueError for what no literal spells: infinities, NaN, and integers beyond Python's
    limit on digits.
    """
    match value:
        case None | bool() | int():
            return Code(str(value))
        case float():
            return _format_float(value)
        case str():
            return format_string(value)


def literal(value: Json) -> Expr:
    """Spell a JSON value as an expression whose arrays and objects give way as brackets do."""
    match value:
        case None | bool() | int() | float() | str():
            return atom(format_scalar(value))
        case Mapping():
            entries = (Entry(format_string(name), literal(it)) for name, it in value.items())
            return mapping(*entries) if value else atom(Code("{}"))
        case _:
            return sequence(*map(literal, value)) if value else atom(Code("[]"))


@lru_cache(maxsize=65536)
def format_docstring(text: str, indent: int) -> Code:
    """Quote a Markdown description as a docstring that stands at a column.

    The first line carries no indentation, the others do. Raises ValueError when there is nothing
    to say.
    """
    # A class cannot have a lone surrogate in its docstring, not even as an escape.
    whole = _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text.strip())
    plain = _SPACE.sub(" ", "\n".join(whole.splitlines()).expandtabs(4))
    if not plain:
        raise ValueError("empty docstring")
    shown = _IN_DOCSTRING.sub(_escape_match, plain).split("\n")
    width = _DOCSTRING_WIDTH - indent
    lines = lay_out(shown, width, width - len(_QUOTES))
    if len(lines) == 1:
        lines = lay_out(shown, width, width - 2 * len(_QUOTES))
    margin = "\n" + " " * indent
    body = "".join(margin + line if line else "\n" for line in lines).removeprefix(margin)
    return Code(f"{_QUOTES}{body}{margin if len(lines) > 1 else ''}{_QUOTES}")


def _escape_match(match: re.Match[str]) -> str:
    return "".join(map(_escape, match[0]))


def _escape(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    if char in "\"'":
        return "\\" + char
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _format_float(value: float) -> Code:
    if not math.isfinite(value):
        raise ValueError(f"no literal spells {value}")
    return Code(repr(value).replace("e+", "e"))
