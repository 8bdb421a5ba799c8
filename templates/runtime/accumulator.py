"""What has come of a JSON value: pieces, kept as they come and joined on read.

An accumulator is the members of an object, or the entries of an array by their keys.
What joins it costs the same however long the stream is, and is not changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from .decoding import Unfit, is_array, is_object
from .errors import IncompleteResult

NOTHING: Final = object()
"""What is shown of a value that has not come."""
_EMPTY = (None, "")
_SAME_KIND: Final = "what has the kind of what came before it"
# What has more digits is not written, as it would not be read.
_TOO_LARGE: Final = 10**4300


class Pieces(list[str]):
    """A text in pieces."""

    def show(self, whole: bool) -> Any:
        text = "".join(self)
        try:
            text.encode()
        except UnicodeEncodeError:
            # Two pieces may hold one half each of a surrogate pair.
            text = text.encode("utf-16", "surrogatepass").decode(
                "utf-16", "surrogatepass"
            )
        return text


class Accumulator(dict[Any, Any]):
    """The members of an object that have come."""

    __slots__ = ("_start",)

    def __init__(self, members: Mapping[Any, Any] | None = None) -> None:
        self._start = members or {}
        super().__init__(self._start)

    def show(self, whole: bool = False) -> Any:
        """Give what has come as JSON data of its own; `whole`: no more will come.

        Raises IncompleteResult for a JSON text that was cut, where that is an error.
        """
        return dict(_show_all(self.items(), whole))

    # Where values go

    def object(self, key: Any, make: Mapping[str, Any] | None = None) -> Accumulator:
        """Give the object under a key; `make` is what a new one holds.

        Raises Unfit where something else is, or an array has as many as it may.
        """
        held = self.get(key)
        if type(held) is Accumulator:
            return held
        if key not in self:
            self._make_room()
        _check(held, is_object(held), "an object")
        begun = self[key] = Accumulator(held if is_object(held) else make)
        return begun

    def array(
        self, key: Any, *, by_arrival: bool = False, limit: int | None = None
    ) -> Entries:
        """Give the array under a key; its entries are sorted, or as they arrive.

        Raises Unfit where something else is.
        """
        held = self.get(key)
        if type(held) is Entries:
            return held
        _check(held, is_array(held), "an array")
        entries: Any = held if is_array(held) else ()
        begun = self[key] = Entries(entries, by_arrival, limit)
        return begun

    def entry(
        self,
        key: Any,
        at: Any,
        make: Mapping[str, Any] | None = None,
        by_arrival: bool = False,
        limit: int | None = None,
    ) -> Accumulator:
        """Give an object of the array under a key, as `array` and `object` would."""
        entries = self.get(key)
        if type(entries) is Entries:
            held = entries.get(at)
            if type(held) is Accumulator:
                return held
        entries = self.array(key, by_arrival=by_arrival, limit=limit)
        return entries.object(at, make)

    def _make_room(self) -> None:
        """Refuse one more, where there may not be."""

    # How values join

    def become(self, value: Mapping[str, Any]) -> None:
        """Take an object in place of all that has come since the start."""
        self.clear()
        self.update({**self._start, **value})

    def first(self, key: Any, value: Any) -> None:
        """Take a value if there is none yet; an empty text is none."""
        if self.get(key) in _EMPTY:
            self[key] = value

    def concat(self, key: Any, text: str) -> None:
        """Join a text to those that came; raises Unfit where something else is."""
        held = self.get(key)
        if not isinstance(held, Pieces):
            if not text and held is not None:
                return
            _check(held, isinstance(held, str), "a text")
            held = self[key] = Pieces((held,) if isinstance(held, str) else ())
        held.append(text)

    def append(self, key: Any, entries: Sequence[Any]) -> None:
        """Add entries to an array."""
        if entries:
            self.array(key).unkeyed.extend(entries)

    def sum(self, key: Any, value: float) -> None:
        """Add a number; raises Unfit for a sum that JSON cannot hold."""
        try:
            total = self.get(key, 0) + value
        except OverflowError:
            total = float("inf")
        if not -_TOO_LARGE < total < _TOO_LARGE:
            raise Unfit("a number that can be added", "one that is too large")
        self[key] = total

    def max(self, key: Any, value: float) -> None:
        """Take a number if it is the greatest."""
        self[key] = max(self.get(key, value), value)

    def list_others(self, source: Mapping[str, Any], declared: set[str]) -> None:
        """Keep the undeclared members of an object, each with all its values."""
        for name in source:
            if name not in declared:
                self.append(name, (source[name],))

    def last_others(self, source: Mapping[str, Any], declared: set[str]) -> None:
        """Keep the undeclared members of an object, each with its last value."""
        for name, value in source.items():
            if value is not None and name not in declared:
                self[name] = value

    def concat_others(self, source: Mapping[str, Any], declared: set[str]) -> None:
        """Keep the undeclared members of an object: texts joined, others the last."""
        for name, value in source.items():
            if value is None or name in declared:
                continue
            if isinstance(value, str):
                self.concat(name, value)
            else:
                self[name] = value


class Entries(Accumulator):
    """The entries of an array that have come, by their keys."""

    __slots__ = ("_by_arrival", "_limit", "latest", "unkeyed")

    def __init__(
        self, entries: Sequence[Any], by_arrival: bool, limit: int | None
    ) -> None:
        super().__init__(dict(enumerate(entries)))
        self._by_arrival = by_arrival
        self._limit = limit
        self.unkeyed: list[Any] = []
        """The entries that have no key: they come after the others."""
        self.latest: Accumulator | None = None
        """The entry that was asked for last."""

    def show(self, whole: bool = False) -> Any:
        """Give the entries in their order."""
        keys = self if self._by_arrival else sorted(self, key=_rank)
        entries = enumerate((*(self[key] for key in keys), *self.unkeyed))
        return [entry for _, entry in _show_all(entries, whole)]

    def owner(
        self, entry: Any, key: str, *, apart: str | None = None, or_last: bool = False
    ) -> Accumulator:
        """Give what an entry belongs to: what has its key.

        Without a key it is one of its own, or with `or_last` belongs to the entry
        before it. If its `apart` is another than came under that key, it is another.
        """
        at = entry.get(key)
        if at is not None:
            place = at if apart is None else self._place(at, entry, apart)
            self.latest = self.object(place)
        elif not or_last or self.latest is None:
            self._make_room()
            self.latest = Accumulator()
            self.unkeyed.append(self.latest)
        return self.latest

    def _place(self, key: Any, entry: Any, apart: str) -> Any:
        """Find the place among those with one key: the last if `apart` is not said."""
        name, place, count = entry.get(apart), key, 0
        while (held := self.get(place)) is not None:
            count += 1
            if name in _EMPTY:
                if (key, count) not in self:
                    break
            elif held.get(apart) in (*_EMPTY, name):
                break
            place = (key, count)
        return place

    def _make_room(self) -> None:
        if self._limit is not None and len(self) + len(self.unkeyed) >= self._limit:
            raise Unfit(f"at most {self._limit} entries", "more")


def _check(held: Any, fits: bool, kind: str) -> None:
    """Refuse to lose what has come to a value of another kind; no text is none."""
    is_empty = held in _EMPTY or (isinstance(held, Pieces) and not any(held))
    if not fits and not is_empty:
        raise Unfit(_SAME_KIND, kind)


def _rank(key: Any) -> tuple[bool, Any, int]:
    """Order keys: entries put there have numbers, those that are apart a second one."""
    at, count = cast(tuple[Any, int], key if type(key) is tuple else (key, 0))
    return isinstance(at, str), at, count


def _show_all(
    values: Iterable[tuple[Any, Any]], whole: bool
) -> Iterator[tuple[Any, Any]]:
    """Show members by their names, or entries by their places, that have come."""
    for token, value in values:
        try:
            json = shown(value, whole)
        except IncompleteResult as error:
            raise error.inside(token) from None
        if json is not NOTHING:
            yield token, json


def shown(value: Any, whole: bool) -> Any:
    """Give a value as JSON data of its own."""
    kind = value.__class__
    if kind is dict:
        return {name: shown(member, whole) for name, member in value.items()}
    if kind is list:
        return [shown(entry, whole) for entry in value]
    if isinstance(value, Accumulator | Pieces):
        return value.show(whole)
    return value
