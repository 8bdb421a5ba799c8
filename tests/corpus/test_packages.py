"""Every document of the corpus: it is refused with a place for each error, or all of it is
generated, imports, and leaves the tools nothing to find.
"""

import filecmp
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from codegen.source.pointer import join
from tests.corpus.documents import REFUSED, SPECS, Made, find_documents, generate, run


def test_the_corpus_is_whole() -> None:
    assert len(find_documents()) == 38


@pytest.mark.parametrize("name", REFUSED)
def test_each_reference_to_a_missing_file_has_an_error(name: str, tmp_path: Path) -> None:
    done = generate(SPECS / name, tmp_path / "out", "--format", "json")
    assert done.returncode == 2
    errors = [it for it in json.loads(done.stderr) if it["severity"] == "error"]
    assert {it["code"] for it in errors} == {"SB112"}
    assert all(it["line"] and it["column"] for it in errors)
    references = set(find_references(Made(SPECS / name, tmp_path).document))
    assert {it["pointer"] for it in errors} == references - {*REFUSED[name]}
    assert not (tmp_path / "out").exists()


def find_references(node: Any, at: str = "#") -> Iterator[str]:
    """The places of references to other files."""
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        if key == "$ref" and isinstance(value, str) and not value.startswith("#"):
            yield join(at, key)
        elif isinstance(value, dict | list):
            yield from find_references(value, join(at, key))


def test_every_schema_is_there(made: Made) -> None:
    named = made.manifest["schemas"]
    assert named.keys() == made.schemas.keys()
    assert len(set(named.values())) == len(named)


def test_every_name_resolves(made: Made) -> None:
    for package in made.variants.values():
        names = {*made.manifest["schemas"].values(), "loads", "dumps", "streams"}
        assert names <= set(dir(package))
        assert made.manifest["streams"].keys() <= set(dir(package.streams))
        for module in (package, package.streams):
            for exported in dir(module):
                value = getattr(module, exported)
                if isinstance(value, type):
                    get_type_hints(value)


def test_no_number_in_a_name_is_ours(made: Made) -> None:
    """A name that ends in a digit ends as some name of the document does."""
    theirs = tuple({letters(it) for it in find_names(made.document) if it[-1:].isdigit()})
    numbered = [it for it in dir(made.variants["dataclasses"]) if it[-1].isdigit()]
    assert [it for it in numbered if not letters(it).endswith(theirs)] == []


def letters(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()


def find_names(node: Any) -> Iterator[str]:
    """What a document calls things: keys, titles, operations, parameters, and constants."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        yield from node
        for key, value in node.items():
            if isinstance(value, dict | list) or key in ("title", "operationId", "name", "const"):
                yield from find_names(value)
    elif isinstance(node, list):
        for value in node:
            yield from find_names(value)


def test_another_hash_seed_gives_the_same(made: Made, tmp_path: Path) -> None:
    assert generate(made.spec, tmp_path / "again", "--quiet", seed="1").returncode == 0
    again, paths = tmp_path / "again", [*made.manifest["files"], "manifest.json"]
    assert filecmp.cmpfiles(made.folder / made.name, again, paths, shallow=False) == (paths, [], [])


# What tools find in it: nothing


def test_ruff_format(made: Made) -> None:
    run("ruff", "format", "--check", "--isolated", "--no-cache", made.name, folder=made.folder)


@pytest.mark.checker
def test_mypy(made: Made) -> None:
    options = ("--strict", "--config-file=", "--cache-dir", str(made.folder / "mypy"))
    run("mypy", *options, "-p", made.name, folder=made.folder)


@pytest.mark.checker
def test_pyright(made: Made) -> None:
    config = made.folder / "pyrightconfig.json"
    config.write_text(json.dumps({"include": [made.name], "typeCheckingMode": "strict"}))
    run("pyright", "-p", str(config), "--pythonpath", sys.executable, folder=made.folder)
