"""The Python names of an API: classes and modules, the same in every variant.

Out: one class name for each declaration and each stream, and one module for each group of schemas:
those that refer to each other in a circle share one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from codegen.backends.classes import name_classes, pascal_of
from codegen.ir.api import Api, Decl, Stream
from codegen.ir.types import DeclId, refs
from codegen.ir.walk import types_of
from codegen.python.distinct import distinct, distinct_files
from codegen.python.names import pascal, snake, split_words

# What every package of streams offers beside them.
STREAM_ERRORS = (
    "IncompleteResult",
    "InvalidEvent",
    "StreamError",
    "TruncatedStream",
    "UnknownEvent",
)
STREAM_WORDS = frozenset((*STREAM_ERRORS, "Outcome"))


@dataclass(frozen=True, slots=True)
class Module:
    """One file of models: its name and what it declares, in the order of the document."""

    name: str
    decls: tuple[Decl, ...]


@dataclass(frozen=True, slots=True)
class Naming:
    """`functions` is how a class name reads in the name of a function, `taken` all class names,
    `streams` the streams by the names of their classes, `recursive` what leads back to itself.
    """

    classes: Mapping[DeclId, str]
    taken: frozenset[str]
    functions: Mapping[DeclId, str]
    modules: tuple[Module, ...]
    module_of: Mapping[DeclId, str]
    streams: Mapping[str, Stream]
    recursive: frozenset[DeclId]


def name_api(api: Api) -> Naming:
    """Name every declaration and every module."""
    classes = name_classes(api)
    modules = _name_modules(api, classes)
    module_of = {decl.id: module.name for module in modules for decl in module.decls}
    snakes = distinct_files({name: snake(split_words(name)) for name in classes.values()})
    functions = {id_: snakes[name] for id_, name in classes.items()}
    taken = frozenset(classes.values())
    streams = name_streams(api)
    return Naming(classes, taken, functions, modules, module_of, streams, _recursive(api))


def name_streams(api: Api) -> dict[str, Stream]:
    """The streams by the names of their classes: those of their operations, told apart as schemas
    are, and what differs between streams of one operation.
    """
    ids = dict.fromkeys(stream.operation.id for stream in api.streams)
    operations = distinct({id_: pascal_of((id_,)) for id_ in ids}, casing=pascal)
    # The parts of a name are said together; apart, they are no other name's.
    parts = {(operations[it.operation.id], *it.name[1:]): it for it in api.streams}
    wanted = {" ".join(words): pascal_of(words) for words in parts}
    names = distinct(wanted, STREAM_WORDS, casing=pascal)
    return {names[" ".join(words)]: stream for words, stream in parts.items()}


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


def _recursive(api: Api) -> frozenset[DeclId]:
    edges = {decl.id: {it for type_ in types_of(decl) for it in refs(type_)} for decl in api.decls}
    circles = (it for it in _circles(edges) if len(it) > 1 or it & edges[min(it)])
    return frozenset(id_ for circle in circles for id_ in circle)


def _circles(edges: Mapping[DeclId, Iterable[DeclId]]) -> list[frozenset[DeclId]]:
    """Tarjan's strongly connected components, with a stack of its own: documents nest deeper than
    Python calls.
    """
    index: dict[DeclId, int] = {}
    low: dict[DeclId, int] = {}
    # A stack that is asked what it holds: dicts keep the order and take from the end.
    path: dict[DeclId, None] = {}
    groups: list[frozenset[DeclId]] = []
    for root in edges:
        if root in index:
            continue
        work = [(root, iter(edges[root]))]
        index[root] = low[root] = len(index)
        path[root] = None
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    path[target] = None
                    work.append((target, iter(edges.get(target, ()))))
                    break
                if target in path:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    group = set[DeclId]()
                    while node not in group:
                        group.add(path.popitem()[0])
                    groups.append(frozenset(group))
    return groups
