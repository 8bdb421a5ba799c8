"""The text of an overlay that a tool writes: new, or with more actions than it had."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any

import yaml

from codegen.source.problem import Unreadable
from codegen.source.text import SourceText
from codegen.source.values import Json


def format_overlay(path: PurePath, title: str, actions: list[Json]) -> str:
    """A new overlay: JSON if its file is called so, else YAML."""
    info: Json = {"title": title, "version": "1.0.0"}
    return _dump(path, {"overlay": "1.0.0", "info": info, "actions": actions})


def extend_overlay(path: PurePath, text: str, actions: list[Json]) -> str:
    """An overlay with actions after its own; in YAML all else of its text stays, comments too,
    where its actions come last in it.
    """
    data = _load(path, text)
    assert isinstance(data, dict), "an overlay is an object"
    known = data["actions"]
    assert isinstance(known, list), "the actions of an overlay are an array"
    wanted: Json = {**data, "actions": [*known, *actions]}
    lines = _dump_yaml(actions).splitlines()
    # The items of an array stand below its name or further in.
    for indent in ("  ", ""):
        added = text.rstrip("\n") + "\n" + "".join(f"{indent}{line}\n" for line in lines)
        if _load(path, added) == wanted:
            return added
    return _dump(path, wanted)


def _load(path: PurePath, text: str) -> Json:
    try:
        return SourceText("", text, path).load()
    except Unreadable:
        return None


class _Dumper(yaml.SafeDumper):
    """Writes each value where it is used, for an alias is one more thing to read, and the items of
    an array further in than its name.
    """

    def ignore_aliases(self, data: object) -> bool:
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, indentless=False)


def _dump(path: PurePath, data: Json) -> str:
    return json.dumps(data, indent=2) + "\n" if path.suffix == ".json" else _dump_yaml(data)


def _dump_yaml(data: Json) -> str:
    # The stubs of PyYAML leave the type of `width` open.
    module: Any = yaml
    text: str = module.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=96)
    return text
