"""Names depend on what a document holds: on no order, and as it grows, on what meets them alone."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from codegen.backends.classes import pascal_of
from codegen.backends.naming import name_api
from codegen.diagnostics import Diagnostics, Refused
from codegen.ir.api import Api
from codegen.pipeline import load_api
from codegen.source.document import read_document
from tests.support import CASES, SEED, good_cases

NAMED = [case for case in good_cases() if case != SEED]


def document(case: str, folder: Path) -> Any:
    """The document of a case, from a copy of its folder."""
    shutil.copytree(CASES / case, folder, dirs_exist_ok=True)
    return read_document(folder / "spec.yaml", Diagnostics()).data


def load(data: Any, folder: Path) -> Api | None:
    path = folder / "spec.yaml"
    path.write_text(json.dumps(data), "utf-8")
    try:
        return load_api(str(path), (), Diagnostics())
    except Refused:
        return None


def names(api: Api) -> dict[str, str]:
    naming = name_api(api)
    return {decl.id.partition("#")[2]: naming.classes[decl.id] for decl in api.decls}


@pytest.mark.parametrize("case", NAMED)
def test_order_changes_no_name(case: str, tmp_path: Path) -> None:
    data = document(case, tmp_path)
    api = load(data, tmp_path)
    assert api is not None
    for seed in range(3):
        shuffled = load(shuffle(data, random.Random(seed)), tmp_path)
        assert shuffled is not None
        assert names(shuffled) == names(api)


def shuffle(data: Any, by: random.Random) -> Any:
    """The document with its tables of names in another order."""
    schemas = data.get("components", {}).get("schemas")
    if schemas is None:
        return data
    keys = by.sample(sorted(schemas), len(schemas))
    components = {**data["components"], "schemas": {key: schemas[key] for key in keys}}
    paths = data.get("paths", {})
    return {**data, "components": components, "paths": dict(reversed(paths.items()))}


@pytest.mark.parametrize("case", NAMED)
def test_more_schemas_rename_only_what_meets_them(case: str, tmp_path: Path) -> None:
    data = document(case, tmp_path)
    after = load(data, tmp_path)
    assert after is not None
    grown = names(after)
    for key in data.get("components", {}).get("schemas", {}):
        schemas = {k: v for k, v in data["components"]["schemas"].items() if k != key}
        smaller = {**data, "components": {**data["components"], "schemas": schemas}}
        if (before := load(smaller, tmp_path)) is None:  # others refer to it
            continue
        old = names(before)
        added = {
            pascal_of(decl.name) for decl in after.decls if decl.id.partition("#")[2] not in old
        }
        # What is added may be a name for what had none.
        given = pascal_of((key,))
        moved = {name for id_, name in old.items() if grown.get(id_, name) not in (name, given)}
        assert moved <= added | {f"{name}_" for name in added}
