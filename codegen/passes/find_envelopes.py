"""After this, a stream whose events are described with their envelope says so, and no string tells
what its JSON text holds: the data of an envelope is that itself.

OpenAPI 3.2 section 4.14.3.3 describes server-sent events so: an object with `data`, `event`, `id`
and `retry`, where `contentSchema` is the type of the JSON in `data`. Others have described them so
before, with the type in its place. An envelope that has `data` alone says nothing beside it, so the
data are the events. One that has no name, and one text as its data, ends the stream.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from codegen.diagnostics import Diagnostics
from codegen.ir.api import Api, Envelope, Framing, Object, StopData, Stream
from codegen.ir.members import Known, constant_texts, member_of
from codegen.ir.types import DeclId, Literal, Ref, Scalar, ScalarKind, Type, Union
from codegen.ir.walk import decls_by_id, map_api, resolve, without_null

_MEMBERS = frozenset({"data", "event", "id", "retry"})


def find_envelopes(api: Api, diagnostics: Diagnostics) -> Api:
    """Open the envelopes of every stream that has some."""
    known = Known(decls_by_id(api))
    opened: dict[DeclId, Object] = {}
    streams: list[Stream] = []
    for stream in api.streams:
        objects = known.objects(stream.event)
        if _has_envelopes(stream, objects, known):
            opened |= {object_.id: _open(object_) for object_ in objects}
            stream = _find(stream, objects, known)
        streams.append(stream)
    decls = tuple(opened.get(decl.id, decl) for decl in api.decls)
    return map_api(replace(api, decls=decls, streams=tuple(streams)), _close)


def _has_envelopes(stream: Stream, objects: list[Object], known: Known) -> bool:
    if stream.has_envelopes is not None or stream.framing is not Framing.SSE:
        return bool(stream.has_envelopes)
    return known.is_object(stream.event) and all(map(_is_envelope, objects))


def _is_envelope(object_: Object) -> bool:
    names = {field.wire for field in object_.fields}
    return "data" in names and names <= _MEMBERS


def _open(object_: Object) -> Object:
    """The envelope with the type of its JSON in place of the text."""
    fields = (
        replace(field, type=_content(field.type)) if field.wire == "data" else field
        for field in object_.fields
    )
    return replace(object_, fields=tuple(fields))


def _content(type_: Type) -> Type:
    return type_.content if isinstance(type_, Scalar) and type_.content is not None else type_


def _close(type_: Type) -> Type:
    return replace(type_, content=None) if isinstance(type_, Scalar) and type_.content else type_


def _find(stream: Stream, objects: list[Object], known: Known) -> Stream:
    ends = [object_ for object_ in objects if len(objects) > 1 and _only_text(object_, known)]
    if ends:
        stops = (StopData(text=_only_text(object_, known)) for object_ in ends)
        event = _without(stream.event, {object_.id for object_ in ends}, known)
        stop = tuple(dict.fromkeys((*stream.stop, *stops)))
        stream = replace(stream, event=event, stop=stop)
        objects = [object_ for object_ in objects if object_ not in ends]
    if len(objects) == 1 and len(objects[0].fields) == 1 and not _is_text(objects[0], known):
        return replace(stream, event=_content(objects[0].fields[0].type))
    texts = [object_ for object_ in objects if _is_text(object_, known)]
    names = (name for object_ in texts for name in constant_texts(object_, "event", known.decls))
    declared = {field.wire: None for object_ in objects for field in object_.fields}
    envelope = Envelope(
        members=tuple(name for name in declared if name != "data"),
        texts=tuple(names),
        is_text=len(texts) == len(objects),
    )
    return replace(stream, envelope=envelope)


def _only_text(object_: Object, known: Known) -> str:
    """The one text that the data of an event without a name can be; empty where there is none."""
    data = constant_texts(object_, "data", known.decls)
    return data[0] if len(data) == 1 and not constant_texts(object_, "event", known.decls) else ""


def _is_text(object_: Object, known: Known) -> bool:
    """Whether the data of an event is text, not JSON."""
    data = member_of(object_, "data")
    type_ = without_null(data.type, known.decls) if data is not None else None
    if isinstance(type_, Literal):
        return set(type_.kinds) == {ScalarKind.STRING}
    return isinstance(type_, Scalar) and type_.kind is ScalarKind.STRING and type_.content is None


def _without(type_: Type, left_out: Iterable[DeclId], known: Known) -> Type:
    """A union without some of its objects."""
    union = resolve(type_, known.decls)
    if not isinstance(union, Union):
        return type_
    gone = {Ref(id_) for id_ in left_out}
    kept = tuple(it for it in union.members if resolve(it, known.decls) not in gone)
    return kept[0] if len(kept) == 1 else replace(union, members=kept)
