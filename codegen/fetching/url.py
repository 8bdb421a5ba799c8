"""Which URLs are fetched, and what of them may be shown and kept: one that says nothing about who
asks.
"""

import re
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

_PORT = 443
# What a parameter is called whose value lets somebody in, such as those of signed URLs.
_SECRET = re.compile(
    r"(?:^|[^a-z])(?:token|secret|signature|sig|password|passwd|pwd|credential|auth|jwt"
    r"|(?:api|access|subscription|private)?[-_.]?key)s?(?:$|[^a-z])",
    re.IGNORECASE,
)
_UNUSUAL = re.compile(r"[^\w.-]+", re.ASCII)


def find_fault(url: str) -> str | None:
    """Say why a URL is not fetched; None for one that is."""
    if not url.isascii() or not url.isprintable() or " " in url:
        return "the URL holds characters that have to be percent-encoded"
    try:
        parts = urlsplit(url)
        is_whole = bool(parts.hostname) and (parts.port or _PORT) > 0
    except ValueError as error:
        return f"this is no URL: {error}"
    if parts.scheme != "https":
        return "only https is fetched"
    if not is_whole:
        return "the URL names no host"
    if parts.username is not None or parts.password is not None:
        return "the URL holds a user or a password"
    for name, _ in parse_qsl(parts.query, keep_blank_values=True):
        if _SECRET.search(name):
            return f"the parameter {name!r} looks like a credential"
    return None


def origin(url: str) -> tuple[str, str, int]:
    """The scheme, host and port of a URL without a fault (RFC 6454, section 4)."""
    parts = urlsplit(url)
    return parts.scheme, str(parts.hostname), parts.port or _PORT


def redact(url: str) -> str:
    """A URL as it may be shown: without user, password, query and fragment."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "a malformed URL"
    host = parts.netloc.rpartition("@")[2]
    return SplitResult(parts.scheme, host, parts.path, "", "").geturl()


def file_name(url: str) -> str:
    """What a document may be called after the end of its URL: letters, digits, `.`, `_`, `-`."""
    last = unquote(urlsplit(url).path.rpartition("/")[2])
    return _UNUSUAL.sub("-", last).strip(".-") or "openapi"
