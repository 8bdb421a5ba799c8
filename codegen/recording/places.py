"""Where in its files the document says something: `openapi.yaml:120`."""

from __future__ import annotations

from dataclasses import dataclass

from codegen.diagnostics import Diagnostics, Origin
from codegen.source.document import Document


@dataclass(frozen=True, slots=True)
class Places:
    """Finds the lines of schemas: in the document, or in an overlay that put them there."""

    document: Document
    diagnostics: Diagnostics

    def find(self, origin: Origin) -> str:
        """The file and line of a place; the file alone where its text is not at hand."""
        if origin.document == self.document.name:
            origin = self.document.origin(origin.pointer)
        text = self.diagnostics.text(origin.document)
        if text is None:
            return origin.document
        return f"{origin.document}:{text.position(origin.pointer).line}"
