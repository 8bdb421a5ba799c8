"""Changes that keep an input readable, so that what lies behind the readers is reached too.

In: a document, or a body of lines of JSON. Out: the same with a few of its values replaced, moved,
removed or put in each other's place.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import yaml

from codegen.openapi.keywords import FATES

_WORDS = (
    *FATES,
    *"string integer number boolean object array null date-time uuid byte".split(),
    *"x-stream fold merge keyed concat append last first replace json patch by-type into".split(),
    *"drop sum max put set close stop error skip event data unknown result resume".split(),
    *"schemas paths responses content schema itemSchema 200 default text/event-stream".split(),
    *"#/components/schemas/Event # #/ ../x.yaml mapping propertyName index id choices".split(),
)
_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 10**9, 10**30, 1.5, -0.0, 1e300),
    *("", " ", "\ud83d", "\x00", '"""', "\u2028", [], {}, [[]], {"": {}}, [None]),
)


def mutate_value(value: Any, random: Random) -> Any:
    """A JSON value that differs in a few places."""
    held = [value]
    for _ in range(random.randint(1, 4)):
        if places := list(_places(held)):
            container, key = random.choice(places)
            _change(container, key, places, random)
    return held[0] if held else None


def mutate_document(data: bytes, random: Random) -> bytes:
    """A document as JSON text, changed; the data as they are where they hold none."""
    try:
        value = yaml.load(data, yaml.CSafeLoader)
        return json.dumps(mutate_value(value, random)).encode()
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        return data


def mutate_body(data: bytes, random: Random) -> bytes:
    """A body, one of whose lines holds other JSON."""
    lines = data.split(b"\n")
    at = random.randrange(len(lines))
    head, brace, text = lines[at].partition(b"{")
    try:
        value = json.loads(brace + text)
    except ValueError:
        return data
    lines[at] = head + json.dumps(mutate_value(value, random)).encode()
    return b"\n".join(lines)


def _places(value: Any) -> Any:
    """Every container below a value with each of its keys."""
    pending = [value]
    while pending:
        container = pending.pop()
        keys = list(container) if isinstance(container, dict) else range(len(container))
        for key in keys:
            yield container, key
            if isinstance(container[key], dict | list):
                pending.append(container[key])


def _change(container: Any, key: Any, places: list[Any], random: Random) -> None:
    other, its = random.choice(places)
    copy, new = (json.loads(json.dumps(it)) for it in (other[its], random.choice(_VALUES)))
    match random.randrange(6):
        case 0:
            container[key] = new
        case 1:
            container[key] = random.choice(_WORDS)
        case 2:
            container[key] = copy
        case 3 if isinstance(container, dict):
            container[random.choice(_WORDS)] = container.pop(key)
        case 4 if isinstance(container, dict):
            container[random.choice(_WORDS)] = copy
        case 5 if len(places) > 1:
            del container[key]
        case _ if isinstance(container, list):
            container.append(copy)
        case _:
            container[key] = [container[key]]
