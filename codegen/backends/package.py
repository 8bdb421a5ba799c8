"""The files around the models: what a package and its variants offer, by lazy import, and where
streams lie.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from codegen.backends.naming import STREAM_ERRORS, Naming
from codegen.backends.scope import RUNTIME
from codegen.backends.streams import build_streams
from codegen.backends.variant import Variant
from codegen.backends.views import File
from codegen.ir.api import Api
from codegen.python.code import Code
from codegen.python.distinct import distinct_files
from codegen.python.expressions import Entry, atom, mapping
from codegen.python.imports import Imports
from codegen.python.layout import statement
from codegen.python.literals import format_docstring, format_string
from codegen.python.names import snake, split_words
from codegen.python.verify import Shape

COMMON = ("dumps", "from_json", "loads", "to_json", "unknown_fields")
_PRELOAD = (
    Code(""),
    Code(""),
    Code("def preload() -> None:"),
    Code('    """Load all there is now, which otherwise happens where it is first used."""'),
    Code("    load_all(__name__, _MODULES, prepare)"),
)
_NAMES = frozenset(
    """TYPE_CHECKING attributes names load_all prepare _MODULES __name__ dict str""".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class InitView:
    doc: Code
    imports: tuple[Code, ...]
    lines: tuple[Code, ...]


def build_files(api: Api, naming: Naming, variants: list[Variant]) -> Iterator[File]:
    """Every file but the run time's and the manifest."""
    title = f"{api.title} {api.version}".strip()
    listed = "\n".join(f"- `{variant.name}`: as {variant.about}" for variant in variants)
    yield _note("__init__.py", f"{title}, as typed Python.\n\n{listed}\n\nMade from {api.digest}.")
    streams = distinct_files({name: snake(split_words(name)) for name in naming.streams})
    for variant in variants:
        yield _variant_init(title, naming, variant)
        yield _note(f"{variant.name}/models/__init__.py", "One module for each schema.")
        yield from variant.models(api, naming)
        yield _lazy_init(
            f"{variant.name}/streams/__init__.py",
            f"The streams of {title}, as {variant.about}.",
            _stream_words(),
            streams,
        )
        yield from build_streams(api, naming, variant.name, variant.decode, streams)


def _stream_words() -> Imports:
    """What users of any stream compare with and catch."""
    imports = Imports()
    imports.offer(RUNTIME + "errors", *STREAM_ERRORS)
    imports.offer(RUNTIME + "stream", "Outcome")
    return imports


def _note(path: str, text: str) -> File:
    view = InitView(doc=format_docstring(text, 0), imports=(), lines=())
    shape = Shape(statements=("docstring",), names=frozenset())
    return File(path=path, template="note.py.jinja", view=view, shape=shape)


def _variant_init(title: str, naming: Naming, variant: Variant) -> File:
    imports = Imports()
    imports.offer(".._runtime.errors", "DecodeError")
    imports.offer("._codec", *COMMON, *variant.exports)
    modules = {naming.classes[id_]: f"models.{module}" for id_, module in naming.module_of.items()}
    path = f"{variant.name}/__init__.py"
    modules["streams"] = "streams"
    imports.name("._codec", "prepare")
    imports.name(".._runtime.lazy", "load_all")
    return _lazy_init(path, f"{title} as {variant.about}.", imports, modules, _PRELOAD)


def _lazy_init(
    path: str,
    about: str,
    imports: Imports,
    modules: dict[str, str],
    functions: tuple[Code, ...] = (),
) -> File:
    """A module that imports `modules` when they are asked for, and at once for type checkers."""
    imports.name("typing", "TYPE_CHECKING")
    lazy = "." * (path.count("/") + 1) + "_runtime.lazy"
    imports.name(lazy, "attributes")
    imports.name(lazy, "names")
    checked = Imports(indent=4)
    for name, module in modules.items():
        checked.offer("." if module == name else f".{module}", name)
    entries = (Entry(format_string(n), atom(format_string(m))) for n, m in sorted(modules.items()))
    # An annotation that says nothing new makes type checkers compare each entry with it.
    assigned = Code("_MODULES = ") if modules else Code("_MODULES: dict[str, str] = ")
    table = statement(assigned, mapping(*entries))
    lines = (
        Code("if TYPE_CHECKING:"),
        *(checked.lines() or (Code("    pass"),)),
        Code(""),
        table,
        Code(""),
        Code("if not TYPE_CHECKING:"),
        Code("    __getattr__ = attributes(__name__, _MODULES)"),
        Code("    __dir__ = names(__name__, _MODULES)"),
        *functions,
    )
    view = InitView(doc=format_docstring(about, 0), imports=imports.lines(), lines=lines)
    statements = _lazy_statements(imports, checked, has_preload=bool(functions))
    names = _NAMES | {"__getattr__", "__dir__"}
    shape = Shape(statements=statements, names=frozenset(names))
    return File(path=path, template="init.py.jinja", view=view, shape=shape)


def _lazy_statements(imports: Imports, checked: Imports, *, has_preload: bool) -> tuple[str, ...]:
    inside = "if TYPE_CHECKING > "
    return (
        "docstring",
        *imports.outline,
        "if TYPE_CHECKING",
        *(inside + line for line in checked.outline or ("pass",)),
        "assign _MODULES",
        "if",
        "if > assign __getattr__",
        "if > assign __dir__",
        *(["def preload"] if has_preload else []),
    )
