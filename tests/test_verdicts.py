"""Small schemas of every keyword: a value is right or wrong for us as it is for JSON Schema.

The three variants agree with each other and with a JSON Schema library, which has no part in this
project, on values that fit each schema of `verdicts.yaml` and on values that do not quite. Where we
mean to judge otherwise the rule stands below, or beside the schema itself; one that nothing needs
fails. All types are of requests alone, so none of them is open.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, settings
from hypothesis import given as for_all
from hypothesis import strategies as st

from tests.instances import near
from tests.support import VARIANTS, Outcome, canonical, run, write

DATA = Path(__file__).parent / "verdicts.yaml"
READ: dict[str, dict[str, Any]] = yaml.safe_load(DATA.read_text("utf-8"))
SCHEMAS: dict[str, Any] = READ["schemas"]
READ_AS: dict[str, dict[str, Any]] = READ["read_as"]
LONG = int(os.environ.get("STREAMBIND_VERDICTS", "12"))
"""How many values are drawn for each schema."""

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
PLAIN = {name: meant(it) for name, it in SCHEMAS.items()}
MEANT = {name: meant(READ_AS.get(name, {}).get("as", it)) for name, it in SCHEMAS.items()}


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


@cache
def package() -> tuple[Outcome, Path]:
    folder = Path(os.environ["PYTEST_VERDICTS"])
    spec = folder / "spec.json"
    spec.write_text(json.dumps(document(SCHEMAS)), "utf-8")
    outcome = run(spec)
    assert outcome.files, outcome.diagnostics
    write(folder / "verdicts_package", outcome.files)
    return outcome, folder


@pytest.fixture(scope="module")
def variants(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    folder = tmp_path_factory.mktemp("verdicts")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_VERDICTS", str(folder))
        patch.syspath_prepend(folder)
        package()
        yield {name: import_module(f"verdicts_package.{name}") for name in VARIANTS}


def exported(name: str) -> str:
    manifest = json.loads(package()[0].files["manifest.json"])
    return str(manifest["schemas"][name])


def judge(made: Any, name: str, value: Any) -> list[str] | None:
    """The places of errors; None for a value that is taken, and written back equal."""
    tp = getattr(made, exported(name))
    text = json.dumps(value)
    try:
        back = made.dumps(made.loads(tp, text))
    except made.DecodeError as error:
        return sorted(problem.pointer for problem in error.errors)
    assert canonical(json.loads(back)) == canonical(value)
    return None


@cache
def values(name: str) -> st.SearchStrategy[Any]:
    return near(MEANT[name], MEANT)


@cache
def judge_of(name: str) -> Any:
    return JUDGE({"$ref": f"#/components/schemas/{name}", "components": {"schemas": MEANT}})


@pytest.mark.parametrize("name", SCHEMAS)
@settings(
    max_examples=LONG,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@for_all(data=st.data())
def test_verdicts(name: str, data: st.DataObject, variants: dict[str, Any]) -> None:
    value = data.draw(values(name))
    found = {it: judge(made, name, value) for it, made in variants.items()}
    assert found == dict.fromkeys(VARIANTS, found["dataclasses"])
    assert (found["dataclasses"] is None) == judge_of(name).is_valid(value)


@pytest.mark.parametrize("name", READ_AS)
def test_what_is_read_otherwise_differs(name: str, variants: dict[str, Any]) -> None:
    """Each schema that the rules do not explain has a value that shows it."""
    value = READ_AS[name]["shown_by"]
    whole = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": PLAIN}}
    assert READ_AS[name]["why"]
    assert JUDGE(whole).is_valid(value) != (judge(variants["dataclasses"], name, value) is None)
