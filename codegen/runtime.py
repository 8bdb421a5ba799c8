"""The plain modules of a package: those of the run time that it needs, and its variants' codecs.

Rules: they are copied byte for byte; a module of the run time that nothing imports stays out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from codegen.templates import templates_folder

_USED = re.compile(r"^from \.+_runtime(?:\.(\w+))? import (.+)$", re.MULTILINE)
_SIBLING = re.compile(r"^from \.(?:(\w+))? import (.+)$", re.MULTILINE)
_BESIDE = re.compile(r"^from \.\._(\w+) import ", re.MULTILINE)
_ALWAYS = ("__init__", "sse")


def plain_files(variants: tuple[str, ...], files: Mapping[str, str]) -> dict[str, str]:
    """The text of each plain module by its path, for generated files with their texts."""
    codecs: dict[str, str] = {}
    for name in variants:
        models = (text for path, text in files.items() if path.startswith(f"{name}/models/"))
        for module in sorted({"codec", *(m[1] for text in models for m in _BESIDE.finditer(text))}):
            path = templates_folder() / name / f"{module}.py"
            codecs[f"{name}/_{module}.py"] = path.read_text("utf-8")
    runtime = {path.stem: path.read_text("utf-8") for path in _runtime_folder().glob("*.py")}
    needed = {*_ALWAYS, *_named(_USED, (*files.values(), *codecs.values()))}
    pending = list(needed)
    while pending:
        found = set(_named(_SIBLING, (runtime[pending.pop()],))) - needed
        needed |= found
        pending += found
    return codecs | {f"_runtime/{name}.py": runtime[name] for name in needed}


def _runtime_folder() -> Path:
    return templates_folder() / "runtime"


def _named(pattern: re.Pattern[str], texts: Iterable[str]) -> list[str]:
    """The modules that import lines name: `from .a import b` is a, `from . import b` is b."""
    return [
        module
        for text in texts
        for match in pattern.finditer(text)
        for module in ([match[1]] if match[1] else re.findall(r"\w+", match[2]))
    ]
