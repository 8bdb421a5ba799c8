"""The narrowest schema that fits some values: types and members, and nothing that is a guess."""

from __future__ import annotations

from collections.abc import Iterable

from codegen.source.values import Json

_SCALARS: dict[type, str] = {bool: "boolean", int: "integer", float: "number", str: "string"}


def infer_schema(values: Iterable[Json], *, has_null_type: bool) -> dict[str, Json]:
    """The schema of values; without `has_null_type` it is one of OpenAPI 3.0.

    A member that all objects have is required.
    """
    values = list(values)
    schemas = [*_scalars(values), *_arrays(values, has_null_type), *_objects(values, has_null_type)]
    has_null = any(value is None for value in values)
    if has_null and has_null_type:
        schemas.append({"type": "null"})
    if not has_null_type:
        return _join_without_null(schemas, has_null)
    if len(schemas) > 1 and all(schema.keys() == {"type"} for schema in schemas):
        return {"type": [schema["type"] for schema in schemas]}
    return schemas[0] if len(schemas) == 1 else {"anyOf": [*schemas]} if schemas else {}


def _scalars(values: list[Json]) -> list[dict[str, Json]]:
    names = dict.fromkeys(name for value in values if (name := _SCALARS.get(type(value))))
    if "number" in names:
        # A number may be an integer (2020-12 validation, section 6.1.1).
        names.pop("integer", None)
    return [{"type": name} for name in names]


def _arrays(values: list[Json], has_null_type: bool) -> list[dict[str, Json]]:
    arrays = [value for value in values if isinstance(value, list)]
    if not arrays:
        return []
    entries = (entry for array in arrays for entry in array)
    return [{"type": "array", "items": infer_schema(entries, has_null_type=has_null_type)}]


def _objects(values: list[Json], has_null_type: bool) -> list[dict[str, Json]]:
    objects = [value for value in values if isinstance(value, dict)]
    if not objects:
        return []
    names = dict.fromkeys(name for it in objects for name in it)
    schema: dict[str, Json] = {"type": "object"}
    if required := [name for name in names if all(name in it for it in objects)]:
        schema["required"] = [*required]
    if names:
        schema["properties"] = {
            name: infer_schema(
                (it[name] for it in objects if name in it), has_null_type=has_null_type
            )
            for name in names
        }
    return [schema]


def _join_without_null(schemas: list[dict[str, Json]], has_null: bool) -> dict[str, Json]:
    joined: dict[str, Json] = {"anyOf": [*schemas]}
    if len(schemas) < 2:
        joined = schemas[0] if schemas else {}
    if not has_null:
        return joined
    # OpenAPI 3.0 has no type for null; a value that only ever was null is one of an enum.
    return {**joined, "nullable": True} if schemas else {"nullable": True, "enum": [None]}
