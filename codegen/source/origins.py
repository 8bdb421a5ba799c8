"""Where each value of a document came from, once overlays have changed it.

A tree in the shape of the document that holds only what was put in or moved; all else lies where
the document's own file has it. Pointers go in, origins come out. One instance belongs to one
document; `copy` starts the next one.
"""

from dataclasses import dataclass, field

from codegen.diagnostics import Origin
from codegen.source.pointer import join, split


@dataclass(slots=True)
class _Node:
    origin: Origin | None = None
    children: dict[str, "_Node"] = field(default_factory=dict[str, "_Node"])

    def copy(self) -> "_Node":
        return _Node(self.origin, {token: node.copy() for token, node in self.children.items()})


class Origins:
    """The origins of a document's values; at first all of them are the document itself."""

    def __init__(self, document: str) -> None:
        self._root = _Node(Origin(document=document, pointer="#"))

    def copy(self) -> "Origins":
        """Return origins that can be changed without changing these."""
        other = Origins("")
        other._root = self._root.copy()
        return other

    def at(self, pointer: str) -> Origin:
        """Return the origin of the value at a pointer into the document as it is now."""
        node, tokens = self._root, split(pointer)
        origin, rest = node.origin, tokens
        for depth, token in enumerate(tokens, 1):
            if token not in node.children:
                break
            node = node.children[token]
            if node.origin is not None:
                origin, rest = node.origin, tokens[depth:]
        assert origin is not None, "the root has one"
        return (
            Origin(document=origin.document, pointer=join(origin.pointer, *rest))
            if rest
            else origin
        )

    def put(self, pointer: str, source: "Origins", at: str) -> None:
        """Note that the value at a pointer, with all below it, is that `at` one of a source."""
        found: _Node | None = source._root
        for token in split(at):
            found = found and found.children.get(token)
        node = found.copy() if found else _Node()
        node.origin = source.at(at)
        tokens = split(pointer)
        if tokens:
            self._node(tokens[:-1]).children[tokens[-1]] = node
        else:
            self._root = node

    def remove(self, pointer: str, length: int | None) -> None:
        """Note that a member, or an item of an array of a length, is gone; later items move."""
        *parent_tokens, last = split(pointer)
        parent = self._node(tuple(parent_tokens))
        if length is not None:
            array = join("#", *parent_tokens)
            origins = [self.at(join(array, index)) for index in range(length)]
            for index in range(int(last) + 1, length):
                moved = parent.children.get(str(index), _Node())
                moved.origin = origins[index]
                parent.children[str(index - 1)] = moved
            last = str(length - 1)
        parent.children.pop(last, None)

    def _node(self, tokens: tuple[str, ...]) -> _Node:
        node = self._root
        for token in tokens:
            node = node.children.setdefault(token, _Node())
        return node
