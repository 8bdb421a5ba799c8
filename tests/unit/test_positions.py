"""Pointer to line and column, in every format; the places are counted by hand."""

from pathlib import PurePath

import pytest

from codegen.source.text import SourceText

YAML = """\
openapi: 3.1.0
paths:
  /a/b:
    get: &get
      tags: [x,  y]
      parameters:
        - name: p
        -
          name: q
    put: *get
    post:
      <<: *get
      summary: s
"""
JSON = """\
{
  "a": {"b": [10, {"c": 1}]},
\t"d": "x"
}
"""
PAGE = """\
---
title: t
---
# T

```yaml
openapi: 3.0.0
info:
  title: t
```
"""
TOML = '''\
# [a]
top.'q.r' = 1
"k\\u00e9y" = { a = [1, { b = """x]" """ }], c.d = 2 }
[tool.x]   # }
when = "]"
list = [ # [
  'one',
  "two\\"",
]
[[tool.x.jobs]]
spec = "a"
[[tool.x.jobs]]
spec = "b"
[tool.x.jobs.more]
y = 1e3
'''

CASES: list[tuple[str, str, str, tuple[int, int]]] = [
    ("x.yaml", YAML, "#", (1, 1)),
    ("x.yaml", YAML, "#/paths", (2, 1)),
    ("x.yaml", YAML, "#/paths/~1a~1b", (3, 3)),
    ("x.yaml", YAML, "#/paths/~1a~1b/get/tags/1", (5, 18)),
    ("x.yaml", YAML, "#/paths/~1a~1b/get/parameters/0", (7, 11)),
    ("x.yaml", YAML, "#/paths/~1a~1b/get/parameters/0/name", (7, 11)),
    ("x.yaml", YAML, "#/paths/~1a~1b/get/parameters/1/name", (9, 11)),
    # Through an alias and a merge: where the member was written.
    ("x.yaml", YAML, "#/paths/~1a~1b/put", (10, 5)),
    ("x.yaml", YAML, "#/paths/~1a~1b/put/tags", (5, 7)),
    ("x.yaml", YAML, "#/paths/~1a~1b/post/tags", (5, 7)),
    ("x.yaml", YAML, "#/paths/~1a~1b/post/summary", (13, 7)),
    # What is missing lies at its parent.
    ("x.yaml", YAML, "#/paths/~1a~1b/get/responses", (4, 5)),
    ("x.yaml", YAML, "#/paths/~1a~1b/get/parameters/7/name", (6, 7)),
    ("x.yaml", YAML.replace("\n", "\r\n"), "#/paths/~1a~1b", (3, 3)),
    ("x.yaml", "a: 'x\u2028y'\nb: 1\n", "#/b", (2, 1)),
    ("x.json", JSON, "#", (1, 1)),
    ("x.json", JSON, "#/a/b", (2, 9)),
    ("x.json", JSON, "#/a/b/1", (2, 19)),
    ("x.json", JSON, "#/a/b/1/c", (2, 20)),
    ("x.json", JSON, "#/d", (3, 2)),
    ("x.json", JSON.replace("\n", ""), "#/d", (1, 32)),
    ("x.json", '{"a":{"é":[[],[{"b":1}]]}}', "#/a/é/1/0/b", (1, 17)),
    ("x.toml", TOML, "#/top", (2, 1)),
    ("x.toml", TOML, "#/top/q.r", (2, 5)),
    ("x.toml", TOML, "#/kéy/a", (3, 16)),
    ("x.toml", TOML, "#/kéy/a/0", (3, 21)),
    ("x.toml", TOML, "#/kéy/a/1/b", (3, 26)),
    ("x.toml", TOML, "#/kéy/c/d", (3, 47)),
    ("x.toml", TOML, "#/tool/x", (4, 7)),
    ("x.toml", TOML, "#/tool/x/when", (5, 1)),
    ("x.toml", TOML, "#/tool/x/list/0", (7, 3)),
    ("x.toml", TOML, "#/tool/x/list/1", (8, 3)),
    ("x.toml", TOML, "#/tool/x/jobs/0/spec", (11, 1)),
    ("x.toml", TOML, "#/tool/x/jobs/1", (12, 10)),
    ("x.toml", TOML, "#/tool/x/jobs/1/spec", (13, 1)),
    ("x.toml", TOML, "#/tool/x/jobs/1/more/y", (15, 1)),
    ("x.toml", TOML, "#/tool/x/jobs/1/none", (12, 10)),
    ("x.md", PAGE, "#/info/title", (9, 3)),
    ("x.md", '- list\n  ```json\n  {\n    "openapi": "3.0.0"}\n  ```\n', "#/openapi", (4, 5)),
]


@pytest.mark.parametrize(("name", "text", "pointer", "place"), CASES)
def test_positions(name: str, text: str, pointer: str, place: tuple[int, int]) -> None:
    position = SourceText(name, text, PurePath(name)).position(pointer)
    assert (position.line, position.column) == place


def test_lines() -> None:
    source = SourceText("x.yaml", "a\r\nb\rc\u2028d\ne", PurePath("x.yaml"))
    assert [source.line(number) for number in range(1, 7)] == ["a", "b", "c\u2028d", "e", "", ""]
