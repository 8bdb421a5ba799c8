"""Streams of server-sent events."""

from __future__ import annotations

from .framing import MAX_EVENT_SIZE
from .sse import ServerSentEvent, ServerSentEventDecoder
from .stream import E, Item, OnInvalid, TypedStream

_LONGEST_ERROR = 1024 * 1024


class EventStream(TypedStream[E]):
    """Reads server-sent events.

    `on_invalid` says what `iter` and `aiter` do with an event that is not what its
    type says: raise `DecodeError`, or deliver an `InvalidEvent` in its place.
    `last_event_id` is what an earlier connection left; an event of more than
    `max_event_size` bytes is an error.

    A server that fails before it streams often answers with a plain JSON object. It
    is no event stream, and read as one it is empty: so it is taken for one event.
    """

    def __init__(
        self,
        *,
        on_invalid: OnInvalid = "raise",
        last_event_id: str = "",
        max_event_size: int = MAX_EVENT_SIZE,
    ) -> None:
        self._events = ServerSentEventDecoder(
            last_event_id, max_event_size=max_event_size
        )
        self._start: bytearray | None = bytearray()
        super().__init__(self._events, on_invalid)

    @property
    def last_event_id(self) -> str:
        """The id to resume from, as the last `id` field set it."""
        return self._events.last_event_id

    @property
    def retry(self) -> int | None:
        """The milliseconds to wait before reconnecting, if the server said so."""
        return self._events.retry

    def feed(self, data: bytes) -> list[Item[E]]:
        """Take the bytes of one read and return the items that they complete."""
        items = super().feed(data)
        if self._start is not None:
            self._start += data if self._start else data.lstrip()
            may_be_object = not self._start or self._start.startswith(b"{")
            if items or not may_be_object or len(self._start) > _LONGEST_ERROR:
                self._start = None
        return items

    def close(self) -> list[Item[E]]:
        """Take the end of the input and return what can still be used.

        An event that its framing did not end counts only if it is whole.
        """
        if self._start:
            body = self._start.decode("utf-8", "replace")
            return self._items([ServerSentEvent("message", body)]) + super().close()
        return super().close()
