"""JSON Pointer; the table is that of RFC 6901, sections 5 and 6."""

import pytest

from codegen.source.pointer import from_fragment, join, lookup, split
from codegen.source.values import Json

DOCUMENT: Json = {
    "foo": ["bar", "baz"],
    "": 0,
    "a/b": 1,
    "c%d": 2,
    "e^f": 3,
    "g|h": 4,
    "i\\j": 5,
    'k"l': 6,
    " ": 7,
    "m~n": 8,
}

FRAGMENTS: list[tuple[str, str, Json]] = [
    ("", "#", DOCUMENT),
    ("/foo", "#/foo", ["bar", "baz"]),
    ("/foo/0", "#/foo/0", "bar"),
    ("/", "#/", 0),
    ("/a~1b", "#/a~1b", 1),
    ("/c%25d", "#/c%d", 2),
    ("/e%5Ef", "#/e^f", 3),
    ("/g%7Ch", "#/g|h", 4),
    ("/i%5Cj", "#/i\\j", 5),
    ("/k%22l", '#/k"l', 6),
    ("/%20", "#/ ", 7),
    ("/m~0n", "#/m~0n", 8),
]


@pytest.mark.parametrize(("fragment", "pointer", "value"), FRAGMENTS)
def test_fragments(fragment: str, pointer: str, value: Json) -> None:
    assert from_fragment(fragment) == pointer
    assert lookup(DOCUMENT, pointer) == value
    assert join("#", *split(pointer)) == pointer


TOKENS: list[tuple[tuple[str | int, ...], str]] = [
    ((), "#"),
    (("",), "#/"),
    (("paths", "/pets/{id}", "get"), "#/paths/~1pets~1{id}/get"),
    (("~1", "~0", "~"), "#/~01/~00/~0"),
    (("allOf", 0), "#/allOf/0"),
]


@pytest.mark.parametrize(("tokens", "pointer"), TOKENS)
def test_tokens(tokens: tuple[str | int, ...], pointer: str) -> None:
    assert join("#", *tokens) == pointer
    assert split(pointer) == tuple(map(str, tokens))


@pytest.mark.parametrize("pointer", ["", "/a", "a", "#a", "##/a"])
def test_malformed_pointers(pointer: str) -> None:
    with pytest.raises(ValueError, match="not a JSON pointer"):
        split(pointer)


@pytest.mark.parametrize("fragment", ["/a~2", "/a~", "/%ff"])
def test_malformed_fragments(fragment: str) -> None:
    with pytest.raises(ValueError, match=r"~|decode"):
        from_fragment(fragment)


def test_the_name_of_an_anchor_is_no_pointer() -> None:
    assert from_fragment("Pet%C3%A9") == "#Pet\u00e9"


@pytest.mark.parametrize(
    "pointer",
    [
        "#/bar",
        "#/foo/2",
        "#/foo/-",
        "#/foo/00",
        "#/foo/-1",
        "#/foo/\u0661",
        "#/foo/0/x",
        f"#/foo/{'9' * 5000}",
    ],
)
def test_missing(pointer: str) -> None:
    with pytest.raises(LookupError):
        lookup(DOCUMENT, pointer)
