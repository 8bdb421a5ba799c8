"""What comes out of every case: the text, what is said of it, and what other tools find in it.

Goldens are rewritten by `make update`, never by hand.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import typing
from itertools import chain
from pathlib import Path

import pytest

from tests.support import (
    CASES,
    ROOT,
    VARIANTS,
    case_names,
    digest,
    good_cases,
    known_failures,
    outcome,
    parameters,
    run,
    variant,
    write,
)
from tests.test_stream_cases import NAMES as STREAM_CASES
from tests.test_stream_cases import outcome as stream_outcome
from tests.update import golden_folders, models

GOLDEN = [f"{case} {name}" for case in case_names() for name in golden_folders(case)]
COMPILED = [f"{case} {name}" for case in good_cases() for name in VARIANTS]


@pytest.mark.parametrize("case", parameters("said", case_names()))
def test_what_is_said(case: str) -> None:
    expected = CASES / case / "expected" / "diagnostics.txt"
    assert outcome(case).diagnostics == (expected.read_text("utf-8") if expected.exists() else "")


@pytest.mark.parametrize("case", parameters("refusal", case_names()))
def test_only_errors_refuse(case: str) -> None:
    said = outcome(case).diagnostics
    assert (outcome(case).files == {}) == (": error SB" in said) == case.startswith("error_")


@pytest.mark.parametrize("place", parameters("golden", GOLDEN))
def test_models(place: str) -> None:
    case, name = place.split()
    folder = golden_folders(case)[name]
    assert models(case, name) == {path.name: path.read_text("utf-8") for path in folder.iterdir()}


MAKERS = frozenset(
    "array_of map_of prefixed or_null first_of by_kind tagged limited literal verbatim".split()
)


@pytest.mark.parametrize("case", parameters("decoders", good_cases()))
def test_decoders_are_made_once(case: str) -> None:
    """None is made where an object is decoded: it would cost time each time, and stay for good."""
    for path, text in outcome(case).files.items():
        if "/models/" in path:
            functions = [it for it in ast.walk(ast.parse(text)) if isinstance(it, ast.FunctionDef)]
            inside = [ast.walk(function) for function in functions]
            names = {it.id for it in chain(*inside) if isinstance(it, ast.Name)}
            assert not names & MAKERS, path


@pytest.mark.parametrize("place", parameters("import", COMPILED))
def test_every_name_resolves(place: str) -> None:
    case, name = place.split()
    made = variant(case, name)
    manifest = json.loads(outcome(case).files["manifest.json"])
    for exported in manifest["schemas"].values():
        tp = getattr(made, exported)
        if isinstance(tp, type) and typing.get_origin(tp) is None:
            typing.get_type_hints(tp, include_extras=True)
    for stream in manifest["streams"]:
        assert getattr(made.streams, stream).__name__ == stream


DIGESTS = "from tests.support import case_names, digest; print(*map(digest, case_names()))"


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_same_bytes_whatever_hashes_are(seed: str) -> None:
    assert call(sys.executable, "-c", DIGESTS, seed=seed).split() == [*map(digest, case_names())]


SAY = "import sys, pathlib, tests.support as s; print(s.run(pathlib.Path(sys.argv[1])).diagnostics)"


def test_the_same_is_said_whatever_hashes_are(tmp_path: Path) -> None:
    text = (CASES / "error_stream_rules" / "spec.yaml").read_text("utf-8")
    more = "".join(f"{name}: last, " for name in ("gone", "lost", "away", "left", "late"))
    write(tmp_path, {"spec.yaml": text.replace("missing: last", f"{more}missing: last")})
    said = [call(sys.executable, "-c", SAY, f"{tmp_path}/spec.yaml", seed=seed) for seed in "1234"]
    assert "SB305" in said[0]
    assert said == said[:1] * 4


@pytest.mark.parametrize(
    "case", parameters("moved", ["reference_to_another_file", "documents_of_many_files"])
)
def test_the_same_bytes_wherever_the_document_lies(case: str, tmp_path: Path) -> None:
    shutil.copytree(CASES / case, tmp_path / "moved")
    assert run(tmp_path / "moved" / "spec.yaml").files == outcome(case).files


# What all packages have in common lies one folder higher where they share it.
SHARED = re.compile(r"^from (?=\.+_\w+)", re.MULTILINE)


def lay_out(folder: Path) -> None:
    """Write all cases in one package, with the run time and the codecs once for all.

    A stream names the models it is made of, so a package with streams is written whole.
    """
    inits = ["__init__.py", *(f"{name}/__init__.py" for name in VARIANTS)]
    write(folder / "merged", dict.fromkeys(inits, ""))
    write(folder / "streams", dict.fromkeys(inits, ""))
    for case in good_cases():
        files = outcome(case).files
        if any("/streams/" in path and "__init__" not in path for path in files):
            write(folder / case, files)
            continue
        for path, text in files.items():
            shared = path.startswith("_runtime/") or _is_plain(path) or path == "py.typed"
            if shared or "/models/" in path:
                write(folder / "merged", {path.replace("/models/", f"/{case}/"): text})
    for case in STREAM_CASES:
        for path, text in stream_outcome(case).files.items():
            name, _, inside = path.partition("/")
            if name in VARIANTS and not _is_plain(path):
                moved = {f"{name}/{case}/{inside}": SHARED.sub("from .", text)}
                write(folder / "streams", moved)
            elif inside:
                write(folder / "streams", {path: text})


def _is_plain(path: str) -> bool:
    """Whether a module of a variant is the same in all packages that have it."""
    name = path.rpartition("/")[2]
    return "/" in path and name.startswith("_") and name != "__init__.py"


def lay_out_whole(folder: Path) -> None:
    """Write every case as it is."""
    for case in good_cases():
        write(folder / case, outcome(case).files)
    for case in STREAM_CASES:
        write(folder / f"stream_{case}", stream_outcome(case).files)


CHECKERS = {
    "format": "ruff format --check --isolated --output-format concise .",
    "mypy": "mypy --strict --no-error-summary --hide-error-context --cache-dir {cache} .",
    "pyright": "pyright --project {folder}",
}


@pytest.mark.checker
@pytest.mark.parametrize("checker", CHECKERS)
def test_checkers_find_nothing(checker: str, tmp_path: Path) -> None:
    folder = tmp_path / "checked"
    (lay_out_whole if checker == "format" else lay_out)(folder)
    write(folder, {"pyrightconfig.json": '{"typeCheckingMode": "strict"}'})
    command = CHECKERS[checker].format(folder=folder, cache=tmp_path / "cache").split()
    printed = call(sys.executable, "-m", *command, folder=folder)
    known = known_failures(checker)
    lines = [line for line in printed.splitlines() if ".py:" in line]
    told = {case: [line for line in lines if f"/{case}/" in line] for case in known}
    expected = {line for found in told.values() for line in found}
    assert [line for line in lines if line not in expected] == []
    assert [case for case, found in told.items() if not found] == []


def call(*command: str, folder: Path = ROOT, seed: str = "0") -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr
