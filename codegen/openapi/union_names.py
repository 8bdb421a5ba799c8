"""The names of the members of a union that have none of their own.

In: the members of one union. Out: for each a part of a name, as the document spells it. Rules: each
rule of `_RULES` in turn may offer names, and a member takes the first that no other member is
offered by the same rule; the only one that is offered none is the plain one; a number only where
the document offers nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice

from codegen.ir.api import Name
from codegen.ir.names import item_name
from codegen.openapi.names import name_at
from codegen.openapi.node import Node
from codegen.openapi.resolver import Resolver
from codegen.source.values import Json

# More words than these are no name.
_MOST_VALUES = 3
# Of more, few would say which two are meant.
_MOST_FACTS = 12


def variant_names(members: Sequence[Node], resolver: Resolver, *, merged: bool) -> list[Name]:
    """A part of a name for each member of a union; none for the only member that is not null.

    `merged` says that each member becomes an object of its own, because others hold beside it.
    """
    held = [resolver.resolve(node) if node.text("$ref") else node for node in members]
    if sum(node is not None and not _is_null(node) for node in held) < 2:
        return [()] * len(members)
    inline = [node for node in members if _declares(node)]
    found = dict(zip((node.pointer for node in inline), _names(inline, resolver), strict=True))
    if list(found.values()).count(()) == 1:
        others = any(it not in inline and not _is_null(it) for it in members)
        unnamed = next(pointer for pointer, name in found.items() if not name)
        found[unnamed] = ("object",) if others else ("other",)
    entries = _entry_names(members, resolver)
    names: list[Name] = []
    for index, node in enumerate(members):
        if merged and node.text("$ref"):
            names.append(name_at(it) if (it := resolver.target(node)) else ())
        elif node.pointer in found:
            names.append(found[node.pointer] or (str(index + 1),))
        else:
            names.append(entries.get(node.pointer, ()))
    return names


def _entry_names(members: Sequence[Node], resolver: Resolver) -> dict[str, Name]:
    """What tells arrays apart whose entries are objects of their own; one of them needs no name."""
    arrays = [(i, it) for i, it in enumerate(members, 1) if _declares(it.child("items"))]
    if len(arrays) < 2:
        return {}
    names = _names([it.child("items") for _, it in arrays], resolver)
    is_plain = names.count(()) == 1
    return {
        node.pointer: name or (() if is_plain else (str(number),))
        for (number, node), name in zip(arrays, names, strict=True)
    }


def _is_null(node: Node) -> bool:
    return node.text("type") == "null"


def _declares(node: Node) -> bool:
    """Whether a member may be an object of its own, and so needs a name."""
    if not isinstance(node.data, dict) or node.text("$ref"):
        return False
    return node.keywords.get("type", "object") == "object" and "enum" not in node.keywords


def _names(inline: Sequence[Node], resolver: Resolver) -> list[Name]:
    """What tells each of the members apart; nothing for those that nothing does."""
    names: list[Name] = [()] * len(inline)
    for rule in _RULES if len(inline) > 1 else (_title,):
        offers = [list(dict.fromkeys(rule(node, resolver))) for node in inline]
        counts = Counter(_letters(offer) for each in offers for offer in each)
        for index, offered in enumerate(offers):
            own = (offer for offer in offered if counts[_letters(offer)] == 1)
            names[index] = names[index] or next(own, ())
    return names


def _letters(name: Name) -> Name:
    return tuple(part.lower() for part in name)


# What a member may be called after


def _title(node: Node, resolver: Resolver) -> Iterator[Name]:
    """Its title, or else the only text that a member which it requires may be."""
    if title := node.text("title").strip():
        yield (title,)
        return
    required = [entry.data for entry in node.entries_of("required")]
    yield from ((it,) for key, it in _constants(node) if key in required and isinstance(it, str))


def _extended(node: Node, resolver: Resolver) -> Iterator[Name]:
    """The named schemas that it adds something to."""
    for part in node.entries_of("allOf"):
        target = resolver.target(part) if part.text("$ref") else None
        if target is not None:
            yield name_at(target)


def _members(node: Node, resolver: Resolver) -> Iterator[Name]:
    for part in _parts(node):
        yield from ((key,) for key in part.child("properties").keywords)


def _constant(node: Node, resolver: Resolver) -> Iterator[Name]:
    """The only value that a member may be: a text as it is, others with the name of the member."""
    for part in _parts(node):
        for key, value in _constants(part):
            match value:
                case str():
                    yield (value,)
                case bool():
                    yield (key,) if value else ("not", key)
                case int() | float():
                    yield (key, str(value))
                case _:
                    pass


def _values(node: Node, resolver: Resolver) -> Iterator[Name]:
    """The few texts that a member is one of."""
    for part in _parts(node):
        for _, member in part.members_of("properties"):
            texts = [it.data for it in member.entries_of("enum") if isinstance(it.data, str)]
            if 1 < len(texts) <= _MOST_VALUES:
                yield tuple(word for text in texts for word in ("or", text))[1:]


def _required(node: Node, resolver: Resolver) -> Iterator[Name]:
    for part in _parts(node):
        for entry in part.entries_of("required"):
            if isinstance(entry.data, str):
                yield (entry.data,)


def _members_inside(node: Node, resolver: Resolver) -> Iterator[Name]:
    """The members of the objects, and of the entries of arrays, that are its own members."""
    for part in _parts(node):
        for key, member in part.members_of("properties"):
            items = member.child("items")
            inner, name = (member, key) if items.data is None else (items, item_name(key))
            yield from ((name, it) for it in inner.child("properties").keywords)


def _pairs(node: Node, resolver: Resolver) -> Iterator[Name]:
    """Two constants or members together."""
    facts = dict.fromkeys((*_constant(node, resolver), *_members(node, resolver)))
    for one, other in combinations(islice(facts, _MOST_FACTS), 2):
        yield (*one, "and", *other)


def _empty(node: Node, resolver: Resolver) -> Iterator[Name]:
    if node.keywords.get("maxProperties") == 0:
        yield ("empty",)


_RULES: tuple[Callable[[Node, Resolver], Iterator[Name]], ...] = (
    _title,
    _extended,
    _members,
    _constant,
    _values,
    _required,
    _members_inside,
    _pairs,
    _empty,
)


def _parts(node: Node) -> Iterator[Node]:
    """A member and what it is composed of, as far as that has no name."""
    yield node
    for part in node.entries_of("allOf"):
        yield from _parts(part)


def _constants(node: Node) -> Iterator[tuple[str, Json]]:
    """Each member with but one value, and that value, unless it is an empty text."""
    for key, member in node.members_of("properties"):
        values = member.keywords.get("enum", [member.keywords.get("const")])
        if isinstance(values, list) and len(values) == 1 and values[0] != "":
            yield key, values[0]
