"""UUIDs, as RFC 9562 writes them (section 4).

Capital letters and the digits alone are read too; such a value remembers its text.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, TypeAlias
from uuid import UUID

from .texts import TEXTS, Text, Written, read

_match: Final = re.compile(
    r"[0-9A-Fa-f]{32}|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
).fullmatch

UUIDText: TypeAlias = Annotated[str, UUID]


def read_uuid(json: Any) -> UUID:
    """Decode a UUID; raises Mismatch."""
    return read(UUID, json)


class _WrittenUUID(Written, UUID):
    __slots__ = ("text",)

    def __repr__(self) -> str:
        return repr(UUID(int=self.int))

    def __reduce_ex__(self, protocol: Any, /) -> Any:
        return read_uuid, (self.text,)


def _parse(text: str) -> UUID:
    if _match(text) is None:
        raise ValueError("no UUID")
    value = UUID(text)
    if str(value) == text:
        return value
    written = _WrittenUUID(int=value.int)
    # A UUID refuses to be assigned to.
    object.__setattr__(written, "text", text)
    return written


TEXTS[UUID] = Text("a UUID as RFC 9562 writes it", _parse, str)
