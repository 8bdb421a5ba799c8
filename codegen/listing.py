"""An API as a list: what a document offers, and under which Python names it comes out.

In: an `Api`. Out: aligned columns for people, or JSON with the same facts. Names come from the
document, so text for people is escaped.
"""

import json
from collections.abc import Iterable, Iterator, Sequence

from codegen.backends.naming import Naming, name_api
from codegen.ir.api import Api, Stream
from codegen.ir.schemas import schema_names
from codegen.ir.types import Ref
from codegen.report import escape


def format_listing(api: Api) -> str:
    """Return sections of schemas, operations and streams, a line each, in the document's order."""
    naming = name_api(api)
    sections: dict[str, list[tuple[str, ...]]] = {
        "schemas": [(name, naming.classes[id_]) for id_, name in schema_names(api).items()],
        "operations": [(op.id, op.method, op.path) for op in api.operations],
        "streams": [
            (name, stream.operation.id, stream.media_type, _event(stream, naming))
            for name, stream in naming.streams.items()
        ],
    }
    return "".join(
        f"{line}\n"
        for title, rows in sections.items()
        for line in (f"{title} ({len(rows)})", *_align(rows))
    )


def format_listing_json(api: Api) -> str:
    """Return an object: `schemas` by their names, `operations` by their ids, `streams` by class."""
    naming = name_api(api)
    listing = {
        "schemas": {name: naming.classes[id_] for id_, name in schema_names(api).items()},
        "operations": {op.id: {"method": op.method, "path": op.path} for op in api.operations},
        "streams": {
            name: {
                "operation": stream.operation.id,
                "media_type": stream.media_type,
                "framing": stream.framing.value,
                "event": _event(stream, naming),
            }
            for name, stream in naming.streams.items()
        },
    }
    return json.dumps(listing, indent=2) + "\n"


def _event(stream: Stream, naming: Naming) -> str:
    """Return the class of a stream's events; empty where they have none, as plain strings."""
    return naming.classes[stream.event.target] if isinstance(stream.event, Ref) else ""


def _align(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    shown = [[escape(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    for row in shown:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"  {'  '.join(cells)}".rstrip()
