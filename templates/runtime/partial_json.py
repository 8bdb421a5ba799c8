"""What is whole of a JSON text that was cut.

A member or an entry counts once it is complete: a text has its closing quote, and a
number or a word something after it, since 12 may have been on its way to 123.
"""

from __future__ import annotations

import re
from typing import Any, Final

from .jsontext import parse

_TOKEN: Final = re.compile(
    r'[ \t\n\r]*("(?:[^"\\]|\\.)*"|[{}\[\],:]|[^ \t\n\r{}\[\],:"]+(?=[ \t\n\r\]},]))',
    re.DOTALL,
)
_CUT: Final = re.compile(
    r"""[ \t\n\r]*("(?:[^"\\]|\\.)*\\?|t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|"""
    r"""n(?:u(?:ll?)?)?|[-+.0-9eE]*)""",
    re.DOTALL,
)
_CLOSING: Final = {"{": "}", "[": "]"}


def parse_partial(text: str) -> Any:
    """Parse the part of a cut text that is whole.

    Raises ValueError if nothing is, or if it comes to what no JSON text holds.
    """
    open_, before, at = "", "", 0
    whole, rest = 0, ""
    while match := _TOKEN.match(text, at):
        token, at = match[1], match.end()
        is_name = token[0] == '"' and open_[:1] == "}" and before in ("{", ",")
        if token in _CLOSING:
            open_ = _CLOSING[token] + open_
        elif token in ("}", "]"):
            open_ = open_[1:]
        if not is_name and token not in (",", ":"):
            whole, rest = at, open_
        before = token
    if not _CUT.fullmatch(text, at):
        raise ValueError(f"not the beginning of a JSON text: {text[at:]!r}")
    return parse(text[:whole] + rest)
