"""The examples of a document, held against its schemas by the code that is generated for them.

In: a document. Out: a verdict on each example, and the verdicts as text or JSON. Rules: nothing
here parses or checks a value; a package of TypedDicts is made of the types of the examples, the
quickest of three variants that agree, and imported from a temporary folder. Enums and unions are
closed: an example shows what the document lists today.
"""

from __future__ import annotations

import importlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from codegen.backends.naming import name_api
from codegen.diagnostics import Diagnostics, Position
from codegen.formats import choose_types, conversions
from codegen.ir.api import Api
from codegen.ir.examples import Example, ExampleKind
from codegen.ir.types import Ref
from codegen.loading import loaded
from codegen.openapi.examples import MEMBER, read_examples
from codegen.passes import PASSES
from codegen.passes.convert_formats import convert_formats
from codegen.passes.open_responses import open_responses
from codegen.pipeline import build_package
from codegen.report import escape, place_members
from codegen.source.document import Document
from codegen.source.references import Library
from codegen.stack import deep

VARIANT = "typeddicts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """An example, and what of it is not as its schema says: pointer, what was wanted, what was
    there.
    """

    example: Example
    errors: tuple[tuple[str, str, str], ...]


@deep
def load_examples(
    document: Document,
    diagnostics: Diagnostics,
    ref_root: Path | None = None,
    types: tuple[str, ...] = (),
) -> tuple[Api, tuple[Example, ...]]:
    """Read the examples of a document and the types they should have; raises Refused where the
    document has errors.
    """
    library = Library(document, diagnostics, ref_root)
    api, examples = read_examples(document, library, diagnostics)
    sent = api.operations[0].parameters
    for step in PASSES:
        if step is not open_responses:
            api = step(api, diagnostics)
    diagnostics.check()
    api = convert_formats(api, conversions(choose_types(types, api, diagnostics)))
    # What a client writes may have a form of its own.
    written = zip(sent, api.operations[0].parameters, strict=True)
    forms = {
        before.type.target: after.type.target
        for before, after in written
        if isinstance(before.type, Ref) and isinstance(after.type, Ref)
    }
    return api, tuple(replace(it, holder=forms.get(it.holder, it.holder)) for it in examples)


def judge(api: Api, examples: Iterable[Example]) -> tuple[Verdict, ...]:
    """Decode each example as what its holder says."""
    classes = name_api(api).classes
    files = build_package(api, (VARIANT,))
    with loaded(files) as name:
        variant = importlib.import_module(f"{name}.{VARIANT}")
        return tuple(
            Verdict(example=it, errors=judge_one(variant, classes[it.holder], it.text))
            for it in examples
        )


def judge_one(variant: Any, name: str, text: str) -> tuple[tuple[str, str, str], ...]:
    """What a variant of a package of holders finds wrong with JSON text."""
    try:
        variant.loads(getattr(variant, name), f'{{"{MEMBER}": {text}}}')
    except variant.DecodeError as error:
        prefix = f"/{MEMBER}"
        return tuple(
            (it.pointer.removeprefix(prefix), it.expected, it.found) for it in error.errors
        )
    return ()


def format_verdicts(verdicts: tuple[Verdict, ...], diagnostics: Diagnostics) -> str:
    """Return each refused example with its place and its errors, then a table of counts."""
    lines: list[str] = []
    for verdict in verdicts:
        if not verdict.errors:
            continue
        origin = verdict.example.origin
        at = diagnostics.position(origin) or Position(line=1, column=1)
        place = ":".join(map(str, (escape(origin.document), at.line, at.column)))
        lines.append(f"{place}: {verdict.example.kind.value} [{escape(origin.pointer)}]")
        for pointer, expected, found in verdict.errors:
            inside = escape(pointer) or "the example"
            lines.append(f"  {inside}: expected {escape(expected)}, found {escape(found)}")
    return "".join(f"{line}\n" for line in (*lines, *_table(verdicts)))


def format_verdicts_json(verdicts: tuple[Verdict, ...], diagnostics: Diagnostics) -> str:
    """Return an object: `counts` by kind, and `refused`, each with its place and its errors."""
    refused = [
        {
            "kind": verdict.example.kind.value,
            **place_members(verdict.example.origin, diagnostics),
            "errors": [
                {"pointer": pointer, "expected": expected, "found": found}
                for pointer, expected, found in verdict.errors
            ],
        }
        for verdict in verdicts
        if verdict.errors
    ]
    counts = {
        kind.value: {"examples": total, "refused": wrong} for kind, total, wrong in _count(verdicts)
    }
    return json.dumps({"counts": counts, "refused": refused}, indent=2) + "\n"


def _count(verdicts: tuple[Verdict, ...]) -> Iterator[tuple[ExampleKind, int, int]]:
    totals = Counter(it.example.kind for it in verdicts)
    wrong = Counter(it.example.kind for it in verdicts if it.errors)
    for kind in ExampleKind:
        yield kind, totals[kind], wrong[kind]


def _table(verdicts: tuple[Verdict, ...]) -> Iterator[str]:
    rows = [(kind.value, total, wrong) for kind, total, wrong in _count(verdicts) if total]
    rows.append(("all", len(verdicts), sum(bool(it.errors) for it in verdicts)))
    yield f"{'examples of':<12}{'there are':>10}{'refused':>10}"
    for name, total, wrong in rows:
        yield f"{name:<12}{total:>10,}{wrong:>10,}"
