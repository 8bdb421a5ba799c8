"""Modules that load what they offer when it is first asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any


def attributes(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Make a module's `__getattr__`; `modules` says where below it each name lies."""

    def getattr_(name: str) -> Any:
        module = modules.get(name)
        if module is None:
            message = f"module {package!r} has no attribute {name!r}"
            raise AttributeError(message)
        loaded = import_module(f"{package}.{module}")
        value = loaded if module == name else getattr(loaded, name)
        setattr(sys.modules[package], name, value)
        return value

    return getattr_


def load_all(
    package: str, modules: Mapping[str, str], prepare: Callable[[Any], object]
) -> None:
    """Load all that a module offers, and prepare each type."""
    for name in modules:
        value = getattr(sys.modules[package], name)
        if isinstance(value, ModuleType):
            for inner in dir(value):
                getattr(value, inner)
        else:
            prepare(value)
    # Loaded for data that does not fit, or not yet.
    import_module(".complete", __package__)


def names(package: str, modules: Mapping[str, str]) -> Callable[[], list[str]]:
    """Make a module's `__dir__`."""
    return lambda: sorted({*vars(sys.modules[package]), *modules})
