"""From nothing to a first package, and what codes stand for: as a newcomer goes."""

import pty
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import codegen
from codegen.codes import CODES
from tests.command import run

SPEC = """\
openapi: 3.1.0
info: {title: Pets, version: "1"}
paths: {}
components: {schemas: {Pet: {type: object}}}
"""
ROOT = Path(codegen.__file__).parent.parent


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("spec").mkdir()
    Path("spec/openapi.yaml").write_text(SPEC)


def test_the_first_steps() -> None:
    result = run("init", "spec/openapi.yaml", "-o", "acme/api")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == (
        "Wrote streambind.toml: what to generate.\n"
        "Wrote spec/openapi.overlay.yaml: corrections of the document, none yet.\n"
        "Next:\n"
        "  streambind generate    make acme/api\n"
        "  git add spec/openapi.yaml streambind.toml spec/openapi.overlay.yaml acme/api\n"
        "  streambind check       in CI: fails when acme/api is not what spec/openapi.yaml gives\n"
    )
    generated = run("generate")
    assert generated.exit_code == 0
    assert "warning" not in generated.stderr
    assert Path("acme/api/manifest.json").is_file()
    assert run("check").exit_code == 0
    Path("spec/openapi.yaml").write_text(SPEC.replace("Pet:", "Cat:"))
    assert run("check").exit_code == 1


def test_what_is_not_given_is_guessed_where_nobody_can_be_asked() -> None:
    Path("src/acme").mkdir(parents=True)
    Path("src/acme/__init__.py").touch()
    assert run("init").exit_code == 0
    assert tomllib.loads(Path("streambind.toml").read_text()) == {
        "spec": "spec/openapi.yaml",
        "overlay": ["spec/openapi.overlay.yaml"],
        "output": "src/acme/api",
    }


def test_a_terminal_is_asked() -> None:
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "codegen", "init"]
    with open(parent, "r+b", buffering=0) as terminal:
        process = subprocess.Popen(
            command, stdin=child, stderr=subprocess.PIPE, env={"PYTHONPATH": str(ROOT)}
        )
        terminal.write(b"\nmine\n")
        _, said = process.communicate()
    assert process.returncode == 0, said
    assert said.startswith(
        b"The OpenAPI document [spec/openapi.yaml]: The folder for the package [api]: "
    )
    assert 'output = "mine"' in Path("streambind.toml").read_text()


@pytest.mark.parametrize("before", ["", "[project]\nname = 'x'", "[project]\nname = 'x'\n"])
def test_pyproject_gets_a_table(before: str) -> None:
    Path("pyproject.toml").write_text(before)
    assert run("init", "-o", 'o"ut').exit_code == 0
    text = Path("pyproject.toml").read_text()
    assert text.startswith(before)
    assert tomllib.loads(text)["tool"]["streambind"]["output"] == 'o"ut'


def test_a_configuration_stays_as_it_is() -> None:
    Path("pyproject.toml").write_text("[tool.streambind]\n")
    result = run("init")
    assert (result.exit_code, result.stderr) == (
        2,
        "pyproject.toml: error SB616 there is a configuration already\n"
        "help: docs/configuration.md tells how a second job is added\n",
    )
    assert Path("pyproject.toml").read_text() == "[tool.streambind]\n"
    assert not Path("spec/openapi.overlay.yaml").exists()


def test_without_a_document_nothing_is_written() -> None:
    result = run("init", "none.yaml", "-o", "out")
    assert result.exit_code == 2
    assert "error SB101 cannot read none.yaml" in result.stderr
    Path("spec/openapi.yaml").unlink()
    assert "Name it, streambind init openapi.yaml -o acme/api" in run("init").stderr
    assert [path.name for path in Path().iterdir()] == ["spec"]


# explain


def test_a_code_is_explained() -> None:
    assert run("explain", "SB207").stdout == (
        "SB207 required-undeclared (warning)\n"
        "Found in what the document says, as OpenAPI and JSON Schema have it. The package is made"
        " all the same.\n"
        "What to do: declare it under `properties`, or take it out of `required`.\n"
    )
    assert run("explain", "required-undeclared").stdout == run("explain", "sb207").stdout


def test_all_codes_are_listed() -> None:
    lines = run("explain").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(CODES)


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_an_explanation(code: str) -> None:
    assert run("explain", code).stdout.startswith(f"{code} {CODES[code].slug} (")


def test_no_two_problems_share_a_code() -> None:
    table = (ROOT / "codegen" / "codes.py").read_text("utf-8")
    assert len(re.findall(r'"SB\d{3}"', table)) == len(CODES)


def test_no_such_code() -> None:
    result = run("explain", "SB277")
    assert result.exit_code == 2
    assert re.search(r"There is no code 'SB277'; did you mean 'SB2\d\d'\?", result.stderr)
