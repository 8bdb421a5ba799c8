"""Every example of every document, in every variant: they agree, what is accepted comes back equal,
and what is refused is refused by another validator too, in the same places.

`examples.yaml` has for each document how many examples there are and how many are refused, and the
examples on which the other validator is of another opinion.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

from codegen.backends.naming import name_api
from codegen.diagnostics import Diagnostics
from codegen.examples import load_examples
from codegen.ir.api import Api, Direction
from codegen.ir.examples import Example, ExampleKind
from codegen.ir.walk import decls_by_id
from codegen.loading import loaded
from codegen.openapi.examples import MEMBER
from codegen.pipeline import VARIANTS, build_package
from codegen.source.document import Document
from tests.corpus.documents import HERE, Made
from tests.corpus.validator import Validator
from tests.support import canonical

KNOWN: dict[str, dict[str, Any]] = yaml.safe_load((HERE / "examples.yaml").read_text("utf-8"))


class Verdict(NamedTuple):
    """What a variant makes of an example: JSON again, or the places of its errors."""

    written: str | None
    pointers: tuple[str, ...]


class Judged(NamedTuple):
    """The examples of a document with the verdict of all variants on each."""

    api: Api
    verdicts: list[tuple[Example, Verdict]]


def judge_all(document: Document) -> Judged:
    api, examples = load_examples(document, Diagnostics())
    classes = name_api(api).classes
    with loaded(build_package(api, VARIANTS)) as name:
        packages = [importlib.import_module(f"{name}.{variant}") for variant in VARIANTS]
        verdicts: list[tuple[Example, Verdict]] = []
        for example in examples:
            answers = {judge(it, classes[example.holder], example.text) for it in packages}
            assert len(answers) == 1, (example, answers)
            verdicts.append((example, answers.pop()))
    return Judged(api, verdicts)


def judge(variant: Any, name: str, text: str) -> Verdict:
    tp = getattr(variant, name)
    try:
        decoded = variant.loads(tp, f'{{"{MEMBER}": {text}}}')
    except variant.DecodeError as error:
        pointers = {problem.pointer.removeprefix(f"/{MEMBER}") for problem in error.errors}
        return Verdict(None, tuple(sorted(pointers)))
    return Verdict(canonical(json.loads(variant.dumps(decoded, tp))[MEMBER]), ())


def test_what_is_accepted_comes_back_equal(made: Made, judged: Judged) -> None:
    changed = [
        example.origin.pointer
        for example, verdict in judged.verdicts
        if verdict.written not in (None, canonical(json.loads(example.text)))
    ]
    assert changed == []


def test_how_many_there_are(made: Made, judged: Judged) -> None:
    refused = sum(verdict.written is None for _, verdict in judged.verdicts)
    known = KNOWN[made.spec.name]
    assert (len(judged.verdicts), refused) == (known["examples"], known["refused"])


def test_another_validator_is_of_the_same_opinion(made: Made, judged: Judged) -> None:
    assert sorted(find_disagreements(made, judged)) == sorted(KNOWN[made.spec.name].get("but", []))


def test_the_other_validator_follows_recursion() -> None:
    """`$recursiveRef` means the outermost schema around it, from wherever that is entered."""
    entry = {"anyOf": [{"type": "string"}, {"$recursiveRef": "#"}]}
    tree = {
        "$recursiveAnchor": True,
        "type": "object",
        "properties": {"leaves": {"type": "array", "items": entry}},
    }
    validator = Validator({"components": {"schemas": {"Tree": tree}}})
    for pointer, value in (
        ("#/components/schemas/Tree", {"leaves": [{"leaves": [1]}]}),
        ("#/components/schemas/Tree/properties/leaves", [{"leaves": [1]}]),
    ):
        assert validator.places(pointer, None, value)
        assert not validator.places(pointer, None, json.loads(json.dumps(value).replace("1", '""')))


def find_disagreements(made: Made, judged: Judged) -> Iterator[str]:
    """What one of the two accepts, and where we see an error that the other does not."""
    validator = Validator(made.document)
    decls = decls_by_id(judged.api)
    for example, verdict in judged.verdicts:
        writer = Direction(example.kind.value) if example.kind in SIDES else None
        schema = decls[example.holder].origin.pointer
        places = validator.places(schema, writer, json.loads(example.text))
        if bool(places) != bool(verdict.pointers):
            yield f"{example.origin.pointer} {'only' if verdict.pointers else 'not'} here"
        elif places:
            for pointer in verdict.pointers:
                if pointer not in places:
                    yield f"{example.origin.pointer} {pointer}"


SIDES = (ExampleKind.REQUEST, ExampleKind.RESPONSE)
