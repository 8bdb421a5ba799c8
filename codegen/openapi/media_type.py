"""Names of media types (RFC 9110, section 8.3.1)."""

from __future__ import annotations


def essence(media_type: str) -> str:
    """A media type without its parameters, in lower case."""
    return media_type.partition(";")[0].strip().lower()


def is_json(media_type: str) -> bool:
    """Whether what is of a media type is JSON (RFC 6839, section 3.1)."""
    name = essence(media_type)
    return name == "application/json" or (
        name.startswith("application/") and name.endswith("+json")
    )
