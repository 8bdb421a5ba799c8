"""The JSON Schema of pydantic models, as FastAPI shows it: what it says of each case is true.

A JSON Schema library, which has no part in this project, judges.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from pydantic import TypeAdapter, create_model

from tests.support import SEED, accepted, good_cases, variant

VALIDATOR: Any = import_module("jsonschema").Draft202012Validator  # it has no types


def shown(case: str, name: str, mode: Any = "validation") -> Any:
    return TypeAdapter(getattr(variant(case, "pydantic"), name)).json_schema(mode=mode)


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from objects(part)


@pytest.mark.parametrize("case", good_cases())
def test_what_is_accepted_is_valid(case: str) -> None:
    for sample in accepted(case):
        schema = shown(case, sample.name)
        for part in objects(schema):
            # The library divides floats: 19.99 is no multiple of 0.01 there.
            if isinstance(part.get("multipleOf"), float):
                del part["multipleOf"]
        VALIDATOR.check_schema(schema)
        VALIDATOR(schema).validate(json.loads(sample.text))


@pytest.mark.parametrize("case", good_cases())
def test_what_is_written_is_what_is_read(case: str) -> None:
    """Where the two differ, FastAPI makes two schemas of each."""
    for name in {sample.name for sample in accepted(case)}:
        assert shown(case, name, "serialization") == shown(case, name)


@pytest.mark.parametrize("case", good_cases())
def test_a_mapping_leads_to_schemas(case: str) -> None:
    """OpenAPI 3.1, 4.8.25: the values of `mapping` are strings, names or URIs of schemas."""
    for name in {sample.name for sample in accepted(case)}:
        schema = shown(case, name)
        known = {f"#/$defs/{name}" for name in schema.get("$defs", ())}
        for part in objects(schema):
            if isinstance(told := part.get("discriminator"), dict) and "mapping" in told:
                assert set(told["mapping"].values()) <= known


def test_members_are_described_as_in_the_document() -> None:
    model = variant(SEED, "pydantic").CreateChatCompletionStreamResponse
    model.model_rebuild()
    for shown in (model, create_model("Mine", __base__=model)):
        members = shown.model_json_schema()["properties"]
        told = "A unique identifier for the chat completion. Each chunk has the same ID."
        assert members["id"]["description"] == told
