"""Rewrites what the cases expect: `make update` runs it, and the difference is to be read.

`diagnostics.txt` is there where a document makes the generator speak; models are compared
where their variant has a folder in `expected/`.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from codegen.cli.jobs import find_keys
from tests.config_schema import format_config_schema
from tests.support import CASES, ROOT, VARIANTS, case_names, known_failures, outcome
from tests.test_changes import CASES as CHANGE_CASES
from tests.test_changes import NAMES as CHANGES
from tests.test_changes import said
from tests.test_stream_cases import CASES as STREAM_CASES
from tests.test_stream_cases import NAMES as STREAM_NAMES
from tests.test_stream_cases import outcome as stream_outcome


def models(case: str, variant: str) -> dict[str, str]:
    """The modules of models of a variant, by file name."""
    prefix = f"{variant}/models/"
    files = outcome(case).files
    return {
        path.removeprefix(prefix): text
        for path, text in files.items()
        if path.startswith(prefix) and not path.endswith("__init__.py")
    }


def golden_folders(case: str) -> dict[str, Path]:
    """The folders of models that a case expects, by variant."""
    folders = {name: CASES / case / "expected" / name for name in VARIANTS}
    return {name: folder for name, folder in folders.items() if folder.is_dir()}


def write_diagnostics(path: Path, said: str) -> None:
    path.unlink(missing_ok=True)
    if said:
        path.parent.mkdir(exist_ok=True)
        path.write_text(said, "utf-8")


def update(case: str) -> None:
    # What is known to be wrong is written by hand: it says what is wanted.
    if case not in known_failures("said"):
        write_diagnostics(CASES / case / "expected" / "diagnostics.txt", outcome(case).diagnostics)
    for variant, folder in golden_folders(case).items():
        shutil.rmtree(folder)
        folder.mkdir()
        for name, text in models(case, variant).items():
            (folder / name).write_text(text, "utf-8")


if __name__ == "__main__":
    schema = format_config_schema(find_keys())
    (ROOT / "docs" / "streambind.schema.json").write_text(schema, "utf-8")
    for name in case_names():
        update(name)
    for name in CHANGES:
        (CHANGE_CASES / name / "expected.txt").write_text(said(name), "utf-8")
    for name in STREAM_NAMES:
        write_diagnostics(STREAM_CASES / name / "diagnostics.txt", stream_outcome(name).diagnostics)
