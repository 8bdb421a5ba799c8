"""OpenAPI Overlay 1.0 and 1.1: a document changed by the ordered actions of another one.

In: two documents. Out: a new document, whose origins name the overlay for all that it put in.
Neither input changes. An action works on what the one before it left. One whose target matches
nothing is a warning.
"""

from dataclasses import replace
from itertools import islice

from jsonpath_rfc9535 import JSONPathError

from codegen.diagnostics import Diagnostics, Origin
from codegen.source.document import Document
from codegen.source.draft import Draft, Location
from codegen.source.overlay_actions import Action, Path, parse_actions
from codegen.source.pointer import join, lookup
from codegen.source.values import MAX_DEPTH, Json, count_values, is_too_deep
from codegen.stack import deep

# The values that one target may match, and those that all actions may put in.
MAX_MATCHES = 100_000
MAX_ADDED = 100_000


@deep
def apply_overlay(document: Document, overlay: Document, diagnostics: Diagnostics) -> Document:
    """Return the document as an overlay's actions leave it.

    Reports SB121 to SB123 for a malformed overlay, which changes nothing, SB124 for a target
    without a match, SB125 for what cannot be merged, SB105 if a target matches too much, or the
    result grows too far or nests too deeply.
    """
    draft = Draft(document, diagnostics)
    run = _Run(draft, overlay, diagnostics)
    for action in parse_actions(overlay, diagnostics):
        run.apply(action)
        if run.is_over:
            return document
    if is_too_deep(draft.data):
        message = f"the overlay nests values deeper than {MAX_DEPTH} levels"
        diagnostics.add("SB105", message, origin=overlay.origin("#/actions"))
        return document
    return replace(document, data=draft.data, origins=draft.origins)


class _Run:
    def __init__(self, draft: Draft, overlay: Document, diagnostics: Diagnostics) -> None:
        self._draft = draft
        self._overlay = overlay
        self._diagnostics = diagnostics
        self._added = 0

    @property
    def is_over(self) -> bool:
        """Whether the actions have put in more than they may."""
        return self._added > MAX_ADDED

    def apply(self, action: Action) -> None:
        targets = self._find(action.target, self._place(action, "target"))
        if targets is None:
            return
        if not targets:
            message = f"the target {action.target.text!r} matches nothing"
            self._diagnostics.add("SB124", message, origin=self._place(action, "target"))
        elif action.remove:
            self._draft.remove(targets, self._place(action, "remove"))
        elif action.copy is not None:
            self._copy(action.copy, targets, self._place(action, "copy"))
        else:
            origins, pointer = self._overlay.origins, join(action.pointer, "update")
            self._add(action.update, targets, self._place(action, "update"))
            for target in targets if not self.is_over else ():
                self._draft.update(target, action.update, origins, pointer)

    def _copy(self, path: Path, targets: list[Location], place: Origin) -> None:
        sources = self._find(path, place)
        if sources is None:
            return
        if len(sources) != 1:
            message = f"{path.text!r} selects {len(sources)} values; `copy` takes one"
            self._diagnostics.add("SB123", message, origin=place)
            return
        pointer, origins = join("#", *sources[0]), self._draft.origins.copy()
        value = lookup(self._draft.data, pointer)
        self._add(value, targets, place)
        for target in targets if not self.is_over else ():
            # The value is in the draft twice from here on, and once more after each target.
            self._draft.share()
            self._draft.update(target, value, origins, pointer)
        self._draft.share()

    def _add(self, value: Json, targets: list[Location], place: Origin) -> None:
        self._added += count_values(value, MAX_ADDED) * len(targets)
        if self.is_over:
            message = f"the overlay puts in more than {MAX_ADDED:,} values"
            self._diagnostics.add("SB105", message, origin=place)

    def _find(self, path: Path, place: Origin) -> list[Location] | None:
        try:
            nodes = path.query.finditer(self._draft.data)
            found = [node.location for node in islice(nodes, MAX_MATCHES + 1)]
        except (JSONPathError, RecursionError) as error:
            message = f"{path.text!r} cannot be evaluated: {error}"
            self._diagnostics.add("SB123", message, origin=place)
            return None
        if len(found) > MAX_MATCHES:
            message = f"{path.text!r} matches more than {MAX_MATCHES:,} values"
            self._diagnostics.add("SB105", message, origin=place)
            return None
        return found

    def _place(self, action: Action, name: str) -> Origin:
        return self._overlay.origin(join(action.pointer, name))
