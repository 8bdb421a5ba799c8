"""`streambind examples`: which examples there are, and which of them their schemas refuse."""

import json
from collections import Counter
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from click.testing import Result

from tests.command import run

GOOD = """\
openapi: 3.1.0
info: {title: Pets, version: "1"}
paths: {}
components:
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        name: {type: string, example: Rex}
      example: {name: Rex}
      examples: [{name: Tom}, {name: Kim, age: 3}]
"""
# Each is refused in the places that stand behind it.
BAD = {
    "a property": ("properties: {age: {type: integer, example: old}}", ["/properties/age/example"]),
    "one of several": ("type: string, examples: [a, 1]", ["/examples/1"]),
    "inside": ("required: [id], example: {}", ["/example"]),
    "an entry": ("items: {type: integer, example: a}", ["/items/example"]),
    "an enum that responses would leave open": ("enum: [a, b], example: c", ["/example"]),
    "null": ("type: string, example: null", ["/example"]),
    "in a member of a union": (
        "anyOf: [{type: string, example: 1}, {type: integer}]",
        ["/anyOf/0/example"],
    ),
    "text of several values": (
        'type: object, required: [a], x-oaiMeta: {example: "{\\"a\\": 1}\\n{\\"b\\": 1}\\nmore"}',
        ["/x-oaiMeta/example"],
    ),
}
OPERATIONS = """\
openapi: 3.1.0
info: {title: Pets, version: "1"}
components:
  schemas:
    Pet:
      type: object
      required: [id, name]
      properties: {id: {type: integer, readOnly: true}, name: {type: string}}
      additionalProperties: false
  examples:
    shared: {value: {name: 1}}
paths:
  /pets:
    post:
      parameters:
        - {name: limit, in: query, schema: {type: integer}, example: many}
        - {name: page, in: query, schema: {type: integer}, examples: {first: {value: 1}}}
      requestBody:
        content:
          application/json:
            schema: {$ref: "#/components/schemas/Pet"}
            examples: {new: {value: {name: Rex}}, wrong: {$ref: "#/components/examples/shared"}}
      responses:
        "200":
          description: OK
          headers: {X-Rate: {schema: {type: integer}, example: 1.5}}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Pet"}
              example: {name: Rex}
            application/xml:
              schema: {$ref: "#/components/schemas/Pet"}
              example: <pet/>
"""
SWAGGER = """\
swagger: "2.0"
info: {title: Pets, version: "1"}
paths:
  /pets:
    get:
      responses:
        "200":
          description: OK
          schema: {$ref: "#/definitions/Pet"}
          examples: {application/json: {name: 1}, text/plain: Rex}
definitions:
  Pet: {type: object, properties: {name: {type: string}}}
"""
SCENARIOS = """\
openapi: 3.0.3
info: {title: Pets, version: "1"}
paths:
  /pets:
    parameters:
      - {name: limit, in: query, schema: {type: integer}}
    post:
      parameters:
        - {name: filter, in: query, content: {application/json: {schema: {type: object}}}}
      requestBody:
        content:
          application/xml: {schema: {type: string}}
          application/json: {schema: {$ref: "#/components/schemas/Pet"}}
      responses:
        "200":
          description: OK
          headers: {X-Rate: {schema: {type: integer}}}
          content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
      x-ms-examples:
        add: {$ref: ./examples/add.json}
        here:
          parameters:
            body: {name: 1}
          responses: {"200": {body: {id: 1, name: Rex}}}
components:
  schemas:
    Pet:
      type: object
      required: [id, name]
      properties: {id: {type: integer, readOnly: true}, name: {type: string}}
"""
SCENARIO = {
    "parameters": {"limit": "ten", "filter": {}, "endpoint": "{endpoint}", "body": {"name": "Rex"}},
    "responses": {
        "200": {"headers": {"X-RATE": "fast", "Date": "now"}, "body": {"name": "Rex"}},
        "404": {"body": {}},
    },
}
SWAGGER_SCENARIO = """\
swagger: "2.0"
info: {title: Pets, version: "1"}
paths:
  /pets:
    post:
      parameters: [{name: pet, in: body, schema: {$ref: "#/definitions/Pet"}}]
      responses: {"200": {description: OK, schema: {$ref: "#/definitions/Pet"}}}
      x-ms-examples:
        here: {parameters: {pet: {name: 1}}, responses: {"200": {body: {name: 2}}}}
definitions:
  Pet: {type: object, properties: {name: {type: string}}}
"""


def examples(folder: Path, document: str, *options: str) -> Result:
    path = folder / "pets.yaml"
    path.write_text(document, "utf-8")
    return run("examples", str(path), *options)


def run_json(folder: Path, document: str) -> dict[str, Any]:
    result = examples(folder, document, "--format", "json")
    content: dict[str, Any] = json.loads(result.stdout)
    assert result.exit_code == (1 if content["refused"] else 0)
    return content


def counts(content: dict[str, Any]) -> dict[str, tuple[int, int]]:
    """How many examples there are of each kind, and how many of them are refused."""
    return {kind: (it["examples"], it["refused"]) for kind, it in content["counts"].items()}


def test_all_are_accepted(tmp_path: Path) -> None:
    result = examples(tmp_path, GOOD)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == dedent("""\
        examples of  there are   refused
        schema               4         0
        all                  4         0
        """)


@pytest.mark.parametrize(("schema", "refused"), BAD.values(), ids=BAD.keys())
def test_a_schema_refuses_its_example(tmp_path: Path, schema: str, refused: list[str]) -> None:
    document = f"{GOOD}    Thing: {{{schema}}}\n"
    found = run_json(tmp_path, document)["refused"]
    assert [it["pointer"] for it in found] == [f"#/components/schemas/Thing{it}" for it in refused]


def test_what_is_wrong_has_a_place(tmp_path: Path) -> None:
    result = examples(tmp_path, GOOD.replace("name: Kim", "name: [Kim]"))
    assert result.exit_code == 1
    assert result.stdout.splitlines()[:2] == [
        f"{tmp_path}/pets.yaml:12:31: schema [#/components/schemas/Pet/examples/1]",
        "  /name: expected a string, found an array",
    ]


def test_each_side_has_its_members(tmp_path: Path) -> None:
    """A request lacks what only a server sets; a response does not."""
    found = run_json(tmp_path, OPERATIONS)
    assert counts(found) == {
        "schema": (0, 0),
        "parameter": (2, 1),
        "header": (1, 1),
        "request": (2, 1),
        "response": (1, 1),
    }
    errors = {it["pointer"]: [e["pointer"] for e in it["errors"]] for it in found["refused"]}
    response = "#/paths/~1pets/post/responses/200"
    assert errors == {
        "#/paths/~1pets/post/parameters/0/example": [""],
        f"{response}/headers/X-Rate/example": [""],
        "#/components/examples/shared/value": ["/name"],
        f"{response}/content/application~1json/example": ["/id"],
    }


def test_swagger(tmp_path: Path) -> None:
    found = run_json(tmp_path, SWAGGER)
    assert Counter(it["kind"] for it in found["refused"]) == {"response": 1}


def test_scenarios(tmp_path: Path) -> None:
    """Each value goes to the schema of its name; what has none says nothing."""
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples/add.json").write_text(json.dumps(SCENARIO))
    content = run_json(tmp_path, SCENARIOS)
    assert counts(content) == {
        "schema": (0, 0),
        "parameter": (2, 1),
        "header": (1, 1),
        "request": (2, 1),
        "response": (2, 1),
    }
    assert {
        (Path(it["file"]).name, it["line"], it["pointer"], it["errors"][0]["pointer"])
        for it in content["refused"]
    } == {
        ("add.json", 1, "#/parameters/limit", ""),
        ("add.json", 1, "#/responses/200/headers/X-RATE", ""),
        ("add.json", 1, "#/responses/200/body", "/id"),
        ("pets.yaml", 23, "#/paths/~1pets/post/x-ms-examples/here/parameters/body", "/name"),
    }


def test_scenarios_of_swagger(tmp_path: Path) -> None:
    """There a body has a name of its own."""
    content = run_json(tmp_path, SWAGGER_SCENARIO)
    assert [it["pointer"].rpartition("/here/")[2] for it in content["refused"]] == [
        "parameters/pet",
        "responses/200/body",
    ]
    assert content["counts"]["request"] == {"examples": 1, "refused": 1}


def test_scenarios_of_methods_that_have_no_name_of_their_own(tmp_path: Path) -> None:
    """In OpenAPI 3.2 their operations lie one level deeper, and have the parameters of the path."""
    document = SCENARIOS.replace("openapi: 3.1.0", "openapi: 3.2.0").replace("    post:\n", COPY)
    content = run_json(tmp_path, document)
    place = "#/paths/~1pets/additionalOperations/COPY/x-ms-examples/here/parameters/limit"
    assert place in {it["pointer"] for it in content["refused"]}


COPY = """\
    additionalOperations:
      COPY:
        x-ms-examples: {here: {parameters: {limit: ten}}}
        responses: {"204": {description: Copied}}
    post:
"""


def test_scenarios_whose_files_are_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pets.yaml").write_text(
        SCENARIOS.replace("here:", "there: {$ref: https://acme.com/there.json}\n        here:")
    )
    result = run("examples", "pets.yaml")
    assert (result.exit_code, result.stderr) == (1, "1 note (-v shows all)\n")
    told = run("examples", "pets.yaml", "--verbose").stderr
    place = "#/paths/~1pets/post/x-ms-examples/add/$ref"
    assert told.endswith(
        "pets.yaml:20:15: note SB211 files named in `x-ms-examples` that are not here: 2"
        f" [{place}]\n"
        "   20 |         add: {$ref: ./examples/add.json}\n"
        "      |               ^\n"
        "help: put them beside the document: `examples` reads them\n"
    )


def test_a_document_with_errors_is_2(tmp_path: Path) -> None:
    result = examples(tmp_path, GOOD.replace("{type: string, example: Rex}", "{$ref: '#/nothing'}"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "SB201" in result.stderr


def test_types_are_those_that_were_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pets.yaml").write_text(
        GOOD.replace("example: Rex", "format: date-time, example: Monday").partition(
            "      example:"
        )[0]
    )
    command = ("examples", "pets.yaml")
    assert run(*command).exit_code == 1
    assert run(*command, "--type", "date-time=str").exit_code == 0
    Path("streambind.toml").write_text(
        'spec = "pets.yaml"\noutput = "out"\ntype = {date-time = "str"}\n'
    )
    assert run("examples").exit_code == 0
