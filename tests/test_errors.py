"""How errors read: the exact text of those that no case of a document or of configuration shows.

Places are counted by hand.
"""

import re
from pathlib import Path

import pytest

from codegen.cli.jobs import find_keys
from codegen.codes import CODES
from codegen.profiles import NAMES as PROFILES
from tests.command import run

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
STREAM = """\
openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    get:
      operationId: watch
      responses:
        "200": {content: {text/event-stream: {itemSchema: {$ref: "#/components/schemas/Pet"}}}}
components: {schemas: {Pet: {type: object}}}
"""
JOB = b'spec = "pets.yaml"\noutput = "out"\n'
KEYS = [key.name for key in find_keys()]
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
        "help: did you mean 'update'?\n"
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
        "help: it starts at $, other names stand in brackets: $.paths['/pets'].get, see RFC 9535\n",
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
        "generate pets.yaml -o out -q",
        "pets.yaml:4:14: warning SB208 another operation is called 'read' too"
        " [#/paths/~1a/get/operationId]\n"
        "    4 |   /a: {get: {operationId: read, responses: {}}}\n"
        "      |              ^\n"
        "help: it is named after its method and path instead\n"
        "pets.yaml:5:14: warning SB208 another operation is called 'read' too"
        " [#/paths/~1b/get/operationId]\n"
        "    5 |   /b: {get: {operationId: read, responses: {}}}\n"
        "      |              ^\n"
        "help: it is named after its method and path instead\n",
    ),
    "a name that nothing has": (
        {
            "pets.yaml": SPEC.replace(
                "Pet: {type: object}}}",
                "Pet:\n  {x-python-name: Cat, type: array, items: {x-python-name: A}}}}",
            ).encode()
        },
        "generate pets.yaml -o out -q",
        "pets.yaml:5:45: warning SB405 nothing takes its name from this 'x-python-name'"
        " [#/components/schemas/Pet/items/x-python-name]\n"
        "    5 |   {x-python-name: Cat, type: array, items: {x-python-name: A}}}}\n"
        f"      | {' ' * 44}^\n"
        "help: it names objects, unions, named schemas, and properties\n",
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
    "no such document": (
        {},
        "generate none.yaml -o out",
        "error SB101 cannot read none.yaml: No such file or directory\n"
        "help: check the path; it is relative to the working folder\n",
    ),
    "a document that is elsewhere": (
        {},
        "generate https://api.acme.com/pets.yaml -o out",
        "error SB101 cannot read https://api.acme.com/pets.yaml: No such file or directory\n"
        "help: `streambind fetch URL` stores it in the project; no other command opens a "
        "connection\n",
    ),
    "YAML that is none": (
        {"pets.yaml": f"{SPEC}a: b: c\n".encode()},
        "generate pets.yaml -o out",
        "pets.yaml:5:5: error SB103 mapping values are not allowed in this context\n"
        "    5 | a: b: c\n"
        "      |     ^\n"
        "help: indent a key as those beside it; quote a text with `: `\n",
    ),
    "JSON that is none": (
        {"pets.json": b'{"openapi": "3.1.0",}'},
        "generate pets.json -o out",
        "pets.json:1:21: error SB103 a member name in double quotes is missing here\n"
        '    1 | {"openapi": "3.1.0",}\n'
        "      |                     ^\n",
    ),
    "nesting without end": (
        {"pets.json": b"[" * 901 + b"]" * 901},
        "generate pets.json -o out",
        "pets.json:1:901: error SB105 nested deeper than 900 levels\n"
        f"    1 | …{'[' * 41}{']' * 39}…\n"
        f"      | {' ' * 41}^\n"
        "help: documents are read to a fixed depth and size\n",
    ),
    "a tag of YAML": (
        {"pets.yaml": f"{SPEC}x-made: !made {{}}\n".encode()},
        "generate pets.yaml -o out",
        "pets.yaml:5:9: error SB106 the tag '!made' is not known\n"
        "    5 | x-made: !made {}\n"
        "      |         ^\n"
        "help: take the tag away, or quote the date: values are JSON's\n",
    ),
    "a date in the configuration": (
        {"streambind.toml": b"variant = 2026-01-01\n"},
        "generate",
        "streambind.toml:1:1: error SB106 a date has no form in JSON\n"
        "    1 | variant = 2026-01-01\n"
        "      | ^\n"
        "help: take the tag away, or quote the date: values are JSON's\n",
    ),
    "a target without a match": (
        {
            "pets.yaml": SPEC.encode(),
            "more.yaml": HEAD.encode() + b"  - {target: $.infos, update: {}}\n",
        },
        "generate pets.yaml -o out -q --overlay more.yaml",
        "more.yaml:4:6: warning SB124 the target '$.infos' matches nothing [#/actions/0/target]\n"
        "    4 |   - {target: $.infos, update: {}}\n"
        "      |      ^\n"
        "help: compare the target with the document\n",
    ),
    "a URL of http": (
        {},
        "fetch http://api.acme.com/openapi.yaml",
        "http://api.acme.com/openapi.yaml: error SB131 only https is fetched\n"
        "help: the lock would keep it: give an https URL without credentials\n",
    ),
    "a lock that lacks something": (
        {"spec/streambind.lock": b'[[documents]]\nfile = "pets.yaml"\n'},
        "fetch --update",
        "spec/streambind.lock:1:3: error SB134 the entry has no 'url' [#/documents/0]\n"
        "    1 | [[documents]]\n"
        "      |   ^\n"
        "help: `streambind fetch` alone writes it: restore it, or remove it\n",
    ),
    "a folder below a file": (
        {"pets.yaml": SPEC.encode(), "file": b""},
        "generate pets.yaml -o file/out",
        "file/out: error SB505 cannot write: File exists\n"
        "help: make room or give access, then run the command again\n",
    ),
    "a package that was never made": (
        {"pets.yaml": SPEC.encode()},
        "check pets.yaml -o out",
        "out: error SB511 the package is not what pets.yaml gives: it was not generated yet\n"
        "help: run `streambind generate`\n",
    ),
    "an unknown variant": (
        {"pets.yaml": SPEC.encode()},
        "generate pets.yaml -o out --variant dataclass",
        "error SB601 there is no variant 'dataclass'; did you mean 'dataclasses'?\n"
        "help: the variants are dataclasses, typeddicts, pydantic\n",
    ),
    "an unknown profile": (
        {"pets.yaml": SPEC.encode()},
        "generate pets.yaml -o out --profile openay",
        "error SB602 there is no profile 'openay'; did you mean 'openai'?\n"
        f"help: the profiles are {', '.join(PROFILES)}\n",
    ),
    "an unknown schema": (
        {"pets.yaml": SPEC.encode()},
        "generate pets.yaml -o out --schema pet",
        "error SB603 the document has no schema 'pet'\nhelp: did you mean 'Pet'?\n",
    ),
    "a format without a type": (
        {"pets.yaml": SPEC.encode()},
        "generate pets.yaml -o out --type date",
        "error SB604 'date' names no type\nhelp: write it as FORMAT=TYPE, such as date-time=str\n",
    ),
    "a name for nothing": (
        {"pets.yaml": SPEC.encode()},
        "generate pets.yaml -o out --name #/components/schemas/Pets=X",
        "error SB605 nothing at '#/components/schemas/Pets' takes a name; did you mean "
        "'#/components/schemas/Pet'?\n"
        "help: write it as POINTER=NAME, such as #/components/schemas/a-b=AB\n",
    ),
    "an unknown key": (
        {"streambind.toml": JOB + b'variants = ["pydantic"]\n'},
        "generate",
        "streambind.toml:3:1: error SB611 there is no key 'variants'; did you mean 'variant'?"
        " [#/variants]\n"
        '    3 | variants = ["pydantic"]\n'
        "      | ^\n"
        f"help: the keys here are {', '.join(sorted(['jobs', *KEYS]))}\n",
    ),
    "a value of another type": (
        {"streambind.toml": JOB + b'variant = "pydantic"\n'},
        "generate",
        "streambind.toml:3:1: error SB612 'variant' is an array of strings [#/variant]\n"
        '    3 | variant = "pydantic"\n'
        "      | ^\n"
        "help: docs/configuration.md tells what each key takes\n",
    ),
    "a folder of two jobs": (
        {"streambind.toml": b'[[jobs]]\noutput = "out"\n[[jobs]]\n  output = "./out"\n'},
        "generate",
        "streambind.toml:4:3: error SB613 two jobs have the output 'out' [#/jobs/1/output]\n"
        '    4 |   output = "./out"\n'
        "      |   ^\n"
        "help: give each job a name and a folder of its own\n",
    ),
    "an unknown job": (
        {"streambind.toml": b'[[jobs]]\njob = "one"\n'},
        "generate --job oen",
        "error SB614 there is no job 'oen'; did you mean 'one'?\nhelp: the jobs are one\n",
    ),
    "a job without a document": (
        {"streambind.toml": b'[[jobs]]\noutput = "out"\n'},
        "generate",
        "streambind.toml:1:3: error SB615 the job has no 'spec' [#/jobs/0]\n"
        "    1 | [[jobs]]\n"
        "      |   ^\n"
        "help: a job needs a document, `spec`, and a folder, `output`\n",
    ),
    "a second configuration": (
        {"pets.yaml": SPEC.encode(), "streambind.toml": JOB},
        "init pets.yaml -o out",
        "streambind.toml: error SB616 there is a configuration already\n"
        "help: docs/configuration.md tells how a second job is added\n",
    ),
    "a body without a stream": (
        {"pets.yaml": SPEC.encode(), "body.sse": b""},
        "inspect pets.yaml body.sse",
        "pets.yaml: error SB621 the document has no streams\n"
        "help: add one with `x-stream`, or choose a profile that does\n",
    ),
    "an unknown stream": (
        {"pets.yaml": STREAM.encode(), "body.sse": b""},
        "inspect pets.yaml body.sse --stream Watch",
        "error SB622 there is no stream 'Watch'\nhelp: the streams are WatchStream\n",
    ),
    "no such recording": (
        {"pets.yaml": STREAM.encode()},
        "inspect pets.yaml body.sse",
        "body.sse: error SB623 cannot read the recording: No such file or directory\n"
        "help: check the path; - is standard input\n",
    ),
    "a revision that is none": (
        {"pets.yaml": SPEC.encode()},
        "diff -- -x:pets.yaml pets.yaml",
        "-x:pets.yaml: error SB631 '-x' is no revision\n"
        "help: name a file, REVISION:PATH, or the folder of a package\n",
    ),
    "an accepted change that is none": (
        {"pets.yaml": SPEC.encode(), ".streambind-accepted": b"# fine\nPet.age\n"},
        "diff pets.yaml pets.yaml",
        ".streambind-accepted:2:1: error SB632 'Pet.age' is no fingerprint of a change\n"
        "help: a line is a fingerprint that `diff` shows, or # text\n",
    ),
}

# What becomes of a package: a file in it, what that holds then, the command and all that it says.
PACKAGE_ERRORS: dict[str, tuple[str, bytes | None, str, str]] = {
    "a file of somebody in it": (
        "mine.py",
        b"",
        "generate",
        "out: warning SB506 the folder holds what is no part of the package: mine.py\n"
        "help: `streambind check` refuses them: move them away\n",
    ),
    "a file changed by hand": (
        "py.typed",
        b"mine\n",
        "check",
        "out/py.typed: error SB512 the file was changed by hand\n"
        "help: change the document, or an overlay of it, and run `streambind generate`\n",
    ),
    "a file that is gone": (
        "py.typed",
        None,
        "check",
        "out/py.typed: error SB513 the file is missing\nhelp: run `streambind generate`\n",
    ),
    "a file too many": (
        "mine.py",
        b"",
        "check",
        "out/mine.py: error SB514 the file is no part of the package\n"
        "help: move it out of the folder\n",
    ),
}

# Those that take a server, or are told along with times: where their text is compared.
ELSEWHERE = {
    "SB126": "test_profiles.py::test_a_profile_over_another_document",
    "SB132": "test_fetch.py::test_what_is_said_of_what_does_not_come",
    "SB133": "test_fetch.py::test_what_somebody_changed_stays",
    "SB135": "test_fetch.py::test_what_is_left_out_is_told",
    "SB211": "test_examples.py::test_scenarios_whose_files_are_missing",
}


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("files", "command", "said"), ERRORS.values(), ids=ERRORS)
def test_an_error(files: dict[str, bytes], command: str, said: str) -> None:
    for name, content in files.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(content)
    result = run(*command.split())
    assert result.stderr == said
    found = 1 if command.startswith("check") else 2
    assert result.exit_code == (found if " error " in f" {said}" else 0)


@pytest.mark.parametrize(
    ("file", "content", "command", "said"), PACKAGE_ERRORS.values(), ids=PACKAGE_ERRORS
)
def test_an_error_of_a_package(file: str, content: bytes | None, command: str, said: str) -> None:
    Path("pets.yaml").write_text(SPEC)
    arguments = ["pets.yaml", "-o", "out", "--quiet"]
    run("generate", *arguments)
    if content is None:
        Path("out", file).unlink()
    else:
        Path("out", file).write_bytes(content)
    result = run(command, *arguments)
    assert result.stderr == said
    assert result.exit_code == (1 if " error " in said else 0)


def test_the_text_of_every_problem_is_compared_somewhere() -> None:
    texts = [it[-1] for it in ERRORS.values()] + [it[-1] for it in PACKAGE_ERRORS.values()]
    # What cases must come with is compared by test_golden.py and test_stream_cases.py.
    texts += (path.read_text("utf-8") for path in HERE.rglob("*diagnostics.txt"))
    shown = {code for text in texts for code in re.findall(r"(?:error|warning|note) (SB\d+)", text)}
    assert sorted(CODES.keys() - shown) == sorted(ELSEWHERE)
    for code, test in ELSEWHERE.items():
        file, _, name = test.partition("::")
        (body,) = re.findall(
            rf"^def {name}\(.*?(?=^\S|\Z)", (HERE / file).read_text("utf-8"), re.M | re.S
        )
        assert f" {code} " in body
