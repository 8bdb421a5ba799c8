"""Where in its files the document says something: `openapi.yaml:120`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from codegen.diagnostics import Diagnostics, Origin
from codegen.source.document import Document

Locate: TypeAlias = Callable[[Origin], str]
"""Tells the file and line of a schema, as `Places.find` does."""


@dataclass(frozen=True, slots=True)
class Places:
    """Finds the lines of schemas: in the document, or in an overlay that put them there."""

    document: Document
    diagnostics: Diagnostics

    def find(self, origin: Origin) -> str:
        """The file and line of a place; the file alone where its text is not at hand."""
        if origin.document == self.document.name:
            origin = self.document.origin(origin.pointer)
        position = self.diagnostics.position(origin)
        return origin.document if position is None else f"{origin.document}:{position.line}"
