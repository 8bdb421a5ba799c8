"""YAML 1.2 text to JSON values, from the events of PyYAML's parser (libyaml's where it is there).

One document; core schema scalars; mapping keys are kept as written, as OpenAPI asks (section
"Format": keys are the strings of the failsafe schema), so `200` is "200". Merge keys `<<` are read
as YAML 1.1 defines them, since real documents use them. Refused, with a place: keys that repeat,
unknown tags, documents that nest or expand too far.
"""

import re
from collections.abc import Callable
from typing import Protocol

import yaml

from codegen.source.positions import Lines, Places
from codegen.source.problem import Problem, Unreadable
from codegen.source.values import Json
from codegen.source.yaml_builder import Builder, place_of
from codegen.source.yaml_errors import describe
from codegen.source.yaml_tabs import expand_tabs


class Events(Protocol):
    """A parser of PyYAML's: events one by one, then None."""

    def get_event(self) -> yaml.Event | None: ...


Parser = Callable[[str], Events]
PARSER: Parser = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader

# Section 5.1, c-printable. The parsers refuse the rest too, but name no line.
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Ordinary characters in YAML 1.2, section 5.4; line ends in 1.1, and so to the parsers. The last
# one, a byte order mark where none belongs, comes with pasted text, and the parsers differ on it.
_MISTAKEN = "\x85\u2028\u2029\ufeff"


def load_yaml(text: str, parser: Parser = PARSER) -> tuple[Json, Places]:
    """Return the value a YAML text holds and the places of its parts.

    Raises `Unreadable` with the problems found: SB103 (syntax), SB104 (repeated key), SB105
    (limits), SB106 (tags).
    """
    if found := _UNPRINTABLE.search(text):
        message = f"the character U+{ord(found.group()):04X} is not allowed in YAML"
        raise Unreadable(Problem("SB103", message, Lines(text).position(found.start())))
    try:
        builder = _parse(text, parser)
    except Unreadable:
        expanded = expand_tabs(text) if "\t" in text else text
        if expanded == text:
            raise
        builder = _parse(expanded, parser)
    if builder.problems:
        raise Unreadable(*builder.problems)
    return builder.result, builder.places


def _parse(text: str, parser: Parser) -> Builder:
    builder = Builder()
    disguise = _disguise(text)
    events = parser(text.translate(disguise) if disguise else text)
    try:
        _build(events, builder, {put: old for old, put in disguise.items()})
    except yaml.MarkedYAMLError as error:
        raise Unreadable(*builder.problems, describe(error, text)) from error
    return builder


def _build(events: Events, builder: Builder, undisguise: dict[int, int]) -> None:
    documents = 0
    while (event := events.get_event()) is not None:
        match event:
            case yaml.ScalarEvent(value=text):
                builder.scalar(event, text.translate(undisguise) if undisguise else text)
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                builder.start(event)
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                builder.end()
            case yaml.AliasEvent():
                builder.alias(event)
            case yaml.DocumentStartEvent():
                documents += 1
                if documents > 1:
                    builder.fail("a second document; a file holds one", place_of(event))
            case yaml.StreamEndEvent() if documents == 0:
                builder.fail("the document is empty", place_of(event))
            case _:
                pass


def _disguise(text: str) -> dict[int, int]:
    """Map what the parsers would mistake to private characters that the text does not use."""
    old = [ord(character) for character in _MISTAKEN if character in text]
    free = (point for point in range(0xF0000, 0xFFFFE) if chr(point) not in text)
    return dict(zip(old, free, strict=False))
