"""No name of a document leads a file elsewhere, or to where another one is, on any file system."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from codegen.pipeline import VARIANTS
from tests.hostile.texts import TEXTS
from tests.support import Outcome, run

# Names that Windows keeps for devices, with any suffix and in any case.
DEVICES = {"con", "prn", "aux", "nul", "conin$", "conout$"}
DEVICES |= {f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789¹²³"}
NAMES = {
    "out of the folder": ["../../x", "..", ".", "a/../../b", "..\\..\\x"],
    "absolute": ["/etc/passwd", "//host/share", "C:\\x", "c:x", "\\\\host\\share", "~/x"],
    "devices": ["CON", "nul", "aux.txt", "Com1", "LPT9", "COM¹", "conin$", "PRN."],
    "ends": ["a.", "a ", " a", "a..", ".a"],
    "case alone": ["pet", "Pet", "PET", "pEt", "straße", "STRASSE", "ﬁ", "FI", "ı", "I", "i"],
    "composed and not": ["é", "e\u0301", "É", "E\u0301"],
    "too long": ["a" * 300, "a" * 299 + "b", "é" * 200, "日" * 120, "x-" * 3000],
    "our own": ["__init__", "_codec", "models", "streams", "manifest.json", "py.typed", "_runtime"],
    "cache": ["__pycache__", "__main__"],
    "hostile": [*TEXTS.values()],
}


def generate(names: list[str], folder: Path) -> Outcome:
    """Each name is that of a schema, of a property with an object, and of a stream."""
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    stream = {"200": {"content": {"text/event-stream": {"schema": schema}}}}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Paths", "version": "1"},
        "paths": {
            f"/{at}": {"post": {"operationId": name, "responses": stream}}
            for at, name in enumerate(names)
        },
        "components": {
            "schemas": {
                **dict.fromkeys(names, schema),
                "holder of all": {"type": "object", "properties": dict.fromkeys(names, schema)},
            }
        },
    }
    (folder / "spec.json").write_text(json.dumps(document))
    return run(folder / "spec.json")


@pytest.mark.parametrize("kind", NAMES)
def test_files_stay_apart_and_inside(kind: str, tmp_path: Path) -> None:
    names = NAMES[kind]
    made = generate(names, tmp_path)
    assert made.api is not None
    assert len(made.files) > len(names) * len(VARIANTS)
    for path in made.files:
        *folders, file = path.split("/")
        for part in (*folders, file):
            assert part.isascii() or part.isidentifier() or part.partition(".")[0].isidentifier()
            assert part not in ("", ".", "..")
            assert not {*'<>:"|?*\\ \0'} & {*part}
            assert part[-1] != "."
            assert part.partition(".")[0].casefold() not in DEVICES
            assert len(part.encode()) <= 140
            assert len(part.encode("utf-16-le")) // 2 <= 140
        # The longest that Windows takes of a path is 260, and the folder has its part of it.
        assert len(path) <= 180
    assert len({path.casefold() for path in made.files}) == len(made.files)


def test_every_name_has_its_schema(tmp_path: Path) -> None:
    names = [name for group in NAMES.values() for name in group]
    manifest = json.loads(generate(names, tmp_path).files["manifest.json"])
    classes = [manifest["schemas"][name] for name in {*names}]
    assert len({*classes}) == len(classes)
