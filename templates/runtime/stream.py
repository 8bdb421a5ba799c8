"""A stream of typed events, without I/O: bytes in, items out.

`feed` and `close` never raise for what came over the wire; `iter` and `aiter` are
the loop around them for those who have the bytes at hand. A framing says where an
event starts and ends, a generated class how one event is read; everything that all
streams share is here.
"""

from __future__ import annotations

from collections.abc import (
    AsyncIterable,
    AsyncIterator,
    Callable,
    Iterable,
    Iterator,
    Sequence,
)
from enum import Enum
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeAlias, TypeVar, cast

from . import jsontext
from .decoding import Mismatch, Unfit, is_array, is_object
from .errors import (
    DecodeError,
    InvalidEvent,
    Problem,
    StreamError,
    TruncatedStream,
)
from .framing import EventTooLarge

E = TypeVar("E")
Item: TypeAlias = E | InvalidEvent | StreamError
OnInvalid: TypeAlias = Literal["raise", "keep"]
Parser: TypeAlias = Callable[[str], Any]

_SELF_DELIMITING = ("{", "[", '"')


class Outcome(Enum):
    """How a stream stands."""

    OPEN = "open"
    COMPLETE = "complete"
    TRUNCATED = "truncated"
    FAILED = "failed"


class Frame(Protocol):
    """One event as its framing delimits it; `complete` is False if it may be cut."""

    @property
    def event(self) -> str: ...
    @property
    def data(self) -> str: ...
    @property
    def complete(self) -> bool: ...


class Framing(Protocol):
    """Takes a body apart."""

    def feed(self, data: bytes, /) -> Sequence[Frame]: ...
    def close(self) -> Sequence[Frame]: ...


class TypedStream(Generic[E]):
    """Reads the events of one response body, each of which holds one JSON text."""

    END: ClassVar[bytes] = b""
    """What ends the stream on the wire; empty where the end of the input does."""

    EOF_IS_ERROR: ClassVar[bool] = False
    """Whether input that ends without a declared stop is a truncated stream."""

    def __init__(
        self, framing: Framing, on_invalid: OnInvalid, parse: Parser | None
    ) -> None:
        if on_invalid not in ("raise", "keep"):
            raise ValueError(f"on_invalid is 'raise' or 'keep', not {on_invalid!r}")
        self.outcome = Outcome.OPEN
        self._has_stopped = False
        self._framing = framing
        self._on_invalid = on_invalid
        self._parse = jsontext.parse if parse is None else _exact(parse)
        self._tail = ""
        self._place: Any = None
        self._begin()

    def feed(self, data: bytes) -> list[Item[E]]:
        """Take the bytes of one read and return the items that they complete."""
        if self._has_stopped:
            return []
        try:
            return self._items(self._framing.feed(data))
        except EventTooLarge as error:
            items = self._items(error.events)
            self._end(Outcome.FAILED)
            limit = Problem("", f"an event of at most {error.limit} bytes", "more")
            return [*items, InvalidEvent("", (limit,))]

    def close(self) -> list[Item[E]]:
        """Take the end of the input and return what can still be used.

        An event that its framing did not end counts only if it is whole.
        """
        return self._close(self._framing.close())

    def _close(self, last: Sequence[Frame]) -> list[Item[E]]:
        if self._has_stopped:
            return []
        items = self._items(last)
        if not self._has_stopped:
            cut = self.EOF_IS_ERROR or self._tail or not self._has_ended()
            self._end(Outcome.TRUNCATED if cut else Outcome.COMPLETE)
        return items

    def iter(self, chunks: Iterable[bytes]) -> Iterator[E]:
        """Yield the events of a body as its bytes come.

        Raises StreamError for an error the server reports, DecodeError for an
        event that is not what its type says (or yields an InvalidEvent in its
        place, with `on_invalid="keep"`), TruncatedStream where the input ends
        early; every event before has been yielded by then.
        """
        for data in chunks:
            for item in self.feed(data):
                yield self._deliver(item)
            if self._has_stopped:
                return
        for item in self.close():
            yield self._deliver(item)
        self._finish()

    async def aiter(self, chunks: AsyncIterable[bytes]) -> AsyncIterator[E]:
        """Yield the events of a body as its bytes come: `iter`, asynchronous."""
        async for data in chunks:
            for item in self.feed(data):
                yield self._deliver(item)
            if self._has_stopped:
                return
        for item in self.close():
            yield self._deliver(item)
        self._finish()

    def _items(self, frames: Sequence[Frame]) -> list[Item[E]]:
        items: list[Item[E]] = []
        for frame in frames:
            item = self._item(frame)
            if item is not None:
                items.append(item)
            if self._has_stopped:
                break
        return items

    def _item(self, frame: Frame) -> Item[E] | None:
        if not frame.complete and not frame.data.startswith(_SELF_DELIMITING):
            # RFC 7464 section 2.4: what is left of 123 may be 12.
            self._tail = frame.data
            return None
        try:
            return self._read(frame.event, frame.data)
        except Unfit as error:
            return InvalidEvent(frame.data, (error.problem,))
        except (Mismatch, ValueError, RecursionError):
            return self._invalid(frame)

    def _invalid(self, frame: Frame) -> InvalidEvent | None:
        if not frame.data.strip():
            # Some servers keep the connection alive with an empty event.
            return None
        errors = self._errors(frame)
        if frame.complete:
            return InvalidEvent(frame.data, errors)
        # What a cut event says of the end is not said.
        self.outcome, self._has_stopped = Outcome.OPEN, False
        self._tail = frame.data
        return None

    def _errors(self, frame: Frame) -> tuple[Problem, ...]:
        try:
            self._check(frame.event, frame.data)
        except DecodeError as error:
            return error.errors
        except ValueError as error:
            return (Problem("", "JSON text", str(error)),)
        raise AssertionError("a decoder refused what its type allows")

    def _deliver(self, item: Item[E]) -> E:
        if isinstance(item, StreamError):
            raise item
        if isinstance(item, InvalidEvent) and self._on_invalid == "raise":
            raise DecodeError(item.errors)
        return cast(E, item)

    def _finish(self) -> None:
        if self.outcome is Outcome.TRUNCATED:
            raise TruncatedStream(self._tail)

    def _stop(self) -> None:
        self._end(Outcome.COMPLETE)

    def _fail(self, payload: Any) -> StreamError:
        self._end(Outcome.FAILED)
        return StreamError(payload)

    def _end(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self._has_stopped = True

    def _has_ended(self) -> bool:
        """Whether the framing has nothing against the end of the input."""
        return True

    def _begin(self) -> None:
        """Set up what a generated class keeps beside."""

    def _read(self, name: str, data: str) -> Item[E] | None:
        """Read one event; None where there is nothing to deliver."""
        raise NotImplementedError

    def _check(self, name: str, data: str) -> None:
        """Raise DecodeError for data that is not what the type of an event says."""
        raise NotImplementedError


def _exact(parse: Parser) -> Parser:
    from .parsers import exact

    return exact(parse)


def name_of(json: Any, member: str) -> str:
    """The name that an event has in its JSON; empty if it has none."""
    name = member_of(json, member)
    return name if isinstance(name, str) else ""


def member_of(json: Any, name: str) -> Any:
    """Find a member of an object; None if there is none."""
    return json.get(name) if json.__class__ is dict else None


def lookup(json: Any, *path: str, default: Any = None) -> Any:
    """Find the value that the tokens of a JSON pointer lead to (RFC 6901 section 4)."""
    for token in path:
        if is_object(json) and token in json:
            json = json[token]
        elif is_array(json) and token in map(str, range(len(json))):
            json = json[int(token)]
        else:
            return default
    return json


def error_in(payload: Any, *path: str) -> Any:
    """Find the error that a payload holds at a place; the payload if it holds none."""
    error = lookup(payload, *path)
    return payload if error is None else error


def payload_of(data: str) -> Any:
    """The JSON of an event, or the text itself where it is none."""
    try:
        return jsontext.parse(data)
    except ValueError:
        return data
