"""Path Item and Callback Objects -> the operations they hold (OpenAPI 3.1 sections 4.8.9 and
4.8.18).

In: the root of a document. Out: every operation with its node and its media types: those of
`paths`, then those that the server calls, in `webhooks` and `callbacks`. Rules: a path item with a
`$ref` holds what it refers to, beside its own members, which come first; one that several refer to
is read where it is first met.
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


@dataclass(frozen=True, slots=True)
class _PathItemReader:
    operations: OperationReader
    _callbacks: set[DeclId] = field(default_factory=set[DeclId])

    def read(
        self, held: Node, path: str, sent: Direction, owner: Operation | None = None, key: str = ""
    ) -> Iterator[_Read]:
        """The operations of a path item; those of a callback have an owner, who calls it `key`."""
        resolver = self.operations.schemas.resolver
        items = tuple(resolver.chain(held))
        for method, held_operation in _methods(items):
            # Documents split by operation refer to each from its path.
            node = resolver.resolve(held_operation)
            if node is None or not isinstance(node.data, dict):
                continue
            site = Site(
                items=items,
                method=method,
                path=path,
                name=f"{owner.id} {key} {method}" if owner else f"{method} {path}",
                sent=sent,
                callback_of=owner.id if owner else None,
            )
            operation, media = self.operations.read(node, site)
            yield operation, node, media
            for name, callback in node.members_of("callbacks"):
                yield from self._read_callback(callback, operation, name, sent.reverse)

    def _read_callback(
        self, held: Node, owner: Operation, key: str, sent: Direction
    ) -> Iterator[_Read]:
        callback = self.operations.schemas.resolver.resolve(held)
        if callback is None or callback.id in self._callbacks:
            return
        self._callbacks.add(callback.id)
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
