"""Who may import whom: the stages know the ones before them, and nobody knows the command line."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "codegen"

# What a folder or file may import of ours beside itself, as the start of a module's name.
OURS: dict[str, tuple[str, ...]] = {
    "codes": (),
    "digest": (),
    "diagnostics": ("codes",),
    "stack": (),
    "report": ("diagnostics",),
    "console": ("diagnostics", "report"),
    "source": ("diagnostics", "digest", "stack"),
    "ir": ("diagnostics",),
    "formats": ("ir", "diagnostics"),
    "openapi": ("source", "ir", "diagnostics"),
    "passes": ("ir", "diagnostics"),
    "python": ("ir.types",),
    "backends": ("diagnostics", "ir", "python"),
    "templates": (),
    "render": ("backends.views", "python", "templates"),
    "runtime": ("templates",),
    "emit": ("diagnostics",),
    "fetching": ("", "diagnostics", "digest", "emit", "openapi", "source"),
    "record": ("", "digest", "emit.manifest", "emit.tree", "templates"),
    "versions": ("diagnostics", "digest", "emit.manifest"),
    "compare": ("backends", "diagnostics", "ir", "python", "report"),
    "listing": ("backends.naming", "ir", "report"),
    "manifest": ("", "backends.naming", "ir"),
    "beside": ("backends", "ir", "render", "stack"),
    "pipeline": (
        "beside",
        "diagnostics",
        "emit.manifest",
        "source",
        "openapi",
        "ir",
        "formats",
        "passes",
        "backends",
        "render",
        "runtime",
        "manifest",
        "stack",
    ),
    "examples": (
        "backends.naming",
        "stack",
        "diagnostics",
        "formats",
        "ir",
        "loading",
        "openapi",
        "passes",
        "pipeline",
        "report",
        "source",
    ),
    "loading": (),
    "loss": ("diagnostics", "formats", "openapi", "report", "source"),
    "profiles": ("diagnostics",),
    "config": ("diagnostics", "source"),
    "recording": (
        "diagnostics",
        "source",
        "ir",
        "loading",
        "passes.prune",
        "backends.naming",
        "pipeline",
    ),
    "conformance": (
        "diagnostics",
        "inspection.notation",
        "ir",
        "python.names",
        "recording",
        "report",
        "source",
    ),
    "inspection": ("recording", "report", "source", "templates"),
    "cli": (
        "",
        "beside",
        "diagnostics",
        "report",
        "codes",
        "config",
        "console",
        "ir.api",
        "pipeline",
        "passes.prune",
        "profiles",
        "record",
        "compare",
        "versions",
        "emit",
        "examples",
        "fetching",
        "conformance",
        "inspection",
        "listing",
        "loss",
        "recording",
        "source",
    ),
    "__main__": ("cli",),
    "__init__": (),
}
# What each may import of others; the standard library is free to all.
OTHERS = {
    "source": {"yaml", "jsonpath_rfc9535"},
    "render": {"jinja2"},
    "cli": {"click"},
}
VARIANTS = ("dataclasses", "typeddicts", "pydantic")

MODULES = sorted(PACKAGE.rglob("*.py"))


def imports(module: Path) -> Iterator[str]:
    """Yield what a module imports, wherever in it."""
    for node in ast.walk(ast.parse(module.read_text())):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=str(name), level=0):
                yield name
            case ast.ImportFrom():
                pytest.fail(f"{module}:{node.lineno}: a relative import")
            case _:
                pass


def starts(name: str, prefix: str) -> bool:
    return f"{name}.".startswith(f"{prefix}.")


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_only_what_its_layer_may(module: Path) -> None:
    layer = module.relative_to(PACKAGE).parts[0].removesuffix(".py")
    for name in imports(module):
        top, _, rest = name.partition(".")
        if top == "codegen":
            # "" stands for the package itself, which holds the version.
            allowed = any(rest == ours or (ours and starts(rest, ours)) for ours in OURS[layer])
            assert allowed or starts(rest, layer), f"{layer} imports {name}"
        elif top not in sys.stdlib_module_names:
            assert top in OTHERS.get(layer, set()), f"{layer} imports {name}"


@pytest.mark.parametrize("variant", VARIANTS)
def test_variants_do_not_know_each_other(variant: str) -> None:
    others = {f"codegen.backends.{other}" for other in VARIANTS if other != variant}
    found = set(imports(PACKAGE / "backends" / f"{variant}.py"))
    assert not found & others


def test_the_table_names_what_is_there() -> None:
    assert OURS.keys() == {
        module.relative_to(PACKAGE).parts[0].removesuffix(".py") for module in MODULES
    }


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_command_prints(module: Path) -> None:
    calls = {
        node.func.id
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not calls & {"print", "exit", "quit", "input", "eval", "exec", "compile"}
