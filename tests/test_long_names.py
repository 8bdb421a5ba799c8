"""What comes out is laid out as `ruff format` leaves it, however long the words of a document are.

Every case is made once more for each width with its words that long: the names of schemas, members
and events, the texts of constants, and all that speaks of them.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support import CASES, run, write
from tests.test_golden import call
from tests.test_stream_cases import CASES as STREAM_CASES

WIDTHS = (30, pytest.param(58, marks=pytest.mark.corpus))
WORDS = re.compile(r"[a-zA-Z]\w+")
# Words of OpenAPI and of `x-stream`, which are also names in cases.
KNOWN = frozenset(
    """additionalProperties allOf anyOf append apart array arrival at boolean by cases close concat
    const content data default description discriminator drop else enum envelope eof error event
    events extra first fold format frame from get glue header id in integer into item items json
    keep keyed last limit list make mapping max merge message name not null number object of ok
    oneOf operationId order out patch path post properties put query raw read replace required
    rest result resume retry rule same schema set skip stop string sum text then title true type
    unknown value when write""".split()
)
HOLDERS = ("properties", "schemas", "mapping")


def names(document: Any) -> Iterator[str]:
    """The words that a document chooses itself."""
    if isinstance(document, list):
        for entry in document:
            yield from names(entry)
    if isinstance(document, dict):
        for key, value in document.items():
            if isinstance(value, dict) and key in HOLDERS:
                yield from map(str, value)
            elif key in ("const", "enum", "required"):
                yield from (it for it in [*[value], *_entries(value)] if isinstance(it, str))
            yield from names(value)


def _entries(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def changed(value: Any, change: Callable[[str], str]) -> Any:
    """A document with all its texts changed."""
    match value:
        case str():
            return change(value)
        case list():
            return [changed(it, change) for it in value]
        case dict():
            return {changed(key, change): changed(it, change) for key, it in value.items()}
        case _:
            return value


def lengthened(document: Any, width: int) -> Any:
    words = {word for name in names(document) for word in WORDS.findall(name)} - KNOWN

    def grow(match: re.Match[str]) -> str:
        word = match[0]
        letters = hashlib.sha256(word.encode()).hexdigest().translate(TO_LETTERS) * 2
        several = int(letters[0] > "h") + int(letters[1] > "h")
        return (word + letters)[: width + several] if word in words else word

    return changed(document, lambda text: WORDS.sub(grow, text))


TO_LETTERS = str.maketrans("0123456789abcdef", "abcdefghijklmnop")
DOCUMENTS = [
    folder / "spec.yaml"
    for folder in sorted([*CASES.iterdir(), *STREAM_CASES.iterdir()])
    if not folder.name.startswith("error_") and (folder / "spec.yaml").exists()
]


@pytest.mark.checker
@pytest.mark.parametrize("width", WIDTHS)
def test_long_names(width: int, tmp_path: Path) -> None:
    made = 0
    for spec in DOCUMENTS:
        document = lengthened(yaml.safe_load(spec.read_text("utf-8")), width)
        source = tmp_path / "documents" / f"{spec.parent.name}.json"
        source.parent.mkdir(exist_ok=True)
        source.write_text(json.dumps(document, default=str), "utf-8")
        files = run(source).files
        models = {path: text for path, text in files.items() if not path.startswith("_runtime/")}
        write(tmp_path / "packages" / spec.parent.name, models)
        made += bool(files)
    assert made > len(DOCUMENTS) * 0.95
    command = "ruff format --check --isolated --no-cache --output-format concise .".split()
    printed = call(sys.executable, "-m", *command, folder=tmp_path / "packages")
    assert [line for line in printed.splitlines() if ".py:" in line] == []
