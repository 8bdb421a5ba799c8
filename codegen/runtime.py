"""The plain modules of a package: those of the run time that it needs, and its variants' codecs.

Rules: they are copied byte for byte; a module of the run time that nothing imports stays out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from codegen.templates import templates_folder

_USED = re.compile(r"^ *from \.+_runtime(?:\.(\w+))? import (.+)$", re.MULTILINE)
_SIBLING = re.compile(r"^ *from \.(?:(\w+))? import (.+)$", re.MULTILINE)
_BESIDE = re.compile(r"^ *from \.\.?_(?!runtime\b)(\w+) import ", re.MULTILINE)
_ALWAYS = ("__init__", "sse")


def plain_files(variants: tuple[str, ...], files: Mapping[str, str]) -> dict[str, str]:
    """The text of each plain module by its path, for generated files with their texts."""
    # All that is generated imports at its top, which ends in two blank lines.
    tops = {path: text.partition("\n\n\n")[0] for path, text in files.items()}
    codecs: dict[str, str] = {}
    for name in variants:
        models = [top for path, top in tops.items() if path.startswith(f"{name}/models/")]
        modules = _read(templates_folder() / name)
        for module in _needed(modules, {"codec", *_named(_BESIDE, models)}, _BESIDE):
            codecs[f"{name}/_{module}.py"] = modules[module]
    runtime = _read(templates_folder() / "runtime")
    used = {*_ALWAYS, *_named(_USED, (*tops.values(), *codecs.values()))}
    needed = _needed(runtime, used, _SIBLING)
    return codecs | {f"_runtime/{name}.py": runtime[name] for name in needed}


def _read(folder: Path) -> dict[str, str]:
    return {path.stem: path.read_text("utf-8") for path in sorted(folder.glob("*.py"))}


def _needed(modules: Mapping[str, str], used: set[str], sibling: re.Pattern[str]) -> set[str]:
    """The modules that are used, and those that they use."""
    needed, pending = used, list(used)
    while pending:
        found = set(_named(sibling, (modules[pending.pop()],))) - needed
        needed |= found
        pending += found
    return needed


def _named(pattern: re.Pattern[str], texts: Iterable[str]) -> list[str]:
    """The modules that import lines name: `from .a import b` is a, `from . import b` is b."""
    return [
        module
        for text in texts
        for match in pattern.finditer(text)
        for module in ([match[1]] if match[1] else re.findall(r"\w+", match[2]))
    ]
