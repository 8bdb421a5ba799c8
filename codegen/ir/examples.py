"""A value that a document shows for one of its schemas."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from codegen.diagnostics import Origin
from codegen.ir.types import DeclId


class ExampleKind(Enum):
    """What the example stands in."""

    SCHEMA = "schema"
    PARAMETER = "parameter"
    HEADER = "header"
    REQUEST = "request"
    RESPONSE = "response"


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """`holder` declares an object whose one member has the type that the example should have;
    `text` is the example as JSON.
    """

    kind: ExampleKind
    holder: DeclId
    text: str
    origin: Origin
