"""OpenAPI Overlay 1.0 and 1.1: a document changed by the ordered actions of another one.

In: two documents. Out: a new document, whose origins name the overlay for all that it put in.
Neither input changes. An action works on what the one before it left. One whose target matches
nothing is a warning.
"""

from dataclasses import replace

from jsonpath_rfc9535 import JSONPathError

from codegen.diagnostics import Diagnostics, Origin
from codegen.source.document import Document
from codegen.source.draft import Draft, Location
from codegen.source.overlay_actions import Action, Path, parse_actions
from codegen.source.pointer import join, lookup
from codegen.source.values import MAX_DEPTH, is_too_deep
from codegen.stack import deep


@deep
def apply_overlay(document: Document, overlay: Document, diagnostics: Diagnostics) -> Document:
    """Return the document as an overlay's actions leave it.

    Reports SB121 to SB123 for a malformed overlay, which changes nothing, SB124 for a target
    without a match, SB125 for what cannot be merged, SB105 if the result nests too deeply.
    """
    draft = Draft(document, diagnostics)
    run = _Run(draft, overlay, diagnostics)
    for action in parse_actions(overlay, diagnostics):
        run.apply(action)
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
            for target in targets:
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
        for target in targets:
            # The value is in the draft twice from here on, and once more after each target.
            self._draft.share()
            self._draft.update(target, value, origins, pointer)
        self._draft.share()

    def _find(self, path: Path, place: Origin) -> list[Location] | None:
        try:
            return [node.location for node in path.query.find(self._draft.data)]
        except (JSONPathError, RecursionError) as error:
            message = f"{path.text!r} cannot be evaluated: {error}"
            self._diagnostics.add("SB123", message, origin=place)
            return None

    def _place(self, action: Action, name: str) -> Origin:
        return self._overlay.origin(join(action.pointer, name))
