"""JSON to pydantic models and back.

The models are ordinary ones, strict and open to undeclared members. Two things
differ from pydantic's defaults: a member that may be absent but not null is refused
as null, although its attribute may be None; and what was absent is not written.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import cache
from threading import Lock
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    NoReturn,
    TypeAlias,
    TypeVar,
    cast,
    get_args,
    get_type_hints,
)

from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    SerializerFunctionWrapHandler,
    TypeAdapter,
    ValidationError,
    model_serializer,
)

from .._runtime.codec import Codec
from .._runtime.decoding import Decoder, Mismatch
from .._runtime.texts import write
from ._members import counted, dump, means_absence, tell_count, tell_members

if TYPE_CHECKING:
    from .._runtime.explain import Describe

T = TypeVar("T")
M = TypeVar("M", bound="Model")


class _Null:
    """Marks the types that allow null on the wire."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema: Any = handler(source)
        schema["metadata"] = {**schema.get("metadata", {}), "null": True}
        return cast(CoreSchema, schema)


NULL = _Null()
Nullable: TypeAlias = Annotated[T | None, NULL]
"""The type of a member that may be absent or null, which are not the same."""

_BUILDING = Lock()
_begun: ContextVar[frozenset[Any]] = ContextVar("_begun", default=frozenset())
_CALLS: Final = 20_000

_NOTHING: Mapping[str, Any] = {}
_PLAIN = frozenset({str, int, float, bool, type(None)})
"""The types of values that are in JSON as they are."""


class Model(BaseModel):
    """An object of the API."""

    model_config = ConfigDict(
        strict=True, extra="allow", protected_namespaces=(), defer_build=True
    )

    __limits__: ClassVar[Any] = None
    """How many members an object has, as Limits if there are some."""

    def __init__(self, /, **data: Any) -> None:
        fields = fields_of(type(self))
        members: dict[str, Any] = {}
        for name, value in data.items():
            field = fields.get(name)
            if field is None:
                members[name] = value
            elif value is not None or field.is_required() or is_nullable(field):
                members[wire_name(name, field)] = value
        super().__init__(**members)

    @model_serializer(mode="wrap")
    def _leave_out_absent(
        self, handler: SerializerFunctionWrapHandler
    ) -> dict[str, Any]:
        members: dict[str, Any] = handler(self)
        for name, field in type(self).model_fields.items():
            if name not in self.model_fields_set:
                members.pop(name, None)
                members.pop(wire_name(name, field), None)
        return members

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler, /
    ) -> CoreSchema:
        _complete(cls)
        schema = handler(source)
        if cls.__pydantic_complete__:
            return schema
        inner: Any = handler.resolve_ref_schema(schema)
        outer = inner
        while inner["type"] != "model-fields":
            outer, inner = inner, inner["schema"]
        if cls.__limits__ is not None:
            outer["schema"] = counted(inner, cls.__limits__)
        for member in inner["fields"].values():
            default = member["schema"]
            if default["type"] == "default" and means_absence(default["schema"]):
                # None is refused, but it is what an absent member is when it is dumped.
                present = default["schema"]["schema"]
                default["schema"] = {**present, "serialization": dump(present)}
        if "__others__" in cls.__annotations__:
            inner["extras_schema"] = handler.generate_schema(others(cls))
        return schema

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler, /
    ) -> JsonSchemaValue:
        # What is written is what is read: the serializer leaves out what was absent.
        members = {key: it for key, it in schema.items() if key != "serialization"}
        shown = handler(cast(CoreSchema, members))
        names = {wire_name(name, it): name for name, it in cls.model_fields.items()}
        return tell_members(cls, names, shown) | tell_count(cls.__limits__)


# As pydantic marks its own: validation does not go through this constructor.
Model.__init__.__dict__.update(__pydantic_base_init__=True)


class UnknownVariant(Model):
    """An object of a kind that the document does not list, as it came."""


def is_nullable(field: FieldInfo) -> bool:
    """Whether a member may be null."""
    return field.annotation is Any or NULL in field.metadata


def wire_name(name: str, field: FieldInfo) -> str:
    """What a member is called in JSON."""
    alias = field.validation_alias
    return alias if isinstance(alias, str) else name


def member(value: Model, wire: str) -> Any:
    """The member of an object that is called so in JSON, None where there is none."""
    for name, field in fields_of(type(value)).items():
        if wire_name(name, field) == wire:
            return getattr(value, name)
    return (value.model_extra or _NOTHING).get(wire)


def others(tp: type[Model]) -> Any:
    """Of what type the undeclared members of a model are."""
    if tp.model_config.get("extra") == "forbid":
        return NoReturn
    hint = get_type_hints(tp, include_extras=True).get("__others__")
    return Any if hint is None else get_args(hint)[0]


def is_model(tp: Any) -> bool:
    """Whether a type is a class of this package."""
    return isinstance(tp, type) and issubclass(tp, Model)


def fields_of(tp: type[Model]) -> dict[str, FieldInfo]:
    """The fields of a model, complete: building it was put off until it is used."""
    if not tp.__pydantic_complete__:
        _build(lambda: _complete(tp))
    return tp.model_fields


def _complete(tp: type[Model]) -> None:
    """Build a model; a model inside is built before, by itself, and is shared."""
    begun = _begun.get()
    if tp not in begun and not tp.__pydantic_complete__:
        token = _begun.set(begun | {tp})
        try:
            tp.model_rebuild()
        finally:
            _begun.reset(token)


def _build(build: Callable[[], T]) -> T:
    """Build what nests deeply too: pydantic takes some ten calls for each level."""
    try:
        return build()
    except RecursionError:
        with _BUILDING:
            limit = sys.getrecursionlimit()
            sys.setrecursionlimit(_CALLS)
            try:
                return build()
            finally:
                sys.setrecursionlimit(limit)


@cache
def _validate(tp: Any) -> Callable[..., Any]:
    """What validates, without the call of a model or an adapter around it."""
    if is_model(tp):
        fields_of(tp)
        return cast(type[Model], tp).__pydantic_validator__.validate_python
    adapter: TypeAdapter[Any] = _build(lambda: TypeAdapter(tp, config=None))
    _build(adapter.rebuild)
    return adapter.validator.validate_python


def decode(tp: Any, json: Any) -> Any:
    """Validate parsed JSON; raises Mismatch."""
    try:
        return _validate(tp)(json, strict=True)
    except ValidationError:
        raise Mismatch from None


def _decoder(tp: Any) -> Decoder[Any]:
    _validate(tp)
    return lambda json: decode(tp, json)


def _encode(value: Any) -> Any:
    kind = value.__class__
    if kind in _PLAIN:
        return value
    if kind is list:
        return list(map(_encode, value))
    if kind is dict:
        return dict(zip(value, map(_encode, value.values()), strict=True))
    if not isinstance(value, Model):
        return write(value)
    members: dict[str, Any] = {}
    for name, field in fields_of(type(value)).items():
        if name in value.model_fields_set:
            member = getattr(value, name)
            if member is not None or field.is_required() or is_nullable(field):
                members[wire_name(name, field)] = _encode(member)
    for name, member in (value.model_extra or _NOTHING).items():
        members[name] = _encode(member)
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


def unknown_fields(value: Model) -> Mapping[str, Any]:
    """The members an object came with that the document does not declare."""
    return value.model_extra or _NOTHING
