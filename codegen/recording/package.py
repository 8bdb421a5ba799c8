"""The package of one stream, made and imported: the same that users of the document get."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from codegen.backends.naming import name_api, name_streams
from codegen.diagnostics import Diagnostics
from codegen.ir.api import Api, Decl, Stream
from codegen.ir.types import DeclId
from codegen.ir.walk import decls_by_id
from codegen.loading import loaded
from codegen.passes.prune import prune
from codegen.pipeline import build_package
from codegen.source.values import Json


class Problem(Protocol):
    """What a decoder says of one place, as the generated `Problem` does."""

    @property
    def pointer(self) -> str: ...
    @property
    def expected(self) -> str: ...
    @property
    def found(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A stream of a document, what its class is called there, and its decoders: the variant of
    dataclasses.
    """

    name: str
    stream: Stream
    stream_class: Any
    decls: dict[DeclId, Decl]
    classes: dict[DeclId, str]
    variant: Any
    parse: Callable[[str], Any]

    def start(self) -> Any:
        """A stream that has read nothing yet."""
        return self.stream_class(on_invalid="keep")

    def errors(self, target: DeclId, json: Json) -> tuple[Problem, ...]:
        """What the decoder of a declaration says of JSON data; nothing where it takes it."""
        try:
            self.variant.from_json(getattr(self.variant, self.classes[target]), json)
        except self.variant.DecodeError as error:
            errors: tuple[Problem, ...] = error.errors
            return errors
        return ()


def choose_stream(api: Api, name: str | None, diagnostics: Diagnostics) -> str:
    """The class of the stream of that name, or of the only one; raises Refused after SB621 or
    SB622.
    """
    streams = name_streams(api)
    if name is not None:
        diagnostics.check_choice("stream", "SB622", (name,), tuple(streams))
        diagnostics.check()
        return name
    if len(streams) != 1:
        message = f"the document has {len(streams) or 'no'} streams"
        known = f"choose one with --stream: {', '.join(streams)}" if streams else None
        diagnostics.add("SB621", message, document=api.document, help=known)
    diagnostics.check()
    return next(iter(streams))


@contextmanager
def load_package(api: Api, name: str, diagnostics: Diagnostics) -> Generator[Package]:
    """Make and import what the stream of that name needs of the document; it is gone afterwards."""
    stream = name_streams(api)[name]
    part = prune(api, diagnostics, operations=(stream.operation.id,))
    naming = name_api(part)
    # With less beside it, it may be called otherwise.
    own = next(it for it, other in naming.streams.items() if other.name == stream.name)
    with loaded(build_package(part, ("dataclasses",))) as package:
        variant: Any = importlib.import_module(f"{package}.dataclasses")
        yield Package(
            name=name,
            stream=stream,
            stream_class=getattr(variant.streams, own),
            decls=decls_by_id(part),
            classes=dict(naming.classes),
            variant=variant,
            parse=importlib.import_module(f"{package}._runtime.jsontext").parse,
        )
