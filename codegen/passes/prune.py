"""After this, the API holds what was asked for, everything that reaches to, and nothing else.

Types are those of the whole document: what only a part of it would close or open stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase

from codegen.diagnostics import Diagnostic, Diagnostics, Origin, suggestion
from codegen.ir.api import Api, Object, Operation, Stream
from codegen.ir.schemas import schema_names
from codegen.ir.types import Ref, Type
from codegen.ir.walk import decls_by_id, reached

# Where what is kept, or goes, stands in a document.
_KINDS = (["components", "schemas"], ["definitions"], ["paths"], ["webhooks"])


def prune(
    api: Api,
    diagnostics: Diagnostics,
    *,
    schemas: tuple[str, ...] = (),
    operations: tuple[str, ...] = (),
    tags: tuple[str, ...] = (),
    paths: tuple[str, ...] = (),
) -> Api:
    """Keep the schemas and operations with these names, and the operations that have one of the
    tags or stand at one of the paths; all where none is asked for.

    A path is a beginning of whole segments, or a pattern with `*` in it. An operation brings its
    callbacks. What was said of schemas and paths that go is forgotten. Raises Refused after
    reporting SB603 for what the document does not have.
    """
    if not (schemas or operations or tags or paths):
        return api
    named = {name: id_ for id_, name in schema_names(api).items()}
    _check("schema", schemas, named, diagnostics)
    _check("operation", operations, [it.id for it in api.operations], diagnostics)
    _check("tag", tags, [tag for it in api.operations for tag in it.tags], diagnostics)
    _check_paths(paths, [it.path for it in api.operations], diagnostics)
    diagnostics.check()
    kept = _keep(api, operations, tags, paths)
    streams = tuple(s for s in api.streams if s.operation.id in kept)
    roots: list[Type] = [Ref(named[name]) for name in schemas if name in named]
    roots += (part.type for operation in kept.values() for part in operation.parts)
    roots += (type_ for stream in streams for type_ in _roots(stream))
    ids = reached(roots, decls_by_id(api))
    pruned = replace(
        api,
        decls=tuple(decl for decl in api.decls if decl.id in ids),
        operations=tuple(kept.values()),
        streams=streams,
    )
    parts = {_part(origin.pointer) for origin in _origins(pruned)}
    diagnostics.forget(lambda item: _is_of_others(item, api.document, parts))
    return pruned


def _origins(api: Api) -> Iterator[Origin]:
    for part in (*api.operations, *api.decls):
        yield part.origin
        # Those of an `allOf` stand in schemas that are no types here.
        if isinstance(part, Object):
            yield from (field.origin for field in part.fields)


def _part(pointer: str) -> str | None:
    """The schema or path that a place of a document lies in, if it does in one."""
    steps = pointer.split("/")
    for kind in _KINDS:
        if steps[1 : len(kind) + 1] == kind and len(steps) > len(kind) + 1:
            return "/".join(steps[: len(kind) + 2])
    return None


def _is_of_others(item: Diagnostic, document: str, parts: set[str | None]) -> bool:
    if item.origin is None or item.origin.document != document:
        return False
    part = _part(item.origin.pointer)
    return part is not None and part not in parts


def _keep(
    api: Api, ids: tuple[str, ...], tags: tuple[str, ...], paths: tuple[str, ...]
) -> dict[str, Operation]:
    kept: dict[str, Operation] = {}
    # Callbacks come after the operations that ask for them.
    for operation in api.operations:
        is_named = operation.id in ids or not {*tags}.isdisjoint(operation.tags)
        is_there = any(_matches(operation.path, path) for path in paths)
        if is_named or is_there or operation.callback_of in kept:
            kept[operation.id] = operation
    return kept


def _matches(path: str, wanted: str) -> bool:
    if "*" in wanted:
        return fnmatchcase(path, wanted)
    return path == wanted or path.startswith(wanted.rstrip("/") + "/")


def _check_paths(asked: tuple[str, ...], known: list[str], diagnostics: Diagnostics) -> None:
    for wanted in asked:
        if not any(_matches(path, wanted) for path in known):
            _refuse("path", wanted, known, diagnostics)


def _check(
    kind: str, asked: tuple[str, ...], known: Iterable[str], diagnostics: Diagnostics
) -> None:
    for name in asked:
        if name not in known:
            _refuse(kind, name, known, diagnostics)


def _refuse(kind: str, name: str, known: Iterable[str], diagnostics: Diagnostics) -> None:
    help_ = suggestion(name, known) or "`streambind list` shows them all"
    diagnostics.add("SB603", f"the document has no {kind} {name!r}", help=help_)


def _roots(stream: Stream) -> list[Type]:
    record = [Ref(stream.fold.record)] if stream.fold is not None else []
    result = [stream.result] if stream.result is not None else []
    return [stream.event, *result, *record]
