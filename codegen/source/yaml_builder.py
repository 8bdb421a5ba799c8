"""The events of a YAML parser to a JSON value, one by one.

Works on a stack of open containers, not by recursion. An anchor may be set again (YAML 1.2, section
3.2.2.2); an alias shares the value it names, so nobody may change a value afterwards. What aliases
would copy is counted, as later stages read each copy, and a document is refused that would grow
beyond a bound, in values or in depth.
"""

from dataclasses import dataclass, field
from typing import NoReturn

from yaml import AliasEvent, Event, MappingStartEvent, ScalarEvent, SequenceStartEvent

from codegen.diagnostics import Position
from codegen.source.core_schema import Scalar, is_collection_tag, resolve, resolve_tagged
from codegen.source.positions import Place, Places
from codegen.source.problem import Problem, Unreadable, repeated_key
from codegen.source.values import MAX_DEPTH, Json, OutOfRange

# The values that aliases may stand for, together. Real documents stay under 300.
MAX_COPIES = 100_000


@dataclass(slots=True)
class _Built:
    """What an alias repeats: a value, the cost of a copy, and its text if it can be a key."""

    value: Json
    nodes: int = 1
    height: int = 0
    text: str | None = None


@dataclass(slots=True)
class _Open:
    """A container whose end has not come yet; `key` waits for its value."""

    value: dict[str, Json] | list[Json]
    places: dict[str | int, Place]
    anchor: str | None = None
    nodes: int = 1
    height: int = 1
    key: str | None = None
    is_merge: bool = False
    merges: list[dict[str, Json]] = field(default_factory=list[dict[str, Json]])

    @property
    def wants_key(self) -> bool:
        return self.key is None and isinstance(self.value, dict)


class Builder:
    """Takes a document's events in order; then `result` is its value, `places` its places."""

    def __init__(self) -> None:
        self.places = Places()
        self.problems: list[Problem] = []
        root: list[Json] = []
        self._root = root
        self._stack = [_Open(root, self.places.open(root))]
        self._anchors: dict[str, _Built | _Open] = {}
        self._known: dict[str, Scalar] = {}
        self._copies = 0

    @property
    def result(self) -> Json:
        return self._root[0]

    def scalar(self, event: ScalarEvent, text: str) -> None:
        """Take a scalar, with its text: the event's own may be changed for the parser's sake."""
        place = place_of(event)
        if self._stack[-1].wants_key:
            if event.anchor is not None:
                self._anchors[event.anchor] = _Built(self._resolve(event, text), text=text)
            self._put_key(text, place, is_merge=event.implicit[0] and text == "<<")
            return
        value = self._resolve(event, text)
        if event.anchor is not None:
            self._anchors[event.anchor] = _Built(value, text=text)
        self._place(place)
        self._put(value, 1, 0)

    def alias(self, event: AliasEvent) -> None:
        place = place_of(event)
        if event.anchor not in self._anchors:
            self.fail(f"no anchor `&{event.anchor}` stands before this alias", place)
        built = self._anchors[event.anchor]
        if isinstance(built, _Open):
            self.fail(f"the alias `*{event.anchor}` holds itself", place)
        self._copies += built.nodes
        if self._copies > MAX_COPIES:
            self.fail(f"aliases expand to more than {MAX_COPIES:,} values", place, "SB105")
        if not self._stack[-1].wants_key:
            if len(self._stack) - 1 + built.height > MAX_DEPTH:
                self.fail(f"nested deeper than {MAX_DEPTH} levels", place, "SB105")
            self._place(place)
            self._put(built.value, built.nodes, built.height)
        elif built.text is None:
            self.fail("a key must be a scalar", place)
        else:
            self._put_key(built.text, place, is_merge=False)

    def start(self, event: MappingStartEvent | SequenceStartEvent) -> None:
        place = place_of(event)
        is_mapping = isinstance(event, MappingStartEvent)
        value: dict[str, Json] | list[Json] = {} if is_mapping else []
        if self._stack[-1].wants_key:
            self.fail("a key must be a scalar", place)
        if len(self._stack) > MAX_DEPTH:
            self.fail(f"nested deeper than {MAX_DEPTH} levels", place, "SB105")
        if not is_collection_tag(event.tag, "map" if is_mapping else "seq"):
            self._note("SB106", f"the tag {event.tag!r} is not known", place)
        self._place(place)
        opened = _Open(value, self.places.open(value), event.anchor)
        if event.anchor is not None:
            self._anchors[event.anchor] = opened
        self._stack.append(opened)

    def end(self) -> None:
        """Close the innermost container."""
        done = self._stack.pop()
        if done.merges:
            self._merge(done)
        # A node inside may have taken the anchor over.
        if done.anchor is not None and self._anchors[done.anchor] is done:
            self._anchors[done.anchor] = _Built(done.value, done.nodes, done.height)
        self._put(done.value, done.nodes, done.height)

    def fail(self, message: str, place: Place, code: str = "SB103") -> NoReturn:
        self._note(code, message, place)
        raise Unreadable(*self.problems)

    def _place(self, place: Place) -> None:
        top = self._stack[-1]
        if isinstance(top.value, list):
            top.places[len(top.value)] = place

    def _put_key(self, text: str, place: Place, *, is_merge: bool) -> None:
        top = self._stack[-1]
        first = top.places.setdefault(text, place)
        if first is not place:
            self.problems.append(repeated_key(text, first, _position(place)))
        top.key, top.is_merge = text, is_merge

    def _put(self, value: Json, nodes: int, height: int) -> None:
        top = self._stack[-1]
        top.nodes += nodes
        if height >= top.height:
            top.height = height + 1
        if isinstance(top.value, list):
            top.value.append(value)
            return
        assert top.key is not None
        if top.is_merge:
            self._put_merge(top, value)
        else:
            top.value[top.key] = value
        top.key = None

    def _put_merge(self, top: _Open, value: Json) -> None:
        sources = value if isinstance(value, list) else [value]
        for source in sources:
            if isinstance(source, dict):
                top.merges.append(source)
            else:
                message = "a merge key takes a mapping or a sequence of mappings"
                self._note("SB103", message, top.places["<<"])

    def _merge(self, done: _Open) -> None:
        """Put merged members before a mapping's own; an earlier source wins over a later one."""
        assert isinstance(done.value, dict)
        own, places = dict(done.value), dict(done.places)
        for table in (done.value, done.places):
            table.clear()
        for source in reversed(done.merges):
            done.value.update(source)
            done.places.update(self.places.of(source))
        done.value.update(own)
        done.places.update(places)

    def _resolve(self, event: ScalarEvent, text: str) -> Scalar:
        try:
            if event.tag is not None:
                return resolve_tagged(event.tag, text)
            if not event.implicit[0]:
                return text
            if text not in self._known:
                self._known[text] = resolve(text)
            return self._known[text]
        except LookupError:
            self._note("SB106", f"the tag {event.tag!r} is not known", place_of(event))
        except OutOfRange as error:
            self._note("SB105", str(error), place_of(event))
        except ValueError as error:
            self._note("SB103", str(error), place_of(event))
        return None

    def _note(self, code: str, message: str, place: Place) -> None:
        self.problems.append(Problem(code, message, _position(place)))


def place_of(event: Event) -> Place:
    """Return where an event starts."""
    mark = event.start_mark
    assert mark is not None, "parsers mark every event"
    return (mark.line + 1, mark.column + 1)


def _position(place: Place) -> Position:
    return Position(line=place[0], column=place[1])
