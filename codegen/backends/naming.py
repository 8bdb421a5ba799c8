"""The Python names of an API: classes and modules, the same in every variant.

In: declarations with the parts their names are made of. Out: one class name for each declaration
and one module for each group of schemas. Rules: a schema of the document takes its name first; an
inline one that would have the same is told apart by what it is; the rest is `python.distinct`.
Schemas that refer to each other in a circle share a module.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath

from codegen.ir.api import Alias, Api, Decl, Name, Stream
from codegen.ir.types import DeclId, refs
from codegen.ir.walk import types_of
from codegen.python.distinct import distinct, distinct_files
from codegen.python.names import pascal, snake, split_words

# What every variant offers beside the schemas.
RESERVED = frozenset({"DecodeError", "UnknownVariant"})


@dataclass(frozen=True, slots=True)
class Module:
    """One file of models: its name and what it declares, in the order of the document."""

    name: str
    decls: tuple[Decl, ...]


@dataclass(frozen=True, slots=True)
class Naming:
    """`functions` is how a class name reads in the name of a function, `taken` all class names."""

    classes: Mapping[DeclId, str]
    taken: frozenset[str]
    functions: Mapping[DeclId, str]
    modules: tuple[Module, ...]
    module_of: Mapping[DeclId, str]


def name_api(api: Api) -> Naming:
    """Name every declaration and every module."""
    classes = _name_classes(api)
    modules = _name_modules(api, classes)
    module_of = {decl.id: module.name for module in modules for decl in module.decls}
    snakes = distinct_files({name: snake(split_words(name)) for name in classes.values()})
    functions = {id_: snakes[name] for id_, name in classes.items()}
    return Naming(classes, frozenset(classes.values()), functions, modules, module_of)


def stream_name(stream: Stream) -> str:
    return _pascal(stream.name)


def schema_names(api: Api) -> dict[DeclId, str]:
    """What the document calls each schema that it names; its pointer, where another one has that
    name nearer to the root.
    """
    named = [decl for decl in api.decls if decl.id == decl.home and len(decl.name) == 1]
    first: dict[str, DeclId] = {}
    for decl in sorted(named, key=lambda decl: decl.origin.pointer.count("/")):
        first.setdefault(decl.name[0], decl.id)
    return {
        decl.id: decl.name[0] if first[decl.name[0]] == decl.id else decl.origin.pointer
        for decl in named
    }


def _pascal(parts: Iterable[str]) -> str:
    return pascal(tuple(word for part in parts for word in split_words(part)))


def _name_classes(api: Api) -> dict[DeclId, str]:
    parts = {decl.id: decl.name for decl in api.decls}
    for tell in (_by_kind, _by_document, _by_holder):
        counts = Counter(_pascal(name) for name in parts.values())
        for decl in api.decls:
            if counts[_pascal(parts[decl.id])] > 1:
                parts[decl.id] = tell(decl, parts[decl.id], api)
    keys = {id_: "/".join(name) for id_, name in parts.items()}
    repeated = {key for key, count in Counter(keys.values()).items() if count > 1}
    keys = {
        decl.id: keys[decl.id] + (decl.origin.pointer if keys[decl.id] in repeated else "")
        for decl in api.decls
    }
    wanted = {id_: _pascal(name) for id_, name in parts.items()}
    names = distinct({keys[id_]: name for id_, name in wanted.items()}, RESERVED, casing=pascal)
    return {id_: names[key] for id_, key in keys.items()}


def _by_kind(decl: Decl, parts: Name, api: Api) -> Name:
    """An inline type gives way to the schema that has its name."""
    if decl.id == decl.home and len(parts) == 1:
        return parts
    return (*parts, "union" if isinstance(decl, Alias) else "object")


def _by_document(decl: Decl, parts: Name, api: Api) -> Name:
    """A schema of another document gives way to one of the document itself."""
    if decl.origin.document == api.document:
        return parts
    return (PurePath(decl.origin.document).stem, *parts)


def _by_holder(decl: Decl, parts: Name, api: Api) -> Name:
    """A schema that is declared inside another one gives way to one that is not."""
    if decl.id != decl.home:
        return parts
    names = {held.id: held.name for held in api.decls}
    outer = decl.id
    while outer.count("/"):
        outer = DeclId(outer.rpartition("/")[0])
        if outer in names:
            return (*names[outer], *parts)
    return parts


def _name_modules(api: Api, classes: Mapping[DeclId, str]) -> tuple[Module, ...]:
    homes = {decl.id: decl.home for decl in api.decls}
    edges: dict[DeclId, set[DeclId]] = defaultdict(set)
    for decl in api.decls:
        edges[decl.home] |= {homes[t] for type_ in types_of(decl) for t in refs(type_)}
    group_of = {home: group for group in _circles(edges) for home in group}
    members: dict[frozenset[DeclId], list[Decl]] = defaultdict(list)
    for decl in api.decls:
        members[group_of[decl.home]].append(decl)
    owners = {
        group: min(classes[d.id] for d in decls if d.id in group or not group & homes.keys())
        for group, decls in members.items()
    }
    wanted = {owner: snake(split_words(owner)) for owner in owners.values()}
    names = distinct_files(wanted)
    return tuple(Module(names[owners[group]], tuple(decls)) for group, decls in members.items())


def _circles(edges: Mapping[DeclId, Iterable[DeclId]]) -> list[frozenset[DeclId]]:
    """Tarjan's strongly connected components, with a stack of its own: documents nest deeper than
    Python calls.
    """
    index: dict[DeclId, int] = {}
    low: dict[DeclId, int] = {}
    path: list[DeclId] = []
    groups: list[frozenset[DeclId]] = []
    for root in edges:
        if root in index:
            continue
        work = [(root, iter(edges[root]))]
        index[root] = low[root] = len(index)
        path.append(root)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    path.append(target)
                    work.append((target, iter(edges.get(target, ()))))
                    break
                if target in path:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    cut = path.index(node)
                    groups.append(frozenset(path[cut:]))
                    del path[cut:]
    return groups
