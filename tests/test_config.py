"""The configuration: where it is found, what it says, and how its errors read."""

import importlib
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from codegen.cli.jobs import find_keys
from tests.command import run
from tests.config_schema import format_config_schema

SPEC = """\
openapi: 3.1.0
info: {title: Pets, version: "1"}
paths: {}
components: {schemas: {Pet: {type: object}, Shop: {type: object}}}
"""


@pytest.fixture(autouse=True)
def _in_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    Path("spec").mkdir()
    Path("spec/pets.yaml").write_text(SPEC)


def configure(text: str, name: str = "streambind.toml") -> None:
    Path(name).write_text(text)


def schemas(folder: str) -> list[str]:
    manifest = json.loads(Path(folder, "manifest.json").read_text())
    return sorted(manifest["schemas"])


def test_a_table_without_jobs_is_the_one_job() -> None:
    table = 'spec = "spec/pets.yaml"\noutput = "acme"\nschema = ["Pet"]\n'
    configure(f"[tool.other]\nx = 1\n[tool.streambind]\n{table}", "pyproject.toml")
    result = run("generate")
    assert (result.exit_code, schemas("acme")) == (0, ["Pet"])
    assert result.stderr.startswith("spec/pets.yaml -> acme: ")


JOBS = """\
variant = ["dataclasses"]
[[jobs]]
job = "one"
spec = "spec/pets.yaml"
output = "one"
schema = ["Pet"]
[[jobs]]
job = "two"
spec = "spec/pets.yaml"
output = "two"
variant = ["pydantic"]
"""


def test_jobs_are_done_in_turn_with_the_defaults_of_the_table() -> None:
    configure(JOBS)
    assert run("generate").exit_code == 0
    assert (schemas("one"), schemas("two")) == (["Pet"], ["Pet", "Shop"])
    assert Path("one/dataclasses").is_dir()
    assert not Path("two/dataclasses").exists(), "a job's own key goes over the default"


def test_a_job_can_be_chosen() -> None:
    configure(JOBS)
    assert run("generate", "--job", "two").exit_code == 0
    assert (Path("one").exists(), Path("two").exists()) == (False, True)


def test_the_command_line_goes_over_a_job() -> None:
    configure(JOBS)
    assert run("generate", "--job", "one", "--schema", "Shop", "-o", "three").exit_code == 0
    assert (schemas("three"), Path("one").exists()) == (["Shop"], False)


def test_a_document_on_the_command_line_has_the_defaults_and_no_job() -> None:
    configure(JOBS)
    assert run("generate", "spec/pets.yaml", "-o", "out").exit_code == 0
    assert {path.name for path in Path("out").iterdir()} >= {"dataclasses"}
    assert not Path("out/pydantic").exists()
    assert not Path("one").exists()


def test_a_document_on_the_command_line_has_nothing_of_the_one_job() -> None:
    configure('spec = "spec/pets.yaml"\noutput = "acme"\nschema = ["Pet"]\n')
    assert run("generate", "spec/pets.yaml", "-o", "out").exit_code == 0
    assert schemas("out") == ["Pet", "Shop"]
    assert "Missing option '-o'" in run("generate", "spec/pets.yaml").stderr


def test_it_is_found_above_and_its_paths_are_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    configure(JOBS)
    Path("src/deep").mkdir(parents=True)
    monkeypatch.chdir("src/deep")
    result = run("generate", "--job", "one")
    assert result.stderr.startswith("../../spec/pets.yaml -> ../../one: ")
    assert Path("../../one/manifest.json").is_file()


def test_it_is_not_looked_for_outside_of_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    configure(JOBS)
    Path("inner/.git").mkdir(parents=True)
    monkeypatch.chdir("inner")
    result = run("generate")
    assert result.exit_code == 2
    assert "Missing argument '[SPEC]'. Without it, jobs come from a configuration" in result.stderr


def test_list_shows_the_document_of_the_one_job() -> None:
    configure('spec = "spec/pets.yaml"\noutput = "acme"\n')
    assert "Shop" in run("list").stdout
    configure(JOBS)
    assert "Shop" in run("list", "--job", "one").stdout
    assert "choose one with --job" in run("list").stderr


def test_a_refused_job_does_not_keep_the_others_from_being_done() -> None:
    configure(JOBS.replace('schema = ["Pet"]', 'schema = ["Cat"]'))
    result = run("generate")
    assert result.exit_code == 2
    assert "error SB603 the document has no schema 'Cat'" in result.stderr
    assert (Path("one").exists(), schemas("two")) == (False, ["Pet", "Shop"])


HEAD = 'spec = "spec/pets.yaml"\noutput = "acme"\n'

ERRORS = {
    "unknown key": (
        HEAD + 'variants = ["pydantic"]\n',
        "streambind.toml:3:1: error SB611 there is no key 'variants'; did you mean 'variant'?"
        " [#/variants]\n"
        '    3 | variants = ["pydantic"]\n'
        "      | ^\n"
        "help: the keys here are jobs, ",
    ),
    "unknown key of a job": (
        f'[[jobs]]\n{HEAD}ref_root = "."\n',
        "streambind.toml:4:1: error SB611 there is no key 'ref_root'; did you mean 'ref-root'?"
        " [#/jobs/0/ref_root]\n"
        '    4 | ref_root = "."\n'
        "      | ^\n"
        "help: the keys here are job, ",
    ),
    "a text where texts go": (
        HEAD + 'overlay = "more.yaml"\n',
        "streambind.toml:3:1: error SB612 'overlay' is an array of strings, the paths of files"
        " [#/overlay]\n"
        '    3 | overlay = "more.yaml"\n'
        "      | ^\n"
        "help: docs/configuration.md tells what each key takes\n",
    ),
    "a number": (
        "spec = 1\n",
        "streambind.toml:1:1: error SB612 'spec' is a string, the path of a file or folder"
        " [#/spec]\n",
    ),
    "jobs are no array": (
        HEAD + "[jobs.one]\n",
        "streambind.toml:3:2: error SB612 'jobs' is an array of tables [#/jobs]",
    ),
    "a name is no string": (
        f"[[jobs]]\njob = 1\n{HEAD}",
        "streambind.toml:2:1: error SB612 'job' is a string [#/jobs/0/job]",
    ),
    "a folder that is not there": (
        HEAD + 'ref-root = "none"\n',
        "streambind.toml:3:1: error SB612 Directory 'none' does not exist. [#/ref-root]",
    ),
    "one folder for two jobs": (
        f"[[jobs]]\n{HEAD}[[jobs]]\n{HEAD}",
        "streambind.toml:6:1: error SB613 two jobs have the output 'acme' [#/jobs/1/output]\n"
        '    6 | output = "acme"\n'
        "      | ^\n"
        "help: give each job a name and a folder of its own\n",
    ),
    "one name for two jobs": (
        JOBS.replace('"two"', '"one"', 1),
        "streambind.toml:8:1: error SB613 two jobs have the job 'one' [#/jobs/1/job]",
    ),
    "no folder": (
        '[[jobs]]\nspec = "spec/pets.yaml"\n',
        "streambind.toml:1:3: error SB615 the job has no 'output' [#/jobs/0]\n"
        "    1 | [[jobs]]\n"
        "      |   ^\n"
        "help: a job needs a document, `spec`, and a folder, `output`\n",
    ),
    "unknown variant": (
        HEAD + 'variant = ["typeddict"]\n',
        "streambind.toml:3:1: error SB601 there is no variant 'typeddict'; did you mean"
        " 'typeddicts'? [#/variant]\n",
    ),
    "unknown profile": (
        HEAD + 'profile = ["opnai"]\n',
        "streambind.toml:3:1: error SB602 there is no profile 'opnai'; did you mean 'openai'?"
        " [#/profile]\n",
    ),
    "a text that no path can be": (
        'spec = "a\\u0000b"\noutput = "acme"\n',
        "streambind.toml:1:1: error SB612 'spec' is a string, the path of a file or folder"
        " [#/spec]\n",
    ),
    "a job that is no table": (
        "jobs = [1]\n",
        "streambind.toml:1:9: error SB612 a table of keys is wanted [#/jobs/0]\n",
    ),
    "no TOML": (
        'spec = "spec/pets.yaml\n',
        "streambind.toml:1:23: error SB103 Illegal character '\\n'\n",
    ),
    "a key twice": (
        HEAD + 'spec = "x"\n',
        "streambind.toml:3:11: error SB103 Cannot overwrite a value\n",
    ),
    "a date": (
        HEAD + "variant = [2020-01-01]\n",
        "streambind.toml:3:12: error SB106 a date has no form in JSON\n",
    ),
}


@pytest.mark.parametrize(("text", "said"), ERRORS.values(), ids=ERRORS)
def test_an_error_has_its_place(text: str, said: str) -> None:
    configure(text)
    result = run("generate")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(said)
    assert not Path("acme").exists()


def test_all_errors_come_at_once() -> None:
    configure(f'x = 1\n[[jobs]]\n{HEAD}y = 1\nvariant = "z"\n')
    places = [line.split(":")[1] for line in run("generate").stderr.splitlines() if "error" in line]
    assert places == ["1", "5", "6"]


def test_a_place_in_pyproject() -> None:
    configure('[project]\nname = "x"\n[tool]\nstreambind.spek = "x"\n', "pyproject.toml")
    assert run("generate").stderr.startswith(
        "pyproject.toml:4:12: error SB611 there is no key 'spek'; did you mean 'spec'?"
        " [#/tool/streambind/spek]\n"
    )


def test_an_unknown_job() -> None:
    configure(JOBS)
    assert run("generate", "--job", "tow").stderr == (
        "error SB614 there is no job 'tow'; did you mean 'two'?\nhelp: the jobs are one, two\n"
    )


USAGE = {
    "a job and a document": (["generate", "spec/pets.yaml", "--job", "one"], "--job and SPEC"),
    "one folder for all jobs": (["generate", "-o", "x"], "-o goes with one job only"),
}


@pytest.mark.parametrize(("args", "said"), USAGE.values(), ids=USAGE)
def test_usage(args: list[str], said: str) -> None:
    configure(JOBS)
    result = run(*args)
    assert result.exit_code == 2
    assert said in result.stderr


def test_keys_are_flags() -> None:
    assert all(
        key.name == "spec" or f"--{key.name} " in run("generate", "--help").stdout
        for key in find_keys()
    )


# The published schema

SCHEMA = Path(__file__).parent.parent / "docs" / "streambind.schema.json"
PAGE = Path(__file__).parent.parent / "docs" / "configuration.md"
JSONSCHEMA: Any = importlib.import_module("jsonschema")  # it has no types


def test_the_published_schema_is_that_of_the_options() -> None:
    """Where this fails: `make update`."""
    assert SCHEMA.read_text("utf-8") == format_config_schema(find_keys())


READ = {
    "nothing": "",
    "one job": HEAD,
    "jobs": JOBS,
    "every key": HEAD + 'overlay = ["a"]\nref-root = "spec"\noperation = ["a"]\nprofile = []\n',
    **{name: text for name, (text, said) in ERRORS.items() if "SB103" not in said},
}
# What no schema tells: what lies on the disk, and that two jobs are alike.
BEYOND = {
    "a folder that is not there",
    "one folder for two jobs",
    "one name for two jobs",
    "no folder",
    "a date",
    "a text that no path can be",
}


@pytest.mark.parametrize("name", [name for name in READ if name not in BEYOND])
def test_the_schema_takes_what_the_reader_takes(name: str) -> None:
    configure(READ[name])
    is_read = "error SB6" not in run("generate").stderr
    schema = json.loads(SCHEMA.read_text("utf-8"))
    validator = JSONSCHEMA.Draft7Validator(schema)
    assert validator.is_valid(tomllib.loads(READ[name])) == is_read


def test_the_page_tells_of_every_key() -> None:
    page = PAGE.read_text("utf-8")
    assert [key.name for key in find_keys() if f"| `{key.name}` |" not in page] == []


def test_types_of_formats_are_a_table() -> None:
    configure(
        'spec = "spec/pets.yaml"\noutput = "acme"\ntype = { date-time = "str", uuid = "str" }\n'
    )
    assert run("generate").exit_code == 0
    manifest = json.loads(Path("acme/manifest.json").read_text())
    assert manifest["options"]["types"] == {"date-time": "str", "uuid": "str"}
