"""The actions of a profile without one of the changes that they make.

In: a document, the actions and the number of one. Out: for each place that this action changes, the
actions that make all the other changes. The document is cut down to some paths and what they reach,
for many packages are made of it.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonpath_rfc9535
import yaml

from codegen.source.yaml12 import load_yaml

# The statuses of what is answered when all is well.
WELL = ("200", "default")
# The targets of what no recording shows, by profile.
UNRECORDED: dict[str, list[str]] = yaml.safe_load(
    (Path(__file__).parent / "unrecorded.yaml").read_text("utf-8")
)


@cache
def excerpt(document: Path, *paths: str, schemas: tuple[str, ...] = ()) -> Any:
    """What some paths answer when all is well, with all that this and some schemas reach."""
    whole: Any = load_yaml(document.read_text("utf-8"))[0]
    operations: dict[str, Any] = {}
    for path in paths:
        method = "post" if "post" in whole["paths"][path] else "get"
        operation = whole["paths"][path][method]
        answers = operation["responses"]
        responses = {status: answers[status] for status in answers if status in WELL}
        id_ = operation["operationId"]
        operations[path] = {method: {"operationId": id_, "responses": responses}}
    reached: dict[str, Any] = {}
    todo = [*references(operations), *schemas]
    while todo:
        name = todo.pop()
        if name not in reached and name in whole["components"]["schemas"]:
            reached[name] = whole["components"]["schemas"][name]
            todo += references(reached[name])
    kept = {key: whole[key] for key in ("openapi", "info")}
    return {**kept, "paths": operations, "components": {"schemas": reached}}


def references(value: Any) -> Iterator[str]:
    """The names of the schemas that are referred to in a value."""
    if isinstance(value, dict):
        named = (value.get("$ref"), *value.get("mapping", {}).values())
        yield from (it.rpartition("/")[2] for it in named if isinstance(it, str))
        value = [*value.values()]
    if isinstance(value, list):
        for inner in value:
            yield from references(inner)


def read_actions(profile: Path) -> list[Any]:
    actions: list[Any] = yaml.safe_load(profile.read_text("utf-8"))["actions"]
    return actions


def split(action: Any, document: Any) -> list[Any]:
    """An action as many that each change one place: one target, one new member."""
    if "copy" in action:
        return [action]
    places = [str(node.path()) for node in jsonpath_rfc9535.find(action["target"], document)]
    if action.get("remove"):
        # The last one first: what is removed from an array moves all that is behind it.
        return [{"target": place, "remove": True} for place in reversed(places)]
    return [
        {"target": place, "update": {name: value}}
        for place in places
        for name, value in action["update"].items()
    ]


def leave_out(actions: list[Any], number: int, document: Any) -> Iterator[tuple[Any, list[Any]]]:
    """Each change that one action makes, and all actions without it."""
    changes = split(actions[number], document)
    for index, change in enumerate(changes):
        rest = [*changes[:index], *changes[index + 1 :]]
        yield change, [*actions[:number], *rest, *actions[number + 1 :]]
