"""A stream of typed events, without I/O: bytes in, items out.

`feed` and `close` never raise for what came over the wire; `iter` and `aiter` are
the loop around them for those who have the bytes at hand. A generated class says
how one event is read; everything that all streams share is here.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from enum import Enum
from typing import ClassVar, Generic, Literal, TypeAlias, TypeVar, cast

from .decoding import Mismatch
from .errors import DecodeError, InvalidEvent, Problem, StreamError, TruncatedStream
from .sse import EventTooLarge, ServerSentEvent, ServerSentEventDecoder

E = TypeVar("E")
Item: TypeAlias = E | InvalidEvent | StreamError
OnInvalid: TypeAlias = Literal["raise", "keep"]

MAX_EVENT_SIZE = 16 * 1024 * 1024


class Outcome(Enum):
    """How a stream stands."""

    OPEN = "open"
    COMPLETE = "complete"
    TRUNCATED = "truncated"
    FAILED = "failed"


class EventStream(Generic[E]):
    """Reads server-sent events, each of which holds one JSON text.

    `on_invalid` says what `iter` and `aiter` do with an event that is not what its
    type says: raise `DecodeError`, or deliver an `InvalidEvent` in its place.
    `last_event_id` is what an earlier connection left; an event of more than
    `max_event_size` bytes is an error.
    """

    END: ClassVar[bytes] = b""
    """What ends the stream on the wire; empty where the end of the input does."""

    EOF_IS_ERROR: ClassVar[bool] = False

    def __init__(
        self,
        *,
        on_invalid: OnInvalid = "raise",
        last_event_id: str = "",
        max_event_size: int = MAX_EVENT_SIZE,
    ) -> None:
        self.outcome = Outcome.OPEN
        self._on_invalid = on_invalid
        self._framing = ServerSentEventDecoder(
            last_event_id, max_event_size=max_event_size
        )
        self._tail = ""
        self._begin()

    @property
    def last_event_id(self) -> str:
        """The id to resume from, as the last `id` field set it."""
        return self._framing.last_event_id

    @property
    def retry(self) -> int | None:
        """The milliseconds to wait before reconnecting, if the server said so."""
        return self._framing.retry

    def feed(self, data: bytes) -> list[Item[E]]:
        """Take the bytes of one read and return the items that they complete."""
        if self.outcome is not Outcome.OPEN:
            return []
        try:
            return self._items(self._framing.feed(data))
        except EventTooLarge as error:
            items = self._items(error.events)
            self.outcome = Outcome.FAILED
            limit = Problem("", f"an event of at most {error.limit} bytes", "more")
            return [*items, InvalidEvent("", (limit,))]

    def close(self) -> list[Item[E]]:
        """Take the end of the input and return what can still be used.

        An event without its blank line counts only if it is whole.
        """
        if self.outcome is not Outcome.OPEN:
            return []
        items = self._items(self._framing.close())
        if self.outcome is Outcome.OPEN:
            cut = self.EOF_IS_ERROR or self._tail
            self.outcome = Outcome.TRUNCATED if cut else Outcome.COMPLETE
        return items

    def iter(self, chunks: Iterable[bytes]) -> Iterator[E]:
        """Yield the events of a body as its bytes come.

        Raises StreamError for an error the server reports, DecodeError for an
        event that is not what its type says, TruncatedStream where the input ends
        early; every event before has been yielded by then.
        """
        for data in chunks:
            for item in self.feed(data):
                yield self._deliver(item)
            if self.outcome is not Outcome.OPEN:
                return
        for item in self.close():
            yield self._deliver(item)
        self._finish()

    async def aiter(self, chunks: AsyncIterable[bytes]) -> AsyncIterator[E]:
        """Yield the events of a body as its bytes come: `iter`, asynchronous."""
        async for data in chunks:
            for item in self.feed(data):
                yield self._deliver(item)
            if self.outcome is not Outcome.OPEN:
                return
        for item in self.close():
            yield self._deliver(item)
        self._finish()

    def _items(self, events: list[ServerSentEvent]) -> list[Item[E]]:
        items: list[Item[E]] = []
        for event in events:
            if self.outcome is not Outcome.OPEN:
                break
            item = self._item(event)
            if item is not None:
                items.append(item)
        return items

    def _item(self, event: ServerSentEvent) -> Item[E] | None:
        try:
            item = self._read(event.event, event.data)
        except (Mismatch, ValueError):
            return self._invalid(event)
        if isinstance(item, StreamError):
            self.outcome = Outcome.FAILED
        return item

    def _invalid(self, event: ServerSentEvent) -> InvalidEvent | None:
        try:
            self._check(event.data)
        except DecodeError as error:
            if event.complete:
                return InvalidEvent(event.data, error.errors)
            self._tail = event.data
            return None
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
        self.outcome = Outcome.COMPLETE

    def _begin(self) -> None:
        """Set up what a generated class keeps beside."""

    def _read(self, name: str, data: str) -> E | StreamError | None:
        """Read one event; None where it only ends the stream."""
        raise NotImplementedError

    def _check(self, data: str) -> None:
        """Raise DecodeError for data that is not what the type of an event says."""
        raise NotImplementedError
