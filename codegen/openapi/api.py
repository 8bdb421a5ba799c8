"""A document -> `ir.Api`: schemas, operations and streams of one OpenAPI description (3.0 section
4.7.1).
"""

from __future__ import annotations

from codegen.diagnostics import Diagnostics, Refused
from codegen.ir.api import Api, Operation, Stream
from codegen.openapi.components import read_components, read_schemas
from codegen.openapi.miswritten import tell_unknown_keys
from codegen.openapi.node import Node
from codegen.openapi.operation import OperationReader
from codegen.openapi.operation_names import name_operations
from codegen.openapi.path_item import find_operations
from codegen.openapi.resolver import Resolver
from codegen.openapi.schema import SchemaReader
from codegen.openapi.stream import read_streams
from codegen.source.document import Document
from codegen.source.references import Library

_VERSIONS = {"openapi": ("3.0", "3.1", "3.2"), "swagger": ("2.0",)}
_NAMES = {"openapi": "OpenAPI", "swagger": "Swagger"}


def read_api(document: Document, library: Library, diagnostics: Diagnostics) -> Api:
    """Everything the document declares; what is wrong with it is added to the diagnostics."""
    resolver = Resolver(library, diagnostics)
    root = find_root(document, resolver)
    reader = SchemaReader(resolver)
    read_schemas(root, reader)
    operations: list[Operation] = []
    streams: list[Stream] = []
    sites = tuple(find_operations(root, resolver))
    operation_reader = OperationReader(root, reader, name_operations(sites, diagnostics))
    for site in sites:
        operation, media = operation_reader.read(site)
        operations.append(operation)
        streams += read_streams(operation, site.node, media, reader)
    read_components(root, reader)
    info = root.child("info")
    return Api(
        title=info.text("title"),
        version=info.text("version"),
        document=root.document.name,
        digest=document.digest,
        decls=reader.read_declared(),
        operations=tuple(operations),
        streams=tuple(streams),
    )


def find_root(document: Document, resolver: Resolver) -> Node:
    """The description that a document is; raises Refused after reporting SB200 where it is none.

    A document may be nothing but a reference to the one that is meant.
    """
    root = resolver.resolve(Node(document.data, document, "#"))
    if root is None:
        raise Refused(resolver.diagnostics)
    _check_version(root, resolver.diagnostics)
    resolver.diagnostics.check()
    tell_unknown_keys("OpenAPI Object", root, resolver.diagnostics)
    if (components := resolver.resolve(root.child("components"))) is not None:
        tell_unknown_keys("Components Object", components, resolver.diagnostics)
    return root


def _check_version(root: Node, diagnostics: Diagnostics) -> None:
    key = "swagger" if "swagger" in root.keywords else "openapi"
    stated = root.keywords.get(key)
    # Without quotes, YAML reads a number.
    version = str(stated) if isinstance(stated, str | float) else ""
    if not version.startswith(_VERSIONS[key]):
        found = f"{_NAMES[key]} {version}" if version else "not an OpenAPI description"
        message = f"{found}: OpenAPI 3.0, 3.1, 3.2 and Swagger 2.0 are read"
        diagnostics.add("SB200", message, origin=root.child(key).origin)
