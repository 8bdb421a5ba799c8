"""The command `diff`: what it compares, what it passes over, and how it answers.

What it says of changes is shown by the cases of `test_changes`.
"""

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.command import run

OLD = """\
openapi: 3.1.0
info: {title: Pets, version: "1"}
paths: {}
components:
  schemas:
    Pet: {$ref: "parts.yaml#/Pet"}
    Shop: {type: object, properties: {name: {type: string}}}
"""
PARTS = "Pet: {type: object, properties: {name: {type: string}, age: {type: integer}}}\n"
NEW_PARTS = PARTS.replace("age: {type: integer}", "age: {type: string}")
NEW = OLD.replace("name: {type: string}", "name: {type: string}, city: {type: string}")
SUMMARY = "1 wire, 1 none\n"


def git(*args: str) -> None:
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", *identity, *args], check=True, capture_output=True)


@pytest.fixture(autouse=True)
def _in_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One commit with the old document and its package, and the new document."""
    monkeypatch.chdir(tmp_path)
    Path("spec").mkdir()
    Path("spec/pets.yaml").write_text(OLD)
    Path("spec/parts.yaml").write_text(PARTS)
    assert run("generate", "spec/pets.yaml", "-o", "acme").exit_code == 0
    git("init", "-q")
    git("add", "spec")
    git("commit", "-qm", "old")
    Path("spec/pets.yaml").write_text(NEW)
    Path("spec/parts.yaml").write_text(NEW_PARTS)


def test_a_revision_of_git_with_the_files_beside_it() -> None:
    result = run("diff", "HEAD:spec/pets.yaml", "spec/pets.yaml")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"HEAD:spec/pets.yaml -> spec/pets.yaml: {SUMMARY}")
    assert "Pet.age was int | None = None, becomes str | None = None" in result.stdout
    assert " spec/parts.yaml:1:56 #/Pet/properties/age\n" in result.stdout


def test_two_revisions() -> None:
    git("commit", "-qam", "new")
    result = run("diff", "HEAD~1:spec/pets.yaml", "HEAD:spec/pets.yaml")
    assert result.stdout.startswith(f"HEAD~1:spec/pets.yaml -> HEAD:spec/pets.yaml: {SUMMARY}")
    assert " HEAD:spec/parts.yaml:1:56 " in result.stdout


@pytest.mark.parametrize("package", ["acme", "acme/manifest.json"])
def test_a_vendored_package(package: str) -> None:
    git("commit", "-qam", "new")
    result = run("diff", package, "spec/pets.yaml")
    assert result.exit_code == 0
    assert result.stdout.partition(" -> ")[2].startswith(f"spec/pets.yaml: {SUMMARY}")


def test_the_configuration_says_what_to_compare() -> None:
    Path("streambind.toml").write_text('spec = "spec/pets.yaml"\noutput = "acme"\n')
    assert f": {SUMMARY}" in run("diff").stdout
    assert run("diff", "HEAD:spec/pets.yaml").stdout.startswith(
        f"HEAD:spec/pets.yaml -> spec/pets.yaml: {SUMMARY}"
    )


def test_options_hold_for_both() -> None:
    shop = run("diff", "HEAD:spec/pets.yaml", "spec/pets.yaml", "--schema", "Shop")
    assert shop.stdout.splitlines()[0].endswith(": 1 none")
    dicts = run("diff", "HEAD:spec/pets.yaml", "spec/pets.yaml", "--variant", "typeddicts")
    assert "Pet.age was NotRequired[int], becomes NotRequired[str]" in dicts.stdout


CHOICES = {
    "a schema": ["--schema", "Toy"],
    "a name": ["--name", "#/components/schemas/Toy=Plaything"],
    "a format": ["--type", "price=Decimal"],
}


@pytest.mark.parametrize("options", CHOICES.values(), ids=CHOICES)
def test_what_is_chosen_may_be_new(options: list[str]) -> None:
    toy = "    Toy: {type: object, properties: {price: {type: string, format: price}}}\n"
    Path("spec/pets.yaml").write_text(NEW + toy)
    result = run("diff", "HEAD:spec/pets.yaml", "spec/pets.yaml", "-v", *options)
    assert (result.exit_code, "error" in result.stderr) == (0, False), result.stderr
    assert re.search(r"^  names that are new \(1\)\n    (Toy|Plaything)  ", result.stdout, re.M)
    back = run("diff", "spec/pets.yaml", "HEAD:spec/pets.yaml", *options)
    assert back.exit_code == 2, "what the new one lacks is asked for in vain"


def test_a_package_has_the_names_that_it_was_made_with() -> None:
    name = ["--name", "#/components/schemas/Shop=Store"]
    result = run("diff", "acme", "spec/pets.yaml", *name)
    assert "Shop becomes" in result.stdout.replace(" is ", " becomes ")
    assert run("generate", "spec/pets.yaml", "-o", "acme", *name).exit_code == 0
    assert run("diff", "acme", "spec/pets.yaml", *name).stdout.endswith(": no changes\n")
    assert "Store" in run("diff", "acme", "spec/pets.yaml").stdout


def test_nothing_changed() -> None:
    result = run("diff", "spec/pets.yaml", "spec/pets.yaml")
    assert result.stdout == "spec/pets.yaml -> spec/pets.yaml: no changes\n"


@pytest.mark.parametrize(("tier", "code"), [("wire", 1), ("source", 1), ("soft", 1)])
def test_it_fails_on_a_tier_or_a_worse_one(tier: str, code: int) -> None:
    changed = ("diff", "HEAD:spec/pets.yaml", "spec/pets.yaml")
    assert run(*changed, "--fail-on", tier).exit_code == code
    assert run(*changed, "--fail-on", tier, "--schema", "Shop").exit_code == 0


def test_accepted_changes_are_passed_over() -> None:
    changed = ("diff", "HEAD:spec/pets.yaml", "spec/pets.yaml", "--fail-on", "wire")
    assert run(*changed, "--accept").exit_code == 0
    assert Path(".streambind-accepted").read_text().endswith(" wire type-changed Pet.age\n")
    result = run(*changed)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0].endswith(": 1 none, 1 accepted before")
    assert "Pet.age" not in result.stdout
    Path("spec/parts.yaml").write_text(PARTS.replace("integer", "boolean"))
    assert run(*changed).exit_code == 1, "another change of the same member is another one"


def test_a_line_that_is_no_fingerprint() -> None:
    Path(".streambind-accepted").write_text("# ok\n\nPet.age\n")
    result = run("diff", "spec/pets.yaml", "spec/pets.yaml")
    assert (result.exit_code, result.stderr) == (
        2,
        ".streambind-accepted:3:1: error SB632 'Pet.age' is no fingerprint of a change\n"
        "help: a line is a fingerprint that `diff` shows, or # text\n",
    )


def test_json() -> None:
    result = run("diff", "HEAD:spec/pets.yaml", "spec/pets.yaml", "--format", "json")
    said = json.loads(result.stdout)
    assert said["counts"] == {"wire": 1, "source": 0, "soft": 0, "none": 1}
    first = said["changes"][0]
    assert first.pop("fingerprint")
    assert first == {
        "tier": "wire",
        "kind": "type-changed",
        "symbol": "Pet.age",
        "was": "int | None = None",
        "becomes": "str | None = None",
        "variants": ["dataclasses", "typeddicts", "pydantic"],
        "file": "spec/parts.yaml",
        "line": 1,
        "column": 56,
        "pointer": "#/Pet/properties/age",
    }


def test_markdown() -> None:
    result = run("diff", "HEAD:spec/pets.yaml", "spec/pets.yaml", "--format", "markdown")
    assert result.stdout == (
        "**`HEAD:spec/pets.yaml` → `spec/pets.yaml`**: 1 wire, 1 none\n"
        "\n"
        "<details open>\n"
        "<summary><b>wire (1)</b>: data of before is refused</summary>\n"
        "\n"
        "types that change (1)\n"
        "\n"
        "- `Pet.age` was `int | None = None`, becomes `str | None = None`\n"
        "\n"
        "</details>\n"
        "\n"
        "<details>\n"
        "<summary><b>none (1)</b>: nothing that is there breaks</summary>\n"
        "\n"
        "members that are new and may be absent (1)\n"
        "\n"
        "- `Shop.city` is `str | None = None`\n"
        "\n"
        "</details>\n"
    )


def test_text_of_a_document_does_not_act_in_markdown() -> None:
    hostile = "`</details>\\n# @everyone"
    Path("hostile.yaml").write_text(
        OLD.replace(
            "Shop: {type: object", f'Shop: {{type: object, required: ["{hostile}"]'
        ).replace("name: {type", f'"{hostile}": {{type')
    )
    command = ("diff", "HEAD:spec/pets.yaml", "hostile.yaml", "--variant", "typeddicts")
    Path("parts.yaml").write_text(PARTS)
    shown = run(*command, "--format", "markdown").stdout
    assert "\n- ``Shop.`</details>\\x0a# @everyone`` is `str`\n" in shown
    assert "\n# @everyone" not in shown


MISSING = {
    "no revision": ("v9:spec/pets.yaml", "v9:spec/pets.yaml: error SB631 "),
    "no file then": (
        "HEAD:pets.yaml",
        "HEAD:pets.yaml: error SB631 there is no file 'pets.yaml' at 'HEAD'\n"
        "help: name a file, REVISION:PATH, or the folder of a package\n",
    ),
    "no file": ("none.yaml", "error SB101 cannot read none.yaml"),
}


@pytest.mark.parametrize(("old", "said"), MISSING.values(), ids=MISSING)
def test_what_is_not_there(old: str, said: str) -> None:
    result = run("diff", old, "spec/pets.yaml")
    assert result.exit_code == 2
    assert result.stderr.startswith(said)


def test_a_package_of_a_document_that_nobody_has() -> None:
    Path("acme/manifest.json").write_text(
        Path("acme/manifest.json").read_text().replace('"digest": "sha256:', '"digest": "sha256:0')
    )
    assert run("diff", "acme", "spec/pets.yaml").stderr == (
        "acme: error SB631 the document that 'acme' was made from is not in the history of"
        " spec/pets.yaml\n"
        "help: name a file, REVISION:PATH, or the folder of a package\n"
    )


def test_json_is_of_one_job() -> None:
    Path("streambind.toml").write_text(
        '[[jobs]]\nspec = "spec/pets.yaml"\noutput = "acme"\n'
        '[[jobs]]\nspec = "spec/pets.yaml"\noutput = "other"\n'
    )
    result = run("diff", "--format", "json")
    assert result.exit_code == 2
    assert "The configuration has several jobs: choose one with --job." in result.stderr
