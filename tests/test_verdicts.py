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
from typing import Any, NamedTuple

import pytest
import yaml
from hypothesis import HealthCheck, settings
from hypothesis import given as for_all
from hypothesis import strategies as st

from codegen.loading import loaded
from tests.instances import near
from tests.support import VARIANTS, run
from tests.verdicts import document, judge, judge_of, meant

DATA = Path(__file__).parent / "verdicts.yaml"
READ: dict[str, dict[str, Any]] = yaml.safe_load(DATA.read_text("utf-8"))
SCHEMAS: dict[str, Any] = READ["schemas"]
READ_AS: dict[str, dict[str, Any]] = READ["read_as"]
LONG = int(os.environ.get("STREAMBIND_VERDICTS", "12"))
"""How many values are drawn for each schema."""

PLAIN = {name: meant(it) for name, it in SCHEMAS.items()}
MEANT = {name: meant(READ_AS.get(name, {}).get("as", it)) for name, it in SCHEMAS.items()}


class Made(NamedTuple):
    """The Python name of each schema, and each variant of the package."""

    names: dict[str, str]
    variants: dict[str, Any]

    def judge(self, variant: str, name: str, value: Any) -> list[str] | None:
        return judge(self.variants[variant], self.names[name], json.dumps(value))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    spec = tmp_path_factory.mktemp("verdicts") / "spec.json"
    spec.write_text(json.dumps(document(SCHEMAS)), "utf-8")
    outcome = run(spec)
    assert outcome.files, outcome.diagnostics
    names = json.loads(outcome.files["manifest.json"])["schemas"]
    with loaded(outcome.files) as package:
        yield Made(names, {it: import_module(f"{package}.{it}") for it in VARIANTS})


@cache
def values(name: str) -> st.SearchStrategy[Any]:
    return near(MEANT[name], MEANT)


@cache
def validator(name: str) -> Any:
    return judge_of(name, MEANT)


@pytest.mark.parametrize("name", SCHEMAS)
@settings(
    max_examples=LONG,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@for_all(data=st.data())
def test_verdicts(name: str, data: st.DataObject, made: Made) -> None:
    value = data.draw(values(name))
    found = {it: made.judge(it, name, value) for it in VARIANTS}
    assert found == dict.fromkeys(VARIANTS, found["dataclasses"])
    assert (found["dataclasses"] is None) == validator(name).is_valid(value)


@pytest.mark.parametrize("name", READ_AS)
def test_what_is_read_otherwise_differs(name: str, made: Made) -> None:
    """Each schema that the rules do not explain has a value that shows it."""
    value = READ_AS[name]["shown_by"]
    assert READ_AS[name]["why"]
    is_taken = made.judge("dataclasses", name, value) is None
    assert judge_of(name, PLAIN).is_valid(value) != is_taken
