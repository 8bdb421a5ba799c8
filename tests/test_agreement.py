"""The three variants mean the same: one verdict on a value, the same errors, the same JSON back.

The data are the cases' own. Random values beside them are also judged by a JSON Schema library,
which has no part in this project; its schemas are changed first where it is to judge as we do.
"""

from __future__ import annotations

import json
import pickle
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st
from pydantic import BaseModel

from codegen.diagnostics import Diagnostics
from codegen.source.document import read_document
from tests.instances import near
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
from tests.verdicts import KINDS, judge, judge_of, meant

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


def made_again(value: Any) -> Any:
    """A value as its user makes one: by the constructors of its classes."""
    if isinstance(value, list):
        return [made_again(item) for item in value]
    if isinstance(value, dict):
        return {name: made_again(member) for name, member in value.items()}
    if isinstance(value, BaseModel):
        attributes, undeclared = type(value).model_fields.keys(), value.model_extra or {}
        if attributes & undeclared.keys():
            pytest.skip("a keyword is an attribute, and no undeclared member of its name")
        given = {name: getattr(value, name) for name in attributes & value.model_fields_set}
        given |= undeclared
        return type(value)(**made_again(given))
    if is_dataclass(value) and not isinstance(value, type):
        given = {it.name: getattr(value, it.name) for it in fields(value)}
        return type(value)(**made_again(given))
    return value


@pytest.mark.parametrize("sample", parameters("accepted", ACCEPTED))
def test_what_was_read_can_be_made(sample: Sample) -> None:
    for name in ("dataclasses", "pydantic"):
        made = variant(sample.case, name)
        value = made.loads(getattr(made, sample.name), sample.text)
        assert made_again(value) == value, name


@pytest.mark.parametrize("sample", parameters("refused", REFUSED))
def test_refused_at_the_same_places(sample: Sample) -> None:
    found = {name: judge(variant(sample.case, name), sample.name, sample.text) for name in VARIANTS}
    assert found == dict.fromkeys(VARIANTS, sorted(sample.pointers))


@pytest.mark.parametrize("sample", parameters("alternatives", REFUSED))
def test_what_is_expected_is_said_once(sample: Sample) -> None:
    """Also where unions that hold the same lie inside of one."""
    for name in VARIANTS:
        made = variant(sample.case, name)
        with pytest.raises(made.DecodeError) as caught:
            made.loads(getattr(made, sample.name), sample.text)
        assert pickle.loads(pickle.dumps(caught.value.errors)) == caught.value.errors
        for problem in caught.value.errors:
            alternatives = problem.expected.split(" or ")
            assert len(alternatives) == len(set(alternatives)), name


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
    assert judge(variant("any_value", name), "Value", text) == [""]


# What a server may send that none of the members of its union is.
UNLISTED = {
    "Message": {
        "type": "object",
        "required": ["type"],
        "properties": {
            "type": {"type": "string", "not": {"enum": ["text", "image", "video", "ping"]}}
        },
    }
}


def opened(schema: Any) -> Any:
    """The schema of what a server writes: of several constants the kinds hold, and null is allowed
    wherever it is named.
    """
    if isinstance(schema, list):
        return [opened(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: opened(it) for key, it in schema.items() if key != "enum"}
    kinds = plain.get("type")
    if isinstance(kinds, list) and "null" in kinds:
        plain["nullable"] = True
    values = [value for value in schema.get("enum", ()) if value is not None]
    if len(values) == 1:
        plain["const"] = values[0]
    elif values:
        plain["type"] = sorted({KINDS[type(value)] for value in values})
    return plain


def schemas_of(case: str) -> dict[str, Any]:
    spec: Any = read_document(CASES / case / "spec.yaml", Diagnostics()).data
    schemas = {name: meant(opened(it)) for name, it in spec["components"]["schemas"].items()}
    for name, more in UNLISTED.items():
        if name in schemas:
            schemas[name]["anyOf"].append(more)
    return schemas


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
    value = data.draw(near(schemas[name], schemas))
    fits = judge_of(name, schemas).is_valid(value)
    text = json.dumps(value)
    found = {made: judge(variant(case, made), name, text) for made in VARIANTS}
    assert (found["dataclasses"] is None) == fits
    assert found == dict.fromkeys(VARIANTS, found["dataclasses"])
    if fits:
        sample = Sample(case=case, name=name, what="random", text=text, pointers=())
        for made in VARIANTS:
            assert {*round_trips(sample, made).values()} == {canonical(value)}
