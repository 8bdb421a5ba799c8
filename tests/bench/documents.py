"""Documents of any size, which hold a little of all that documents of APIs hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

Schema = dict[str, Any]


def write_document(path: Path, count: int) -> None:
    """Write an OpenAPI document of so many schemas, and an operation for every tenth."""
    schemas = {name(number): schema(number) for number in range(count)}
    document = {
        "openapi": "3.1.0",
        "info": {"title": f"{count} schemas", "version": "1"},
        "paths": {f"/things/{number}": path_item(number) for number in range(0, count, 10)},
        "components": {"schemas": schemas},
    }
    path.write_text(yaml.dump(document, Dumper=yaml.CSafeDumper, sort_keys=False), "utf-8")


def name(number: int) -> str:
    return f"Thing{number}"


def reference(number: int) -> Schema:
    """A schema shortly before, so that one reaches a few others and not all of them."""
    return {"$ref": f"#/components/schemas/{name(max(0, number))}"}


def schema(number: int) -> Schema:
    if number % 10 == 9:
        return union(number)
    text = {"type": "string", "description": "What it is called, in words that tell.\n" * 3}
    properties = {
        "type": {"type": "string", "const": f"thing_{number}"},
        "id": {"type": "string", "format": "uuid"},
        "label": text,
        "created_at": {"type": "string", "format": "date-time"},
        "count": {"type": ["integer", "null"], "minimum": 0},
        "state": {"type": "string", "enum": ["open", "closed", f"kept_{number % 7}"]},
        "parts": {"type": "array", "items": reference(number - number % 10)},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "owner": {"type": "object", "properties": {"name": text}, "required": ["name"]},
    }
    return {"type": "object", "properties": properties, "required": ["type", "id", "parts"]}


def union(number: int) -> Schema:
    """One of the objects before, told apart by their types."""
    return {
        "oneOf": [reference(number - back) for back in (3, 2, 1)],
        "discriminator": {"propertyName": "type"},
    }


def path_item(number: int) -> Schema:
    def body(of: int) -> Schema:
        return {"application/json": {"schema": reference(of)}}

    answer = {"description": "What was made.", "content": body(number + 1 if number else 0)}
    operation = {
        "operationId": f"make_thing_{number}",
        "requestBody": {"content": body(number)},
        "responses": {"200": answer},
    }
    return {"post": operation}
