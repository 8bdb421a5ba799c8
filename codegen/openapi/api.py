"""A document -> `ir.Api`: schemas, operations and streams of one OpenAPI description (3.0 section
4.7.1).
"""

from __future__ import annotations

from codegen.diagnostics import Diagnostics
from codegen.ir.api import Api, Operation, Stream
from codegen.openapi.node import Node, Resolver
from codegen.openapi.operation import read_operations
from codegen.openapi.schema import SchemaReader
from codegen.openapi.stream import read_streams
from codegen.source.document import Document
from codegen.source.references import Library


def read_api(document: Document, library: Library, diagnostics: Diagnostics) -> Api:
    """Everything the document declares; what is wrong with it is added to the diagnostics."""
    root = Node(document.data, document, "#")
    _check_version(root, diagnostics)
    diagnostics.check()
    reader = SchemaReader(Resolver(library, diagnostics))
    for name, schema in root.child("components").child("schemas").members():
        reader.declare(schema, (name,))
    operations: list[Operation] = []
    streams: list[Stream] = []
    for operation, node, media in read_operations(root, reader):
        operations.append(operation)
        streams += read_streams(operation, node, media, reader)
    info = root.child("info")
    return Api(
        title=info.text("title"),
        version=info.text("version"),
        document=document.name,
        digest=document.digest,
        decls=reader.decls,
        operations=tuple(operations),
        streams=tuple(streams),
    )


def _check_version(root: Node, diagnostics: Diagnostics) -> None:
    version, older = root.text("openapi"), root.text("swagger")
    if not version.startswith(("3.0", "3.1", "3.2")):
        stated = f"OpenAPI {version}" if version else f"Swagger {older}"
        stated = stated if version or older else "not an OpenAPI description"
        diagnostics.add(
            "SB200", f"{stated}: 3.0, 3.1 and 3.2 are read", origin=root.child("openapi").origin
        )
