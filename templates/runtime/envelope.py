"""Server-sent events whose types describe the event, not only its data."""

from __future__ import annotations

from typing import Any

from . import sse
from .event_stream import EventStream
from .jsontext import format
from .stream import E, Frame, Item


class EnvelopeStream(EventStream[E]):
    """Reads server-sent events with their name, id and time to reconnect."""

    def _item(self, frame: Frame) -> Item[E] | None:
        self._frame = frame
        return super()._item(frame)

    def _envelope(self, data: Any, *members: str) -> dict[str, Any]:
        """Give the event that is being read as JSON data with these members."""
        json: dict[str, Any] = {}
        for name in members:
            value = getattr(self._frame, name, None)
            if value not in (None, ""):
                json[name] = value
        json["data"] = data
        return json


def encode(json: dict[str, Any], *members: str, text: bool = False) -> bytes:
    """Write one event with these members; its data are JSON, or a text as it is."""
    data = json.get("data", "")
    return sse.encode(
        data if text else format(data),
        event=json.get("event", ""),
        # An event without an id would have that of the one before.
        id=json.get("id", "") if "id" in members else None,
        retry=json.get("retry"),
    )
