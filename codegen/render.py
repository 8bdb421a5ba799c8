"""Views -> text. The only module that knows Jinja.

Two locks stand here. `finalize` lets nothing into a template's output but `Code`, which only
`codegen.python` makes; and the text is then parsed and held against the shape its back end
declared. A surplus is a fault of ours and stops the run.
"""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from codegen.backends.views import File
from codegen.python.code import Code
from codegen.python.verify import verify
from codegen.templates import templates_folder


def only_code(value: object) -> Code:
    """The first lock: raises TypeError for text that nobody made safe."""
    if type(value) is not Code:
        raise TypeError(f"a template may only print Code, not {value!r}")
    return value


def render(file: File) -> str:
    """The text of a file, checked."""
    text = _template(file.template).render(module=file.view)
    verify(text, file.shape, file.path)
    return text


@cache
def _template(name: str) -> Template:
    return _environment().get_template(name)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(templates_folder(), encoding="utf-8"),
        undefined=StrictUndefined,
        finalize=only_code,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        auto_reload=False,
    )
    environment.filters.clear()
    return environment
