"""Strings that are read as something else: every text comes back as it was, and the values are
Python's own in all that is done with them.

Which texts are accepted is told by RFC 3339, RFC 9562, RFC 4648 and the grammar of JSON's numbers,
not by our code: the strategies write what these allow, and what servers send beside it.
"""

from __future__ import annotations

import copy
import datetime
import json
import pickle
import subprocess
import sys
import uuid
from base64 import b64encode, urlsafe_b64encode
from decimal import Context, Decimal, localcontext
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codegen.formats import DEFAULTS
from tests.support import ROOT, VARIANTS, made, run, variant

CASE = "formats_of_strings"
LEAST: dict[str, Any] = {"at": "2024-01-02T03:04:05Z", "id": str(uuid.UUID(int=10)), "due": None}

OFFSETS = st.one_of(
    st.sampled_from(["Z", "z", "", "+00:00", "-00:00", "+0530", "-08"]),
    st.builds(
        "{}{:02}:{:02}".format, st.sampled_from("+-"), st.integers(0, 23), st.integers(0, 59)
    ),
)
DATES = st.dates().map(datetime.date.isoformat)
TIMES = st.builds(
    "{:02}:{:02}{}{}".format,
    st.integers(0, 23),
    st.integers(0, 59),
    st.sampled_from(["", ":00", ":59", ":60", ":07.5", ":07.123456", ":07.000", ":60.123456789"]),
    OFFSETS,
)
# Nothing comes after the last day that Python knows.
DAYS = st.dates(max_value=datetime.date(9999, 12, 30)).map(datetime.date.isoformat)
DATE_TIMES = st.builds("{}{}{}".format, DAYS, st.sampled_from("Tt "), TIMES)
UUIDS = st.uuids().flatmap(lambda it: st.sampled_from([str(it), str(it).upper(), it.hex]))
BYTES = st.binary(max_size=20).flatmap(
    lambda it: st.sampled_from(
        [
            text
            for whole in (b64encode(it).decode(), urlsafe_b64encode(it).decode())
            for text in (whole, whole.rstrip("="), whole[:4] + "\r\n" + whole[4:])
        ]
    )
)
DECIMALS = st.from_regex(r"\A[+-]?([0-9]{1,9}(\.[0-9]{0,9})?|\.[0-9]{1,9})([Ee][+-]?[0-9]{1,3})?\Z")
TEXTS = {
    "at": DATE_TIMES,
    "date": DATES,
    "time": TIMES,
    "id": UUIDS,
    "bytes": BYTES,
    "price": DECIMALS,
}
TYPES: dict[str, type] = {
    "at": datetime.datetime,
    "date": datetime.date,
    "time": datetime.time,
    "id": uuid.UUID,
    "bytes": bytes,
    "price": Decimal,
}


EAST = datetime.timezone(datetime.timedelta(hours=1))


def decode(name: str, member: str, text: Any) -> Any:
    package = variant(CASE, name)
    return package.from_json(package.Event, {**LEAST, member: text})


def twins(value: Any) -> list[Any]:
    pickled = (pickle.loads(pickle.dumps(value, protocol)) for protocol in (2, 4, 5))
    return [copy.copy(value), copy.deepcopy(value), *pickled]


@pytest.mark.parametrize("member", TEXTS)
@settings(max_examples=60, derandomize=True, database=None, deadline=None)
@given(data=st.data())
def test_every_text_that_is_read_is_written_back(member: str, data: st.DataObject) -> None:
    text = data.draw(TEXTS[member])
    json_ = {**LEAST, member: text}
    for name in VARIANTS:
        package = variant(CASE, name)
        value = decode(name, member, text)
        assert package.to_json(value) == json_, name
        for twin in twins(value):
            assert twin == value
            assert package.to_json(twin) == json_, name
    assert variant(CASE, "pydantic").Event.model_validate(json_).model_dump(mode="json") == json_


@pytest.mark.parametrize("member", TEXTS)
@settings(max_examples=60, derandomize=True, database=None, deadline=None)
@given(data=st.data())
def test_no_text_is_read_by_one_variant_alone(member: str, data: st.DataObject) -> None:
    text = data.draw(TEXTS[member] | st.text(max_size=12))
    cut = data.draw(st.integers(0, len(text)))
    text = text[:cut] + data.draw(st.text("0129-:+=TZ. e", max_size=2)) + text[cut:]
    said: set[Any] = set()
    for name in VARIANTS:
        package = variant(CASE, name)
        try:
            assert package.to_json(decode(name, member, text)) == {**LEAST, member: text}
            said.add(None)
        except package.DecodeError as error:
            said.add(error.errors)
    assert len(said) == 1


@pytest.mark.parametrize("member", TEXTS)
@pytest.mark.parametrize("name", ["dataclasses", "pydantic"])
@settings(max_examples=20, derandomize=True, database=None, deadline=None)
@given(data=st.data())
def test_a_value_is_one_of_its_type(name: str, member: str, data: st.DataObject) -> None:
    value = getattr(decode(name, member, data.draw(TEXTS[member])), member)
    assert isinstance(value, TYPES[member])
    assert [hash(twin) for twin in twins(value)] == [hash(value)] * 5


@pytest.mark.parametrize(
    ("member", "text", "value"),
    [
        ("at", "1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50.520000+00:00"),
        ("at", "1996-12-19T16:39:57-08:00", "1996-12-19T16:39:57-08:00"),
        ("at", "1990-12-31T23:59:60Z", "1991-01-01T00:00:00+00:00"),
        ("at", "1990-12-31T15:59:60-08:00", "1990-12-31T16:00:00-08:00"),
        ("at", "1937-01-01T12:00:27.87+00:20", "1937-01-01T12:00:27.870000+00:20"),
        ("time", "23:59:60Z", "00:00:00+00:00"),
    ],
)
def test_what_rfc_3339_shows_means_what_it_says(member: str, text: str, value: str) -> None:
    """The examples of section 5.8, and a leap second alone."""
    assert getattr(decode("dataclasses", member, text), member).isoformat() == value


@pytest.mark.parametrize("name", ["dataclasses", "pydantic"])
def test_what_is_made_of_a_value_is_a_plain_one(name: str) -> None:
    at = decode(name, "at", "2024-01-02T03:04:05.120Z").at
    day = datetime.timedelta(days=1)
    made_of = [at + day, at - day, at.replace(year=2023), at.astimezone(EAST)]
    assert [type(it) for it in made_of] == [datetime.datetime] * 4
    assert repr(at) == repr(at + day - day)
    time = decode(name, "time", "03:04:05.120Z").time
    assert type(time.replace(hour=4)) is datetime.time
    assert type(type(time).fromisoformat("03:04")) is datetime.time
    assert repr(time) == repr(time.replace())
    id_ = decode(name, "id", LEAST["id"].upper()).id
    assert repr(id_) == repr(uuid.UUID(LEAST["id"]))
    assert type(decode(name, "bytes", "aGk").bytes + b"") is bytes
    assert type(decode(name, "price", "+1").price + 0) is Decimal


@pytest.mark.parametrize("name", ["dataclasses", "pydantic"])
def test_a_value_that_is_set_is_written_as_its_type_does(name: str) -> None:
    package = variant(CASE, name)
    at = datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)
    event = package.Event(at=at, id=uuid.UUID(int=10), due=None)
    assert package.to_json(event) == LEAST
    event.at = at.replace(tzinfo=EAST)
    event.date, event.time = at.date(), at.time()
    event.bytes, event.price = b"hi\xff", Decimal("1.50")
    assert package.to_json(event) == {
        **LEAST,
        "at": "2024-01-02T03:04:05+01:00",
        "date": "2024-01-02",
        "time": "03:04:05",
        "bytes": "aGn/",
        "price": "1.50",
    }


def test_a_decimal_that_json_has_no_text_for_is_refused() -> None:
    package = variant(CASE, "dataclasses")
    event = package.from_json(package.Event, LEAST)
    event.price = Decimal("NaN")
    with pytest.raises(ValueError, match="NaN"):
        package.dumps(event)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_number_too_large_for_a_decimal_is_refused_in_any_context(name: str) -> None:
    """Where nothing is trapped, it is NaN."""
    with localcontext(Context(traps=[])), pytest.raises(variant(CASE, name).DecodeError):
        decode(name, "price", "1e9999999999999999999")


def test_typeddicts_hold_the_texts() -> None:
    assert decode("typeddicts", "date", "2024-01-02") == {**LEAST, "date": "2024-01-02"}


def test_pydantic_takes_values_and_texts_and_dumps_both() -> None:
    event = variant(CASE, "pydantic").Event
    made_of = event(at="2024-01-02T03:04:05.0Z", id=uuid.UUID(int=10), due=None, bytes=b"hi")
    assert type(made_of.at + datetime.timedelta(0)) is datetime.datetime
    written = {**LEAST, "at": "2024-01-02T03:04:05.0Z", "bytes": "aGk="}
    assert made_of.model_dump(mode="json") == written
    assert json.loads(made_of.model_dump_json()) == written
    assert made_of.model_dump() == {
        "at": made_of.at,
        "id": uuid.UUID(int=10),
        "due": None,
        "bytes": b"hi",
    }
    assert event.model_validate(made_of.model_dump()) == made_of
    with pytest.raises(ValueError, match="date"):
        event(**LEAST, date=datetime.datetime(2024, 1, 2))


def test_pydantic_shows_formats_in_its_json_schema() -> None:
    schema = variant(CASE, "pydantic").Event.model_json_schema()["properties"]
    shown = {name: {k: it for k, it in schema[name].items() if k != "title"} for name in TEXTS}
    assert shown == {
        "at": {"type": "string", "format": "date-time"},
        "date": {"type": "string", "format": "date"},
        "time": {"type": "string", "format": "time"},
        "id": {"type": "string", "format": "uuid"},
        "bytes": {"type": "string", "contentEncoding": "base64"},
        "price": {"type": "string", "format": "decimal"},
    }


LOADED = (
    "import sys; from {} import Pet; print(*{{'datetime', 'uuid', 'decimal'}} & {{*sys.modules}})"
)


@pytest.mark.parametrize("name", ["dataclasses", "typeddicts"])
def test_types_without_formats_import_nothing_for_them(name: str) -> None:
    package = f"{made('required_optional_nullable')}.{name}"
    folder = str(Path(str(import_module(package).__file__)).parents[3])
    command = (sys.executable, "-c", LOADED.format(package))
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


def test_the_table_of_the_documentation_is_that_of_the_code() -> None:
    page = (ROOT / "docs" / "types.md").read_text("utf-8")
    text = page.partition("\n## Formats\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1:3] for line in text.splitlines() if line.startswith("| `")]
    told = {format_.strip(" `"): type_.strip(" `").rpartition(".")[2] for format_, type_ in rows}
    assert told == DEFAULTS


SPEC = """
openapi: 3.1.0
info: {title: Own, version: "1"}
components:
  schemas:
    Thing:
      type: object
      properties:
        at: {type: string, format: date-time}
        day: {type: string, format: acme-day}
"""


def test_the_user_chooses_types(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC)
    done = run(tmp_path / "spec.yaml", types=("date-time=str", "acme-day=date"))
    assert done.api is not None
    assert json.loads(done.files["manifest.json"])["options"]["types"] == {
        "acme-day": "date",
        "date-time": "str",
    }
    lines = done.files["dataclasses/models/thing.py"].splitlines()
    assert "    at: str | None = None" in lines
    assert "    day: date | None = None" in lines


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ("date-time", "error SB604 'date-time' names no type"),
        ("date-time=datetme", "error SB604 there is no type 'datetme'; did you mean 'datetime'?"),
        ("acmeday=date", "error SB604 there is no format 'acmeday'; did you mean 'acme-day'?"),
    ],
)
def test_a_choice_of_nothing_is_refused(choice: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC)
    done = run(tmp_path / "spec.yaml", types=(choice,))
    assert said in done.diagnostics
    assert not done.files
