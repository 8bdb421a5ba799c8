"""The command: exit codes, what goes to which stream, and how errors read."""

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

import codegen.pipeline
from codegen import __version__
from codegen.cli import main
from tests.command import run

SPEC = """\
openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    get:
      operationId: watchPets
      responses:
        "200":
          content:
            text/event-stream:
              itemSchema: {$ref: "#/components/schemas/pet"}
      tags: [pets]
components:
  schemas:
    pet:
      type: object
      properties:
        name: {type: string}
    "owner\\u001b[31m": {type: object}
"""
OVERLAY = """\
overlay: 1.0.0
info: {title: More, version: "1"}
actions:
  - target: $.components.schemas
    update: {shop: {type: object}}
"""
DANGLING = SPEC.replace("#/components/schemas/pet", "#/components/schemas/cat")


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pets.yaml").write_text(SPEC)
    Path("more.yaml").write_text(OVERLAY)


def warned(count: int) -> str:
    """Return a document with so many required members that are not declared."""
    names = "".join(f"\n        - missing{number}" for number in range(count))
    return SPEC.replace("    pet:\n", f"    pet:\n      required:{names}\n")


USAGE = {
    "no command given is help": [],
    "unknown command": ["generat"],
    "no document": ["generate", "-o", "out"],
    "no folder": ["generate", "pets.yaml"],
    "unknown option": ["generate", "pets.yaml", "-o", "out", "--variants", "pydantic"],
    "unknown format": ["list", "pets.yaml", "--format", "xml"],
    "quiet and verbose": ["generate", "pets.yaml", "-o", "out", "-q", "-v"],
    "ref root is no folder": ["list", "pets.yaml", "--ref-root", "pets.yaml"],
}


@pytest.mark.parametrize("args", USAGE.values(), ids=USAGE.keys())
def test_bad_usage_is_2_and_says_how(args: list[str]) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Usage: " in result.stderr


REFUSED = {
    "no such document": (["list", "cats.yaml"], "error SB101 cannot read cats.yaml"),
    "no such overlay": (["list", "pets.yaml", "--overlay", "none.yaml"], "error SB101"),
    "broken document": (["list", "-"], "<stdin>:1:1: error SB103"),
    "output is a file": (["generate", "pets.yaml", "-o", "pets.yaml"], "pets.yaml: error SB501"),
    "output is not ours": (["generate", "pets.yaml", "-o", "."], ".: error SB502"),
    "variant": (["generate", "pets.yaml", "-o", "out", "--variant", "pydantik"], "error SB601"),
}


@pytest.mark.parametrize(("args", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_a_refusal_is_2_with_its_place(args: list[str], said: str) -> None:
    result = run(*args, input="")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(said)


def test_an_error_shows_place_excerpt_and_pointer() -> None:
    result = run("generate", "-", "-o", "out", input=DANGLING)
    assert result.exit_code == 2
    head, excerpt, caret, *_ = result.stderr.splitlines()
    assert head.startswith("<stdin>:11:")
    assert " error SB201 " in head
    assert head.endswith(
        "[#/paths/~1pets/get/responses/200/content/text~1event-stream/itemSchema/$ref]"
    )
    assert excerpt == '   11 |               itemSchema: {$ref: "#/components/schemas/cat"}'
    assert caret.endswith("^")
    assert not Path("out").exists(), "nothing is written unless all is well"


def test_an_unknown_variant_names_the_known_ones() -> None:
    result = run("generate", "pets.yaml", "-o", "out", "--variant", "TypedDict", "--variant", "x")
    assert result.stderr == (
        "error SB601 there is no variant 'TypedDict'; did you mean 'typeddicts'?\n"
        "help: the variants are dataclasses, typeddicts, pydantic\n"
        "error SB601 there is no variant 'x'\n"
        "help: the variants are dataclasses, typeddicts, pydantic\n"
    )


def test_generate_says_what_it_did_on_standard_error() -> None:
    first, second = (run("generate", "pets.yaml", "-o", "out") for _ in range(2))
    files = [path for path in Path("out").rglob("*") if path.is_file()]
    assert (first.exit_code, first.stdout) == (second.exit_code, second.stdout) == (0, "")
    assert first.stderr.startswith(
        f"pets.yaml -> out: {len(files)} written, 0 unchanged, 0 deleted ("
    )
    assert second.stderr.startswith(
        f"pets.yaml -> out: 0 written, {len(files)} unchanged, 0 deleted ("
    )


def test_variants_come_in_an_order_of_their_own() -> None:
    folders = {"dataclasses", "typeddicts", "pydantic"}
    run("generate", "pets.yaml", "-o", "a", "--variant", "pydantic", "--variant", "dataclasses")
    run("generate", "pets.yaml", "-o", "b", "--variant", "dataclasses", "--variant", "pydantic")
    assert Path("a/manifest.json").read_bytes() == Path("b/manifest.json").read_bytes()
    assert {path.name for path in Path("a").iterdir()} & folders == {"dataclasses", "pydantic"}
    run("generate", "pets.yaml", "-o", "a")
    assert {path.name for path in Path("a").iterdir()} >= folders


PARTS = {
    "all": ([], {"Pet", "Shop", "Owner"}, {"WatchPetsStream"}),
    "a schema": (["--schema", "shop"], {"Shop", "Owner"}, set[str]()),
    "an operation": (["--operation", "watchPets"], {"Pet"}, {"WatchPetsStream"}),
    "both": (
        ["--schema", "owner", "--operation", "watchPets"],
        {"Pet", "Owner"},
        {"WatchPetsStream"},
    ),
    "a tag": (["--tag", "shops"], {"Shop", "Owner"}, set[str]()),
    "a path and those below": (["--path", "/shops"], {"Shop", "Owner"}, set[str]()),
    "a path that only begins so": (["--path", "/shops/all/"], {"Owner"}, set[str]()),
    "paths of a pattern": (["--path", "/*s/a*"], {"Owner"}, set[str]()),
    "a tag and a path": (
        ["--tag", "owners", "--path", "/pets"],
        {"Pet", "Owner"},
        {"WatchPetsStream"},
    ),
}
PART_SPEC = (
    SPEC.split("components:")[0]
    + """\
  /shops:
    put:
      operationId: putShop
      tags: [shops]
      responses: {"200": {$ref: "#/components/responses/shop"}}
  /shops/all/{id}:
    get:
      tags: [owners]
      responses: {}
      callbacks:
        done:
          "{$url}":
            post: {requestBody: {$ref: "#/components/requestBodies/owner"}}
  /shopsmith: {get: {responses: {"200": {$ref: "#/components/responses/pet"}}}}
components:
  responses:
    shop: {content: {application/json: {schema: {$ref: "#/components/schemas/shop"}}}}
    pet: {content: {application/json: {schema: {$ref: "#/components/schemas/pet"}}}}
  requestBodies:
    owner: {content: {application/json: {schema: {$ref: "#/components/schemas/owner"}}}}
  schemas:
    pet: {type: object, properties: {name: {type: string}}}
    shop: {type: object, properties: {owner: {$ref: "#/components/schemas/owner"}}}
    owner: {type: object, properties: {name: {type: string}}}
"""
)


@pytest.mark.parametrize(("options", "schemas", "streams"), PARTS.values(), ids=PARTS)
def test_a_part_is_what_it_reaches(
    options: list[str], schemas: set[str], streams: set[str]
) -> None:
    Path("parts.yaml").write_text(PART_SPEC)
    assert run("generate", "parts.yaml", "-o", "out", *options).exit_code == 0
    manifest = json.loads(Path("out/manifest.json").read_text())
    assert set(manifest["schemas"].values()) == schemas
    assert manifest["streams"].keys() == streams


WARNED = """\
openapi: 3.1.0
info: {title: Warned, version: "1"}
components:
  schemas:
    cat: {allOf: [{$ref: "#/components/schemas/pet"}]}
    pet: {type: object, required: [gone], properties: {name: {type: integer, enum: [a]}}}
    dog: {type: object, required: [gone]}
"""


def test_a_part_is_warned_of_alone() -> None:
    Path("warned.yaml").write_text(WARNED)
    told = {
        part: re.findall(
            r"schemas/(\w+)", run("generate", "warned.yaml", "-o", "out", *part).stderr
        )
        for part in ((), ("--schema", "cat"), ("--schema", "dog"))
    }
    assert {part: sorted(set(found)) for part, found in told.items()} == {
        (): ["dog", "pet"],
        ("--schema", "cat"): ["pet"],
        ("--schema", "dog"): ["dog"],
    }


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have names in Unicode")
def test_a_locale_without_letters_is_told_from_a_fault() -> None:
    Path("letters.yaml").write_text(SPEC.replace("schemas:", "schemas:\n    Größe: {type: string}"))
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        command("generate", "letters.yaml", "-o", "out"),
        env=environment(**locale),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "set PYTHONUTF8=1" in done.stderr
    assert "Traceback" not in done.stderr


UNKNOWN = {
    "schema": (
        ["--schema", "pett"],
        "the document has no schema 'pett'\nhelp: did you mean 'pet'?",
    ),
    "operation": (
        ["--operation", "x"],
        "the document has no operation 'x'\nhelp: `streambind list`",
    ),
    "tag": (["--tag", "pet"], "the document has no tag 'pet'\nhelp: did you mean 'pets'?"),
    "path": (["--path", "/pet"], "the document has no path '/pet'\nhelp: did you mean '/pets'?"),
    "profile": (
        ["--profile", "opnai"],
        "there is no profile 'opnai'; did you mean 'openai'?\nhelp:",
    ),
}


@pytest.mark.parametrize(("options", "said"), UNKNOWN.values(), ids=UNKNOWN)
def test_a_name_that_is_not_there_is_refused_with_a_way_out(options: list[str], said: str) -> None:
    result = run("generate", "pets.yaml", "-o", "out", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert not Path("out").exists()


def test_help_names_every_variant() -> None:
    assert all(name in run("generate", "--help").stdout for name in codegen.pipeline.VARIANTS)


def test_list_is_aligned_and_safe_for_a_terminal() -> None:
    result = run("list", "pets.yaml", "--overlay", "more.yaml")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "schemas (3)\n"
        "  pet            Pet\n"
        "  owner\\x1b[31m  Owner31m\n"
        "  shop           Shop\n"
        "operations (1)\n"
        "  watchPets  GET  /pets\n"
        "streams (1)\n"
        "  WatchPetsStream  watchPets  text/event-stream  Pet\n"
    )


def test_list_as_json() -> None:
    result = run("list", "-", "--format", "json", input=SPEC)
    assert json.loads(result.stdout) == {
        "schemas": {"pet": "Pet", "owner\x1b[31m": "Owner31m"},
        "operations": {"watchPets": {"method": "GET", "path": "/pets"}},
        "streams": {
            "WatchPetsStream": {
                "operation": "watchPets",
                "media_type": "text/event-stream",
                "framing": "sse",
                "event": "Pet",
            }
        },
    }


def test_names_on_the_list_are_those_of_the_manifest() -> None:
    run("generate", "pets.yaml", "-o", "out")
    manifest = json.loads(Path("out/manifest.json").read_text())
    listing = json.loads(run("list", "pets.yaml", "--format", "json").stdout)
    assert listing["schemas"] == manifest["schemas"]
    assert listing["streams"].keys() == manifest["streams"].keys()


@pytest.mark.parametrize(("count", "option", "shown", "more"), [
    (20, None, 20, ""),
    (21, None, 20, "and 1 more warning (-v shows all)\n"),
    (22, "-q", 20, "and 2 more warnings (-v shows all)\n"),
    (22, "-v", 22, ""),
])  # fmt: skip
def test_twenty_warnings_are_shown(count: int, option: str | None, shown: int, more: str) -> None:
    result = run("list", "-", *([option] if option else []), input=warned(count))
    assert result.exit_code == 0
    assert result.stderr.count(" warning SB207 ") == shown
    assert more in result.stderr
    assert ("more warning" in result.stderr) == bool(more)


def test_notes_are_counted_and_shown_on_demand() -> None:
    spec = SPEC.replace("name: {type: string}", "name: {type: string, not: {const: Rex}}")
    plain, quiet, verbose = (run("list", "-", *o, input=spec) for o in ([], ["-q"], ["-v"]))
    assert plain.stderr == "1 note (-v shows all)\n"
    assert quiet.stderr == ""
    assert " note SB204 " in verbose.stderr
    assert "reading: " in verbose.stderr


def test_machines_read_problems_from_standard_error() -> None:
    args = ["generate", "-", "-o", "out", "--format"]
    result = run(*args, "json", input=warned(21))
    assert [item["code"] for item in json.loads(result.stderr)] == ["SB207"] * 21
    assert json.loads(run(*args, "json", input=SPEC).stderr) == []
    assert run(*args, "github", input=DANGLING).stderr.startswith(
        "::error title=SB201 reference-dangling,file=<stdin>,line=11,col="
    )


def raiser(error: BaseException) -> Callable[..., NoReturn]:
    def fail(*_: object) -> NoReturn:
        raise error

    return fail


def test_a_fault_of_ours_is_3_and_asks_for_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codegen.pipeline, "load_api", raiser(ValueError("odd\x1b[31m")))
    result = run("list", "pets.yaml")
    assert (result.exit_code, result.stdout) == (3, "")
    first, *_, last = result.stderr.splitlines()
    assert "please report" in first
    assert last == "ValueError: odd\\x1b[31m"


def test_an_interruption_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codegen.pipeline, "load_api", raiser(KeyboardInterrupt()))
    result = run("list", "pets.yaml")
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "interrupted\n")


def test_version() -> None:
    assert run("--version").stdout == f"streambind {__version__}\n"


# As a process of its own

ROOT = Path(__file__).parent.parent


def command(*args: str) -> list[str]:
    return [sys.executable, "-m", "codegen", *args]


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if "COLOR" not in name}
    return {**kept, "PYTHONPATH": str(ROOT), "TERM": "xterm", **more}


def test_help_loads_no_stage() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "codegen", "--help"],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("Usage: streambind ")
    loaded = {line.split("|")[-1].strip() for line in done.stderr.splitlines()}
    assert "codegen.cli" in loaded
    assert not loaded & {"yaml", "jinja2", "codegen.pipeline", "jsonpath_rfc9535"}


def on_terminal(*args: str, **more: str) -> str:
    """Run the command with a terminal as its standard error, and return what is written there."""
    parent, child = pty.openpty()
    subprocess.run(command(*args), env=environment(**more), stderr=child, check=False)
    os.close(child)
    with open(parent, "rb") as terminal:
        return os.read(terminal.fileno(), 65536).decode()


def test_a_terminal_gets_colours_and_a_line_that_goes_away() -> None:
    shown = on_terminal("generate", "pets.yaml", "-o", "out")
    progress, rest = shown.split("\r\x1b[Kpets.yaml -> out: ")
    stages = [part for part in progress.split("\r\x1b[K") if part]
    assert stages == ["reading ...", "building ...", "writing ..."]
    assert "\x1b" not in rest
    assert "\x1b[1;31merror SB101\x1b[0m" in on_terminal("list", "none.yaml", "-v")


@pytest.mark.parametrize("off", [{"NO_COLOR": "1"}, {"CLICOLOR": "0"}, {"TERM": "dumb"}])
def test_colours_can_be_turned_off(off: dict[str, str]) -> None:
    assert "\x1b[1;31m" not in on_terminal("list", "none.yaml", **off)


def test_nothing_moves_where_there_is_no_terminal() -> None:
    done = subprocess.run(
        command("generate", "pets.yaml", "-o", "out"),
        env=environment(),
        capture_output=True,
        check=True,
    )
    assert done.stdout == b""
    assert b"\x1b" not in done.stderr
    assert b"\r" not in done.stderr


def test_an_error_in_what_an_overlay_adds_is_shown_in_the_overlay() -> None:
    Path("more.yaml").write_text(OVERLAY.replace("{type: object}", "{type: objekt}"))
    result = run("generate", "pets.yaml", "-o", "out", "--overlay", "more.yaml")
    assert result.exit_code == 2
    assert result.stderr.startswith("more.yaml:5:21: error SB205 no such type: 'objekt'")


@pytest.mark.parametrize("name", main.commands)
def test_a_command_is_told_in_one_short_sentence(name: str) -> None:
    """The overview of `--help` shows all of it, and no ellipsis."""
    text = " ".join((main.commands[name].help or "").partition("\n\n")[0].split())
    assert text.endswith(".")
    assert len(text) <= 64
