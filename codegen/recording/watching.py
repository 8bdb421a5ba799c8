"""A stream of a package that tells what becomes of each frame.

Its class is derived from that of the package. Only here is it known what stream classes hold for
those that are derived from them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from codegen.ir.api import Envelope
from codegen.recording.package import Package
from codegen.source.values import Json


def start_watched(package: Package, note: Callable[[Any, Any], None]) -> Any:
    """A stream that has read nothing yet; each frame is noted with its item, if it has one."""
    base = package.stream_class

    def items(stream: Any, frames: Sequence[Any]) -> list[Any]:
        found: list[Any] = []
        for frame in frames:
            one = base._items(stream, [frame])
            note(frame, one[0] if one else None)
            found += one
            if stream._has_stopped:
                break
        return found

    return type(base.__name__, (base,), {"_items": items})(on_invalid="keep")


def count_frames(package: Package, data: bytes) -> int:
    """How many events bytes hold, whatever they say."""
    framing = package.start()._framing
    return len(framing.feed(data)) + len(framing.close())


def wrap(stream: Any, data: Json, envelope: Envelope) -> Json:
    """The JSON of the event that is being read: its data, with what its envelope has."""
    return cast(Json, stream._envelope(data, *envelope.members))
