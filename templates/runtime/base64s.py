"""Bytes, as base64 writes them (RFC 4648 section 4).

The alphabet for URLs, line breaks, and texts without padding are read too; such a value
remembers its text.
"""

from __future__ import annotations

import re
from binascii import a2b_base64, b2a_base64
from typing import Annotated, Any, Final, TypeAlias

from .texts import TEXTS, Text, Written, read

_match: Final = re.compile(r"[A-Za-z0-9+/]*+(={0,2})").fullmatch
_PLAIN: Final = str.maketrans("-_", "+/", "\r\n")

Base64Text: TypeAlias = Annotated[str, bytes]


def read_bytes(json: Any) -> bytes:
    """Decode bytes; raises Mismatch."""
    return read(bytes, json)


class _WrittenBytes(Written, bytes):
    def __reduce_ex__(self, protocol: Any, /) -> Any:
        return read_bytes, (self.text,)


def _parse(text: str) -> bytes:
    plain = text.translate(_PLAIN)
    match = _match(plain)
    if match is None or (match[1] and len(plain) % 4):
        raise ValueError("no base64")
    value = a2b_base64(plain + "=" * (-len(plain) % 4))
    if _format(value) == text:
        return value
    written = _WrittenBytes(value)
    written.text = text
    return written


def _format(value: bytes) -> str:
    return b2a_base64(value, newline=False).decode()


TEXTS[bytes] = Text("bytes as base64 writes them", _parse, _format)
