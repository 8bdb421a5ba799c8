"""Values that JSON has as texts, such as dates, as pydantic reads and writes them.

A field takes the value or its text and is dumped as the value; its JSON is the text.
"""

from __future__ import annotations

import datetime
import decimal
import uuid
from typing import Annotated, Any, TypeAlias

from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler

from .._runtime.base64s import read_bytes
from .._runtime.datetimes import read_date, read_date_time, read_time
from .._runtime.decimals import read_decimal
from .._runtime.decoding import Decoder, Mismatch
from .._runtime.texts import TEXTS, text_type, write
from .._runtime.uuids import read_uuid


class _AsText:
    """Marks a type that is a text in JSON; `schema` says of what form."""

    def __init__(self, tp: type[Any], read: Decoder[Any], **schema: str) -> None:
        self._type = tp
        self._read = read
        self._schema = {"type": "string", **schema}

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            self._validate,
            serialization=core_schema.plain_serializer_function_ser_schema(
                write, when_used="json"
            ),
            metadata={"text": True},
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return dict(self._schema)

    def _validate(self, value: Any) -> Any:
        if text_type(value) is self._type:
            return value
        try:
            return self._read(value)
        except Mismatch:
            raise ValueError(f"not {TEXTS[self._type].expected}") from None


DateTime: TypeAlias = Annotated[
    datetime.datetime,
    _AsText(datetime.datetime, read_date_time, format="date-time"),
]
Date: TypeAlias = Annotated[
    datetime.date, _AsText(datetime.date, read_date, format="date")
]
Time: TypeAlias = Annotated[
    datetime.time, _AsText(datetime.time, read_time, format="time")
]
UUID: TypeAlias = Annotated[uuid.UUID, _AsText(uuid.UUID, read_uuid, format="uuid")]
Base64: TypeAlias = Annotated[
    bytes, _AsText(bytes, read_bytes, contentEncoding="base64")
]
Decimal: TypeAlias = Annotated[
    decimal.Decimal, _AsText(decimal.Decimal, read_decimal, format="decimal")
]
