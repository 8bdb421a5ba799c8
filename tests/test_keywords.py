"""The list of keywords says what becomes of each: here each stands in a schema, and is missing from
another that is the same, and what the two accept and tell is compared, for requests and responses.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from codegen.diagnostics import Diagnostics
from codegen.loading import loaded
from codegen.openapi.keywords import ASSERTIONS_UNREAD, FATES, Fate
from codegen.pipeline import VARIANTS, build_package, load_api
from tests.command import run

OBJECT, TEXT, ARRAY, NUMBER = ({"type": it} for it in ("object", "string", "array", "number"))
X = {"x": TEXT}
RECORD = {**OBJECT, "properties": X}
ANOTHER = {**OBJECT, "properties": {"y": TEXT}}
# They give names to what references name, and say nothing alone.
NAMING = frozenset("$defs definitions $id $anchor $dynamicAnchor $recursiveAnchor".split())


class Row(NamedTuple):
    """A keyword with its value, the schema it is added to, and a value it may matter for."""

    value: Any
    base: Any
    sample: Any
    # Where the keyword stands inside of the base.
    at: tuple[str | int, ...] = ()


ROWS: dict[str, Row] = {
    "type": Row("string", {}, 1),
    "enum": Row(["a", "b"], {}, 1),
    "const": Row("a", TEXT, "b"),
    "properties": Row(X, OBJECT, {"x": 1}),
    "required": Row(["x"], RECORD, {}),
    "additionalProperties": Row(TEXT, OBJECT, {"y": 1}),
    "items": Row(TEXT, ARRAY, [1]),
    "prefixItems": Row([TEXT], ARRAY, [1]),
    "additionalItems": Row(TEXT, {**ARRAY, "items": [TEXT]}, ["a", 1]),
    "patternProperties": Row({"^x": TEXT}, {**OBJECT, "additionalProperties": NUMBER}, {"x": "a"}),
    "unevaluatedProperties": Row(TEXT, OBJECT, {"y": 1}),
    "propertyNames": Row({"enum": ["a"]}, {**OBJECT, "additionalProperties": TEXT}, {"b": "c"}),
    "nullable": Row(True, TEXT, None),
    "x-nullable": Row(True, TEXT, None),
    "allOf": Row([TEXT], {}, 1),
    "anyOf": Row([TEXT, NUMBER], {}, True),
    "oneOf": Row([TEXT, NUMBER], {}, True),
    "discriminator": Row(
        {"propertyName": "kind"},
        {"oneOf": [{"$ref": f"#/components/schemas/{it}"} for it in ("Cat", "Dog")]},
        {"kind": "Dog"},
    ),
    "readOnly": Row(True, {**RECORD, "required": ["x"]}, {}, ("properties", "x")),
    "writeOnly": Row(True, {**RECORD, "required": ["x"]}, {}, ("properties", "x")),
    "format": Row("date", TEXT, "x"),
    "contentEncoding": Row("base64", TEXT, "!"),
    "$ref": Row("#/components/schemas/Text", {}, 1),
    "$dynamicRef": Row("#/components/schemas/Text", {}, 1),
    "$recursiveRef": Row(
        "#",
        {"$recursiveAnchor": True, **OBJECT, "properties": {"x": {}}},
        {"x": 1},
        ("properties", "x"),
    ),
    "minimum": Row(1, NUMBER, 0),
    "maximum": Row(1, NUMBER, 2),
    "exclusiveMinimum": Row(1, NUMBER, 1),
    "exclusiveMaximum": Row(1, NUMBER, 1),
    "multipleOf": Row(2, NUMBER, 1),
    "minLength": Row(2, TEXT, "a"),
    "maxLength": Row(1, TEXT, "ab"),
    "minItems": Row(1, {**ARRAY, "items": TEXT}, []),
    "maxItems": Row(1, {**ARRAY, "items": TEXT}, ["a", "b"]),
    "uniqueItems": Row(True, {**ARRAY, "items": TEXT}, ["a", "a"]),
    "minProperties": Row(1, {**OBJECT, "additionalProperties": TEXT}, {}),
    "maxProperties": Row(0, {**OBJECT, "additionalProperties": TEXT}, {"x": "a"}),
    "pattern": Row("^b", TEXT, "a"),
    "title": Row(
        "first", {"anyOf": [RECORD, {**OBJECT, "properties": {"y": TEXT}}]}, {}, ("anyOf", 0)
    ),
    "description": Row("what it is", TEXT, "a"),
    "default": Row("b", TEXT, "a"),
    "deprecated": Row(True, TEXT, "a"),
    "contentMediaType": Row("application/json", {**TEXT, "contentSchema": RECORD}, "1"),
    "contentSchema": Row(RECORD, {**TEXT, "contentMediaType": "application/json"}, "1"),
    "not": Row(TEXT, {}, "a"),
    "if": Row(TEXT, {"then": NUMBER}, "a"),
    "then": Row(NUMBER, {"if": TEXT}, "a"),
    "else": Row(NUMBER, {"if": TEXT}, True),
    "dependentSchemas": Row({"x": {"required": ["y"]}}, RECORD, {"x": "a"}),
    "dependentRequired": Row({"x": ["y"]}, RECORD, {"x": "a"}),
    "contains": Row(NUMBER, ARRAY, []),
    "minContains": Row(2, {**ARRAY, "contains": NUMBER}, [1]),
    "maxContains": Row(1, {**ARRAY, "contains": NUMBER}, [1, 2]),
    "unevaluatedItems": Row(TEXT, ARRAY, [1]),
    "example": Row("b", TEXT, "a"),
    "examples": Row(["b"], TEXT, "a"),
    "externalDocs": Row({"url": "https://example.com"}, TEXT, "a"),
    "xml": Row({"name": "b"}, TEXT, "a"),
    "$comment": Row("b", TEXT, "a"),
    "$schema": Row("https://json-schema.org/draft/2020-12/schema", TEXT, "a"),
}
NAMES = {keyword: f"{index:02}x" for index, keyword in enumerate(ROWS)}


def schema(keyword: str, *, has_it: bool) -> Any:
    row = ROWS[keyword]
    made: Any = json.loads(json.dumps(row.base))
    place = made
    for step in row.at:
        place = place[step]
    if has_it:
        place[keyword] = row.value
    return {"type": "object", "required": ["value"], "properties": {"value": made}}


def document(side: str) -> Any:
    """A schema of each kind for each keyword; all are read and written by one side alone."""
    kind = {"type": "object", "properties": {"kind": TEXT}}
    schemas: dict[str, Any] = {
        "Text": TEXT,
        "Cat": kind,
        "Dog": {**kind, "required": ["bark"]},
    }
    for keyword, name in NAMES.items():
        schemas[f"With{name}"] = schema(keyword, has_it=True)
        schemas[f"Less{name}"] = schema(keyword, has_it=False)
    all_ = {it: {"$ref": f"#/components/schemas/{it}"} for it in schemas}
    content = {"application/json": {"schema": {"type": "object", "properties": all_}}}
    post: dict[str, Any] = {"operationId": "post", "responses": {}}
    if side == "request":
        post["requestBody"] = {"content": content}
    else:
        post["responses"] = {"200": {"description": "OK", "content": content}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Keywords", "version": "1"},
        "paths": {"/": {"post": post}},
        "components": {"schemas": schemas},
    }


class Effect(NamedTuple):
    """Whether a keyword matters for what is accepted, and for what is written in any variant."""

    is_checked: bool
    is_told: bool


class Side(NamedTuple):
    files: dict[str, str]
    package: str

    def effect(self, keyword: str) -> Effect:
        name, row = NAMES[keyword], ROWS[keyword]
        data = {"value": row.sample}
        verdicts = {
            (self.accepts(variant, f"With{name}", data), self.accepts(variant, f"Less{name}", data))
            for variant in VARIANTS
        }
        assert len(verdicts) == 1, "the variants agree"
        ((with_it, without),) = verdicts
        return Effect(with_it != without, any(self.differs(it, name) for it in VARIANTS))

    def accepts(self, variant: str, schema: str, data: Any) -> bool:
        package = importlib.import_module(f"{self.package}.{variant}")
        try:
            package.from_json(getattr(package, schema), data)
        except package.DecodeError:
            return False
        return True

    def differs(self, variant: str, name: str) -> bool:
        models = f"{variant}/models/"
        texts = {self.files[f"{models}{kind}{name}.py"] for kind in ("with", "less")}
        return len({it.replace("With", "Less").replace("with", "less") for it in texts}) == 2


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Side]]:
    folder = tmp_path_factory.mktemp("keywords")
    with ExitStack() as stack:
        found: dict[str, Side] = {}
        for side in ("request", "response"):
            path = folder / f"{side}.json"
            path.write_text(json.dumps(document(side)), "utf-8")
            files = build_package(load_api(str(path), (), Diagnostics()), VARIANTS)
            found[side] = Side(files, stack.enter_context(loaded(files)))
        yield found


def test_each_keyword_is_tried() -> None:
    assert ROWS.keys() == FATES.keys() - NAMING


@pytest.mark.parametrize("keyword", ROWS)
def test_the_list_says_what_becomes_of_it(sides: dict[str, Side], keyword: str) -> None:
    request, response = sides["request"].effect(keyword), sides["response"].effect(keyword)
    if request.is_checked or response.is_checked:
        is_limit = request.is_checked and not response.is_checked and response.is_told
        found = Fate.CHECKED_IN_REQUESTS if is_limit else Fate.CHECKED
    else:
        found = Fate.TOLD if request.is_told and response.is_told else Fate.UNREAD
    assert found is FATES[keyword]


def test_what_is_reported_as_unread_is_unread() -> None:
    assert {FATES[keyword] for keyword in ASSERTIONS_UNREAD} == {Fate.UNREAD}


def test_the_loss_of_a_document(tmp_path: Path) -> None:
    schema = {"type": "string", "format": "date", "minLenght": 1, "x-y": 1, "not": {"type": "null"}}
    described = {**document("request"), "paths": {}, "components": {"schemas": {"A": schema}}}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(described, indent=1), "utf-8")
    result = run("list", "--loss", str(path))
    assert (result.exit_code, result.stderr) == (0, "")
    rows = [line.split()[:-1] for line in result.stdout.splitlines() if line.startswith(" ")]
    assert rows == [["type", "2"], ["format:", "date", "1"], ["not", "1"], ["minLenght", "1"]]
    assert [it for it in result.stdout.splitlines() if not it.startswith(" ")] == [
        "checked (2)",
        "not read (1)",
        "unknown (1)",
    ]
    result = run("list", "--loss", str(path), "--format", "json")
    last = json.loads(result.stdout)[-1]
    assert (last["keyword"], last["fate"], last["count"]) == ("minLenght", "unknown", 1)
    assert last["pointer"] == "#/components/schemas/A/minLenght"
