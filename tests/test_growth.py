"""What generation does grows as the document does: calls are counted, at a size and at twice it.

Not times: they say as much of the machine. A step that looks at all names for each of them would
make four times the calls.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from codegen.diagnostics import Diagnostics
from codegen.pipeline import VARIANTS, build_package, parse_api
from codegen.source.document import Document
from codegen.source.origins import Origins

STRING = {"type": "string", "description": "What it is called."}
SIZE = 60


def ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def chain(size: int) -> dict[str, Any]:
    """Each schema refers to the next, so that all reach the last."""
    return {
        f"Link{n}": {"properties": {"name": STRING, "next": ref(f"Link{min(n + 1, size - 1)}")}}
        for n in range(size)
    }


def circle(size: int) -> dict[str, Any]:
    """Each schema reaches every other, so that all lie in one module."""
    return {
        f"Link{n}": {"properties": {"name": STRING, "next": ref(f"Link{(n + 1) % size}")}}
        for n in range(size)
    }


def heirs(size: int) -> dict[str, Any]:
    """All schemas extend one."""
    base = {"Base": {"type": "object", "properties": {"id": STRING}}}
    return base | {
        f"Heir{n}": {"allOf": [ref("Base"), {"properties": {f"own{n}": STRING}}]}
        for n in range(size)
    }


def family(size: int) -> dict[str, Any]:
    """All schemas extend one whose discriminator tells them apart."""
    kind = {"properties": {"kind": STRING}, "discriminator": {"propertyName": "kind"}}
    return heirs(size) | {"Base": {"type": "object", "required": ["kind"], **kind}}


def enums(size: int) -> dict[str, Any]:
    """One schema lists ever more values."""
    return {"Kind": {"type": "string", "enum": [f"kind {n}" for n in range(size)]}}


def tagged(size: int) -> dict[str, Any]:
    """One union has ever more members, told apart by a constant."""
    members = {
        f"Event{n}": {
            "type": "object",
            "required": ["type"],
            "properties": {"type": {"const": f"event {n}"}, "name": STRING},
        }
        for n in range(size)
    }
    return {"Event": {"oneOf": [ref(name) for name in members]}, **members}


def alike(size: int) -> dict[str, Any]:
    """One union has ever more members, which nothing but their members tell apart."""
    members = {
        f"Shape{n}": {
            "type": "object",
            "required": [f"side{n % 7}"],
            "properties": {f"side{n % 7}": STRING, f"own{n}": STRING},
        }
        for n in range(size)
    }
    return {"Shape": {"oneOf": [ref(name) for name in members]}, **members}


def calls(schemas: dict[str, Any]) -> int:
    """How many calls of functions it takes to make a package."""
    data: Any = {
        "openapi": "3.1.0",
        "info": {"title": "Growth", "version": "1"},
        "paths": {},
        "components": {"schemas": schemas},
    }
    document = Document(name="growth", path=None, digest="", data=data, origins=Origins("growth"))
    counted: Counter[str] = Counter()

    def count(frame: FrameType, event: str, argument: object) -> None:
        counted[event] += 1

    # The stages run in threads of their own.
    threading.setprofile(count)
    try:
        build_package(parse_api(document, Diagnostics()), VARIANTS)
    finally:
        threading.setprofile(None)
    return counted["call"] + counted["c_call"]


@pytest.mark.parametrize("schemas", [chain, circle, heirs, family, enums, tagged])
def test_twice_the_document_is_twice_the_work(schemas: Callable[[int], dict[str, Any]]) -> None:
    calls(schemas(1))  # what is made once
    assert calls(schemas(2 * SIZE)) < 2.1 * calls(schemas(SIZE))


def test_of_members_that_are_alike_each_two_are_compared_once() -> None:
    calls(alike(1))
    assert calls(alike(2 * SIZE)) < 4 * calls(alike(SIZE))
