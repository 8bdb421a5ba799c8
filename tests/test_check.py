"""Whether a package is what its document gives: what `check` finds, and what costs no work."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import codegen.pipeline
import codegen.record
from tests.command import run
from tests.support import tree

SPEC = """\
openapi: 3.1.0
info: {title: Pets, version: "1"}
paths: {}
components:
  schemas:
    Pet: {type: object, properties: {name: {type: string}}}
    Shop: {$ref: "parts/shop.yaml#/Shop"}
"""
SHOP = """\
Shop: {type: object, properties: {city: {type: string}}}
"""
OVERLAY = """\
overlay: 1.0.0
info: {title: More, version: "1"}
actions:
  - target: $.components.schemas.Pet.properties
    update: {age: {type: integer}}
"""
HERE = ("pets.yaml", "-o", "out", "--overlay", "more.yaml", "--variant", "dataclasses")
PET = Path("out/dataclasses/models/pet.py")


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("parts").mkdir()
    Path("pets.yaml").write_text(SPEC)
    Path("parts/shop.yaml").write_text(SHOP)
    Path("more.yaml").write_text(OVERLAY)
    assert run("generate", *HERE).exit_code == 0


def change(path: str | Path, old: str, new: str) -> None:
    text = Path(path).read_text()
    assert old in text
    Path(path).write_text(text.replace(old, new, 1))


def errors(result: Result) -> list[str]:
    return [line for line in result.stderr.splitlines() if " error " in line]


def test_after_generate_it_is_clean() -> None:
    result = run("check", *HERE)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "out: up to date\n")


def test_a_changed_document_is_a_diff_that_patch_takes(tmp_path: Path) -> None:
    change("pets.yaml", "name: {type: string}", "name: {type: integer}")
    before = tree()
    result = run("check", *HERE)
    assert result.exit_code == 1
    assert "-    name: str | None = None\n+    name: int | None = None\n" in result.stdout
    assert tree() == before
    Path("diff").write_text(result.stdout)
    subprocess.run(["patch", "-p1", "-s", "-i", "diff"], check=True, cwd=tmp_path)
    patched = PET.read_text()
    run("generate", *HERE)
    assert PET.read_text() == patched


def test_reasons() -> None:
    said = "out: error SB511 the package is not what pets.yaml gives: "
    change("pets.yaml", "name: {type: string}", "name: {type: integer}")
    (line,) = errors(run("check", *HERE))
    assert line.startswith(f"{said}the document changed (")
    change("pets.yaml", "name: {type: integer}", "name: {type: string}")
    change("more.yaml", "integer", "string")
    assert errors(run("check", *HERE)) == [f"{said}an overlay or profile changed"]
    change("more.yaml", "string", "integer")
    change("parts/shop.yaml", "string", "integer")
    assert errors(run("check", *HERE)) == [f"{said}a file that the document refers to changed"]
    change("parts/shop.yaml", "integer", "string")
    assert errors(run("check", *HERE, "--schema", "Pet")) == [f"{said}options changed: schemas"]
    change("out/manifest.json", codegen.__version__, "0.0.9")
    assert errors(run("check", *HERE)) == [
        f"{said}streambind {codegen.__version__} runs, streambind 0.0.9 made it"
    ]


def test_a_package_that_is_not_there() -> None:
    result = run("check", "pets.yaml", "-o", "new")
    assert result.exit_code == 1
    assert errors(result) == [
        "new: error SB511 the package is not what pets.yaml gives: it was not generated yet"
    ]
    assert not Path("new").exists()


def edit() -> None:
    change(PET, "name: str", "nom: str")


def delete() -> None:
    PET.unlink()


def add() -> None:
    Path("out/dataclasses/mine.py").write_text("x = 1\n")


FILES = {
    "edited": (
        edit,
        f"{PET}: error SB512 the file was changed by hand\n"
        "help: change the document, or an overlay of it, and run `streambind generate`\n",
        "-    nom: str | None = None\n+    name: str | None = None\n",
    ),
    "missing": (
        delete,
        f"{PET}: error SB513 the file is missing\nhelp: run `streambind generate`\n",
        f"--- /dev/null\n+++ b/{PET}\n",
    ),
    "extra": (
        add,
        "out/dataclasses/mine.py: error SB514 the file is no part of the package\n"
        "help: move it out of the folder\n",
        "",
    ),
}


@pytest.mark.parametrize(("act", "said", "shown"), FILES.values(), ids=FILES)
def test_what_somebody_did_to_a_file(act: Callable[[], None], said: str, shown: str) -> None:
    act()
    result = run("check", *HERE)
    assert (result.exit_code, result.stderr) == (1, said)
    assert shown in result.stdout
    assert "mine.py" not in result.stdout


def test_machines_read_it_too() -> None:
    edit()
    said = json.loads(run("check", *HERE, "--format", "json").stderr)
    assert [(item["code"], item["file"]) for item in said] == [("SB512", str(PET))]
    assert run("check", *HERE, "--format", "github").stderr.startswith(
        f"::error title=SB512 file-edited,file={PET}::the file was changed by hand"
    )


def test_hidden_files_and_caches_are_nobodys_business() -> None:
    Path("out/.gitattributes").write_text("* linguist-generated\n")
    Path("out/__pycache__").mkdir()
    Path("out/__pycache__/x.pyc").write_text("")
    assert run("check", *HERE).exit_code == 0


def test_generate_tells_of_files_of_others() -> None:
    add()
    change("pets.yaml", "string", "integer")
    assert run("generate", *HERE).stderr.endswith(
        "out: warning SB506 the folder holds what is no part of the package: dataclasses/mine.py\n"
        "help: `streambind check` refuses them: move them away\n"
    )


def test_a_refused_document_is_no_difference() -> None:
    change("pets.yaml", "type: string", "type: strin")
    assert run("check", *HERE).exit_code == 2


def test_the_manifest_is_the_same_wherever_it_is_made(tmp_path: Path) -> None:
    before = Path("out/manifest.json").read_bytes()
    assert str(tmp_path).encode() not in before
    Path("elsewhere").mkdir()
    command = [sys.executable, "-m", "codegen", "generate", str(tmp_path / "pets.yaml")]
    options = ["-o", "there", "--overlay", "../more.yaml", "--variant", "dataclasses"]
    environment = {"PYTHONPATH": str(Path(codegen.__file__).parent.parent)}
    subprocess.run([*command, *options], cwd="elsewhere", env=environment, check=True)
    assert Path("elsewhere/there/manifest.json").read_bytes() == before


# Nothing to do


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let whatever reads a document fail."""

    def fail(*_: Any, **__: Any) -> None:
        raise AssertionError("there was work")

    monkeypatch.setattr(codegen.pipeline, "load_api", fail)


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("command", ["generate", "check"])
def test_nothing_to_do_is_no_work(command: str) -> None:
    result = run(command, *HERE)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "0 written" in result.stderr or result.stderr == "out: up to date\n"


def test_what_was_said_is_counted_again() -> None:
    Path("w.yaml").write_text(SPEC.replace("Pet: {", "Pet: {required: [x], propertyNames: {}, "))
    run("generate", "w.yaml", "-o", "w")
    result = run("generate", "w.yaml", "-o", "w")
    assert result.stderr.endswith("\n1 warning and 1 note (-v shows all)\n")
    assert "SB207" in run("generate", "w.yaml", "-o", "w", "-v").stderr
    assert "SB207" in run("generate", "w.yaml", "-o", "w", "--format", "json").stderr


def touch_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codegen.record, "__version__", "0.0.1")


def change_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version", "4.0")


WORK: dict[str, Callable[[pytest.MonkeyPatch], object]] = {
    "document": lambda _: change("pets.yaml", "Pets", "Cats"),
    "overlay": lambda _: change("more.yaml", "More", "Less"),
    "reference": lambda _: change("parts/shop.yaml", "city", "town"),
    "edited file": lambda _: edit(),
    "missing file": lambda _: delete(),
    "extra file": lambda _: add(),
    "manifest": lambda _: change("out/manifest.json", "{", "{ "),
    "tool": touch_tool,
    "python": change_python,
    "no record": lambda patch: patch.setenv("XDG_CACHE_HOME", "none"),
}


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The documents that were read, as it happens."""
    read: list[str] = []
    load = codegen.pipeline.load_api

    def note(spec: str, *args: Any) -> Any:
        read.append(spec)
        return load(spec, *args)

    monkeypatch.setattr(codegen.pipeline, "load_api", note)
    return read


@pytest.mark.parametrize("act", WORK.values(), ids=WORK)
def test_whatever_differs_is_work(
    act: Callable[[pytest.MonkeyPatch], object], monkeypatch: pytest.MonkeyPatch, loads: list[str]
) -> None:
    act(monkeypatch)
    run("check", *HERE)
    assert loads == ["pets.yaml"]


@pytest.mark.parametrize("option", ["--schema=Pet", "--variant=pydantic", "--ref-root=.."])
def test_other_options_are_work(option: str, loads: list[str]) -> None:
    run("check", *HERE, option)
    assert loads == ["pets.yaml"]


def test_nothing_to_do_loads_nothing_heavy(tmp_path: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "codegen", "check", *HERE]
    environment = {
        "PYTHONPATH": str(Path(codegen.__file__).parent.parent),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    for _ in range(2):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    loaded = {line.split("|")[-1].strip() for line in done.stderr.splitlines()}
    assert "codegen.record" in loaded
    assert not loaded & {"yaml", "jinja2", "jsonpath_rfc9535", "codegen.pipeline", "pydantic"}


def test_one_line_of_a_document_changes_the_files_that_it_concerns() -> None:
    change("parts/shop.yaml", "city: {type: string}", "city: {type: integer}")
    result = run("generate", *HERE)
    assert "-> out: 2 written, " in result.stderr, "the model and the manifest"
