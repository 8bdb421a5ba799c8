"""Path Item and Callback Objects -> the operations they hold (OpenAPI 3.1 sections 4.8.9 and
4.8.18).

In: the root of a document. Out: where every operation stands: those of `paths`, then those that the
server calls, in `webhooks` and `callbacks`, last those of components that nobody refers to. Rules:
a path item with a `$ref` holds what it refers to, beside its own members, which come first; a
callback that several refer to is read where it is first met.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from codegen.ir.api import Direction
from codegen.ir.types import DeclId
from codegen.openapi.miswritten import tell_unknown_keys
from codegen.openapi.names import is_declared
from codegen.openapi.node import Node
from codegen.openapi.resolver import Resolver
from codegen.source.pointer import split

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldCallback:
    """A Callback Object: its name, of its own if it is a component, else that in `owner`, the
    operation that asks for it.
    """

    name: str
    is_component: bool
    owner: Site | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Site:
    """Where an operation stands: the path items that hold it, its method and its path; and the
    callback, if it is of one. `sent` is who writes the request: the client, except in webhooks and
    callbacks.
    """

    node: Node
    items: tuple[Node, ...]
    method: str
    path: str
    sent: Direction
    callback: HeldCallback | None


def find_operations(root: Node, resolver: Resolver) -> Iterator[Site]:
    """Where every operation of a document stands, in its order; owners before their callbacks."""
    finder = _Finder(resolver)
    for path, item in resolver.section(root, "paths"):
        if not path.startswith("x-"):
            yield from finder.find(item, path, Direction.REQUEST)
    for name, item in resolver.section(root, "webhooks"):
        yield from finder.find(item, name, Direction.RESPONSE)
    for name, callback in resolver.section(root, "components", "callbacks"):
        yield from finder.find_callback(callback, name, Direction.RESPONSE)
    for name, item in resolver.section(root, "components", "pathItems"):
        if not finder.has_met(item):
            yield from finder.find(item, name, Direction.REQUEST)


@dataclass(frozen=True, slots=True)
class _Finder:
    resolver: Resolver
    _met: set[DeclId] = field(default_factory=set[DeclId])

    def has_met(self, node: Node) -> bool:
        return node.id in self._met

    def find(
        self, held: Node, path: str, sent: Direction, callback: HeldCallback | None = None
    ) -> Iterator[Site]:
        """The operations of a path item, each with those of its callbacks."""
        items = tuple(self.resolver.chain(held))
        self._met.update(item.id for item in items)
        for item in items:
            tell_unknown_keys("Path Item Object", item, self.resolver.diagnostics)
        for method, held_operation in _methods(items):
            # Documents split by operation refer to each from its path.
            node = self.resolver.resolve(held_operation)
            if node is None or not isinstance(node.data, dict):
                continue
            site = Site(
                node=node, items=items, method=method, path=path, sent=sent, callback=callback
            )
            yield site
            for name, inner in node.members_of("callbacks"):
                yield from self.find_callback(inner, name, sent.reverse, site)

    def find_callback(
        self, held: Node, name: str, sent: Direction, owner: Site | None = None
    ) -> Iterator[Site]:
        """The operations of a callback, once."""
        node = self.resolver.resolve(held)
        if node is None or self.has_met(node):
            return
        self._met.add(node.id)
        tokens = split(node.pointer)
        is_component = is_declared(tokens)
        name = tokens[-1] if is_component else name
        callback = HeldCallback(name=name, is_component=is_component, owner=owner)
        for expression, item in node.members():
            if not expression.startswith("x-"):
                yield from self.find(item, expression, sent, callback)


def _methods(items: tuple[Node, ...]) -> Iterator[tuple[str, Node]]:
    """The operations of the first item that has each, and 3.2's others (section 4.9.1)."""
    for method in METHODS:
        found = (item.child(method) for item in items)
        node = next((node for node in found if isinstance(node.data, dict)), None)
        if node is not None:
            yield method, node
    for item in items:
        for method, node in item.members_of("additionalOperations"):
            if isinstance(node.data, dict):
                yield method, node
