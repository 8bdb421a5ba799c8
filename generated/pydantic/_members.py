"""The members of models: those that may be absent, and how many there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from pydantic import SerializerFunctionWrapHandler

from .._runtime.decoding import is_array, is_object

if TYPE_CHECKING:
    from .._runtime.limits import Limits


def means_absence(schema: Any) -> bool:
    """Whether the None that a type allows only stands for absence."""
    return schema["type"] == "nullable" and "null" not in schema.get("metadata", {})


def dump(schema: Any) -> Any:
    """How a member that may be absent is dumped: most values know how themselves."""
    if not _holds_texts(schema):
        return core_schema.simple_ser_schema("any")
    return core_schema.wrap_serializer_function_ser_schema(_dump_present, schema=schema)


def _dump_present(value: Any, handler: SerializerFunctionWrapHandler) -> Any:
    return None if value is None else handler(value)


def _holds_texts(schema: Any) -> bool:
    """Whether values may hold some that are texts in JSON; models dump themselves."""
    if is_array(schema):
        return any(map(_holds_texts, schema))
    if not is_object(schema) or schema.get("type") == "model":
        return False
    is_text = "text" in schema.get("metadata", ())
    return is_text or any(map(_holds_texts, schema.values()))


def counted(members: CoreSchema, limits: Limits) -> CoreSchema:
    """Hold the members of a model to a number."""

    def count(made: tuple[Any, Any, set[str]]) -> Any:
        _, extra, names = made
        limits.hold(dict.fromkeys((*names, *(extra or ()))))
        return made

    return core_schema.no_info_after_validator_function(count, members)


def tell_members(
    cls: type[Any], names: Mapping[str, str], shown: JsonSchemaValue
) -> JsonSchemaValue:
    """Say of each member what its class does, and of none that it is null by default:
    None is one that is absent.
    """
    # What reads source is loaded where somebody asks for it.
    from ._docs import member_docs

    docs = member_docs(cls)
    for key, member in shown.get("properties", {}).items():
        if "default" in member and member["default"] is None:
            del member["default"]
        if (doc := docs.get(names.get(key, key))) is not None:
            member.setdefault("description", doc)
    return shown


def tell_count(limits: Limits | None) -> JsonSchemaValue:
    """Say how many members there are by the keywords of JSON Schema."""
    if limits is None:
        return {}
    told = {"minProperties": limits.min_length, "maxProperties": limits.max_length}
    return {word: count for word, count in told.items() if count is not None}
