"""Limits hold where only the client writes: the variants agree with a JSON Schema library, and
pydantic's users see them as its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codegen.diagnostics import Diagnostics
from codegen.source.document import read_document
from tests.support import CASES, VARIANTS, variant

CASE = "limits_hold_in_requests"
LEAST: dict[str, Any] = {"count": 1, "codes": []}

JSONSCHEMA: Any = import_module("jsonschema")  # it has no types
DRAFT: Any = JSONSCHEMA.Draft202012Validator
# 1.0 is no integer here: it would be written back as 1.
CHECKER: Any = DRAFT.TYPE_CHECKER.redefine("integer", lambda _, it: type(it) is int)
JUDGE: Any = JSONSCHEMA.validators.extend(DRAFT, type_checker=CHECKER)

INTEGERS = st.integers(-3, 30) | st.sampled_from([2**63, -(2**64), 12 * 10**30])
NUMBERS = st.integers(-2, 2) | st.floats(-1, 2).map(lambda it: round(it, 2))
# A flag of two code points, and letters.
STRINGS = st.text("aé\U0001f1e9", max_size=7)
THINGS = st.recursive(
    st.fixed_dictionaries({}, optional={"size": st.integers(-1, 2), "a": st.none()}),
    lambda inner: st.fixed_dictionaries({"next": inner}, optional={"b": st.none()}),
    max_leaves=3,
)
ANY = st.sampled_from(
    [0, 0.0, False, 1, 1.0, True, None, "", "1", [1], [True], {"a": 1}, {"a": 1.0}]
)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "count": INTEGERS,
    "Part": INTEGERS,
    "dozens": INTEGERS,
    "half": INTEGERS,
    "share": NUMBERS,
    "note": st.none() | STRINGS,
    "codes": st.lists(STRINGS, max_size=4),
    "things": st.lists(THINGS, max_size=3),
    "anything": st.lists(ANY, max_size=4),
    "labels": st.dictionaries(STRINGS, st.integers(-1, 3), max_size=4),
    "name": STRINGS,
    "names": st.lists(STRINGS, max_size=2),
    "both": INTEGERS,
    "either": INTEGERS | STRINGS,
}


def schemas() -> Mapping[str, Any]:
    spec: Any = read_document(CASES / CASE / "spec.yaml", Diagnostics()).data
    found: dict[str, Any] = spec["components"]["schemas"]
    for schema in found["Order"]["properties"].values():
        schema.pop("pattern", None)  # it is only told
    return found


def takes(name: str, value: Any) -> bool:
    package = variant(CASE, name)
    try:
        made = package.from_json(package.Order, value)
    except package.DecodeError:
        return False
    assert package.to_json(made) == value
    return True


@pytest.mark.parametrize("member", VALUES)
@settings(max_examples=60, derandomize=True, database=None, deadline=None)
@given(data=st.data())
def test_limits_mean_what_json_schema_says(member: str, data: st.DataObject) -> None:
    value = {**LEAST, member: data.draw(VALUES[member])}
    known = schemas()
    fits = JUDGE({**known["Order"], "components": {"schemas": known}}).is_valid(value)
    assert {name: takes(name, value) for name in VARIANTS} == dict.fromkeys(VARIANTS, fits)


@settings(max_examples=60, derandomize=True, database=None, deadline=None)
@given(price=st.decimals(-100, 10**6, places=3).map(float) | st.integers(0, 10**9))
def test_a_number_is_a_multiple_as_it_is_written(price: float) -> None:
    """Floats of two decimals are multiples of 0.01, though their bits are not."""
    fits = Decimal(repr(price)) % Decimal("0.01") == 0
    value = {**LEAST, "price": price}
    assert {name: takes(name, value) for name in VARIANTS} == dict.fromkeys(VARIANTS, fits)


@pytest.mark.parametrize("price", [1e300, 1e-300, 1.7976931348623157e308, 10**400])
def test_numbers_of_any_size_are_compared(price: float) -> None:
    fits = price > 1
    assert {takes(name, {**LEAST, "price": price}) for name in VARIANTS} == {fits}


BEYOND = [
    ({"count": 0}, "/count", "at least 1"),
    ({"Part": 3}, "/Part", "less than 3"),
    ({"dozens": 13}, "/dozens", "a multiple of 12"),
    ({"price": 0.001}, "/price", "a multiple of 0.01"),
    ({"share": 1}, "/share", "less than 1"),
    ({"note": ""}, "/note", "at least 1 character or null"),
    ({"codes": ["a"]}, "/codes/0", "at least 2 characters"),
    ({"codes": ["ab", "ac", "ad"]}, "/codes", "at most 2 items"),
    ({"codes": ["ab", "ab"]}, "/codes", "items that differ"),
    ({"labels": {}}, "/labels", "at least 1 member"),
    ({"things": [{}]}, "/things/0", "at least 1 member"),
]


@pytest.mark.parametrize(("more", "pointer", "expected"), BEYOND)
def test_an_error_says_the_limit(more: Any, pointer: str, expected: str) -> None:
    for name in VARIANTS:
        package = variant(CASE, name)
        with pytest.raises(package.DecodeError) as caught:
            package.from_json(package.Order, {**LEAST, **more})
        found = [(it.pointer, it.expected) for it in caught.value.errors]
        assert found == [(pointer, expected)], name


def test_pydantic_holds_to_limits_when_it_makes_a_model() -> None:
    package = variant(CASE, "pydantic")
    order = package.Order(count=1, codes=["ab"], part=1, things=[package.Thing(size=0)])
    written = {**LEAST, "codes": ["ab"], "Part": 1, "things": [{"size": 0}]}
    assert package.to_json(order) == written
    for wrong in ({"count": 0}, {"part": 0}, {"price": 0.001}, {"codes": ["ab", "ab"]}):
        with pytest.raises(ValueError):
            package.Order(**{**LEAST, **wrong})
    with pytest.raises(ValueError, match="at least 1 member"):
        package.Thing()


def test_pydantic_shows_limits_in_its_json_schema() -> None:
    schema = variant(CASE, "pydantic").Order.model_json_schema()
    told: dict[str, dict[str, Any]] = {
        "count": {"minimum": 1, "maximum": 10},
        "dozens": {"multipleOf": 12},
        "share": {"minimum": 0, "exclusiveMaximum": 1},
        "price": {"multipleOf": 0.01},
        "codes": {"maxItems": 2, "uniqueItems": True},
        "labels": {"minProperties": 1, "maxProperties": 2},
    }
    shown = {name: schema["properties"][name] for name in told}
    assert {name: {**shown[name], **it} for name, it in told.items()} == shown
    things = schema["$defs"]["Thing"]
    assert (things["minProperties"], things["maxProperties"]) == (1, 2)
