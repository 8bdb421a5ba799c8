"""The OpenAI document as users get it: its streams, and the examples of its named schemas by the
classes that are theirs, where what servers write is open.

`openai-refused.txt` lists each example of the document that contradicts its own schema, with the
first of the places where it does.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from tests.corpus.documents import HERE, SPECS, Made
from tests.corpus.validator import Validator
from tests.verdicts import judge

REFUSED = HERE / "openai-refused.txt"
SPEC = SPECS / "openai.yaml"

pytestmark = pytest.mark.parametrize(
    "made",
    [pytest.param(SPEC, id=SPEC.name, marks=pytest.mark.xdist_group(SPEC.name))],
    indirect=True,
    scope="session",
)


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


@pytest.fixture(scope="session")
def errors(made: Made, examples: list[Example]) -> list[tuple[str, ...]]:
    """The places of errors in each example, the same in each variant; of one that is accepted none:
    it is written back equal.
    """
    agreed = []
    for schema, value in examples:
        name, text = made.manifest["schemas"][schema], json.dumps(value)
        answers = {tuple(judge(it, name, text) or ()) for it in made.variants.values()}
        assert len(answers) == 1, (schema, value, answers)
        agreed.append(answers.pop())
    return agreed


def test_what_is_refused_is_listed(examples: list[Example], errors: list[tuple[str, ...]]) -> None:
    refused = sorted(
        f"{example.schema} {places[0]}"
        for example, places in zip(examples, errors, strict=True)
        if places
    )
    assert len(examples) == 367
    assert refused == REFUSED.read_text("utf-8").splitlines()


def test_another_validator_refuses_the_same(
    made: Made, examples: list[Example], errors: list[tuple[str, ...]]
) -> None:
    """In the same places. It alone refuses what a server says that the document does not list."""
    validator = Validator(made.document)
    stricter: list[str] = []
    for (schema, value), ours in zip(examples, errors, strict=True):
        theirs = validator.places(f"#/components/schemas/{schema}", None, value)
        assert theirs >= set(ours), schema
        if theirs and not ours:
            stricter.append(schema)
    assert sorted(stricter) == [
        "RealtimeBetaServerEventResponseOutputItemDone",
        "RealtimeServerEventConversationItemRetrieved",
        "RealtimeServerEventResponseOutputItemDone",
    ]
