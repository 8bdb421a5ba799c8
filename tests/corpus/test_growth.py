"""A schema more in a document changes what concerns it and nothing else: its own module comes, the
list of names and the manifest change, in every variant.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from codegen.diagnostics import Diagnostics
from codegen.pipeline import VARIANTS, build_package, parse_api
from codegen.source.document import read_document
from tests.corpus.documents import SPECS

ADDED = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}


@pytest.mark.parametrize("name", ["mistral.yaml", "spotify.yaml", "qdrant.json"])
def test_a_schema_more(name: str) -> None:
    document = read_document(SPECS / name, Diagnostics())
    data: Any = copy.deepcopy(document.data)
    # In the midst of the others.
    schemas = list(data["components"]["schemas"].items())
    schemas.insert(len(schemas) // 2, ("JustAdded", ADDED))
    data["components"]["schemas"] = dict(schemas)
    before = build_package(parse_api(document, Diagnostics()), VARIANTS)
    grown = replace(document, data=data)
    after = build_package(parse_api(grown, Diagnostics()), VARIANTS)
    assert after.keys() - before.keys() == {f"{it}/models/just_added.py" for it in VARIANTS}
    assert before.keys() <= after.keys()
    changed = {path for path, text in before.items() if after[path] != text}
    assert changed == {"manifest.json", *(f"{it}/__init__.py" for it in VARIANTS)}
