"""Where Swagger 2.0 writes what OpenAPI 3 writes under `content`.

In: the nodes of a 2.0 document. Out: the same as `content.read_media` gives, so that nothing else
knows the difference: a body parameter and a response hold a schema, as a Media Type Object does;
form parameters are the properties of an object; the media types stand in `consumes` and `produces`
of the operation or the document (2.0, sections "Operation Object" and "Parameter Object").
"""

from __future__ import annotations

from codegen.openapi.node import Assembled, Node
from codegen.source.pointer import join
from codegen.source.values import Json

# Parameters that are bodies here, and requests of their own in OpenAPI 3.
BODIES = frozenset({"body", "formData"})


def request_media(operation: Node, parameters: list[Node], root: Node) -> dict[str, Node]:
    """The body of a request in each media type of `consumes`; none without such parameters."""
    bodies = [node for node in parameters if node.text("in") == "body"]
    if bodies:
        return dict.fromkeys(_media_types("consumes", operation, root), bodies[0])
    form = [node for node in parameters if node.text("in") == "formData"]
    if not form:
        return {}
    has_files = any(node.text("type") == "file" for node in form)
    default = "multipart/form-data" if has_files else "application/x-www-form-urlencoded"
    types = _media_types("consumes", operation, root, default)
    # A document that reads JSON everywhere still reads forms as forms.
    forms = [it for it in types if "form" in it] or [default]
    return dict.fromkeys(forms, _media_of_form(operation, form))


def response_media(response: Node, operation: Node, root: Node) -> dict[str, Node]:
    """The content of a response in each media type of `produces`."""
    if "schema" not in response.keywords:
        return {}
    return dict.fromkeys(_media_types("produces", operation, root), response)


def _media_types(
    key: str, operation: Node, root: Node, default: str = "application/json"
) -> list[str]:
    """An operation's own list, even an empty one, replaces the document's."""
    holder = operation if key in operation.keywords else root
    stated = [node.data for node in holder.entries_of(key) if isinstance(node.data, str)]
    return stated or [default]


def _media_of_form(operation: Node, form: list[Node]) -> Node:
    parts = {node.text("name"): node for node in form}
    data: dict[str, Json] = {name: node.data for name, node in parts.items()}
    required: list[Json] = [name for name, node in parts.items() if node.flag("required")]
    place = join(operation.pointer, "parameters")
    properties = Assembled(data, operation.document, place, parts)
    schema = Assembled(
        {"type": "object", "properties": data, "required": required},
        operation.document,
        place,
        {"properties": properties},
    )
    return Assembled({"schema": schema.data}, operation.document, place, {"schema": schema})
