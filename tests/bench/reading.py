"""Our streams as the sections read them: of `generated/`, in every variant."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from typing import Any
from unittest.mock import patch

from tests.bench.plan import STREAM, VARIANTS

MODULE = "streams.create_chat_completion_stream"
MODULES = {name: importlib.import_module(f"generated.{name}.{MODULE}") for name in VARIANTS}


def each(function: Callable[[Any], object], values: Iterable[Any]) -> None:
    for value in values:
        function(value)


def read(variant: str, pieces: list[bytes], parse: Callable[[str], Any] | None = None) -> Any:
    """Feed a stream, which accumulates; give it."""
    stream = getattr(MODULES[variant], STREAM)(parse=parse)
    each(stream.feed, pieces)
    return stream


def read_only(variant: str, pieces: list[bytes], parse: Callable[[str], Any] | None = None) -> None:
    """The same without accumulation, which the class itself always does."""
    with patch.object(MODULES[variant], "_fold", lambda held, chunk: None):
        read(variant, pieces, parse)


def read_and_show(variant: str, pieces: list[bytes]) -> object:
    return read(variant, pieces).snapshot()


def check(variant: str, pieces: list[bytes], count: int) -> None:
    """Make sure that what is measured is the reading of valid events."""
    stream = getattr(MODULES[variant], STREAM)()
    assert len([*stream.iter([*pieces, stream.END])]) == count
