"""JSONPaths to one place, against the library that reads those of overlays (RFC 9535)."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonpath_rfc9535 import JSONPathError, compile
from jsonpath_rfc9535.selectors import IndexSelector, NameSelector

from templates.runtime.json_path import steps_of

SINGULAR: dict[str, list[str | int]] = {
    "$": [],
    "$.a": ["a"],
    "$.a.b[0].c": ["a", "b", 0, "c"],
    "$[0][12]": [0, 12],
    "$['a b']": ["a b"],
    '$["a.b"]': ["a.b"],
    r"$['it\'s']": ["it's"],
    r'$["\"\\\u0041"]': ['"\\A'],
    """$['"']""": ['"'],
    "$['']": [""],
    "$.☺é": ["☺é"],
    "$._1": ["_1"],
}
REFUSED = [
    *("", "a", ".a", "$.", "$a", "$..a", "$.*", "$[*]", "$[0,1]", "$[0:1]", "$[?@.a]"),
    *("$[01]", "$['a]", "$[a]", "$.a ", "$.1a", "$.a-b", r"$['\x']", """$['\\"']"""),
    # Places there may be, but none that a new value has.
    *("$[-1]", "$[-0]", "$[9999999999]"),
]


@pytest.mark.parametrize(("path", "steps"), SINGULAR.items(), ids=SINGULAR)
def test_one_place(path: str, steps: list[str | int]) -> None:
    assert steps_of(path) == steps
    assert reference(path) == steps


def test_any_character_beyond_ascii_is_part_of_a_name() -> None:
    # The library takes one above U+10FF for the end of the name, which RFC 9535 does not.
    assert steps_of("$.é☺😀") == ["é☺😀"]


@pytest.mark.parametrize("path", REFUSED)
def test_any_other_is_refused(path: str) -> None:
    with pytest.raises(ValueError):
        steps_of(path)


def reference(path: str) -> list[str | int] | None:
    """The same by the library; None for a path that leads to no place or to several."""
    try:
        query = compile(path)
    except JSONPathError:
        return None
    steps: list[str | int] = []
    for segment in query.segments if query.singular_query() else ():
        for selector in segment.selectors:
            if isinstance(selector, NameSelector):
                steps.append(selector.name)
            elif isinstance(selector, IndexSelector):
                steps.append(selector.index)
    is_place = all(isinstance(step, str) or 0 <= step < 10**9 for step in steps)
    return steps if query.singular_query() and is_place else None


def read(path: str) -> list[str | int] | None:
    try:
        return steps_of(path)
    except ValueError:
        return None


# Blank space between steps, which the RFC allows, is not read: nobody sends it.
PIECES = st.sampled_from(
    [*".[]*$'\"\\a0é☺-,:?@", "..", ".a", "[0]", "['", "']", '["', '"]', "\\'", "\\u0041", "\\n"]
)


@given(st.lists(PIECES, max_size=8).map("".join))
@example("['\\\\']")
@example("['\\\\\\'']")
def test_any_path(rest: str) -> None:
    assert read(f"${rest}") == reference(f"${rest}")


NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)


@given(st.lists(NAMES | st.integers(0, 10**9 - 1), max_size=5), st.booleans())
def test_any_names_and_indices(steps: list[str | int], single: bool) -> None:
    path = "$" + "".join(f"[{step}]" if isinstance(step, int) else quote(step) for step in steps)
    assert steps_of(path) == steps


def quote(name: str) -> str:
    """A name in brackets, each character that may be written so as its number."""
    return "['" + "".join(f"\\u{ord(c):04x}" if ord(c) < 0x80 else c for c in name) + "']"
