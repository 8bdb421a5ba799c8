"""JSON Pointer in its URI fragment form, RFC 6901.

A pointer of ours is text such as `#/paths/~1chat/post`; `#` is the whole document. It holds the
escapes of section 3 (`~0`, `~1`) and no percent escapes: these belong to the fragment of a `$ref`
and are undone by `from_fragment`.
"""

import re
from functools import lru_cache
from urllib.parse import unquote

from codegen.source.values import Json

# Longer ones index nothing, and `int` refuses the longest.
_INDEX = re.compile(r"0|[1-9][0-9]{0,17}")


def join(pointer: str, *tokens: str | int) -> str:
    """Return the pointer to a value below another, by its member names and array indices."""
    for token in tokens:
        pointer += "/" + str(token).replace("~", "~0").replace("/", "~1")
    return pointer


@lru_cache(maxsize=65536)
def split(pointer: str) -> tuple[str, ...]:
    """Return a pointer's tokens, unescaped; ValueError if it is not `#` or `#/...`."""
    if pointer == "#":
        return ()
    if not pointer.startswith("#/"):
        raise ValueError(f"not a JSON pointer: {pointer!r}")
    # Section 3: `~` stands before 0 or 1 only.
    if any(part[:1] not in ("0", "1") for part in pointer.split("~")[1:]):
        raise ValueError(f"`~` without 0 or 1 after it: {pointer[1:]!r}")
    tokens = pointer[2:].split("/")
    # Section 4: `~1` is undone first, so that `~01` becomes `~1` and not `/`.
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in tokens)


def child(value: Json, token: str) -> Json:
    """Return the member or item a token names; LookupError if the value has none."""
    match value:
        case dict():
            return value[token]
        case list() if is_index(token):
            return value[int(token)]
        case _:
            raise LookupError(token)


def lookup(data: Json, pointer: str) -> Json:
    """Return the value a pointer names; LookupError if there is none, ValueError if malformed."""
    for token in split(pointer):
        data = child(data, token)
    return data


def is_index(token: str) -> bool:
    """Tell whether a token is an array index: digits without a leading zero, section 4."""
    return _INDEX.fullmatch(token) is not None


def from_fragment(fragment: str) -> str:
    """Return the pointer that the fragment of a `$ref` (the text after `#`) holds, section 6; for
    the name of an anchor, `#` and that name.

    Raises ValueError for a fragment that is neither.
    """
    text = "#" + unquote(fragment, errors="strict")
    if text.startswith("#/"):
        split(text)
    return text
