"""What we make of a value, and what JSON Schema makes of it: the rules by which the two differ.

`meant` gives the schema, to a JSON Schema library that has no part in this project, as we mean to
read it, where nothing is open.
"""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

from tests.support import canonical

JSONSCHEMA: Any = import_module("jsonschema")  # it has no types
DRAFT: Any = JSONSCHEMA.Draft202012Validator
INTEGERS: Any = DRAFT.TYPE_CHECKER.redefine("integer", lambda _, it: type(it) is int)
JUDGE: Any = JSONSCHEMA.validators.extend(DRAFT, type_checker=INTEGERS)


def meant(schema: Any) -> Any:
    """The schema as we mean to read it.

    - `oneOf` takes what several of its members take;
    - what is told in docstrings and not checked is left out;
    - a schema that describes an object or an array and says nothing else is one of that type;
    - names are not matched with patterns: undeclared members are of any of the listed types;
    - the older form of `prefixItems` is read as such;
    - 1.0 is no integer, and no 1 among constants that are all whole;
    - `nullable` allows null.
    """
    if isinstance(schema, list):
        return [meant(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("not") in (True, {}):
        return False
    plain = {
        key: {n: meant(it) for n, it in value.items()}
        if key in ("properties", "patternProperties")
        else meant(value)
        for key, value in schema.items()
        if key not in TOLD and key not in ("const", "enum", "nullable")
    }
    patterns = list(plain.pop("patternProperties", {}).values())
    if patterns and "additionalProperties" in plain:
        plain["additionalProperties"] = {"anyOf": [plain["additionalProperties"], *patterns]}
    if isinstance(plain.get("items"), list):
        plain["prefixItems"] = plain.pop("items")
        plain["items"] = plain.pop("additionalItems", True)
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if values is not None:
        kinds = dict.fromkeys((int, float), "number") if float in map(type, values) else KINDS
        same = [{"const": it, "type": kinds.get(type(it), KINDS[type(it)])} for it in values]
        plain = {"allOf": [plain, {"anyOf": same}]} if plain else {"anyOf": same}
    if "oneOf" in plain:
        more = {"anyOf": plain.pop("oneOf")}
        plain = {"allOf": [plain, more]} if "anyOf" in plain else {**plain, **more}
    composed = any(key in plain for key in ("type", "anyOf", "allOf", "$ref"))
    if not composed and any(key in plain for key in DESCRIBES):
        plain["type"] = next(kind for key, kind in DESCRIBES.items() if key in plain)
    return {"anyOf": [plain, {"type": "null"}]} if schema.get("nullable") is True else plain


KINDS: dict[type, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
    list: "array",
    dict: "object",
}
DESCRIBES = {
    "properties": "object",
    "required": "object",
    "additionalProperties": "object",
    "items": "array",
    "prefixItems": "array",
}
TOLD = {
    *("pattern", "format", "not", "if", "then", "else", "contains", "minContains", "maxContains"),
    *("dependentRequired", "dependentSchemas", "unevaluatedItems", "discriminator"),
}


def document(schemas: dict[str, Any]) -> dict[str, Any]:
    """A document in which a request reaches all schemas, and nothing else does."""
    members = {name: {"$ref": f"#/components/schemas/{name}"} for name in schemas}
    body = {"application/json": {"schema": {"type": "object", "properties": members}}}
    operation = {"operationId": "send", "requestBody": {"content": body}, "responses": {}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Verdicts", "version": "1"},
        "paths": {"/send": {"post": operation}},
        "components": {"schemas": schemas},
    }


def judge(made: Any, exported: str, text: str) -> list[str] | None:
    """The places of errors; None for JSON text that is taken, and written back equal."""
    tp = getattr(made, exported)
    try:
        back = made.dumps(made.loads(tp, text))
    except made.DecodeError as error:
        return sorted(problem.pointer for problem in error.errors)
    assert canonical(json.loads(back)) == canonical(json.loads(text))
    return None


def judge_of(name: str, schemas: dict[str, Any]) -> Any:
    """The validator of one of several schemas that refer to each other."""
    return JUDGE({"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}})
