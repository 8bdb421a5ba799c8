"""Reading documents: formats, encodings, what is refused and where."""

import hashlib
import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codegen.diagnostics import Diagnostics, Refused
from codegen.source.document import read_document
from codegen.source.jsontext import load_json, locate_json
from codegen.source.problem import Unreadable
from codegen.source.values import MAX_DEPTH, Json

PAGE = """\
# T

A snippet:

```yaml
schema: {type: string}
```

~~~~YAML title="x"
openapi: 3.0.0
info:
  description: |
    ```yaml
    openapi: no
    ```
~~~~
"""
PAGE_DATA: Json = {
    "openapi": "3.0.0",
    "info": {"description": "```yaml\nopenapi: no\n```\n"},
}

READABLE: dict[str, tuple[str, bytes, Json]] = {
    "yaml": ("a.yaml", b"openapi: 3.0.0", {"openapi": "3.0.0"}),
    "yml": ("a.yml", b"openapi: 3.0.0", {"openapi": "3.0.0"}),
    "json": ("a.json", b'{"openapi": "3.0.0"}', {"openapi": "3.0.0"}),
    "json in a yaml file": ("a.yaml", b'{"openapi":\t"3.0.0"}', {"openapi": "3.0.0"}),
    "mark": ("a.yaml", b"\xef\xbb\xbfopenapi: 3.0.0", {"openapi": "3.0.0"}),
    "mark in json": ("a.json", b"\xef\xbb\xbf{}", {}),
    "crlf": ("a.json", b'{\r\n"a": 1\r\n}\r\n', {"a": 1}),
    "page": ("a.md", PAGE.encode(), PAGE_DATA),
    "page with crlf": ("a.md", PAGE.replace("\n", "\r\n").encode(), PAGE_DATA),
    "page, swagger in json": (
        "a.md",
        b'```json\n{"x": 1, "swagger": "2.0"}\n```\n',
        {"x": 1, "swagger": "2.0"},
    ),
    "page without an end": ("a.md", b"```yaml\nopenapi: 3.0.0\n", {"openapi": "3.0.0"}),
    "no suffix, json": ("spec", b" [1]", [1]),
    "no suffix, yaml": ("spec", b"openapi: |\n  3\n\n  ```yaml\n", {"openapi": "3\n\n```yaml\n"}),
    "no suffix, page": ("spec", PAGE.encode(), PAGE_DATA),
    "lone surrogate": ("a.json", b'"\\ud800"', "\ud800"),
    "big integer": ("a.json", b"123456789012345678901234567890", 123456789012345678901234567890),
}


@pytest.mark.parametrize("name", READABLE)
def test_readable(name: str, tmp_path: Path) -> None:
    file, content, data = READABLE[name]
    path = tmp_path / file
    path.write_bytes(content)
    document = read_document(path, Diagnostics())
    assert document.data == data
    assert document.digest == "sha256:" + hashlib.sha256(content).hexdigest()
    assert (document.name, document.path) == (str(path), path)


REFUSED: dict[str, tuple[str, bytes, list[tuple[str, int, int]]]] = {
    "not utf-8": ("a.yaml", b"a: 1\nb: \xc3\xa9\xff\n", [("SB102", 2, 5)]),
    "not utf-8 after a mark": ("a.yaml", b"\xef\xbb\xbfa: \xff\n", [("SB102", 1, 4)]),
    "utf-16": ("a.json", "{}".encode("utf-16"), [("SB102", 1, 1)]),
    "repeated name": ("a.json", b'{"a": 1,\n "b": 2, "a": 3}', [("SB104", 2, 10)]),
    "all of them": (
        "a.json",
        b'{"a":1,"a":2,"b":{"c":1,"c":2},}',
        [("SB104", 1, 8), ("SB104", 1, 25), ("SB103", 1, 32)],
    ),
    "nan": ("a.json", b'{"a": NaN}', [("SB103", 1, 7)]),
    "infinity": ("a.json", b"[-Infinity]", [("SB103", 1, 2)]),
    "no value": ("a.json", b"", [("SB103", 1, 1)]),
    "no comma": ("a.json", b'{"a": 1 "b": 2}', [("SB103", 1, 9)]),
    "no end": ("a.json", b"[1,\n2", [("SB103", 2, 2)]),
    "no colon": ("a.json", b'{"a" 1}', [("SB103", 1, 6)]),
    "no quotes": ("a.json", b"{a: 1}", [("SB103", 1, 2)]),
    "text after": ("a.json", b"{} {}", [("SB103", 1, 4)]),
    "control in a string": ("a.json", b'["a\tb"]', [("SB103", 1, 4)]),
    "too many digits": ("a.json", b"[" + b"9" * 5000 + b"]", [("SB105", 1, 2)]),
    "beyond a float": ("a.json", b'{"a": [1, -1e400]}', [("SB105", 1, 11)]),
    "too deep": ("a.json", b"[" * 100_000, [("SB105", 1, MAX_DEPTH + 1)]),
    "page without a definition": ("a.md", b"# T\n```yaml\na: 1\n```\n", [("SB107", 1, 1)]),
    "page with two": ("a.md", b"```yaml\nopenapi: 3.0.0\n```\n" * 2, [("SB107", 4, 1)]),
    "page with an error": (
        "a.md",
        b"# T\n```yaml\nopenapi: 3.0.0\nopenapi: 3.0.0\n```\n",
        [("SB104", 4, 1)],
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, tmp_path: Path) -> None:
    file, content, wanted = REFUSED[name]
    (tmp_path / file).write_bytes(content)
    with pytest.raises(Refused) as caught:
        read_document(tmp_path / file, Diagnostics())
    found = [
        (item.code.id, item.position.line, item.position.column)
        for item in caught.value.diagnostics.items
        if item.position is not None
    ]
    assert found == wanted


@pytest.mark.parametrize("name", ["absent.yaml", "."])
def test_no_file(name: str, tmp_path: Path) -> None:
    with pytest.raises(Refused) as caught:
        read_document(tmp_path / name, Diagnostics())
    assert [item.code.id for item in caught.value.diagnostics.items] == ["SB101"]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"openapi: 3.0.0\n")))
    document = read_document("-", Diagnostics())
    assert (document.name, document.path, document.data) == ("<stdin>", None, {"openapi": "3.0.0"})


def test_depth_of_json_is_bounded() -> None:
    fits = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert locate_json(fits)[0] == load_json(fits)
    for read in (load_json, locate_json):
        with pytest.raises(Unreadable, match="nested deeper"):
            read(f"[{fits}]")


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
)


@given(json_values, st.sampled_from([None, 1, "\t"]))
def test_both_readers_of_json_agree(value: Json, indent: int | str | None) -> None:
    text = json.dumps(value, indent=indent)
    assert load_json(text) == locate_json(text)[0] == value
