"""JSON to dataclasses and back.

A decoded object keeps the JSON object it came from. That is how an explicit null
stays apart from an absent member, and how undeclared members survive: they are
written back with the declared ones, which always have the values they have now.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    NamedTuple,
    Self,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from .._runtime.codec import Codec
from .._runtime.decoding import Decoder, Mismatch
from .._runtime.registry import Registry
from .._runtime.texts import write

if TYPE_CHECKING:
    from .._runtime.explain import Describe

T = TypeVar("T")

NULL = object()
Nullable: TypeAlias = Annotated[T | None, NULL]
"""The type of a member that may be absent or null, which are not the same."""

_NOTHING: Mapping[str, Any] = {}
_new = object.__new__
_PLAIN = frozenset({str, int, float, bool, type(None)})
"""The types of values that are in JSON as they are."""
registry = Registry()


class Record:
    """An object of the API."""

    __slots__ = ("__json__",)

    __json__: dict[str, Any]
    __wire__: ClassVar[dict[str, str]] = {}
    """The names on the wire of the fields that are spelled otherwise in Python."""
    __closed__: ClassVar[bool] = False
    """Whether undeclared members are refused."""
    __limits__: ClassVar[Any] = None
    """How many members an object has, as Limits if there are some."""

    @classmethod
    def __decode__(cls, json: Any) -> Any:
        raise NotImplementedError

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Decode a JSON object; raises DecodeError."""
        return from_json(cls, dict(data))

    def to_dict(self) -> dict[str, Any]:
        """Encode as a JSON object; what was absent stays absent."""
        members: dict[str, Any] = to_json(self)
        return members


def new_record(cls: type[Any], json: Any) -> Any:
    """Make an object without its members, which holds the JSON object it is for."""
    if json.__class__ is not dict:
        raise Mismatch
    record = _new(cls)
    record.__json__ = json
    return record


class UnknownVariant(Record):
    """An object of a kind that the document does not list, as it came."""

    __slots__ = ()

    def __init__(self, /, **members: Any) -> None:
        self.__json__ = members

    @classmethod
    def __decode__(cls, json: Any) -> Any:
        return new_record(cls, json)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, UnknownVariant):
            return NotImplemented
        return self.__json__ == other.__json__

    def __hash__(self) -> int:
        return hash(frozenset(self.__json__))

    def __repr__(self) -> str:
        return f"UnknownVariant({self.__json__!r})"


class Slot(NamedTuple):
    """A field, and the member it stands for."""

    field: str
    name: str
    type: Any
    required: bool
    nullable: bool


@cache
def slots(tp: Any) -> tuple[Slot, ...]:
    """The fields of a class of this package."""
    if tp is UnknownVariant:
        return ()
    hints = get_type_hints(tp, include_extras=True)
    return tuple(
        Slot(
            field.name,
            tp.__wire__.get(field.name, field.name),
            hints[field.name],
            field.default is MISSING,
            _is_nullable(hints[field.name]),
        )
        for field in fields(tp)
    )


def _is_nullable(tp: Any) -> bool:
    return tp is Any or (get_origin(tp) is Annotated and NULL in get_args(tp))


def is_record(tp: Any) -> bool:
    """Whether a type is a class of this package."""
    return isinstance(tp, type) and issubclass(tp, Record)


def _decoder(tp: Any) -> Decoder[Any]:
    if is_record(tp):
        decode: Decoder[Any] = tp.__decode__
        return decode
    return registry.find(tp)


def _encode(value: Any) -> Any:
    """Encode a value. It takes no more calls for a level than decoding does, so that
    what could be decoded can be encoded, however deep it nests.
    """
    kind = value.__class__
    if kind in _PLAIN:
        return value
    if kind is list:
        return [it if it.__class__ in _PLAIN else _encode(it) for it in value]
    if kind is dict:
        return {
            name: it if it.__class__ in _PLAIN else _encode(it)
            for name, it in value.items()
        }
    if not isinstance(value, Record):
        return write(value)
    source: Mapping[str, Any] = getattr(value, "__json__", _NOTHING)
    members = dict(source)
    for slot in slots(kind):
        part = getattr(value, slot.field)
        if part is not None:
            members[slot.name] = part if part.__class__ in _PLAIN else _encode(part)
        elif slot.required or (slot.nullable and slot.name in source):
            members[slot.name] = None
        else:
            members.pop(slot.name, None)
    return members


def _describe() -> Describe:
    from ._description import DESCRIBE

    return DESCRIBE


_codec = Codec(_decoder, _encode, _describe)
from_json = _codec.from_json
loads = _codec.loads
to_json = _codec.to_json
dumps = _codec.dumps
prepare = _codec.prepare
complete = _codec.complete
fit = _codec.fit


def register(tp: Any, decode: Decoder[T]) -> None:
    """Say how an alias is decoded: unions, enums, arrays have no class that could."""
    registry.add(tp, decode)


class _Declared(dict[type[Record], frozenset[str]]):
    """The names that a class declares, found when they are first asked for."""

    def __missing__(self, tp: type[Record]) -> frozenset[str]:
        record: Any = tp
        self[tp] = names = frozenset(slot.name for slot in slots(record))
        return names


_declared = _Declared()


def unknown_fields(value: Record) -> Mapping[str, Any]:
    """The members an object came with that the document does not declare."""
    try:
        source = value.__json__
    except AttributeError:  # it was not decoded
        return _NOTHING
    declared = _declared[value.__class__]
    if source.keys() <= declared:
        return _NOTHING
    return {name: source[name] for name in source if name not in declared}
