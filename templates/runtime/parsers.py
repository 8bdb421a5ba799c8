"""Other parsers of JSON text, made to give what `jsontext.parse` gives.

Where orjson and its like differ from it: some read an integer beyond 64 bits as a
float, which loses digits, and some refuse lone surrogate escapes. How many hundred
levels a text may nest is up to the parser and the stack it runs on.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from . import jsontext

if TYPE_CHECKING:
    from .stream import Parser

_BEYOND_64_BITS: Final = "18446744073709551616"
_NO_JSON: Final = ("NaN", "1e999")
_ZEROS: Final = bytes.maketrans(b"123456789", b"0" * 9)
_LONG: Final = b"0" * len("9223372036854775808")


@lru_cache(maxsize=16)
def exact(parse: Parser) -> Parser:
    """Make a parser that gives what `jsontext.parse` gives, by one that may be faster.

    That one raises ValueError for a text that it does not take: then the standard
    library decides. It is not asked about a text with a long number if it is seen to
    read these as floats. Raises ValueError if it takes what is no JSON.
    """
    for text in _NO_JSON:
        if _takes(parse, text):
            raise ValueError(f"{parse!r} takes {text}, which is not JSON")
    is_exact = type(parse(_BEYOND_64_BITS)) is int

    def parse_exactly(text: str) -> Any:
        # As many digits in a row may be an integer beyond 64 bits.
        if not is_exact and text.encode().translate(_ZEROS).find(_LONG) >= 0:
            return jsontext.parse(text)
        try:
            return parse(text)
        except (ValueError, RecursionError):
            return jsontext.parse(text)

    return parse_exactly


def _takes(parse: Parser, text: str) -> bool:
    try:
        parse(text)
    except ValueError:
        return False
    return True
