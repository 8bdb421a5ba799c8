"""JSON text: `parse` reads it, `format` and `format_bytes` write it, per RFC 8259.

Stricter than `json.loads`: NaN and Infinity are not JSON, and a number that a float
cannot hold (1e999) is refused, since it could not be written back. Every failure is a
`ValueError`, with its position where the text is at fault. Lone surrogate escapes
survive in both directions; of duplicate names the last one wins, as in `json`.
"""

import json
import re
from typing import Any, Final, NoReturn

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_SPACE: Final = " \t\n\r"
_INFINITE: Final = float("inf")


def parse(text: str | bytes) -> Any:
    """Return the value of one JSON text; bytes are UTF-8, with or without a BOM.

    Raises `ValueError`: `json.JSONDecodeError`, or `UnicodeDecodeError` for the bytes.
    """
    if isinstance(text, bytes):
        text = text.removeprefix(_BYTE_ORDER_MARK).decode()
    start = len(text) - len(text.lstrip(_SPACE)) if text[:1] in _SPACE else 0
    try:
        value, end = _raw_decode(text, start)
    except json.JSONDecodeError:
        raise
    except ValueError as error:
        raise json.JSONDecodeError(str(error), text, _find_refused(text)) from None
    except RecursionError:
        raise json.JSONDecodeError("nested too deeply", text, start) from None
    if end != len(text):
        after = text[end:].lstrip(_SPACE)
        if after:
            raise json.JSONDecodeError("Extra data", text, len(text) - len(after))
    return value


def format(value: Any) -> str:
    """Return compact JSON text that encodes to UTF-8.

    Raises `ValueError` for NaN, Infinity, a cycle, or a value nested too deeply, and
    `TypeError` for what is not JSON.
    """
    return format_bytes(value).decode()


def format_bytes(value: Any) -> bytes:
    """Return the text of `format` as UTF-8 bytes."""
    try:
        text = _encode(value)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    # Only a lone surrogate fails to encode, only inside a string, and there Python's
    # way to write it with a backslash is JSON's too.
    return text.encode("utf-8", "backslashreplace")


def _refuse_constant(token: str) -> NoReturn:
    raise ValueError(f"{token} is not JSON")


def _parse_float(token: str) -> float:
    number = float(token)
    if abs(number) == _INFINITE:
        raise ValueError("number out of range")
    return number


_raw_decode: Final = json.JSONDecoder(
    parse_constant=_refuse_constant, parse_float=_parse_float
).raw_decode
_encode: Final = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":")
).encode
_TOKEN: Final = r'"(?:[^"\\]|\\.)*"|[\w.+-]+'


def _find_refused(text: str) -> int:
    """Find the first token that a hook refused: hooks are not told the position."""
    tokens = re.finditer(_TOKEN, text)
    return next(token.start() for token in tokens if _is_refused(token[0]))


def _is_refused(token: str) -> bool:
    try:
        _raw_decode(token)
    except ValueError:
        return True
    return False
