"""A package that was just made, imported as its users import it.

In: the text of every file of a package by its path. Out: the name that it can be imported under, as
long as it is needed; then folder and modules are gone. No search of Python's comes by the folder.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

_numbers = count()


@contextmanager
def loaded(files: Mapping[str, str]) -> Generator[str]:
    """Make a package importable, and hand out its name."""
    name = f"streambind_{next(_numbers)}"
    with TemporaryDirectory(prefix="streambind-") as folder:
        home = Path(folder) / name
        for path, text in files.items():
            (home / path).parent.mkdir(parents=True, exist_ok=True)
            (home / path).write_text(text, "utf-8")
        try:
            _import(name, home)
            yield name
        finally:
            for module in [it for it in sys.modules if f"{it}.".startswith(f"{name}.")]:
                del sys.modules[module]


def _import(name: str, home: Path) -> None:
    spec = importlib.util.spec_from_file_location(
        name, home / "__init__.py", submodule_search_locations=[str(home)]
    )
    assert spec is not None, "a Python file has a loader"
    assert spec.loader is not None, "a Python file has a loader"
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
