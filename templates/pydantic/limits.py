"""Limits that pydantic has no exact word for, or no word at all."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler

from .._runtime import limits
from ._codec import to_json

T = TypeVar("T")

_KEYWORDS: Final = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "unique": "uniqueItems",
}


class Limits(limits.Limits):
    """Limits of a value; those of a model count its members."""

    def hold(self, value: T) -> T:
        """Return a value that is within the limits; raises ValueError for others.

        What JSON Schema calls equal is told by the JSON of values.
        """
        super().hold(to_json(value) if self.unique else value)
        return value

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.hold, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        bounds = {word: getattr(self, name) for name, word in _KEYWORDS.items()}
        # Zero is a bound, though it equals false.
        told = {
            word: it
            for word, it in bounds.items()
            if it is not None and it is not False
        }
        return {**handler(schema), **told}
