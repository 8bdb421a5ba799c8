"""Operation Object -> `ir.Operation` (OpenAPI 3.1 section 4.8.10).

In: the node of an operation and where it stands. Out: the operation with the types of its
parameters and bodies, each with the direction it travels in. Rules: what components hold is named
after them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from codegen.ir.api import Direction, Operation
from codegen.openapi import swagger
from codegen.openapi.content import Bodies, Message, read_content, read_media, response_media
from codegen.openapi.doc import read_doc
from codegen.openapi.miswritten import tell_unknown_keys
from codegen.openapi.names import component_name, status_name
from codegen.openapi.node import Node
from codegen.openapi.parameter import (
    HeldParameter,
    effective_parameters,
    read_headers,
    read_parameter,
)
from codegen.openapi.path_item import Site
from codegen.openapi.schema import SchemaReader


@dataclass(frozen=True, slots=True)
class OperationReader:
    """Reads the operations of one document, which have these names."""

    root: Node
    schemas: SchemaReader
    names: Mapping[Site, str]

    @property
    def _is_swagger(self) -> bool:
        return "swagger" in self.root.keywords

    def read(self, site: Site) -> tuple[Operation, tuple[Node, ...]]:
        """An operation, with the node of the Media Type Object of each of its bodies."""
        node, id_ = site.node, self.names[site]
        tell_unknown_keys("Operation Object", node, self.schemas.resolver.diagnostics)
        owner = None if site.callback is None else site.callback.owner
        reader, bodies = self.schemas, Bodies()
        parameters = effective_parameters((*reversed(site.items), node), reader)
        beside = [
            read_parameter(it.node, it.name or (id_, it.node.text("name")), site.sent, reader)
            for it in parameters
            if not (self._is_swagger and it.node.text("in") in swagger.BODIES)
        ]
        self._read_request(node, id_, parameters, site.sent, bodies)
        self._read_responses(node, id_, site.sent.reverse, bodies)
        operation = Operation(
            id=id_,
            method=site.method.upper(),
            path=site.path,
            tags=tuple(tag.data for tag in node.entries_of("tags") if isinstance(tag.data, str)),
            bodies=tuple(bodies.bodies),
            parameters=(*beside, *bodies.headers),
            callback_of=None if owner is None else self.names[owner],
            doc=read_doc(node),
            origin=node.origin,
        )
        return operation, tuple(bodies.media)

    def _read_request(
        self,
        node: Node,
        id_: str,
        parameters: tuple[HeldParameter, ...],
        sent: Direction,
        bodies: Bodies,
    ) -> None:
        if self._is_swagger:
            name = next((it.name for it in parameters if it.node.text("in") == "body"), ())
            media = swagger.request_media(node, [it.node for it in parameters], self.root)
        else:
            held = node.child("requestBody")
            request = self.schemas.resolver.resolve(held)
            if request is None:
                return
            name = () if request is held else component_name(request, "request")
            media = read_media(request, self.schemas)
        message = Message(name=name or (id_, "request"), status="", direction=sent)
        read_content(media, message, self.schemas, bodies)

    def _read_responses(self, node: Node, id_: str, direction: Direction, bodies: Bodies) -> None:
        for status, held in node.members_of("responses"):
            response = self.schemas.resolver.resolve(held)
            if response is None or status.startswith("x-"):
                continue
            tell_unknown_keys("Response Object", response, self.schemas.resolver.diagnostics)
            name = (id_, *status_name(status, node), "response")
            if response is not held:
                name = component_name(response, "response")
            message = Message(name=name, status=status, direction=direction)
            media = response_media(response, node, self.root, self.schemas)
            read_content(media, message, self.schemas, bodies)
            bodies.headers += read_headers(response, name[:-1], direction, self.schemas)
