"""Path Item and Callback Objects -> the operations they hold (OpenAPI 3.1 sections 4.8.9 and
4.8.18).

In: the root of a document. Out: every operation with its node and its media types: those of
`paths`, then those that the server calls, in `webhooks` and `callbacks`, last those of components
that nobody refers to. Rules: a path item with a `$ref` holds what it refers to, beside its own
members, which come first; a callback that several refer to is read where it is first met.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from codegen.ir.api import Direction, Operation
from codegen.ir.types import DeclId
from codegen.openapi.node import Node
from codegen.openapi.operation import OperationReader, Site
from codegen.openapi.schema import SchemaReader

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")

_Read = tuple[Operation, Node, tuple[Node, ...]]


def read_operations(root: Node, schemas: SchemaReader) -> Iterator[_Read]:
    """Every operation of a document, in its order, with its node and the Media Type Object of each
    of its bodies.
    """
    reader = _PathItemReader(OperationReader(root, schemas))
    for path, item in schemas.resolver.section(root, "paths"):
        if not path.startswith("x-"):
            yield from reader.read(item, path, Direction.REQUEST)
    for name, item in schemas.resolver.section(root, "webhooks"):
        yield from reader.read(item, name, Direction.RESPONSE)
    for name, callback in schemas.resolver.section(root, "components", "callbacks"):
        yield from reader.read_callback(callback, None, name, Direction.RESPONSE)
    for name, item in schemas.resolver.section(root, "components", "pathItems"):
        if not reader.has_met(item):
            yield from reader.read(item, name, Direction.REQUEST)


@dataclass(frozen=True, slots=True)
class _PathItemReader:
    operations: OperationReader
    _met: set[DeclId] = field(default_factory=set[DeclId])

    def has_met(self, node: Node) -> bool:
        return node.id in self._met

    def read(
        self, held: Node, path: str, sent: Direction, owner: Operation | None = None, key: str = ""
    ) -> Iterator[_Read]:
        """The operations of a path item; those of a callback have its `key`, and most an owner."""
        resolver = self.operations.schemas.resolver
        items = tuple(resolver.chain(held))
        self._met.update(item.id for item in items)
        caller = f"{owner.id} {key}" if owner else key
        for method, held_operation in _methods(items):
            # Documents split by operation refer to each from its path.
            node = resolver.resolve(held_operation)
            if node is None or not isinstance(node.data, dict):
                continue
            site = Site(
                items=items,
                method=method,
                path=path,
                name=f"{caller} {method}" if caller else f"{method} {path}",
                sent=sent,
                callback_of=owner.id if owner else None,
            )
            operation, media = self.operations.read(node, site)
            yield operation, node, media
            for name, callback in node.members_of("callbacks"):
                yield from self.read_callback(callback, operation, name, sent.reverse)

    def read_callback(
        self, held: Node, owner: Operation | None, key: str, sent: Direction
    ) -> Iterator[_Read]:
        """The operations of a callback, once."""
        callback = self.operations.schemas.resolver.resolve(held)
        if callback is None or self.has_met(callback):
            return
        self._met.add(callback.id)
        for expression, item in callback.members():
            if not expression.startswith("x-"):
                yield from self.read(item, expression, sent, owner, key)


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
