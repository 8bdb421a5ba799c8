"""The class name of every declaration.

In: declarations with the parts their names are made of. Out: one name each, the same in every
variant. Rules, in the order in which names are given away: what someone chose; a schema of the
document, under its own name; a schema of another document; what lies inside of one, called after
its place, where words that would follow themselves are said once. A declaration whose name another
one wants too, or has, goes to the next way to spell it; one that is alone with its name keeps it,
so more declarations change no name but of those they meet. `docs/names.md` says it for users.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePath
from typing import TypeAlias

from codegen.ir.api import Alias, Api, Decl, Name
from codegen.ir.names import whole_name
from codegen.ir.schemas import first_named, has_name
from codegen.ir.types import DeclId
from codegen.python.distinct import distinct
from codegen.python.names import pascal, spell_words, split_words

# What every variant offers beside the schemas.
RESERVED = frozenset({"DecodeError", "UnknownVariant"})


@dataclass(frozen=True, slots=True)
class _Place:
    """A declaration to name; `parts` lead to it, from the class name of what it lies in if that has
    one.
    """

    decl: Decl
    parts: Name
    is_body: bool = False


_Way: TypeAlias = Callable[[_Place], str]


def name_classes(api: Api) -> dict[DeclId, str]:
    """Name every declaration."""
    names = {decl.id: decl.spelled for decl in api.decls if decl.spelled is not None}
    first = first_named(api)
    wanted = {key: pascal_of((key,)) for key, id_ in first.items() if id_ not in names}
    found = distinct(wanted, RESERVED.union(names.values()), casing=pascal)
    names |= {first[key]: name for key, name in found.items()}
    named = [decl for decl in api.decls if has_name(decl)]
    _settle([_Place(decl, _within_holder(decl, names)) for decl in named], _NAMED, names)
    homes = {decl.id: decl.name[0] for decl in named}
    _settle([_place(decl, homes, names) for decl in api.decls], _INLINE, names)
    return {decl.id: names[decl.id] for decl in api.decls}


def pascal_of(parts: Iterable[str]) -> str:
    """The class name that parts of a name are joined to."""
    return pascal(tuple(word for part in parts for word in split_words(part)))


def _place(decl: Decl, homes: Mapping[DeclId, str], names: Mapping[DeclId, str]) -> _Place:
    is_inside = homes.get(decl.home) == decl.name[0]
    is_body = decl.id == decl.home and decl.name[-1].lower() in ("request", "response")
    return _Place(decl, (names[decl.home], *decl.name[1:]) if is_inside else decl.name, is_body)


def _within_holder(decl: Decl, names: Mapping[DeclId, str]) -> Name:
    """The name of a schema after the one that it is declared inside of, if there is one."""
    outer = decl.id
    while "/" in outer:
        outer = DeclId(outer.rpartition("/")[0])
        if outer in names:
            return (names[outer], *decl.name)
    return decl.name


def _settle(places: list[_Place], ways: Iterable[_Way], names: dict[DeclId, str]) -> None:
    """Add a name for each place that has none; of several that it would be the name of, the one
    that is spelled like it has it.
    """
    rest: list[_Place] = [place for place in places if place.decl.id not in names]
    for spell in ways:
        wanted = {place.decl.id: spell(place) for place in rest}
        as_spelled = {it.decl.id: "".join(it.parts) for it in rest}
        spelled = dict(wanted.items() & as_spelled.items())
        used = RESERVED.union(names.values())
        for one in (wanted, spelled):
            counts = Counter(one.values())
            free = {name for name, count in counts.items() if count == 1 and name not in used}
            names.update((id_, name) for id_, name in one.items() if name in free)
        rest = [place for place in rest if place.decl.id not in names]


def _by_place(place: _Place) -> str:
    """The members that lead to it, where each begins with what those before it do not end in."""
    words: tuple[str, ...] = ()
    for index, part in enumerate(place.parts):
        more = split_words(part)
        overlap = _overlap(words, more)
        is_last = index == len(place.parts) - 1
        words += more[overlap:] if overlap < len(more) or is_last else more
    return pascal(words)


def _overlap(words: tuple[str, ...], more: tuple[str, ...]) -> int:
    """How many words at the end of the first are those at the start of the second."""
    left, right = [word.lower() for word in words], [word.lower() for word in more]
    most = min(len(left), len(right))
    return next((n for n in range(most, 0, -1) if left[-n:] == right[:n]), 0)


def _by_whole_place(place: _Place) -> str:
    return pascal_of(place.parts)


def _by_whole_entries(place: _Place) -> str:
    return _by_place(replace(place, parts=tuple(map(whole_name, place.parts))))


def _by_name(place: _Place) -> str:
    return pascal_of(place.decl.name)


def _by_kind(place: _Place) -> str:
    kind = "union" if isinstance(place.decl, Alias) else "object"
    return pascal_of((*place.parts, "body" if place.is_body else kind))


def _by_document(place: _Place) -> str:
    return pascal_of((PurePath(place.decl.origin.document).stem, *place.parts))


def _by_spelling(mark_case: bool, place: _Place) -> str:
    spelled = (spell_words(part, mark_case=mark_case) for part in place.parts)
    return pascal(tuple(word for words in spelled for word in words))


def _by_digest(digits: int, place: _Place) -> str:
    digest = hashlib.sha256(place.decl.id.encode("utf-8", "surrogatepass")).hexdigest()
    return pascal((*(word for part in place.parts for word in split_words(part)), digest[:digits]))


_LAST: tuple[_Way, ...] = (
    partial(_by_spelling, False),
    partial(_by_spelling, True),
    *(partial(_by_digest, digits) for digits in (4, 8, 64)),
)
_NAMED: tuple[_Way, ...] = (_by_name, _by_whole_place, _by_document, *_LAST)
_INLINE: tuple[_Way, ...] = (
    _by_place,
    _by_whole_place,
    _by_whole_entries,
    _by_kind,
    _by_document,
    *_LAST,
)
