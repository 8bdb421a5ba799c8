"""Each lock against hostile text, broken on purpose: the others hold, and without any the tests of
the matrix see what grows.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import codegen.backends.package
import codegen.backends.scope
import codegen.python.literals
import codegen.render
from codegen.python.code import Code
from codegen.python.verify import Surplus
from tests.command import run
from tests.hostile.bench import Bench
from tests.hostile.places import REST, Path_, Place
from tests.hostile.texts import TEXTS
from tests.support import CASES, tree

Break = Callable[[pytest.MonkeyPatch], None]

THING = ("components", "schemas", "Thing", "properties")
DESCRIPTION: Path_ = (*THING, "more", "description")
CONSTANT: Path_ = (*THING, "kind", "enum", 0)
ENDS_QUOTES = "three quotes that run"
NEVER = re.compile(r"(?!)")


def no_escapes_in_literals(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(codegen.python.literals, "_escape", str)


def no_choice_of_quotes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(codegen.python.literals, "_ESCAPED", dict.fromkeys("\"'", NEVER))


def no_escapes_in_docstrings(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(codegen.python.literals, "_IN_DOCSTRING", NEVER)


def text_for_code(patch: pytest.MonkeyPatch) -> None:
    """A back end that writes descriptions as they came."""
    patch.setattr(codegen.backends.scope, "format_docstring", lambda text, _: f'"""{text}"""')


# What is broken in the making of code, and a text and a place that show it.
BREAKS: dict[str, tuple[Break, Path_, str]] = {
    "escapes": (no_escapes_in_literals, CONSTANT, "both quotes"),
    "escapes in literals": (no_choice_of_quotes, CONSTANT, "both quotes"),
    "escapes in docstrings": (no_escapes_in_docstrings, DESCRIPTION, ENDS_QUOTES),
    "a text in place of code": (text_for_code, DESCRIPTION, ENDS_QUOTES),
}
LOCKS: dict[str, Break] = {
    "finalize": lambda patch: patch.setattr(codegen.render, "only_code", lambda it: it),
    "verify": lambda patch: patch.setattr(codegen.render, "verify", lambda *_: None),
}


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    # Templates remember the `finalize` they were made with, and much code is made once.
    forget()
    yield
    forget()


def forget() -> None:
    modules = [module for name, module in sys.modules.items() if name.startswith("codegen.")]
    for held in {id(it): it for module in modules for it in vars(module).values()}.values():
        if hasattr(held, "cache_clear"):
            held.cache_clear()


def faults(path: Path_, text: str, folder: Path) -> list[str]:
    """What the matrix finds, the one fault of a package that is no Python included."""
    place = Place(document=str(REST.relative_to(CASES.parent)), path=path, is_key=False)
    bench = Bench(place, folder)
    try:
        return bench.faults(TEXTS[text])
    except SyntaxError as error:
        return [f"no Python: {error}"]


@pytest.mark.parametrize("name", BREAKS)
def test_unbroken(name: str, tmp_path: Path) -> None:
    _, path, text = BREAKS[name]
    assert faults(path, text, tmp_path) == []


@pytest.mark.parametrize("name", BREAKS)
def test_a_lock_stops_what_is_broken(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_, path, text = BREAKS[name]
    break_(monkeypatch)
    with pytest.raises((Surplus, TypeError)):
        faults(path, text, tmp_path)


@pytest.mark.parametrize("name", BREAKS)
def test_without_locks_the_matrix_sees_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_, path, text = BREAKS[name]
    break_(monkeypatch)
    for open_ in LOCKS.values():
        open_(monkeypatch)
    assert faults(path, text, tmp_path) != []


@pytest.mark.parametrize("open_", LOCKS)
def test_one_lock_alone_stops_it(
    open_: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text_for_code(monkeypatch)
    LOCKS[open_](monkeypatch)
    with pytest.raises(Surplus if open_ == "finalize" else TypeError):
        faults(DESCRIPTION, ENDS_QUOTES, tmp_path)


@pytest.mark.parametrize(
    ("evil", "message"),
    [
        ('"""x"""\nimport os', "found 'import os' instead of"),
        ('"""x"""\nx = 1', "found 'assign x' instead of"),
        ('"""x"""\nfrom os import system', "found 'from os import system' instead of"),
        ("x", "found 'expr' instead of `docstring`"),
        ('"""x', "not Python: "),
    ],
)
def test_a_surplus_ends_the_run_and_changes_nothing(
    evil: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    spec = CASES / "descriptions/spec.yaml"
    assert run("generate", str(spec), "-o", "out").exit_code == 0
    before = tree(Path("out"))
    monkeypatch.setattr(codegen.backends.package, "format_docstring", lambda *_: Code(evil))
    Path("new.yaml").write_text(spec.read_text("utf-8").replace("info:", "# changed\ninfo:"))
    done = run("generate", "new.yaml", "-o", "out")
    assert done.exit_code == 3
    assert f"__init__.py:{evil.count(chr(10)) + 2}: {message}" in done.output
    assert tree(Path("out")) == before
    assert sorted(path.name for path in Path.cwd().iterdir()) == ["new.yaml", "out"]
