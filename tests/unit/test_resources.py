"""What the parts of a document are called."""

from pathlib import Path

from codegen.diagnostics import Diagnostics
from codegen.source.document import read_document
from codegen.source.resources import find_resources

SPEC = """\
$self: "http://[self"
a: {$id: "http://[a"}
b: {$id: "https://acme.com/b"}
c: {$id: "c.yaml", d: {$id: "http://[d"}, e: {$id: "#e"}, f: {$anchor: f}}
"""


def test_a_name_that_is_no_uri_is_none(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC)
    document = read_document(tmp_path / "spec.yaml", Diagnostics())
    resources = find_resources(document)
    assert {pointer: it.uri for pointer, it in resources.items()} == {
        "#": (tmp_path / "spec.yaml").as_uri(),
        "#/b": "https://acme.com/b",
        "#/c": (tmp_path / "c.yaml").as_uri(),
    }
    assert resources["#/c"].anchors == {"e": "#/c/e", "f": "#/c/f"}
