"""Cases, and the packages made of them.

A case is a folder of `tests/cases/` named after one behaviour: `spec.yaml`, the smallest document
that shows it; data in `accept/` and `reject/`, named `<exported name>.<what it shows>.json`;
`reject/pointers.yaml`, where the errors are in each refused file; `expected/`, what must come out:
`diagnostics.txt`, and models to compare with. Packages are made once a process.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml
from _pytest.mark import ParameterSet

from codegen.diagnostics import Diagnostics, Refused
from codegen.ir.api import Api
from codegen.pipeline import VARIANTS as VARIANTS
from codegen.pipeline import build_package, load_api
from codegen.report import format_text

ROOT = Path(__file__).parent.parent
CASES = Path(__file__).parent / "cases"
SEED = "the_seed_page"
KNOWN = Path(__file__).parent / "known_failures.yaml"
PACKAGE = "made_of_cases"
Importer: TypeAlias = Callable[[Mapping[str, str]], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """JSON text for one exported name; `pointers` are where its errors are, if it has any."""

    case: str
    name: str
    what: str
    text: str
    pointers: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.case}-{self.name}.{self.what}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a document gives: the files of its package, none if it is refused, and what is said."""

    api: Api | None
    files: dict[str, str]
    diagnostics: str


def case_names() -> list[str]:
    return sorted(folder.name for folder in CASES.iterdir())


def accepted(case: str) -> list[Sample]:
    paths = sorted((CASES / case / "accept").glob("*.json"))
    return [_sample(case, path, ()) for path in paths]


def refused(case: str) -> list[Sample]:
    folder = CASES / case / "reject"
    if not folder.is_dir():
        return []
    pointers: dict[str, list[str]] = yaml.safe_load((folder / "pointers.yaml").read_text("utf-8"))
    paths = {path.stem: path for path in sorted(folder.glob("*.json"))}
    assert paths.keys() == pointers.keys(), f"{folder}: the files and pointers.yaml differ"
    return [_sample(case, path, tuple(pointers[stem])) for stem, path in paths.items()]


def _sample(case: str, path: Path, pointers: tuple[str, ...]) -> Sample:
    name, what = path.stem.split(".")
    text = path.read_text("utf-8")
    return Sample(case=case, name=name, what=what, text=text, pointers=pointers)


def run(
    spec: Path, *overlays: Path, types: tuple[str, ...] = (), names: tuple[str, ...] = ()
) -> Outcome:
    """Run the whole recipe on a document; paths in what is said are relative to its folder."""
    diagnostics = Diagnostics()
    api, files = None, dict[str, str]()
    try:
        api = load_api(str(spec), overlays, diagnostics, types=types, names=names)
        files = build_package(api, VARIANTS)
    except Refused:
        pass
    said = format_text(diagnostics, color=False).replace(f"{spec.parent}/", "")
    return Outcome(api=api, files=files, diagnostics=said)


@cache
def outcome(case: str) -> Outcome:
    if case == SEED:
        folder = ROOT / "spec"
        return run(folder / "CreateChatCompletionStreamResponse.md", folder / "overlay.yaml")
    return run(CASES / case / "spec.yaml")


def good_cases() -> list[str]:
    """The cases whose documents are not refused: an error has a case of its own."""
    return [name for name in case_names() if not name.startswith("error_")]


@cache
def made(case: str) -> str:
    """Write the package of a case, once; gives its import name."""
    write(_folder() / PACKAGE / case, outcome(case).files)
    return f"{PACKAGE}.{case}"


def write(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())


def variant(case: str, name: str) -> Any:
    """Import a variant of the package of a case."""
    return importlib.import_module(f"{made(case)}.{name}")


@cache
def _folder() -> Path:
    folder = tempfile.mkdtemp(prefix="streambind-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    sys.path.append(folder)
    return Path(folder)


def digest(case: str) -> str:
    """A fingerprint of all that a case gives."""
    made = outcome(case)
    text = "\0".join([made.diagnostics, *(part for file in made.files.items() for part in file)])
    return hashlib.sha256(text.encode()).hexdigest()


def tree(folder: Path = Path()) -> dict[str, str]:
    """The files in a folder: their texts by their paths."""
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def encode(stream: Any, items: list[Any]) -> bytes:
    """A body that holds these items, as a server writes it."""
    if not hasattr(stream, "START"):
        return b"".join(map(stream.encode, items)) + bytes(stream.END)
    written = (stream.encode(item, first=index == 0) for index, item in enumerate(items))
    return bytes(stream.START) + b"".join(written) + bytes(stream.END)


def canonical(value: Any) -> str:
    """JSON data as text that tells 1, 1.0 and true apart, which `==` does not."""
    return json.dumps(value, sort_keys=True)


def differences(one: Any, other: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Where JSON data differ, with what the first has; arrays of unlike length do as wholes."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted(one.keys() | other.keys()):
            if name in one and name in other:
                yield from differences(one[name], other[name], f"{pointer}/{name}")
            else:
                yield f"{pointer}/{name}", one.get(name)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (entry, its) in enumerate(zip(one, other, strict=True)):
            yield from differences(entry, its, f"{pointer}/{index}")
    elif canonical(one) != canonical(other):
        yield pointer, one


def known_failures(test: str) -> dict[str, str]:
    """What fails in a test, and why. The list is exact: one that passes after all fails too."""
    tests: dict[str, dict[str, str]] = yaml.safe_load(KNOWN.read_text("utf-8")) or {}
    return tests.get(test, {})


def parameters(test: str, values: Iterable[object]) -> list[ParameterSet]:
    """The parameters of a test; those in the list of known failures have to fail."""
    known = known_failures(test)
    by_id = {str(value): value for value in values}
    assert known.keys() <= by_id.keys(), f"{KNOWN}: {test}: no such tests: {known.keys() - by_id}"
    return [
        pytest.param(
            value,
            id=id_,
            marks=[pytest.mark.xfail(reason=known[id_], strict=True)] if id_ in known else [],
        )
        for id_, value in by_id.items()
    ]
