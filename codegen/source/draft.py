"""A document being changed by an overlay's actions.

The document's values may be shared, by aliases and with other documents, so a container is copied
before its first change and changed in place after. Every change is noted in the origins. Merging
follows Overlay 1.1, section 4.4.3.
"""

from collections.abc import Sequence

from codegen.diagnostics import Diagnostics, Origin
from codegen.source.document import Document
from codegen.source.origins import Origins
from codegen.source.pointer import join
from codegen.source.values import Json

# Member names and array indices from the root, as a JSONPath library gives them.
Location = tuple[str | int, ...]


class Draft:
    """A document's data and origins, open for changes; reports SB125 for what cannot merge."""

    def __init__(self, document: Document, diagnostics: Diagnostics) -> None:
        self.origins = document.origins.copy()
        self._name = document.name
        self._diagnostics = diagnostics
        # A list around the root makes the root a child like any other.
        self._holder: list[Json] = [document.data]
        self._owned: dict[int, Json] = {}

    @property
    def data(self) -> Json:
        return self._holder[0]

    def share(self) -> None:
        """Own nothing any more: values were put into the draft that are part of it elsewhere."""
        self._owned.clear()

    def update(self, location: Location, value: Json, source: Origins, at: str) -> None:
        """Merge a value into an object, append it to an array, or replace a primitive.

        The value is the one at the pointer `at` of a source.
        """
        target = self._own(location)
        if isinstance(target, list):
            self._append(location, target, value, source, at)
        else:
            self._merge(location, value, source, at)

    def remove(self, locations: Sequence[Location], origin: Origin) -> None:
        """Remove the values at all the locations, which are those before any of them is gone."""
        # Backwards: items before those in front of them, and what lies inside a value before the
        # value.
        for location in sorted(set(locations), key=_order, reverse=True):
            if not location:
                message = "the whole document cannot be removed"
                self._diagnostics.add("SB125", message, origin=origin)
                continue
            parent, last = self._own(location[:-1]), location[-1]
            length = len(parent) if isinstance(parent, list) else None
            self.origins.remove(join("#", *location), length)
            match parent, last:
                case dict(), str():
                    del parent[last]
                case list(), int():
                    del parent[last]
                case _:
                    raise AssertionError("a location leads through objects and arrays")

    def _merge(self, location: Location, value: Json, source: Origins, at: str) -> None:
        target = self._own(location)
        match target, value:
            case dict(), dict():
                for name, member in value.items():
                    place, inside = join(at, name), (*location, name)
                    if name in target:
                        self._merge(inside, member, source, place)
                    else:
                        target[name] = member
                        self.origins.put(join("#", *inside), source, place)
            case list(), list():
                for index, item in enumerate(value):
                    self._append(location, target, item, source, join(at, index))
            case (dict() | list(), _) | (_, dict() | list()):
                pointer = join("#", *location)
                message = (
                    f"{_kind(value)} cannot go into {_kind(target)}, {pointer} of {self._name}"
                )
                self._diagnostics.add("SB125", message, origin=source.at(at))
            case _:
                self._replace(location, value)
                self.origins.put(join("#", *location), source, at)

    def _append(
        self, location: Location, target: list[Json], item: Json, source: Origins, at: str
    ) -> None:
        self.origins.put(join("#", *location, len(target)), source, at)
        target.append(item)

    def _own(self, location: Location) -> Json:
        value = self._claim(self._holder, 0)
        for token in location:
            value = self._claim(value, token)
        return value

    def _claim(self, container: Json, token: str | int) -> Json:
        value = _child(container, token)
        if isinstance(value, dict | list) and id(value) not in self._owned:
            value = value.copy()
            self._owned[id(value)] = value
            _put(container, token, value)
        return value

    def _replace(self, location: Location, value: Json) -> None:
        holder: Location = location[:-1]
        container = self._own(holder) if location else self._holder
        _put(container, location[-1] if location else 0, value)


def _child(container: Json, token: str | int) -> Json:
    match container, token:
        case dict(), str():
            return container[token]
        case list(), int():
            return container[token]
        case _:
            raise LookupError(token)


def _put(container: Json, token: str | int, value: Json) -> None:
    match container, token:
        case dict(), str():
            container[token] = value
        case list(), int():
            container[token] = value
        case _:
            raise LookupError(token)


def _order(location: Location) -> list[tuple[int, str]]:
    return [(token, "") if isinstance(token, int) else (0, token) for token in location]


def _kind(value: Json) -> str:
    match value:
        case dict():
            return "an object"
        case list():
            return "an array"
        case None:
            return "null"
        case bool():
            return "a boolean"
        case str():
            return "a string"
        case _:
            return "a number"
