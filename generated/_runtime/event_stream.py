"""Streams of server-sent events."""

from __future__ import annotations

from .framing import MAX_EVENT_SIZE
from .sse import ServerSentEvent, ServerSentEventDecoder
from .stream import E, Item, OnInvalid, Parser, TypedStream


class EventStream(TypedStream[E]):
    """Reads server-sent events.

    `on_invalid` says what `iter` and `aiter` do with an event that is not what its
    type says: raise `DecodeError`, or deliver an `InvalidEvent` in its place.
    `last_event_id` is what an earlier connection left; an event of more than
    `max_event_size` bytes is an error. `parse` reads JSON text in place of the standard
    library, faster if it is `orjson.loads` or `msgspec.json.decode`, and to the same
    end: what it refuses or cannot hold, the standard library reads.

    A server that fails may send a plain JSON object, in place of events or after some.
    These lines are no fields, and so ignored: at the end they are taken for one event.
    """

    def __init__(
        self,
        *,
        on_invalid: OnInvalid = "raise",
        last_event_id: str = "",
        max_event_size: int = MAX_EVENT_SIZE,
        parse: Parser | None = None,
    ) -> None:
        self._events = ServerSentEventDecoder(
            last_event_id, max_event_size=max_event_size
        )
        super().__init__(self._events, on_invalid, parse)

    @property
    def last_event_id(self) -> str:
        """The id to resume from, as the last `id` field set it."""
        return self._events.last_event_id

    @property
    def retry(self) -> int | None:
        """The milliseconds to wait before reconnecting, if the server said so."""
        return self._events.retry

    def close(self) -> list[Item[E]]:
        """Take the end of the input and return what can still be used.

        An event that its framing did not end counts only if it is whole.
        """
        last = self._events.close()
        stray = bytes(self._events.stray)
        if stray and not self._has_stopped:
            text = stray.decode("utf-8", "replace").strip()
            last.append(ServerSentEvent("message", text))
        return self._close(last)
