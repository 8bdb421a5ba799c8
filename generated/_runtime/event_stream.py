"""Streams of server-sent events."""

from __future__ import annotations

from .sse import ServerSentEventDecoder
from .stream import MAX_EVENT_SIZE, E, OnInvalid, TypedStream


class EventStream(TypedStream[E]):
    """Reads server-sent events.

    `on_invalid` says what `iter` and `aiter` do with an event that is not what its
    type says: raise `DecodeError`, or deliver an `InvalidEvent` in its place.
    `last_event_id` is what an earlier connection left; an event of more than
    `max_event_size` bytes is an error.
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
        super().__init__(self._events, on_invalid)

    @property
    def last_event_id(self) -> str:
        """The id to resume from, as the last `id` field set it."""
        return self._events.last_event_id

    @property
    def retry(self) -> int | None:
        """The milliseconds to wait before reconnecting, if the server said so."""
        return self._events.retry
