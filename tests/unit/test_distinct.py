"""Collisions: who keeps a name, how the others are spelled, and that order changes nothing."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codegen.python.distinct import distinct, distinct_files
from codegen.python.names import pascal, snake, split_words

WIRE_NAMES = st.sets(
    st.text(alphabet="aAbB_-.+1é", max_size=5) | st.text(st.characters(exclude_categories=())),
    max_size=12,
)


def fields(*wire_names: str, taken: frozenset[str] = frozenset()) -> dict[str, str]:
    return distinct({wire: snake(split_words(wire)) for wire in wire_names}, taken)


def classes(*wire_names: str) -> dict[str, str]:
    return distinct({wire: pascal(split_words(wire)) for wire in wire_names}, casing=pascal)


def digits(wire: str, count: int) -> str:
    return hashlib.sha256(wire.encode()).hexdigest()[:count]


@pytest.mark.parametrize(
    "want",
    [
        {"a-b": "a_b"},
        {"a-b": "a_dash_b", "a_b": "a_b"},
        {"a-b": "a_dash_b", "a+b": "a_plus_b"},
        {"a-b": "a_dash_b", "a+b": "a_plus_b", "a_b": "a_b", "a.b": "a_dot_b"},
        {"foo": "foo", "Foo": "cap_foo", "FOO": "caps_foo"},
        {"-Infinity": "dash_infinity", "Infinity": "infinity"},
        {"fooBar": "foo_bar", "foo-bar": "foo_dash_bar"},
        {"FooBar": "cap_foo_cap_bar", "fooBar": "foo_cap_bar", "foo-bar": "foo_dash_bar"},
        {"@type": "at_type", "type": "type"},
        {"fooBar": "foo_cap_bar", "foo_bar": "foo_bar"},
        {"a-b": "a_b", "a_dash_b": "a_dash_b"},
        {"a-b": "lower_a_dash_b", "a_b": "a_b", "a_dash_b": "a_dash_b"},
        {"from": "lower_from", "from_": "from_"},
        {"名 ": f"名_space_{digits('名 ', 4)}", "名": "名", "名_space": "名_space"},
    ],
)
def test_fields(want: dict[str, str]) -> None:
    assert fields(*want) == want


def test_classes() -> None:
    assert classes("Foo-Bar", "foo_bar", "FooBar") == {
        "Foo-Bar": "FooDashBar",
        "foo_bar": "FooUnderscoreBar",
        "FooBar": "FooBar",
    }
    assert classes("pet", "Pet") == {"pet": "LowerPet", "Pet": "Pet"}


def test_taken_names_come_first() -> None:
    taken = frozenset({"self", "copy", "copy_"})
    assert fields("self", "copy", taken=taken) == {"self": "self_", "copy": "copy__"}


@given(WIRE_NAMES.flatmap(lambda names: st.permutations(sorted(names))))
def test_order_changes_nothing_and_all_differ(shuffled: list[str]) -> None:
    for give in (fields, classes):
        result = give(*shuffled)
        assert list(result) == shuffled
        assert give(*sorted(shuffled)) == result
        assert len(set(result.values())) == len(shuffled)
        assert all(name.isidentifier() for name in result.values())


@given(WIRE_NAMES, st.text(alphabet="xyz_-", min_size=6, max_size=8))
def test_a_name_that_meets_no_other_moves_no_other(names: set[str], added: str) -> None:
    before = fields(*names)
    wanted = snake(split_words(added))
    if wanted not in before.values():
        after = fields(*names, added)
        assert {wire: after[wire] for wire in names} == before


def test_files_are_compared_without_case() -> None:
    wanted = {"Straße": "straße", "strasse": "strasse"}
    assert distinct_files(wanted) == {"Straße": "cap_straße", "strasse": "strasse"}


def test_files_avoid_devices_and_taken_names() -> None:
    wanted = {"con": "con", "streams": "streams"}
    assert distinct_files(wanted, frozenset({"streams"})) == {"con": "con_", "streams": "streams_"}


def test_a_taken_name_wanted_twice() -> None:
    assert fields("self", "Self", taken=frozenset({"self"})) == {
        "self": "self_",
        "Self": "cap_self",
    }


def test_long_file_names_are_cut_and_stay_apart() -> None:
    wanted = {letter: "名" * 200 + letter for letter in "ab"}
    first, second = distinct_files(wanted).values()
    assert first != second
    assert max(len(first.encode()), len(second.encode())) <= 120
