"""The import lines of one generated module.

In: names asked for while expressions are built. Out: lines in the order that formatters and readers
expect: the standard library, then other packages, then the package's own modules.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Iterable
from functools import lru_cache

from codegen.python.code import Code, code_join, identifier, snippet

_WIDTH = 88


class Imports:
    """Collects what a module uses; `name` both records a use and spells it.

    A name among `taken`, the classes of the API, is imported with an underscore before it: what the
    document calls `Field` or `Any` keeps its name. A class of the API that is called as something
    the module has `defined` is imported with an underscore after it.
    """

    def __init__(
        self, *taken: Container[str], defined: Container[str] = (), indent: int = 0
    ) -> None:
        self._names: dict[str, dict[str, str]] = {}
        self._offered: set[str] = set()
        self._taken = (*taken, defined)
        self._defined = defined
        self._margin = Code(" " * indent)

    def name(self, module: str, name: str) -> Code:
        """Import a name and spell it: `name("typing", "Any")`."""
        names = self._names.setdefault(module, {})
        if name not in names:
            names[name] = f"_{name}" if any(name in taken for taken in self._taken) else name
        return identifier(names[name])

    def offer(self, module: str, *names: str) -> None:
        """Import names for others to import from here."""
        self._names.setdefault(module, {}).update({name: name for name in names})
        self._offered.update(names)

    def declared(self, module: str, name: str) -> Code:
        """Import a class of the API, or what belongs to it, and spell it."""
        local = f"{name}_" if name in self._defined else name
        self._names.setdefault(module, {})[name] = local
        return identifier(local)

    @property
    def outline(self) -> tuple[str, ...]:
        """The entries that the second lock expects for the lines."""
        return tuple(
            f"from {module} import {self._alias(module, name)}"
            for module in self._modules()
            for name in _sorted(self._names[module])
        )

    @property
    def names(self) -> frozenset[str]:
        return frozenset(local for names in self._names.values() for local in names.values())

    def lines(self) -> tuple[Code, ...]:
        """The import statements, blank lines between the groups."""
        lines: list[Code] = []
        before: int | None = None
        for module in self._modules():
            group = _rank(module)[0]
            if before is not None and group != before:
                lines.append(Code(""))
            before = group
            lines.append(self._line(module, _sorted(self._names[module])))
        return tuple(lines)

    def _alias(self, module: str, name: str) -> Code:
        """A name as imported; `X as X` tells type checkers that it is offered to others."""
        local = self._names[module][name]
        if local == name and name not in self._offered:
            return identifier(name)
        return snippet("{} as {}", identifier(name), identifier(local))

    def _line(self, module: str, names: list[str]) -> Code:
        source = _source(module)
        aliases = [self._alias(module, name) for name in names]
        margin = self._margin
        listed = code_join(Code(", "), aliases)
        line = snippet("{}from {} import {}", margin, source, listed)
        spread = len(names) > 1 and not self._offered.isdisjoint(names)
        if len(line) <= _WIDTH and not spread:
            return line
        listed = code_join(Code("\n"), (snippet("{}    {},", margin, alias) for alias in aliases))
        return snippet("{}from {} import (\n{}\n{})", margin, source, listed, margin)

    def _modules(self) -> list[str]:
        return sorted(self._names, key=_rank)


def _sorted(names: Iterable[str]) -> list[str]:
    """Constants, classes, then the rest, as formatters sort them."""
    return sorted(names, key=lambda n: (not n.isupper(), not n[:1].isupper(), n))


# The same modules are imported all over a package.
@lru_cache(maxsize=65536)
def _source(module: str) -> Code:
    dots, rest = module[: _dots(module)], module.lstrip(".")
    return Code(dots + identifier(rest)) if rest else Code(dots)


@lru_cache(maxsize=65536)
def _rank(module: str) -> tuple[int, int, str]:
    """Where the line of a module comes among the others."""
    return _group(module), -_dots(module), module.lstrip(".")


def _dots(module: str) -> int:
    return len(module) - len(module.lstrip("."))


def _group(module: str) -> int:
    if module == "__future__":
        return -1
    if module.startswith("."):
        return 2
    return 0 if module.partition(".")[0] in sys.stdlib_module_names else 1
