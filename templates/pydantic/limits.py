"""Limits that pydantic has no exact word for, or no word at all."""

from __future__ import annotations

from typing import Any, Final

from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler

from .._runtime import limits

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
