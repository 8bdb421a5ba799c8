"""How errors read: the exact text of those that no case of a document or of configuration shows.

Places are counted by hand.
"""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from codegen.cli import main
from codegen.codes import CODES

HERE = Path(__file__).parent
SPEC = """\
openapi: 3.1.0
info: {title: Pets, version: "1"}
paths: {}
components: {schemas: {Pet: {type: object}}}
"""
TWICE = """\
openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  /a: {get: {operationId: read, responses: {}}}
  /b: {get: {operationId: read, responses: {}}}
"""
OUTSIDE = SPEC.replace("{type: object}", '{$ref: "../other.yaml#/Pet"}')
HEAD = 'overlay: 1.0.0\ninfo: {title: More, version: "1"}\nactions:\n'
LAID_OVER = "generate pets.yaml -o out --overlay more.yaml"

# Files, the command, and all that it says.
ERRORS: dict[str, tuple[dict[str, bytes], str, str]] = {
    "bytes that are no UTF-8": (
        {"pets.yaml": b'openapi: 3.1.0\ninfo: {title: "caf\xe9"}\n'},
        "generate pets.yaml -o out",
        "pets.yaml:2:19: error SB102 the byte 0xe9 is not UTF-8 here\n"
        '    2 | info: {title: "caf�"}\n'
        "      |                   ^\n"
        "help: save the document as UTF-8\n",
    ),
    "a page without a definition": (
        {"pets.md": b"# Pets\n\nNo definition here.\n"},
        "generate pets.md -o out",
        "pets.md:1:1: error SB107 the page holds no OpenAPI definition in a fence\n"
        "    1 | # Pets\n"
        "      | ^\n"
        "help: put one definition in a ```yaml or ```json fence\n",
    ),
    "a reference out of the folder": (
        {"in/pets.yaml": OUTSIDE.encode(), "other.yaml": b"Pet: {type: object}\n"},
        "generate in/pets.yaml -o out",
        "in/pets.yaml:4:30: error SB113 '../other.yaml' lies outside the folder of the document"
        " [#/components/schemas/Pet/$ref]\n"
        '    4 | components: {schemas: {Pet: {$ref: "../other.yaml#/Pet"}}}\n'
        "      |                              ^\n"
        "help: give a common folder with --ref-root\n",
    ),
    "an overlay without its members": (
        {"pets.yaml": SPEC.encode(), "more.yaml": b"overlay: 1.0.0\n"},
        LAID_OVER,
        "more.yaml:1:1: error SB121 `info` is missing [#]\n"
        "    1 | overlay: 1.0.0\n"
        "      | ^\n"
        "more.yaml:1:1: error SB121 `actions` is missing [#]\n"
        "    1 | overlay: 1.0.0\n"
        "      | ^\n",
    ),
    "an action with an unknown key": (
        {
            "pets.yaml": SPEC.encode(),
            "more.yaml": HEAD.encode() + b"  - {target: $.info, updates: {}}\n",
        },
        LAID_OVER,
        "more.yaml:4:22: error SB122 unknown key 'updates' [#/actions/0/updates]\n"
        "    4 |   - {target: $.info, updates: {}}\n"
        "      |                      ^\n"
        "help: only x-* keys may be added\n"
        "more.yaml:4:5: error SB121 the action has no `update`, `copy` or `remove` [#/actions/0]\n"
        "    4 |   - {target: $.info, updates: {}}\n"
        "      |     ^\n",
    ),
    "a target that is no JSONPath": (
        {
            "pets.yaml": SPEC.encode(),
            "more.yaml": HEAD.encode() + b'  - {target: "info[", update: {}}\n',
        },
        LAID_OVER,
        "more.yaml:4:6: error SB123 expected '$', found 'i', at character 1 of 'info['"
        " [#/actions/0/target]\n"
        '    4 |   - {target: "info[", update: {}}\n'
        "      |      ^\n"
        "help: a target is a JSONPath as RFC 9535 defines it\n",
    ),
    "an array for an object": (
        {
            "pets.yaml": SPEC.encode(),
            "more.yaml": HEAD.encode() + b"  - {target: $.info, update: [1]}\n",
        },
        LAID_OVER,
        "more.yaml:4:22: error SB125 an array cannot go into an object, #/info of pets.yaml"
        " [#/actions/0/update]\n"
        "    4 |   - {target: $.info, update: [1]}\n"
        "      |                      ^\n"
        "help: objects merge into objects; arrays take items\n",
    ),
    "two operations of one name": (
        {"pets.yaml": TWICE.encode()},
        "list pets.yaml",
        "pets.yaml:5:14: warning SB208 another operation is called 'read' too"
        " [#/paths/~1b/get/operationId]\n"
        "    5 |   /b: {get: {operationId: read, responses: {}}}\n"
        "      |              ^\n"
        "help: it is named after its method and path instead\n",
    ),
    "a file for a folder": (
        {"pets.yaml": SPEC.encode(), "out": b""},
        "generate pets.yaml -o out",
        "out: error SB501 this is not a folder\nhelp: give a folder with -o; a new one is made\n",
    ),
    "a folder of somebody else": (
        {"pets.yaml": SPEC.encode(), "out/mine.py": b""},
        "generate pets.yaml -o out",
        "out: error SB502 the folder is not one that streambind made: it holds 'mine.py'\n"
        "help: choose a new folder, or empty this one first\n",
    ),
    "a manifest that leads out": (
        {
            "pets.yaml": SPEC.encode(),
            "out/manifest.json": b'{"generator": "", "files": {"../mine.py": ""}}',
        },
        "generate pets.yaml -o out",
        "out/manifest.json: error SB503 the manifest lists '../mine.py', which leads elsewhere\n"
        "help: remove the folder and generate it anew\n",
    ),
    "a file where a folder goes": (
        {
            "pets.yaml": SPEC.encode(),
            "out/manifest.json": b'{"generator": "", "files": {}}',
            "out/_runtime": b"",
        },
        "generate pets.yaml -o out",
        "out/_runtime: error SB504 a file stands where a folder has to go\nhelp: move it away\n",
    ),
}


@pytest.mark.parametrize(("files", "command", "said"), ERRORS.values(), ids=ERRORS)
def test_an_error(
    files: dict[str, bytes],
    command: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in files.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(content)
    result = CliRunner().invoke(main, command.split())
    assert result.stderr == said
    assert result.exit_code == (2 if " error " in said else 0)


def test_the_text_of_every_problem_is_shown_somewhere() -> None:
    shown: set[str] = set()
    for path in [*HERE.rglob("*.py"), *HERE.rglob("*diagnostics.txt")]:
        shown |= {*re.findall(r"(SB\d{3}) ['`a-z]", path.read_text("utf-8"))}
    assert CODES.keys() - shown == set()
