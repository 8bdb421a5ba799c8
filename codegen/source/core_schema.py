"""Plain scalars under the core schema of YAML 1.2, section 10.3.2.

In: a scalar's text, or its text and explicit tag. Out: the JSON value. What YAML 1.1 reads
otherwise is text or a plain number here: `no`, `on`, `2024-01-01`, `1:30` are strings and `012` is
twelve. Infinity and NaN are numbers of YAML, but no JSON value.
"""

import re
from collections.abc import Callable

from codegen.source.values import check_number, read_integer

Scalar = str | int | float | bool | None

_NULL = re.compile(r"null|Null|NULL|~|")
_BOOL = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(
    r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)
# Only text that starts like this, or is empty, can be anything but a string.
_FIRST = frozenset("nN~tTfF-+.0123456789")
_PREFIX = "tag:yaml.org,2002:"


def _null(text: str) -> None:
    return None


def _bool(text: str) -> bool:
    return text[0] in "tT"


def _int(text: str) -> int:
    if not text.startswith(("0o", "0x")):
        return read_integer(text)
    number = int(text, 0)
    check_number(number)
    return number


def _float(text: str) -> float:
    # Python spells infinity and not-a-number without the point.
    number = float(text.replace(".", "") if text[-1] in "fFnN" else text)
    check_number(number)
    return number


_READERS: dict[str, tuple[re.Pattern[str], Callable[[str], Scalar]]] = {
    "null": (_NULL, _null),
    "bool": (_BOOL, _bool),
    "int": (_INT, _int),
    "float": (_FLOAT, _float),
}


def resolve(text: str) -> Scalar:
    """Return the value of an untagged plain scalar; OutOfRange for numbers that are not read."""
    if text and text[0] not in _FIRST:
        return text
    for pattern, read in _READERS.values():
        if pattern.fullmatch(text):
            return read(text)
    return text


def resolve_tagged(tag: str, text: str) -> Scalar:
    """Return the value of a scalar with a tag.

    Raises LookupError for an unknown tag, OutOfRange for a number that is not read, and ValueError
    where the text does not fit.
    """
    name = tag.removeprefix(_PREFIX)
    if tag == "!" or name == "str":
        return text
    if name not in _READERS:
        raise LookupError(tag)
    pattern, read = _READERS[name]
    if not pattern.fullmatch(text):
        raise ValueError(f"{text!r} is no {name}")
    return read(text)


def is_collection_tag(tag: str | None, name: str) -> bool:
    """Tell whether a sequence (`seq`) or mapping (`map`) may carry this tag."""
    return tag in (None, "!", _PREFIX + name)
