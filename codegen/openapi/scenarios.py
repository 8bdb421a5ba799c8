"""Examples of whole operations: `x-ms-examples`, where each is a request and its responses, most
often in a file of its own.

In: an operation. Out: each value with the schema that it belongs to. Rules: parameters go by name,
and so does a body in Swagger 2.0; in OpenAPI 3 it is called `body`. What a response holds is its
`body` and its `headers`. A name that the operation does not declare says nothing, and neither does
a body that is not JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from codegen.diagnostics import Origin
from codegen.ir.api import Direction
from codegen.ir.examples import ExampleKind
from codegen.openapi.content import read_media, response_media
from codegen.openapi.media_type import is_json
from codegen.openapi.node import Node
from codegen.openapi.parameter import effective_parameters, value_schema
from codegen.openapi.schema import SchemaReader
from codegen.source.pointer import join, lookup, split

KEY = "x-ms-examples"


class Shown(NamedTuple):
    """A value with the schema that it should fit: what it stands in, and who writes it."""

    kind: ExampleKind
    schema: Node
    value: Node
    writer: Direction


@dataclass(frozen=True, slots=True)
class ScenarioReader:
    """Reads the examples of the operations of one document; knows of which the file is not here."""

    root: Node
    schemas: SchemaReader
    _missing: list[Origin] = field(default_factory=list[Origin])

    def read(self, operation: Node, sent: Direction) -> Iterator[Shown]:
        """Every value that the examples of an operation show; `sent` is who writes its request."""
        for _, held in operation.members_of(KEY):
            scenario = self._open(held)
            if scenario is not None:
                yield from self._read_parameters(operation, scenario, sent)
                yield from self._read_responses(operation, scenario, sent.reverse)

    def tell_missing(self) -> None:
        """Report SB211, once, if there are examples whose file is not here."""
        if self._missing:
            message = f"files named in `{KEY}` that are not here: {len(self._missing)}"
            diagnostics = self.schemas.resolver.diagnostics
            diagnostics.add("SB211", message, origin=self._missing[0])

    def _open(self, held: Node) -> Node | None:
        reference, place = held.text("$ref"), join(held.pointer, "$ref")
        resolver = self.schemas.resolver
        if reference and not resolver.library.is_here(reference, held.document, place):
            self._missing.append(Origin(document=held.document.name, pointer=place))
            return None
        return resolver.resolve(held)

    def _read_parameters(
        self, operation: Node, scenario: Node, writer: Direction
    ) -> Iterator[Shown]:
        parameters = {it.text("name"): it for it in self._parameters(operation)}
        for name, value in scenario.members_of("parameters"):
            if name in parameters:
                kind = ExampleKind.PARAMETER
                if parameters[name].text("in") == "body":
                    kind = ExampleKind.REQUEST
                yield Shown(kind, value_schema(parameters[name]), value, writer)
            elif name == "body":
                request = self.schemas.resolver.resolve(operation.child("requestBody"))
                media = read_media(request, self.schemas) if request else {}
                yield from _body(ExampleKind.REQUEST, media, value, writer)

    def _parameters(self, operation: Node) -> Iterator[Node]:
        *outer, _ = split(operation.pointer)
        if outer[-1] == "additionalOperations" and outer[-2] != "pathItems":
            del outer[-1]
        place = join("#", *outer)
        item = Node(lookup(operation.document.data, place), operation.document, place)
        yield from (it.node for it in effective_parameters((item, operation), self.schemas))

    def _read_responses(
        self, operation: Node, scenario: Node, writer: Direction
    ) -> Iterator[Shown]:
        for status, shown in scenario.members_of("responses"):
            held = operation.child("responses").child(status)
            response = self.schemas.resolver.resolve(held)
            if response is None:
                continue
            if "body" in shown.keywords:
                media = response_media(response, operation, self.root, self.schemas)
                yield from _body(ExampleKind.RESPONSE, media, shown.child("body"), writer)
            yield from self._read_headers(response, shown, writer)

    def _read_headers(self, response: Node, shown: Node, writer: Direction) -> Iterator[Shown]:
        values = {name.lower(): value for name, value in shown.members_of("headers")}
        for name, held in response.members_of("headers"):
            header = self.schemas.resolver.resolve(held)
            if header is not None and name.lower() in values:
                schema = value_schema(header)
                yield Shown(ExampleKind.HEADER, schema, values[name.lower()], writer)


def _body(
    kind: ExampleKind, media: Mapping[str, Node], value: Node, writer: Direction
) -> Iterator[Shown]:
    found = (node for media_type, node in media.items() if is_json(media_type))
    if (node := next(found, None)) is not None:
        yield Shown(kind, node.child("schema"), value, writer)
