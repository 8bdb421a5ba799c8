"""The OpenAI document, 1,422 schemas, as users get it: its streams, and the examples of its named
schemas by the classes that are theirs, where what servers write is open.

`openai-refused.txt` lists each example of the document that contradicts its own schema, with the
first place where it does.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from tests.corpus.documents import HERE, SPECS, Made
from tests.corpus.validator import Validator
from tests.support import canonical

REFUSED = HERE / "openai-refused.txt"
SPEC = SPECS / "openai.yaml"

pytestmark = pytest.mark.parametrize(
    "made",
    [pytest.param(SPEC, id=SPEC.name, marks=pytest.mark.xdist_group(SPEC.name))],
    indirect=True,
    scope="session",
)


def test_every_schema_is_there(made: Made) -> None:
    assert len(made.schemas) == 1422
    assert made.manifest["schemas"].keys() == made.schemas.keys()
    assert len(set(made.manifest["schemas"].values())) == 1422


def test_every_stream_is_there(made: Made) -> None:
    assert {name: it["event"] for name, it in made.manifest["streams"].items()} == {
        "BetaCreateResponseStream": "BetaResponseStreamEvent",
        "CreateChatCompletionStream": "CreateChatCompletionStreamResponse",
        "CreateImageEditStream": "ImageEditStreamEvent",
        "CreateImageStream": "ImageGenStreamEvent",
        "CreateResponseStream": "ResponseStreamEvent",
        "CreateSpeechStream": "CreateSpeechResponseStreamEvent",
        "CreateTranscriptionStream": "CreateTranscriptionResponseStreamEvent",
    }


# The examples of the document


class Example(NamedTuple):
    """A JSON document under a named schema, which it should be an instance of."""

    schema: str
    value: Any


@pytest.fixture(scope="session")
def examples(made: Made) -> list[Example]:
    return [
        Example(name, value)
        for name, schema in made.schemas.items()
        for value in find_examples(schema)
    ]


def find_examples(schema: Any) -> Iterator[Any]:
    match schema:
        case {"x-oaiMeta": {"example": str(text)}}:
            yield from parse_all(text)
        case {"x-oaiMeta": {"example": value}}:
            yield value
    if "example" in schema:
        yield schema["example"]
    if isinstance(several := schema.get("examples"), list):
        yield from several


def parse_all(text: str) -> Iterator[Any]:
    """The JSON documents of a text: each starts at the start of a line."""
    decoder = json.JSONDecoder()
    starts = [0, *(at + 1 for at, letter in enumerate(text) if letter == "\n")]
    end = 0
    for start in starts:
        if start >= end and text[start : start + 1] in ("{", "["):
            try:
                value, end = decoder.raw_decode(text, start)
            except ValueError:
                continue
            yield value


class Verdict(NamedTuple):
    """What a variant makes of an example: JSON again, or the places of its errors."""

    written: str | None
    pointers: tuple[str, ...]


def judge(variant: Any, name: str, value: Any) -> Verdict:
    tp = getattr(variant, name)
    try:
        decoded = variant.loads(tp, json.dumps(value))
    except variant.DecodeError as error:
        return Verdict(None, tuple(problem.pointer for problem in error.errors))
    return Verdict(canonical(json.loads(variant.dumps(decoded, tp))), ())


@pytest.fixture(scope="session")
def verdicts(made: Made, examples: list[Example]) -> list[Verdict]:
    """The verdict on each example, the same in each variant."""
    agreed = []
    for schema, value in examples:
        name = made.manifest["schemas"][schema]
        answers = {judge(variant, name, value) for variant in made.variants.values()}
        assert len(answers) == 1, (schema, value, answers)
        agreed.append(answers.pop())
    return agreed


def test_an_example_that_is_accepted_is_written_back_equal(
    made: Made, examples: list[Example], verdicts: list[Verdict]
) -> None:
    accepted = [
        (canonical(example.value), verdict.written)
        for example, verdict in zip(examples, verdicts, strict=True)
        if verdict.written is not None
    ]
    assert (len(examples), len(accepted)) == (367, 307)
    assert [it for it, written in accepted if it != written] == []


def test_what_is_refused_is_listed(
    made: Made, examples: list[Example], verdicts: list[Verdict]
) -> None:
    refused = sorted(
        f"{example.schema} {verdict.pointers[0]}"
        for example, verdict in zip(examples, verdicts, strict=True)
        if verdict.written is None
    )
    assert refused == REFUSED.read_text("utf-8").splitlines()


def test_another_validator_refuses_the_same(
    made: Made, examples: list[Example], verdicts: list[Verdict]
) -> None:
    """In the same places. It alone refuses what a server says that the document does not list."""
    validator = Validator(made.document)
    stricter: list[str] = []
    for (schema, value), verdict in zip(examples, verdicts, strict=True):
        places = validator.places(f"#/components/schemas/{schema}", None, value)
        assert places >= set(verdict.pointers), schema
        if places and not verdict.pointers:
            stricter.append(schema)
    assert sorted(stricter) == [
        "RealtimeBetaServerEventResponseOutputItemDone",
        "RealtimeServerEventConversationItemRetrieved",
        "RealtimeServerEventResponseOutputItemDone",
    ]
