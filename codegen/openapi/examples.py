"""Every example of a document, with the type it should have (OpenAPI 3.1 sections 4.8.12, 4.8.14,
4.8.19, 4.8.21 and 4.8.24; Swagger 2.0 Example Object).

In: a document. Out: an API that declares nothing but a holder for each place that has examples, an
object whose one member is what stands there, and what that reaches. Rules: an `externalValue` is
not fetched; in a media type that is no JSON, text shows how a value is written there, so it says
nothing of the schema. Examples of whole operations are found in `scenarios.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from codegen.diagnostics import Diagnostics, Origin
from codegen.ir.api import Api, Field, Object, Operation, Parameter
from codegen.ir.examples import Example, ExampleKind
from codegen.ir.types import Anything, DeclId, Ref
from codegen.openapi import vendors
from codegen.openapi.media_type import is_json
from codegen.openapi.node import Node
from codegen.openapi.parameter import value_schema
from codegen.openapi.place import Place
from codegen.openapi.resolver import Resolver
from codegen.openapi.scenarios import ScenarioReader, Shown
from codegen.openapi.schema import SchemaReader
from codegen.openapi.walk import Visit, walk
from codegen.source.document import Document
from codegen.source.pointer import split
from codegen.source.references import Library

MEMBER = "value"
_HOME = DeclId("examples")


def read_examples(
    document: Document, library: Library, diagnostics: Diagnostics
) -> tuple[Api, tuple[Example, ...]]:
    """An API of holders, and the examples, each with the reference to its holder."""
    root, schemas = Node(document.data, document, "#"), SchemaReader(Resolver(library, diagnostics))
    reader = _ExampleReader(schemas, ScenarioReader(root, schemas))
    examples = tuple(example for visit in walk(root) for example in reader.read(visit))
    reader.scenarios.tell_missing()
    api = Api(
        title="Examples",
        version="",
        document=document.name,
        digest=document.digest,
        decls=(*reader.holders.values(), *reader.schemas.read_declared()),
        operations=(_operation(document, reader.sent.values()),),
        streams=(),
    )
    return api, examples


@dataclass(frozen=True, slots=True)
class _ExampleReader:
    schemas: SchemaReader
    scenarios: ScenarioReader
    holders: dict[DeclId, Object] = field(default_factory=dict[DeclId, Object])
    sent: dict[DeclId, Parameter] = field(default_factory=dict[DeclId, Parameter])

    def read(self, visit: Visit) -> Iterator[Example]:
        """The examples that stand in an object beside, or in, the schema they belong to; and those
        of an operation.
        """
        node, writer = visit.node, visit.writer
        if visit.kind == "operation":
            found = self.scenarios.read(node, writer)
        else:
            schema = node if visit.kind == "schema" else value_schema(node)
            found = (Shown(kind, schema, value, writer) for kind, value in self._find(visit, node))
        for shown in found:
            if isinstance(shown.schema.data, dict | bool):
                yield self._example(shown)

    def _find(self, visit: Visit, node: Node) -> Iterator[tuple[ExampleKind, Node]]:
        match visit.kind:
            case "schema":
                values = (*_values(node), *vendors.read_examples(node))
                yield from ((ExampleKind.SCHEMA, value) for value in values)
            case "parameter" | "header" as kind:
                yield from ((ExampleKind(kind), value) for value in self._named(node))
            case "media type":
                is_text = not is_json(_media_type(node))
                for value in self._named(node):
                    if not (is_text and _is_text(value)):
                        yield ExampleKind(visit.writer.value), value
            case "response" if "schema" in node.keywords:  # Swagger 2.0: by media type
                for media_type, value in node.members_of("examples"):
                    if is_json(media_type) or not _is_text(value):
                        yield ExampleKind.RESPONSE, value
            case _:
                pass

    def _named(self, node: Node) -> Iterator[Node]:
        """The `example`, and the value of each Example Object in `examples`."""
        if "example" in node.keywords:
            yield node.child("example")
        for _, held in node.members_of("examples"):
            example = self.schemas.resolver.resolve(held)
            if example is not None:
                key = next((key for key in ("dataValue", "value") if key in example.keywords), None)
                if key is not None:
                    yield example.child(key)

    def _example(self, shown: Shown) -> Example:
        schema = shown.schema
        writer = None if shown.kind is ExampleKind.SCHEMA else shown.writer
        id_ = DeclId(f"{schema.id} {writer}")
        if id_ not in self.holders:
            name = ("example", str(len(self.holders)))
            held = Field(
                wire=MEMBER,
                type=self.schemas.read((schema,), Place((*name, MEMBER), _HOME)),
                required=True,
                origin=schema.origin,
            )
            self.holders[id_] = Object(
                id=id_,
                name=name,
                origin=schema.origin,
                home=_HOME,
                fields=(held,),
                extra=Anything(),
            )
        if writer is not None:
            self.sent[id_] = Parameter(type=Ref(id_), direction=writer)
        text = json.dumps(shown.value.data, ensure_ascii=False)
        return Example(kind=shown.kind, holder=id_, text=text, origin=shown.value.origin)


def _values(schema: Node) -> Iterator[Node]:
    if "example" in schema.keywords:
        yield schema.child("example")
    yield from schema.entries_of("examples")


def _is_text(node: Node) -> bool:
    return isinstance(node.data, str)


def _media_type(node: Node) -> str:
    """The name it stands under; a component has another."""
    *_, holder, name = split(node.pointer)
    return name if holder == "content" else "application/json"


def _operation(document: Document, parameters: Iterable[Parameter]) -> Operation:
    """What makes the holders requests and responses."""
    return Operation(
        id="examples",
        method="",
        path="",
        tags=(),
        bodies=(),
        parameters=tuple(parameters),
        origin=Origin(document=document.name, pointer="#"),
    )
