"""An overlay learned from recordings: what they deviate in is allowed until nothing does.

An error may hide what lies behind it: a member that may not be there has members of its own. So
recordings are read once more with what was learned, as long as that brings something new.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from codegen.conformance.findings import Finding
from codegen.conformance.overlay import Action, plan_actions
from codegen.conformance.readings import Readings
from codegen.diagnostics import Diagnostics
from codegen.source.document import Document
from codegen.source.origins import Origins
from codegen.source.overlay import apply_overlay
from codegen.source.values import Json

_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Learned:
    """The actions, and what deviates in spite of them."""

    actions: tuple[Action, ...]
    rest: tuple[Finding, ...]


def learn(
    document: Document,
    read: Callable[[Document], Readings],
    diagnostics: Diagnostics,
) -> Learned:
    """Collect actions; `read` reads the recordings with a document."""
    actions: list[Action] = []
    readings = read(document)
    for _ in range(_ROUNDS):
        new = plan_actions(document, readings)
        if not new:
            break
        actions += new
        document = _apply(document, new, diagnostics)
        readings = read(document)
    return Learned(tuple(actions), readings.findings)


def _apply(document: Document, actions: tuple[Action, ...], diagnostics: Diagnostics) -> Document:
    data: Json = {
        "overlay": "1.0.0",
        "info": {"title": "learned", "version": "1"},
        "actions": [action.data for action in actions],
    }
    name = "<learned>"
    overlay = Document(name=name, path=None, digest="", data=data, origins=Origins(name))
    document = apply_overlay(document, overlay, diagnostics)
    diagnostics.check()
    return document
