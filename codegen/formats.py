"""The formats of strings, and the Python types that they are read as; `docs/types.md` tells it.

Rules: a format of no entry here stays `str`, unless the user says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from codegen.diagnostics import Diagnostics
from codegen.ir.api import Api
from codegen.ir.types import Conversion, Scalar, ScalarKind
from codegen.ir.walk import all_types

TYPES: Mapping[str, Conversion | None] = {
    "str": None,
    "datetime": Conversion.DATE_TIME,
    "date": Conversion.DATE,
    "time": Conversion.TIME,
    "UUID": Conversion.UUID,
    "bytes": Conversion.BYTES,
    "Decimal": Conversion.DECIMAL,
}
DEFAULTS: Mapping[str, str] = {
    "date-time": "datetime",
    "date": "date",
    "time": "time",
    "uuid": "UUID",
    "byte": "bytes",
    "decimal": "Decimal",
}


def choose_types(choices: tuple[str, ...], api: Api, diagnostics: Diagnostics) -> dict[str, str]:
    """The type of each format that the user chose one for, each choice as `FORMAT=TYPE`.

    Raises Refused for a choice of another form, a type that is none of `TYPES`, and a format that
    neither `DEFAULTS` nor the document has.
    """
    split = [choice.rpartition("=") for choice in choices]
    for choice, (_, equals, _) in zip(choices, split, strict=True):
        if not equals:
            diagnostics.add("SB604", f"{choice!r} names no type")
    diagnostics.check()
    chosen = {format_: type_ for format_, _, type_ in split}
    diagnostics.check_choice("type", "SB604", tuple(chosen.values()), tuple(TYPES))
    diagnostics.check()
    known = tuple(dict.fromkeys((*DEFAULTS, *_formats(api))))
    diagnostics.check_choice("format", "SB604", tuple(chosen), known)
    diagnostics.check()
    return dict(sorted(chosen.items()))


def conversions(chosen: Mapping[str, str]) -> dict[str, Conversion]:
    """What the strings of each format are converted to, where they are."""
    types = {**DEFAULTS, **chosen}
    found = {format_: TYPES[type_] for format_, type_ in types.items()}
    return {format_: conversion for format_, conversion in found.items() if conversion is not None}


def _formats(api: Api) -> Iterator[str]:
    for type_ in all_types(api):
        if isinstance(type_, Scalar) and type_.kind is ScalarKind.STRING and type_.format:
            yield type_.format
