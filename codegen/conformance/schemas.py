"""Schemas of a document as they are written: where a keyword is that says something of a value.

What holds for a value may be written behind references and in `allOf`; an overlay has to find the
very place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from codegen.source.document import Document
from codegen.source.pointer import child, from_fragment, is_index, join, lookup, split
from codegen.source.values import Json


@dataclass(frozen=True, slots=True)
class Written:
    """A schema and its pointer."""

    pointer: str
    data: dict[str, Json]

    def schemas(self, keyword: str) -> Iterator[str]:
        """Pointers to the schemas of an array, such as `anyOf`."""
        members = self.data.get(keyword)
        for index, _ in enumerate(members if isinstance(members, list) else ()):
            yield join(self.pointer, keyword, index)


@dataclass(frozen=True, slots=True)
class Schemas:
    """The schemas of one document."""

    document: Document

    @property
    def has_null_type(self) -> bool:
        """Whether null is a type: in OpenAPI 3.0 it is none."""
        data = self.document.data
        version = data.get("openapi") if isinstance(data, dict) else None
        return not str(version).startswith(("3.0", "2."))

    def free_name(self, name: str) -> str:
        """The name, or one like it, that no schema has."""
        taken = self.find("#/components/schemas")
        while taken is not None and name in taken.data:
            name += "Again"
        return name

    def find(self, pointer: str) -> Written | None:
        """The schema at a pointer, which may lead through references and `allOf`."""
        found = "#"
        for token in split(pointer):
            step = self._step(found, token)
            if step is None:
                return None
            found = step
        data = lookup(self.document.data, found)
        return Written(found, data) if isinstance(data, dict) else None

    def composed(self, pointer: str) -> Iterator[Written]:
        """The schema at a pointer, and those that hold for the same value."""
        todo, seen = [pointer], set[str]()
        while todo:
            written = self.find(todo.pop(0))
            if written is None or written.pointer in seen:
                continue
            seen.add(written.pointer)
            yield written
            reference = written.data.get("$ref")
            if isinstance(reference, str) and reference.startswith("#"):
                todo.append(from_fragment(reference[1:]))
            todo += written.schemas("allOf")

    def alternatives(self, pointer: str) -> Iterator[Written]:
        """The schemas that hold for a value, and those of which one does."""
        todo, seen = [pointer], set[str]()
        while todo:
            for written in self.composed(todo.pop(0)):
                if written.pointer not in seen:
                    seen.add(written.pointer)
                    yield written
                    todo += (*written.schemas("anyOf"), *written.schemas("oneOf"))

    def _step(self, pointer: str, token: str) -> str | None:
        value = lookup(self.document.data, pointer)
        if _has(value, token):
            return join(pointer, token)
        reference = value.get("$ref") if isinstance(value, dict) else None
        behind = [*Written(pointer, value).schemas("allOf")] if isinstance(value, dict) else []
        if isinstance(reference, str) and reference.startswith("#"):
            behind.insert(0, from_fragment(reference[1:]))
        found = (self._step(it, token) for it in behind)
        return next((it for it in found if it is not None), None)


def _has(value: Json, token: str) -> bool:
    try:
        child(value, token)
    except LookupError:
        return False
    return True


def put(value: Json, tokens: tuple[str, ...], inside: Json) -> Json:
    """The value with another one at the place that tokens lead to."""
    if not tokens:
        return inside
    token, *rest = tokens
    changed = put(child(value, token), tuple(rest), inside)
    if isinstance(value, list):
        return [changed if str(index) == token else it for index, it in enumerate(value)]
    assert isinstance(value, dict), "tokens lead through objects and arrays"
    return {name: changed if name == token else it for name, it in value.items()}


def to_json_path(pointer: str) -> str:
    """The JSONPath of a pointer (RFC 9535, section 2.3)."""
    parts: list[str] = []
    for token in split(pointer):
        if token.isidentifier() and token.isascii():
            parts.append(f".{token}")
        elif is_index(token) and parts and parts[-1] in (".allOf", ".anyOf", ".oneOf"):
            parts.append(f"[{token}]")
        else:
            parts.append(f"[{quote(token)}]")
    return "$" + "".join(parts)


def quote(text: str) -> str:
    """A text as a string of JSONPath."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return "'" + "".join(it if it.isprintable() else f"\\u{ord(it):04x}" for it in escaped) + "'"
