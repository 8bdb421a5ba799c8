"""After this, the API holds what was asked for, everything that reaches to, and nothing else.

Types are those of the whole document: what only a part of it would close or open stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches

from codegen.diagnostics import Diagnostics
from codegen.ir.api import Api, Stream
from codegen.ir.types import Ref, Type
from codegen.ir.walk import decls_by_id, reached


def prune(
    api: Api, schemas: tuple[str, ...], operations: tuple[str, ...], diagnostics: Diagnostics
) -> Api:
    """Keep the schemas and operations with these names; all where none is named.

    Raises Refused for a name that the document does not have.
    """
    if not schemas and not operations:
        return api
    named = {decl.name[0]: decl.id for decl in api.decls if decl.id == decl.home}
    known = {operation.id: operation for operation in api.operations}
    _check("schema", schemas, named, diagnostics)
    _check("operation", operations, known, diagnostics)
    diagnostics.check()
    kept = [known[id_] for id_ in operations]
    streams = tuple(s for s in api.streams if s.operation.id in operations)
    roots: list[Type] = [Ref(named[name]) for name in schemas]
    for operation in kept:
        roots += (part.type for part in operation.parts)
    for stream in streams:
        roots += _roots(stream)
    ids = reached(roots, decls_by_id(api))
    return replace(
        api,
        decls=tuple(decl for decl in api.decls if decl.id in ids),
        operations=tuple(kept),
        streams=streams,
    )


def _check(
    kind: str, asked: tuple[str, ...], known: Iterable[str], diagnostics: Diagnostics
) -> None:
    for name in asked:
        if name not in known:
            close = get_close_matches(name, known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else "`streambind list` shows them all"
            diagnostics.add("SB603", f"the document has no {kind} {name!r}", help=hint)


def _roots(stream: Stream) -> list[Type]:
    record = [Ref(stream.fold.record)] if stream.fold is not None else []
    result = [stream.result] if stream.result is not None else []
    return [stream.event, *result, *record]
