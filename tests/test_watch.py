"""`watch`: a package follows whatever it is made from."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import codegen

SPEC = """\
openapi: 3.1.0
info: {title: Pets, version: "1"}
paths: {}
components: {schemas: {Pet: {$ref: "parts.yaml#/Pet"}}}
"""
PARTS = "Pet: {type: object, properties: {name: {type: string}}}\n"
OVERLAY = """\
overlay: 1.0.0
info: {title: More, version: "1"}
actions: [{target: $.info, update: {}}]
"""
CONFIG = 'spec = "pets.yaml"\noverlay = ["more.yaml"]\noutput = "out"\nvariant = ["dataclasses"]\n'
PET = Path("out/dataclasses/models/pet.py")


@pytest.fixture(autouse=True)
def watcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[subprocess.Popen[bytes]]:
    """A running `watch`, which has made the package once."""
    monkeypatch.chdir(tmp_path)
    files = {
        "pets.yaml": SPEC,
        "parts.yaml": PARTS,
        "more.yaml": OVERLAY,
        "streambind.toml": CONFIG,
    }
    for name, text in files.items():
        Path(name).write_text(text)
    environment = {
        "PYTHONPATH": str(Path(codegen.__file__).parent.parent),
        "XDG_CACHE_HOME": "cache",
    }
    command = [sys.executable, "-m", "codegen", "watch"]
    with (
        Path("said").open("wb") as stderr,
        subprocess.Popen(command, env=environment, stderr=stderr) as process,
    ):
        wait(lambda: "pets.yaml -> out: " in said())
        yield process
        process.kill()


def said() -> str:
    return Path("said").read_text()


def wait(is_so: Callable[[], bool]) -> None:
    for _ in range(600):
        if is_so():
            return
        time.sleep(0.05)
    pytest.fail(said())


def save(name: str, text: str) -> None:
    """Write a file as editors do: another one in its place."""
    Path("saved").write_text(text)
    Path("saved").replace(name)


def test_it_follows_every_input() -> None:
    save("parts.yaml", PARTS.replace("string", "integer"))
    wait(lambda: "name: int | None" in PET.read_text())
    save("more.yaml", OVERLAY.replace("$.info", "$["))
    wait(lambda: "error SB103" in said())
    save("more.yaml", OVERLAY)
    save("pets.yaml", SPEC.replace("schemas: {", "schemas: {Shop: {type: object}, "))
    wait(lambda: Path("out/dataclasses/models/shop.py").exists())
    save("streambind.toml", CONFIG.replace('"out"', '"there"'))
    wait(lambda: Path("there/manifest.json").exists())
    assert said().count(" error ") == 1


def test_errors_leave_the_package_as_it_is() -> None:
    before = PET.read_text()
    save("pets.yaml", SPEC.replace("#/Pet", "#/Cat"))
    wait(lambda: "error SB201" in said())
    assert PET.read_text() == before
    save("pets.yaml", SPEC)
    wait(lambda: said().count("pets.yaml -> out: ") == 2)


def test_an_interruption_ends_it(watcher: subprocess.Popen[bytes]) -> None:
    watcher.send_signal(signal.SIGINT)
    assert watcher.wait(60) == 130
    assert said().endswith("interrupted\n")
