"""References to other files: what is opened, and what is refused and where."""

from pathlib import Path

import pytest

from codegen.diagnostics import Diagnostics
from codegen.source.document import read_document
from codegen.source.references import Library

FILES = {
    "api/root.yaml": "{refs: [], a: 1}",
    "api/other.yaml": "{b: 2}",
    "api/deep/more.json": '{"c": 3}',
    "api/with space.yaml": "{d: 4}",
    "api/broken.yaml": "a: [\n",
    "shared/common.yaml": "{e: 5}",
    "secret.yaml": "{f: 6}",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "api/link.yaml").symlink_to(tmp_path / "secret.yaml")
    (tmp_path / "api/inner.yaml").symlink_to(tmp_path / "api/other.yaml")
    (tmp_path / "api/loop.yaml").symlink_to(tmp_path / "api/loop.yaml")
    return tmp_path


OPENED = [
    ("#/a", "api/root.yaml", "#/a"),
    ("", "api/root.yaml", "#"),
    ("root.yaml#/a", "api/root.yaml", "#/a"),
    ("other.yaml", "api/other.yaml", "#"),
    ("./other.yaml#/b", "api/other.yaml", "#/b"),
    ("deep/../other.yaml#/x~1y", "api/other.yaml", "#/x~1y"),
    ("deep/more.json#/c%20d", "api/deep/more.json", "#/c d"),
    ("with%20space.yaml#", "api/with space.yaml", "#"),
    ("inner.yaml#/b", "api/inner.yaml", "#/b"),
]


@pytest.mark.parametrize(("reference", "name", "pointer"), OPENED)
def test_opened(reference: str, name: str, pointer: str, folder: Path) -> None:
    diagnostics = Diagnostics()
    root = read_document(folder / "api/root.yaml", diagnostics)
    opened = Library(root, diagnostics).open(reference, root, "#/refs")
    assert diagnostics.items == ()
    assert opened is not None
    assert (opened[0].name, opened[1]) == (str(folder / name), pointer)


REFUSED = [
    ("https://example.com/a.yaml#/x", "SB111"),
    ("//example.com/a.yaml", "SB111"),
    ("file:///etc/hostname", "SB111"),
    ("absent.yaml", "SB112"),
    ("deep", "SB112"),
    ("loop.yaml", "SB112"),
    ("../secret.yaml", "SB113"),
    ("deep/../../secret.yaml", "SB113"),
    ("%2e%2e/secret.yaml", "SB113"),
    ("/etc/hostname", "SB113"),
    ("link.yaml", "SB113"),
    ("other.yaml#anchor", "SB201"),
    ("#/a~2", "SB114"),
    ("a%00b", "SB114"),
    ("http://[a/b.yaml", "SB114"),
    ("a%ff", "SB114"),
    ("\ud800.yaml", "SB114"),
]


@pytest.mark.parametrize(("reference", "code"), REFUSED)
def test_refused(reference: str, code: str, folder: Path) -> None:
    diagnostics = Diagnostics()
    root = read_document(folder / "api/root.yaml", diagnostics)
    assert Library(root, diagnostics).open(reference, root, "#/refs") is None
    found = [(item.code.id, item.origin) for item in diagnostics.items]
    assert found == [(code, root.origin("#/refs"))]


def test_relative_to_the_file_that_refers(folder: Path) -> None:
    diagnostics = Diagnostics()
    root = read_document(folder / "api/root.yaml", diagnostics)
    library = Library(root, diagnostics)
    more = library.open("deep/more.json", root, "#")
    assert more is not None
    other = library.open("../other.yaml#/b", more[0], "#/c")
    assert other is not None
    assert other[0] is (library.open("other.yaml", root, "#") or (None,))[0]
    assert other[0].name == str(folder / "api/other.yaml")
    assert [document.name for document in library.documents] == [
        str(folder / name) for name in ("api/root.yaml", "api/deep/more.json", "api/other.yaml")
    ]


def test_wider_root(folder: Path) -> None:
    diagnostics = Diagnostics()
    root = read_document(folder / "api/root.yaml", diagnostics)
    library = Library(root, diagnostics, folder)
    opened = library.open("../shared/common.yaml#/e", root, "#")
    assert opened is not None
    assert opened[0].data == {"e": 5}


def test_broken_file_is_reported_once(folder: Path) -> None:
    diagnostics = Diagnostics()
    root = read_document(folder / "api/root.yaml", diagnostics)
    library = Library(root, diagnostics)
    assert library.open("broken.yaml#/a", root, "#/refs") is None
    assert library.open("broken.yaml#/b", root, "#/refs") is None
    (item,) = diagnostics.items
    assert (item.code.id, item.document) == ("SB103", str(folder / "api/broken.yaml"))
