"""Telling apart names that Python would spell alike.

In: wire names with the identifier each would like. Out: an identifier for each, all different.
Rules: the result depends on the set of names only, never on their order, and there are no counters:
1. A taken identifier gets a trailing underscore.
2. Alone with its identifier, a name has it. Of several, the one whose wire name is the identifier
   has it.
3. The others are spelled again until each differs from all: with punctuation in words (`a-b`:
   `a_dash_b`; a name without any so comes before those with some), then with upper case marked
   (`Foo`: `cap_foo`), then with lower case marked where there is no other (`foo`: `lower_foo`),
   then with the first 4, 8 or 64 digits of the SHA-256 of the wire name.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from functools import partial

from codegen.python.names import snake, spell_words

_MAX_FILE_BYTES = 120
# Names of devices: a file of that name cannot be made on Windows.
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
)


def distinct(
    wanted: Mapping[str, str],
    *taken: Container[str],
    casing: Callable[[tuple[str, ...]], str] = snake,
) -> dict[str, str]:
    """Give each wire name an identifier of its own, compared as Python compares identifiers.

    Names are taken in their normal form, NFKC.
    """
    return _settle(wanted, taken, casing, _normal)


def distinct_files(wanted: Mapping[str, str], *taken: Container[str]) -> dict[str, str]:
    """Give each wire name a module name of its own, for file systems that ignore case.

    A name beyond 120 bytes is cut and ends in a part of its SHA-256. Names are taken in lower case.
    """
    short = {wire: _shorten(name) for wire, name in wanted.items()}
    return _settle(short, (*taken, _DEVICES), lambda words: _shorten(snake(words)), _folded)


def _settle(
    wanted: Mapping[str, str],
    taken: tuple[Container[str], ...],
    casing: Callable[[tuple[str, ...]], str],
    key: Callable[[str], str],
) -> dict[str, str]:
    first = {wire: _underscored(name, taken, key) for wire, name in wanted.items()}
    sharing = Counter(map(key, first.values()))
    if len(sharing) == len(first):
        return first
    owners = Counter(key(name) for wire, name in first.items() if wire == name)
    chosen = {
        wire: name
        for wire, name in first.items()
        if sharing[key(name)] == 1 or (wire == name and owners[key(name)] == 1)
    }
    for spell in _SPELLINGS:
        if len(chosen) == len(first):
            break
        used = frozenset(map(key, chosen.values()))
        rest = first.keys() - chosen.keys()
        again = {wire: _underscored(casing(spell(wire)), taken, key) for wire in rest}
        sharing = Counter(map(key, again.values()))
        chosen |= {
            wire: name
            for wire, name in again.items()
            if sharing[key(name)] == 1 and key(name) not in used
        }
    used = frozenset(map(key, chosen.values()))
    last = {wire: casing(_hashed(64, wire)) for wire in first.keys() - chosen.keys()}
    chosen |= {wire: _underscored(name, (*taken, used), key) for wire, name in last.items()}
    return {wire: chosen[wire] for wire in wanted}


def _marked_lower(wire: str) -> tuple[str, ...]:
    return ("lower", *spell_words(wire)) if wire.islower() else spell_words(wire)


def _hashed(digits: int, wire: str) -> tuple[str, ...]:
    return (*spell_words(wire), _digest(wire)[:digits])


_SPELLINGS: tuple[Callable[[str], tuple[str, ...]], ...] = (
    spell_words,
    partial(spell_words, mark_case=True),
    _marked_lower,
    partial(_hashed, 4),
    partial(_hashed, 8),
)


def _underscored(name: str, taken: Iterable[Container[str]], key: Callable[[str], str]) -> str:
    normal = key(name)
    for names in taken:
        if normal in names:
            return _underscored(f"{name}_", taken, key)
    return name


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _shorten(name: str) -> str:
    data = name.encode()
    if len(data) <= _MAX_FILE_BYTES:
        return name
    return f"{data[:100].decode(errors='ignore')}_{_digest(name)[:16]}"


def _normal(name: str) -> str:
    return unicodedata.normalize("NFKC", name)


def _folded(name: str) -> str:
    return _normal(_normal(name).casefold())
