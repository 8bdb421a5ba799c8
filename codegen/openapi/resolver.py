"""The way along a reference: `$ref`, `$dynamicRef`, `$recursiveRef` (JSON Schema 2020-12 core,
section 8.2.3; 2019-09 core, section 8.2.4.2).

In: a node that holds one. Out: the node it names. Rules: a reference that leads nowhere is reported
once, at the place that holds it, and then read as no answer; one that leads through another
reference follows that too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codegen.diagnostics import Diagnostics, Origin, suggestion
from codegen.ir.types import DeclId
from codegen.openapi.node import Node
from codegen.source.document import Document
from codegen.source.pointer import child, from_fragment, join, lookup, split
from codegen.source.references import Library
from codegen.source.resources import Resource

if TYPE_CHECKING:
    from codegen.openapi.conjunction import Facts

REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
# The references that may lead on from one: each schema of a chain is followed to its end.
MAX_CHAIN = 200


@dataclass(frozen=True, slots=True)
class Resolver:
    """Follows references; shared by all readers of one run, which keep in `gathered` what schemas
    were found to say together.
    """

    library: Library
    diagnostics: Diagnostics
    gathered: dict[tuple[Node, ...], Facts] = field(
        default_factory=dict["tuple[Node, ...]", "Facts"]
    )
    _passing: set[DeclId] = field(default_factory=set[DeclId])

    def target(self, node: Node, keyword: str = "$ref") -> Node | None:
        """What a reference of a node names, one step along; None after reporting where it leads
        nowhere.
        """
        if keyword == "$recursiveRef":
            return _recursion_root(node)
        reference = node.text(keyword)
        place = join(node.pointer, keyword)
        found = self.library.open(reference, node.document, place)
        if found is None:
            return None
        target = self._node(*found)
        if target is None:
            origin = Origin(document=node.document.name, pointer=place)
            help_ = _nearest(*found) or None
            self.diagnostics.add("SB201", f"nothing at {reference!r}", origin=origin, help=help_)
            return None
        if keyword == "$dynamicRef" and target.text("$dynamicAnchor"):
            target = self._override(target, node.scope, reference) or target
        return self._in_scope(target, node)

    def seek(self, node: Node) -> Node | None:
        """What a `$ref` names, one step along; None, and no word of it, where nothing is there."""
        reference, place = node.text("$ref"), join(node.pointer, "$ref")
        is_here = self.library.is_here(reference, node.document, place)
        found = self.library.open(reference, node.document, place) if is_here else None
        target = found and self._node(*found)
        return target and self._in_scope(target, node)

    def resolve(self, node: Node) -> Node | None:
        """The node itself, or what its chain of references ends at."""
        chain = self.chain(node)
        return chain[-1] if chain and not chain[-1].text("$ref") else None

    def chain(self, node: Node) -> tuple[Node, ...]:
        """The node and all that its chain of references passes, as far as it leads somewhere."""
        chain: dict[DeclId, Node] = {}
        current: Node | None = node
        while current is not None:
            if current.id in chain:
                self.diagnostics.add("SB202", "the reference leads to itself", origin=node.origin)
                break
            if len(chain) > MAX_CHAIN:
                message = f"more than {MAX_CHAIN} references lead on from here"
                self.diagnostics.add("SB105", message, origin=node.origin)
                self.diagnostics.check()
            chain[current.id] = current
            current = self.target(current) if current.text("$ref") else None
        return tuple(chain.values())

    def section(self, root: Node, *path: str) -> Iterator[tuple[str, Node]]:
        """The members of an object inside a root, where each step may be a reference."""
        found: Node | None = root
        for key in path:
            found = found and self.resolve(found.child(key))
        if found is not None:
            yield from found.members()

    def _node(self, document: Document, pointer: str) -> Node | None:
        """The value at a pointer; documents split into files have references on the way to it."""
        try:
            return Node(lookup(document.data, pointer), document, pointer)
        except LookupError:
            current = Node(document.data, document, "#")
        for token in split(pointer):
            if current.text("$ref") and token not in current.keywords:
                found = self._pass(current)
                if found is None:
                    return None
                current = found
            try:
                data = child(current.data, token)
            except LookupError:
                return None
            current = Node(data, current.document, join(current.pointer, token))
        return current

    def _pass(self, node: Node) -> Node | None:
        """What a reference on the way ends at; it must not lie on the way to itself."""
        if node.id in self._passing:
            self.diagnostics.add("SB202", "the reference leads to itself", origin=node.origin)
            return None
        self._passing.add(node.id)
        found = self.resolve(node)
        self._passing.discard(node.id)
        return found

    def _override(self, target: Node, scope: tuple[str, ...], reference: str) -> Node | None:
        """The schema that takes the place of a dynamic anchor: that of the outermost scope."""
        anchor = from_fragment(reference.partition("#")[2])[1:]
        if anchor != target.text("$dynamicAnchor"):
            return None
        resources = (self.library.named(uri) for uri in scope)
        outer = next((resource for resource in resources if anchor in resource.dynamic), None)
        return None if outer is None else self._node(outer.document, outer.anchors[anchor])

    def _in_scope(self, target: Node, node: Node) -> Node:
        """The target with the schemas that its `$dynamicRef`s may look into, outermost first."""
        holder, entered = self._resource(node), self._resource(target)
        scope = node.scope
        if entered is not holder:
            passed = (*scope, holder.uri) if holder.dynamic else scope
            scope = tuple(uri for uri in dict.fromkeys(passed) if uri != entered.uri)
        if not scope or not entered.is_dynamic:
            return target
        return Node(target.data, target.document, target.pointer, scope=scope)

    def _resource(self, node: Node) -> Resource:
        return self.library.resource(node.document, node.pointer)


def _nearest(document: Document, pointer: str) -> str:
    """Ask after the name that the step of a pointer which leads nowhere is most like."""
    data = document.data
    for token in split(pointer):
        try:
            data = child(data, token)
        except LookupError:
            return suggestion(token, data if isinstance(data, dict) else ())
    return ""


def _recursion_root(node: Node) -> Node:
    """The schema that `$recursiveRef` means: the outermost one around it that sets
    `$recursiveAnchor`.
    """
    pointer, root = "#", None
    for token in split(node.pointer):
        pointer = join(pointer, token)
        data = lookup(node.document.data, pointer)
        if root is None and isinstance(data, dict) and data.get("$recursiveAnchor") is True:
            root = Node(data, node.document, pointer)
    return root or Node(node.document.data, node.document, "#")
