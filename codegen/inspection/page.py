"""A recorded body as one page that needs nothing else: its source lies in `templates/page/`.

All that comes from the recording is data, embedded as JSON in which nothing can end the element
that it stands in; the page writes it as text. Its policy lets nothing be fetched.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from codegen.inspection.notation import format_deviation, format_path, format_value
from codegen.recording.events import Deviation, Ending, Event
from codegen.recording.places import Locate
from codegen.recording.typed import Record, Typed, leaves
from codegen.templates import templates_folder

# The characters that HTML and scripts know by heart, as JSON spells them otherwise.
_ESCAPES = {ord(it): f"\\u{ord(it):04x}" for it in "<>&\u2028\u2029"}
_BRIEF = 80


def format_page(
    name: str, about: str, events: Iterable[Event], ending: Ending, locate: Locate
) -> str:
    """The page, as HTML."""
    data = {
        "name": name,
        "about": about,
        "outcome": ending.outcome,
        "size": ending.size,
        "ending": [_deviation(it, locate) for it in ending.deviations],
        "events": [_event(it, locate) for it in events],
    }
    parts = {
        "style": _source("page.css"),
        "script": _source("page.js"),
        "data": json.dumps(data, ensure_ascii=False).translate(_ESCAPES),
    }
    # The data come last: what they hold is not looked through for more.
    page = _source("page.html")
    for part, text in parts.items():
        before, _, after = page.partition(f"{{{{{part}}}}}")
        page = f"{before}{text}{after}"
    return page


def _source(name: str) -> str:
    return (templates_folder() / "page" / name).read_text("utf-8")


def _event(event: Event, locate: Locate) -> dict[str, Any]:
    return {
        "offset": event.offset,
        "name": event.name,
        "role": event.role.value,
        "raw": event.raw.decode("utf-8", "replace"),
        "brief": _brief(event),
        "json": None if event.typed is not None else event.json,
        "typed": _typed(event.typed),
        "changes": [[it.effect.value, [*it.path], it.value] for it in event.changes],
        "deviations": [_deviation(it, locate) for it in event.deviations],
    }


def _brief(event: Event) -> str:
    """What an event adds to the snapshot, or holds where it adds nothing."""
    if event.changes:
        change = event.changes[-1]
        return f"{format_path(change.path[-1:])} {format_value(change.value)}"[:_BRIEF]
    told = (f"{format_path(path)}={format_value(value)}" for path, value in leaves(event.typed))
    return ", ".join(told)[:_BRIEF] if event.typed is not None else ""


def _typed(value: Typed) -> Any:
    match value:
        case Record(name=name, members=members):
            return ["record", name, [[key, _typed(it)] for key, it in members]]
        case list():
            return ["list", [_typed(it) for it in value]]
        case dict():
            return ["dict", [[key, _typed(it)] for key, it in value.items()]]
        case _:
            return value


def _deviation(deviation: Deviation, locate: Locate) -> dict[str, str]:
    name = f" {deviation.name}" if deviation.name else ""
    what = format_deviation(deviation).removeprefix(deviation.kind.value).strip()
    return {
        "told": f"{deviation.kind.value}{name}",
        "what": what,
        "schema": deviation.place.pointer,
        "place": locate(deviation.place),
    }
