"""Packages of a document that differs at one place, held against those of its harmless twins."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from codegen.diagnostics import Diagnostics, Refused
from codegen.ir.api import Api
from codegen.pipeline import VARIANTS, build_package, load_api
from tests.hostile.facts import Facts, facts_of, holding, surplus
from tests.hostile.places import Place, load, put
from tests.hostile.texts import TEXTS, twin_of
from tests.support import CASES


class Bench:
    """Makes packages of one document, changed at one place; the folder holds it meanwhile.

    With `overlays`, it is the last of these that changes, and the document stays as it is.
    """

    def __init__(self, place: Place, folder: Path, spec: Path | None = None) -> None:
        self._place = place
        self._changed = folder / "changed.json"
        self._spec = spec
        self._value = load(CASES.parent / place.document)
        self._whole = self._made(self._read(self._value))
        assert self._whole.texts, f"{place.document} is refused as it is"
        self._twins: dict[str, tuple[Api | None, Facts]] = {}

    def faults(self, text: str) -> list[str]:
        """What is wrong with the package that a text gives; nothing if it is refused."""
        api, harmless = self._put(text), twin_of(text)
        if harmless not in self._twins:
            put = self._put(harmless)
            self._twins[harmless] = put, self._made(put)
        same, twin = self._twins[harmless]
        if api is None or api == same:
            return []
        made = self._made(api)
        is_empty = not text.strip()
        faults = [*surplus(made, self._whole, twin, is_empty=is_empty)]
        # What is not Unicode has no place in typing.Literal.
        is_text = not is_empty and text.encode("utf-8", "ignore").decode() == text
        if is_text and holding(made, text) < holding(twin, harmless):
            faults.append("the text is not there")
        return faults

    def _put(self, text: str) -> Api | None:
        return self._read(put(self._value, self._place, text))

    def _read(self, changed: Any) -> Api | None:
        """The API of a document; None if it is refused, with errors that have a place."""
        self._changed.write_text(json.dumps(changed))
        files = (self._changed,) if self._spec is None else (self._spec, self._changed)
        diagnostics = Diagnostics()
        try:
            api = load_api(str(files[0]), files[1:], diagnostics)
        except Refused:
            assert all(it.origin or it.position for it in diagnostics.errors)
            return None
        return replace(api, digest="", overlays=())

    def _made(self, api: Api | None) -> Facts:
        return Facts() if api is None else facts_of(build_package(api, VARIANTS))


def faults_at(
    place: Place, folder: Path, names: Iterable[str], spec: Path | None = None
) -> list[str]:
    """What is wrong with the packages that texts give at a place."""
    bench = Bench(place, folder, spec)
    return [f"{place} = {name}: {it}" for name in names for it in bench.faults(TEXTS[name])]
