"""After this, a stream whose events are told apart knows the member that does it, and its values.

`x-stream` may name the member, or the framing's event name. Where it does not, the tag of the
events' union is that member: events of other kinds are then known to be others, and are never taken
for one of the union.
"""

from __future__ import annotations

from dataclasses import replace

from codegen.diagnostics import Diagnostics
from codegen.ir.api import Api, Kinds, Stream
from codegen.ir.types import Union
from codegen.ir.walk import decls_by_id, resolve


def find_kinds(api: Api, diagnostics: Diagnostics) -> Api:
    """Complete the kinds of every stream."""
    decls = decls_by_id(api)

    def complete(stream: Stream) -> Stream:
        type_ = resolve(stream.event, decls)
        tag = type_.tag if isinstance(type_, Union) else None
        kinds = stream.kinds or Kinds(field=None)
        if stream.envelope is not None and kinds.field in (None, "event"):
            # The member of the envelope is the name on the wire.
            kinds = replace(kinds, on_wire=True)
        if tag is None or kinds.field not in (None, tag.field):
            return stream
        names = tuple(value for value, _ in tag.cases)
        return replace(stream, kinds=replace(kinds, field=tag.field, names=names))

    return replace(api, streams=tuple(complete(stream) for stream in api.streams))
