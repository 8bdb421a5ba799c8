"""What a document says of something: its description, and whether it is deprecated."""

from __future__ import annotations

from codegen.ir.api import Doc
from codegen.openapi.node import Node


def read_doc(*nodes: Node) -> Doc:
    """The description that stands nearest: the last one of schemas that hold together."""
    texts = [text for node in nodes if (text := node.text("description")).strip()]
    deprecated = any(node.flag("deprecated") for node in nodes)
    return Doc(text=texts[-1] if texts else "", deprecated=deprecated)
