"""The three variants mean the same: one verdict on a value, the same errors, the same JSON back.

The data are the cases' own. Random values beside them are also judged by a JSON Schema library,
which has no part in this project; its schemas are changed first where it is to judge as we do.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from codegen.diagnostics import Diagnostics
from codegen.source.document import read_document
from tests.support import (
    CASES,
    VARIANTS,
    Sample,
    accepted,
    canonical,
    good_cases,
    known_failures,
    parameters,
    refused,
    variant,
)

ACCEPTED = [sample for case in good_cases() for sample in accepted(case)]
REFUSED = [sample for case in good_cases() for sample in refused(case)]


def round_trips(sample: Sample, name: str) -> dict[str, str]:
    """What comes back of a value, by the way it went."""
    made = variant(sample.case, name)
    tp = getattr(made, sample.name)
    data = json.loads(sample.text)
    value = made.loads(tp, sample.text)
    return {
        "loads, dumps": canonical(json.loads(made.dumps(value))),
        "loads bytes, dumps": canonical(
            json.loads(made.dumps(made.loads(tp, sample.text.encode())))
        ),
        "dumps as the type": canonical(json.loads(made.dumps(value, tp))),
        "from_json, to_json": canonical(made.to_json(made.from_json(tp, data))),
        "to_json as the type": canonical(made.to_json(value, tp)),
    }


@pytest.mark.parametrize("sample", parameters("accepted", ACCEPTED))
def test_accepted_and_written_back(sample: Sample) -> None:
    wanted = canonical(json.loads(sample.text))
    for name in VARIANTS:
        found = round_trips(sample, name)
        assert found == dict.fromkeys(found, wanted), name


def verdict(case: str, name: str, schema: str, text: str) -> list[str] | None:
    """The places of the errors that a variant finds in JSON text; None if it takes it."""
    made = variant(case, name)
    try:
        made.loads(getattr(made, schema), text)
    except made.DecodeError as error:
        return sorted(problem.pointer for problem in error.errors)
    return None


@pytest.mark.parametrize("sample", parameters("refused", REFUSED))
def test_refused_at_the_same_places(sample: Sample) -> None:
    found = {name: verdict(sample.case, name, sample.name, sample.text) for name in VARIANTS}
    assert found == dict.fromkeys(VARIANTS, sorted(sample.pointers))


# Without those that do not come in at all.
OBJECTS = [
    sample
    for sample in ACCEPTED
    if sample.text.startswith("{") and str(sample) not in known_failures("accepted")
]


def given(value: Any) -> dict[str, Any]:
    """What its maker has to say of an object: the required members, and those that have a value."""
    if is_dataclass(value):
        required = {field.name: field.default is MISSING for field in fields(value)}
    else:
        declared: dict[str, Any] = type(value).model_fields
        required = {name: field.is_required() for name, field in declared.items()}
    members = {name: getattr(value, name) for name in required}
    return {name: it for name, it in members.items() if required[name] or it is not None}


@pytest.mark.parametrize("sample", parameters("made by keyword", OBJECTS))
def test_made_by_keyword(sample: Sample) -> None:
    for name in ("dataclasses", "pydantic"):
        made = variant(sample.case, name)
        value = made.loads(getattr(made, sample.name), sample.text)
        if isinstance(value, dict | made.UnknownVariant):
            continue  # it has no members to name
        written = made.to_json(type(value)(**given(value)))
        unknown = made.unknown_fields(value)
        wanted = {key: it for key, it in json.loads(sample.text).items() if key not in unknown}
        # An explicit null of an optional member cannot be told by keyword: None is "not given".
        kept = {key: it for key, it in wanted.items() if it is not None or key in written}
        assert canonical(written) == canonical(kept), name


@pytest.mark.parametrize("text", ["", "{", "nul", "NaN", "1e999", '{"a": 1} 2', "\x00", "[1,]"])
@pytest.mark.parametrize("name", VARIANTS)
def test_text_that_is_no_json(name: str, text: str) -> None:
    assert verdict("any_value", name, "Value", text) == [""]


# Where a JSON Schema library judges otherwise, and we mean to:
# - 1.0 is no integer: it would be written back as 1;
# - unlisted enum values of a response are kept, and so are objects with an unlisted tag;
# - `oneOf` takes what several of its members take;
# - a nullable schema takes null, listed in its `enum` or not.
JSONSCHEMA: Any = import_module("jsonschema")  # it has no types
DRAFT: Any = JSONSCHEMA.Draft202012Validator
CHECKER: Any = DRAFT.TYPE_CHECKER.redefine("integer", lambda _, it: type(it) is int)
JUDGE: Any = JSONSCHEMA.validators.extend(DRAFT, type_checker=CHECKER)
KINDS = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
UNLISTED = {
    "Message": {
        "type": "object",
        "required": ["type"],
        "properties": {
            "type": {"type": "string", "not": {"enum": ["text", "image", "video", "ping"]}}
        },
    }
}
Schema = Mapping[str, Any]


def expected_schema(schema: Any) -> Any:
    """The schema as we mean to read it."""
    if isinstance(schema, list):
        return [expected_schema(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: expected_schema(it) for key, it in schema.items() if key != "nullable"}
    if "oneOf" in plain:
        plain["anyOf"] = plain.pop("oneOf")
    kinds = plain.get("type")
    null = schema.get("nullable") is True or (isinstance(kinds, list) and "null" in kinds)
    values = [value for value in plain.pop("enum", ()) if value is not None]
    if values:
        plain["type"] = sorted({KINDS[type(value)] for value in values})
    if len(values) == 1:
        plain["const"] = values[0]
    elif "const" in plain:
        plain["type"] = KINDS[type(plain["const"])]
    return {"anyOf": [plain, {"type": "null"}]} if null else plain


def schemas_of(case: str) -> dict[str, Any]:
    spec: Any = read_document(CASES / case / "spec.yaml", Diagnostics()).data
    schemas = {name: expected_schema(it) for name, it in spec["components"]["schemas"].items()}
    for name, more in UNLISTED.items():
        if name in schemas:
            schemas[name]["anyOf"].append(more)
    return schemas


ANYTHING = st.sampled_from(
    [None, True, False, 0, 1, 2, 1.0, 1.5, "", "a", "stop", [], [1], ["a"], {}, {"a": 1}]
)
SCALARS: dict[str, st.SearchStrategy[Any]] = {
    "null": st.none(),
    "boolean": st.booleans(),
    "integer": st.integers(),
    "number": st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    "string": st.text(max_size=5),
}


def near(schema: Any, schemas: Schema, depth: int = 4) -> st.SearchStrategy[Any]:
    """Values that fit a schema, and some that do not quite."""
    if not isinstance(schema, dict) or not depth:
        return ANYTHING
    fitting = [st.just(schema["const"])] if "const" in schema else []
    if "$ref" in schema:
        fitting.append(near(schemas[schema["$ref"].rpartition("/")[2]], schemas, depth))
    fitting += [near(member, schemas, depth) for member in schema.get("anyOf", ())]
    if "allOf" in schema:
        parts = [near(member, schemas, depth) for member in schema["allOf"]]
        fitting.append(st.tuples(*parts).map(joined))
    kinds = schema.get("type", "object" if "properties" in schema else ())
    for kind in [kinds] if isinstance(kinds, str) else kinds:
        fitting.append(SCALARS[kind] if kind in SCALARS else inside(kind, schema, schemas, depth))
    chosen = st.one_of(*fitting) if fitting else ANYTHING
    return st.integers(0, 15).flatmap(lambda n: chosen if n else ANYTHING)


def inside(kind: str, schema: Schema, schemas: Schema, depth: int) -> st.SearchStrategy[Any]:
    if kind == "array":
        return st.lists(near(schema.get("items"), schemas, depth - 1), max_size=3)
    members = {
        name: near(it, schemas, depth - 1) for name, it in schema.get("properties", {}).items()
    }
    required = {name: it for name, it in members.items() if name in schema.get("required", ())}
    optional = {name: it for name, it in members.items() if name not in required}
    more = st.dictionaries(
        st.sampled_from(["a", "b/c", "new"]),
        near(schema.get("additionalProperties"), schemas, depth - 1),
        max_size=2,
    )
    declared = st.fixed_dictionaries(required, optional=optional)
    return st.tuples(more, declared).map(joined)


def joined(parts: tuple[Any, ...]) -> Any:
    return {key: it for part in parts if isinstance(part, dict) for key, it in part.items()}


RANDOM = [
    "required_optional_nullable Pet",
    "objects_in_every_presence Pet",
    "nullable_enum_without_null Choice",
    "enum_open_in_responses Thing",
    "constants Marked",
    "numbers Numbers",
    "type_lists Thing",
    "maps Holder",
    "arrays_of_arrays Board",
    "all_of_merged_flat Pet",
    "any_of_scalars Holder",
    "objects_told_apart_by_their_members Home",
    "one_of_told_apart_by_constants Message",
    "recursive_objects Tree",
    "keys_that_are_no_identifiers Keys",
]


@pytest.mark.parametrize("place", parameters("random", RANDOM))
@settings(max_examples=40, derandomize=True, database=None)
@for_all(data=st.data())
def test_random_values(place: str, data: st.DataObject) -> None:
    case, name = place.split()
    schemas = schemas_of(case)
    value = data.draw(near({"$ref": name}, schemas))
    whole = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}}
    fits = JUDGE(whole).is_valid(value)
    text = json.dumps(value)
    found = {made: verdict(case, made, name, text) for made in VARIANTS}
    assert (found["dataclasses"] is None) == fits
    assert found == dict.fromkeys(VARIANTS, found["dataclasses"])
    if fits:
        sample = Sample(case=case, name=name, what="random", text=text, pointers=())
        for made in VARIANTS:
            assert {*round_trips(sample, made).values()} == {canonical(value)}
