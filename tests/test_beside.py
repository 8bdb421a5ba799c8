"""What a second process makes is what would be made here; if it makes nothing, it is made here."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import codegen.beside
from codegen.backends.naming import name_api
from codegen.beside import rendered_beside
from codegen.diagnostics import Diagnostics
from codegen.ir.api import Api
from codegen.pipeline import VARIANTS, build_package, load_api
from codegen.python.verify import Surplus
from tests.support import ROOT

SPEC = ROOT / "tests/cases/recursion_of_every_shape/spec.yaml"


@pytest.fixture
def api() -> Api:
    return load_api(str(SPEC), (), Diagnostics())


@pytest.fixture
def worth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every API is worth a process, and there is a processor for it."""
    monkeypatch.setattr(codegen.beside, "WORTH", 0)
    monkeypatch.setattr("os.cpu_count", lambda: 2)


@pytest.mark.usefixtures("worth")
def test_it_makes_the_same(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    made = build_package(api, VARIANTS)

    def refuse(*_: Any) -> None:
        pytest.fail("the other process made nothing")

    with monkeypatch.context() as patch:
        patch.setattr(codegen.beside, "render_models", refuse)
        assert build_package(api, VARIANTS) == made
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert build_package(api, VARIANTS) == made


@pytest.mark.usefixtures("worth")
@pytest.mark.parametrize("broken", ["there is no such file", "one that only fails"])
def test_without_it_all_is_made_here(
    api: Api, broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = build_package(api, VARIANTS)
    python = tmp_path / broken
    if broken == "one that only fails":
        python.write_text("#!/bin/sh\nexit 1\n")
        python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    assert build_package(api, VARIANTS) == made


@pytest.mark.usefixtures("worth")
def test_a_fault_of_its_part_is_raised_here(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    naming = name_api(api)
    wrong = replace(naming, classes=dict.fromkeys(naming.classes, "not a name"))
    error = pytest.raises(ValueError, match="not an identifier")
    with rendered_beside(api, wrong, VARIANTS) as rendered, error:
        rendered()


@pytest.mark.usefixtures("worth")
def test_a_fault_here_does_not_wait_for_it(api: Api) -> None:
    with pytest.raises(Surplus), rendered_beside(api, name_api(api), VARIANTS):
        raise Surplus("file", 1, "message")
