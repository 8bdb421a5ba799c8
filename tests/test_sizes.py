"""Sizes that keep a file on one screen of thought: the budget of the code and of the templates."""

import ast
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).parent.parent
MEDIAN, MOST, FUNCTION = 120, 400, 40

FILES = sorted([*(ROOT / "codegen").rglob("*.py"), *(ROOT / "templates").rglob("*.py")])


def test_files_are_found() -> None:
    assert {file.relative_to(ROOT).parts[0] for file in FILES} == {"codegen", "templates"}


def test_the_median_file() -> None:
    # Marker files, empty or a docstring, would only flatter it.
    counts = [count for file in FILES if (count := len(file.read_text().splitlines())) > 1]
    assert median(counts) <= MEDIAN


@pytest.mark.parametrize("file", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_or_function_is_long(file: Path) -> None:
    text = file.read_text()
    assert len(text.splitlines()) <= MOST
    lengths = {
        node.name: (node.end_lineno or 0) - node.lineno + 1
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name: length for name, length in lengths.items() if length > FUNCTION} == {}
