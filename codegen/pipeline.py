"""The recipe: source -> openapi -> ir -> passes -> backends -> render. `emit` writes what comes
out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import codegen.backends as backends
from codegen.backends.chosen import check_names
from codegen.backends.naming import name_api
from codegen.backends.package import build_files
from codegen.beside import Process, rendered_beside
from codegen.diagnostics import Diagnostics
from codegen.emit.manifest import MANIFEST
from codegen.formats import choose_types, conversions
from codegen.ir.api import Api
from codegen.manifest import build_manifest
from codegen.openapi.api import read_api
from codegen.openapi.spelling import spell_names
from codegen.passes import run_passes
from codegen.passes.convert_formats import convert_formats
from codegen.render import render
from codegen.runtime import plain_files
from codegen.source.document import Document, read_document
from codegen.source.references import Library
from codegen.stack import deep

VARIANTS = tuple(backends.VARIANTS)


@deep
def load_api(
    spec: str,
    overlays: tuple[Path, ...],
    diagnostics: Diagnostics,
    ref_root: Path | None = None,
    types: tuple[str, ...] = (),
    names: tuple[str, ...] = (),
    name: str | None = None,
) -> Api:
    """Read a document with its overlays into the IR; raises Refused where it has errors.

    `types` are the user's own choices of types for formats, each `FORMAT=TYPE`, and `names` those
    of names, each `POINTER=NAME`; `name` is what the document is called where its path says nothing
    to anybody.
    """
    document, digests = load_document(spec, overlays, diagnostics, name)
    return replace(parse_api(document, diagnostics, ref_root, types, names), overlays=digests)


@deep
def load_document(
    spec: str, overlays: tuple[Path, ...], diagnostics: Diagnostics, name: str | None = None
) -> tuple[Document, tuple[str, ...]]:
    """Read a document, changed by its overlays, and their digests; raises Refused where one of
    them has errors.
    """
    document = read_document(spec, diagnostics, name)
    digests: list[str] = []
    for path in overlays:
        from codegen.source.overlay import apply_overlay

        overlay = read_document(path, diagnostics)
        document = apply_overlay(document, overlay, diagnostics)
        diagnostics.check()
        digests.append(overlay.digest)
    return document, tuple(digests)


@deep
def parse_api(
    document: Document,
    diagnostics: Diagnostics,
    ref_root: Path | None = None,
    types: tuple[str, ...] = (),
    names: tuple[str, ...] = (),
) -> Api:
    """Read a document that is at hand into the IR; raises Refused where it has errors."""
    library = Library(document, diagnostics, ref_root)
    api = run_passes(read_api(document, library, diagnostics), diagnostics)
    diagnostics.check()
    api = spell_names(api, (document, *library.documents), names, diagnostics)
    check_names(api, diagnostics)
    diagnostics.check()
    chosen = choose_types(types, api, diagnostics)
    api = convert_formats(api, conversions(chosen))
    return replace(api, types=tuple(chosen.items()), references=library.references)


@deep
def build_package(
    api: Api,
    variants: tuple[str, ...],
    options: Mapping[str, object] | None = None,
    beside: Process | None = None,
) -> dict[str, str]:
    """The text of every file of the package, by its path; the manifest last, with the options that
    the package is made by, for whoever asks one day why it differs. A process beside, if there is
    one, makes half of the models.
    """
    naming = name_api(api)
    chosen = [backends.VARIANTS[name] for name in variants]
    own, others = (replace(naming, modules=naming.modules[start::2]) for start in (0, 1))
    rendered = rendered_beside(beside, api, others, variants)
    files = {file.path: render(file) for file in build_files(api, own, chosen)}
    files |= rendered()
    files |= plain_files(variants, files)
    files["py.typed"] = ""
    files = dict(sorted(files.items()))
    return {
        **files,
        MANIFEST: build_manifest(api, naming, {"variants": variants, **(options or {})}, files),
    }
