"""Names depend on what a document holds: on no order, and as it grows, on what meets them alone."""

from __future__ import annotations

import importlib
import json
import random
import re
import shutil
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
import yaml

from codegen.backends.classes import pascal_of
from codegen.backends.naming import name_api
from codegen.diagnostics import Diagnostics, Refused
from codegen.ir.api import Api
from codegen.loading import loaded
from codegen.pipeline import build_package, load_api
from codegen.source.document import read_document
from tests.support import CASES, ROOT, SEED, good_cases, run

NAMED = [case for case in good_cases() if case != SEED]


def document(case: str, folder: Path) -> Any:
    """The document of a case, from a copy of its folder."""
    shutil.copytree(CASES / case, folder, dirs_exist_ok=True)
    return read_document(folder / "spec.yaml", Diagnostics()).data


def load(data: Any, folder: Path) -> Api | None:
    path = folder / "spec.yaml"
    path.write_text(json.dumps(data), "utf-8")
    try:
        return load_api(str(path), (), Diagnostics())
    except Refused:
        return None


def names(api: Api) -> dict[str, str]:
    naming = name_api(api)
    return {decl.id.partition("#")[2]: naming.classes[decl.id] for decl in api.decls}


@pytest.mark.parametrize("case", NAMED)
def test_order_changes_no_name(case: str, tmp_path: Path) -> None:
    data = document(case, tmp_path)
    api = load(data, tmp_path)
    assert api is not None
    for seed in range(3):
        shuffled = load(shuffle(data, random.Random(seed)), tmp_path)
        assert shuffled is not None
        assert names(shuffled) == names(api)


def shuffle(data: Any, by: random.Random) -> Any:
    """The document with its tables of names in another order."""
    schemas = data.get("components", {}).get("schemas")
    if schemas is None:
        return data
    keys = by.sample(sorted(schemas), len(schemas))
    components = {**data["components"], "schemas": {key: schemas[key] for key in keys}}
    return {**data, "components": components, "paths": shuffle_keys(data.get("paths", {}))}


def shuffle_keys(value: Any) -> Any:
    """A value with its members the other way round, but for those of schemas."""
    if not isinstance(value, dict):
        return value
    turned = reversed(value.items())
    return {key: it if "chema" in key else shuffle_keys(it) for key, it in turned}


@pytest.mark.parametrize("case", NAMED)
def test_more_schemas_rename_only_what_meets_them(case: str, tmp_path: Path) -> None:
    data = document(case, tmp_path)
    after = load(data, tmp_path)
    assert after is not None
    grown = names(after)
    for key in data.get("components", {}).get("schemas", {}):
        schemas = {k: v for k, v in data["components"]["schemas"].items() if k != key}
        smaller = {**data, "components": {**data["components"], "schemas": schemas}}
        if (before := load(smaller, tmp_path)) is None:  # others refer to it
            continue
        old = names(before)
        added = {
            pascal_of(decl.name) for decl in after.decls if decl.id.partition("#")[2] not in old
        }
        # What is added may be a name for what had none.
        given = pascal_of((key,))
        moved = {name for id_, name in old.items() if grown.get(id_, name) not in (name, given)}
        assert moved <= added | {f"{name}_" for name in added}


PAGE = (ROOT / "docs/names.md").read_text("utf-8")
EXAMPLE = re.compile(r"```yaml\n(.*?)```\n\n\| place(.*?)\n\n", re.DOTALL)
ROWS = [
    (schemas, *re.findall("`([^`]+)`", row))
    for schemas, table in EXAMPLE.findall(PAGE)
    for row in table.splitlines()[2:]
]


BY_PLACE = """\
openapi: 3.1.0
info: {title: Places, version: "1"}
paths:
  /orders:
    post:
      operationId: createOrder
      requestBody:
        content:
          application/json:
            schema:
              properties: {line: {type: object, properties: {n: {type: integer}}}}
      responses:
        "200": {content: {application/json: {schema: {properties: {id: {type: string}}}}}}
components:
  schemas:
    Map: {type: object, additionalProperties: {type: object, properties: {n: {type: integer}}}}
    Page: {type: array, items: {type: object, properties: {n: {type: integer}}}}
"""
OPERATION = "#/paths/~1orders/post"
PLACES = {
    f"{OPERATION}/requestBody/content/application~1json/schema": "CreateOrderRequest",
    f"{OPERATION}/requestBody/content/application~1json/schema/properties/line": (
        "CreateOrderRequestLine"
    ),
    f"{OPERATION}/responses/200/content/application~1json/schema": "CreateOrderResponse",
    "#/components/schemas/Map/additionalProperties": "MapValue",
    "#/components/schemas/Page/items": "PageItem",
}


def test_what_is_referred_to_by_its_place_is_called_as_it_is_anyway(tmp_path: Path) -> None:
    data = yaml.safe_load(BY_PLACE)
    before = load(data, tmp_path)
    members = {str(number): {"$ref": place} for number, place in enumerate(PLACES)}
    data["components"]["schemas"]["All"] = {"type": "object", "properties": members}
    after = load(data, tmp_path)
    assert before is not None
    assert after is not None
    for api in (before, after):
        named = {f"#{place}": name for place, name in names(api).items()}
        assert {place: named.get(place) for place in PLACES} == PLACES


def test_the_page_has_examples() -> None:
    assert len(EXAMPLE.findall(PAGE)) == PAGE.count("```yaml")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row[1]))
def test_an_example_of_the_page(row: tuple[str, ...], tmp_path: Path) -> None:
    schemas, place, name, *others = row
    head = "openapi: 3.1.0\ninfo: {title: Page, version: '1'}\ncomponents:\n  schemas:\n"
    (tmp_path / "spec.yaml").write_text(head + indent(schemas, "    "), "utf-8")
    api = load_api(str(tmp_path / "spec.yaml"), (), Diagnostics())
    classes = name_api(api).classes
    made = {decl.origin.pointer: classes[decl.id] for decl in api.decls}
    pointer = f"#/components/schemas/{place}"
    schema, _, wire = pointer.rpartition("/properties/")
    if pointer in made and not name[0].islower():
        assert made[pointer] == name
        return
    with loaded(build_package(api, ("dataclasses", "pydantic"))) as package:
        for variant, wanted in ("dataclasses", name), ("pydantic", others[0] if others else name):
            module = importlib.import_module(f"{package}.{variant}")
            assert attribute(getattr(module, made[schema]), wire) == wanted


def attribute(class_: Any, wire: str) -> str:
    names: dict[str, str] = {w: n for n, w in getattr(class_, "__wire__", {}).items()}
    for name, field in getattr(class_, "model_fields", {}).items():
        names[field.validation_alias or name] = name
    return names.get(wire, wire)


CHOSEN = """\
openapi: 3.1.0
info: {title: Chosen, version: "1"}
components:
  schemas:
    Foo-2: {type: object, properties: {a: {type: string}}}
"""


def test_a_name_is_chosen_beside_the_document(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(CHOSEN)
    choices = ("#/components/schemas/Foo-2=FooTwo", "#/components/schemas/Foo-2/properties/a=b")
    done = run(tmp_path / "spec.yaml", names=choices)
    text = done.files["dataclasses/models/foo_two.py"]
    assert "class FooTwo(Record):\n    b: str | None = None\n" in text
    assert json.loads(done.files["manifest.json"])["schemas"]["Foo-2"] == "FooTwo"


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ("FooTwo", "error SB605 'FooTwo' names no place of the document"),
        ("#/components/schemas/Foo2=A", "; did you mean '#/components/schemas/Foo-2'?"),
        ("#/info=A", "error SB605 nothing at '#/info' takes a name"),
        ("#/components/schemas/Foo-2=a b", "spec.yaml:5:5: error SB402 'a b' is no name"),
        ("#/components/schemas/Foo-2=class", "error SB402 'class' is no name for a type"),
        ("#/components/schemas/Foo-2/properties/a=copy", "error SB402 'copy' means"),
    ],
)
def test_a_choice_that_cannot_be(choice: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(CHOSEN)
    done = run(tmp_path / "spec.yaml", names=(choice,))
    assert said in done.diagnostics
    assert not done.files
