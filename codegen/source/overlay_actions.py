"""An overlay document to its actions, Overlay 1.1, section 4.4.

Every deviation is reported at its place, and then there are no actions at all. Version 1.0 is the
same without `copy`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from jsonpath_rfc9535 import JSONPathEnvironment, JSONPathError, JSONPathQuery

from codegen.diagnostics import Diagnostics, suggestion
from codegen.source.document import Document
from codegen.source.pointer import join
from codegen.source.values import MAX_DEPTH, Json

_VERSION = re.compile(r"1\.(?P<minor>[01])\.[0-9]+")
_EFFECTS = ("update", "copy", "remove")

# Fixed fields and what they hold, as `_KINDS` tells it.
_ROOT = {"overlay": "a string", "info": "an object", "actions": "an array", "extends": "a string"}
_INFO = {"title": "a string", "version": "a string", "description": "a string"}
_ACTION_1_0 = {
    "target": "a string",
    "description": "a string",
    "update": "any value",
    "remove": "true or false",
}
_ACTION = {**_ACTION_1_0, "copy": "a string"}

_KINDS: Mapping[str, type] = {
    "a string": str,
    "an object": dict,
    "an array": list,
    "true or false": bool,
    "any value": object,
}


class _Environment(JSONPathEnvironment):
    max_recursion_depth = MAX_DEPTH


_ENVIRONMENT = _Environment()


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """A JSONPath, RFC 9535, as written and compiled."""

    text: str
    query: JSONPathQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One action, at `pointer` of its overlay: it removes, copies a path or updates."""

    pointer: str
    target: Path
    remove: bool
    copy: Path | None
    update: Json


def parse_actions(overlay: Document, diagnostics: Diagnostics) -> tuple[Action, ...]:
    """Return an overlay's actions in order; none, after reporting, if it is malformed."""
    parser = _Parser(overlay, diagnostics)
    actions = parser.overlay(overlay.data)
    return () if parser.failed else actions


class _Parser:
    def __init__(self, overlay: Document, diagnostics: Diagnostics) -> None:
        self._overlay = overlay
        self._diagnostics = diagnostics
        self.failed = False

    def overlay(self, data: Json) -> tuple[Action, ...]:
        root = self._object(data, "#", _ROOT, ("overlay", "info", "actions"))
        if "info" in root:
            self._object(root["info"], "#/info", _INFO, ("title", "version"))
        fields = self._action_fields(root.get("overlay"))
        actions = root.get("actions")
        if not isinstance(actions, list):
            return ()
        if not actions:
            self._fail("#/actions", "an overlay has at least one action")
        parsed = (
            self._action(action, join("#/actions", index), fields)
            for index, action in enumerate(actions)
        )
        return tuple(action for action in parsed if action is not None)

    def _action_fields(self, version: Json) -> Mapping[str, str]:
        if not isinstance(version, str):
            return _ACTION
        found = _VERSION.fullmatch(version)
        if found is None:
            self._fail("#/overlay", f"version {version!r} is not known; 1.0.x and 1.1.x are")
            return _ACTION
        return _ACTION_1_0 if found["minor"] == "0" else _ACTION

    def _action(self, data: Json, pointer: str, fields: Mapping[str, str]) -> Action | None:
        action = self._object(data, pointer, fields, ("target",))
        given = [name for name in _EFFECTS if name in action]
        if isinstance(data, dict) and not any(name in data for name in _EFFECTS):
            self._fail(pointer, "the action has no `update`, `copy` or `remove`")
        if "update" in given and "copy" in given:
            self._fail(join(pointer, "copy"), "an action has `update` or `copy`, not both")
        target = self._path(action, "target", pointer)
        copy = self._path(action, "copy", pointer)
        if target is None:
            return None
        return Action(
            pointer=pointer,
            target=target,
            remove=action.get("remove") is True,
            copy=copy,
            update=action.get("update"),
        )

    def _path(self, action: Mapping[str, Json], name: str, pointer: str) -> Path | None:
        text = action.get(name)
        if not isinstance(text, str):
            return None
        try:
            return Path(text=text, query=_ENVIRONMENT.compile(text))
        except JSONPathError as error:
            column = f", at character {error.token.index + 1}" if error.token else ""
            message = f"{error.args[0]}{column} of {text!r}"
        except RecursionError:
            message = "the path nests too deeply"
        self._fail(join(pointer, name), message, "SB123")
        return None

    def _object(
        self, data: Json, pointer: str, fields: Mapping[str, str], required: tuple[str, ...]
    ) -> dict[str, Json]:
        """Report what is wrong with an object; return its fixed fields of the right kind."""
        if not isinstance(data, dict):
            self._fail(pointer, "an object is needed here")
            return {}
        for name in required:
            if name not in data:
                self._fail(pointer, f"`{name}` is missing")
        sound: dict[str, Json] = {}
        for name, value in data.items():
            if name.startswith("x-"):
                continue
            if name not in fields:
                help_ = suggestion(name, fields) or None
                self._fail(join(pointer, name), f"unknown key {name!r}", "SB122", help_)
            elif not isinstance(value, _KINDS[fields[name]]):
                self._fail(join(pointer, name), f"`{name}` must be {fields[name]}")
            else:
                sound[name] = value
        return sound

    def _fail(
        self, pointer: str, message: str, code: str = "SB121", help_: str | None = None
    ) -> None:
        self.failed = True
        origin = self._overlay.origin(pointer)
        self._diagnostics.add(code, message, origin=origin, help=help_)
