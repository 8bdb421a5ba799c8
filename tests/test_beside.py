"""What a second process makes is what would be made here; if it makes nothing, it is made here."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import codegen.beside
from codegen.backends.naming import name_api
from codegen.beside import process_beside, rendered_beside
from codegen.diagnostics import Diagnostics
from codegen.ir.api import Api
from codegen.pipeline import VARIANTS, build_package, load_api
from codegen.python.verify import Surplus
from tests.support import ROOT

SPEC = str(ROOT / "tests/cases/recursion_of_every_shape/spec.yaml")


@pytest.fixture
def api() -> Api:
    return load_api(SPEC, (), Diagnostics())


@pytest.fixture
def worth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every document is worth a process, and there is a processor for it."""
    monkeypatch.setattr(codegen.beside, "WORTH", 0)
    monkeypatch.setattr(codegen.beside, "_processors", lambda: 2)


@pytest.mark.usefixtures("worth")
def test_it_makes_the_same(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    made = build_package(api, VARIANTS)

    def refuse(*_: Any) -> None:
        pytest.fail("the other process made nothing")

    monkeypatch.setattr(codegen.beside, "render_models", refuse)
    with process_beside(SPEC) as beside:
        assert build_package(api, VARIANTS, beside=beside) == made


@pytest.mark.usefixtures("worth")
def test_it_is_left_out_where_it_would_not_be_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    with process_beside("-") as beside:
        assert beside is None
    with monkeypatch.context() as patch, process_beside(SPEC) as beside:
        patch.setattr(codegen.beside, "WORTH", os.path.getsize(SPEC) + 1)
        assert beside is not None
        with process_beside(SPEC) as other:
            assert other is None
    monkeypatch.setattr(codegen.beside, "_processors", lambda: 1)
    with process_beside(SPEC) as beside:
        assert beside is None


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
    with process_beside(SPEC) as beside:
        assert build_package(api, VARIANTS, beside=beside) == made


@pytest.mark.usefixtures("worth")
def test_a_fault_of_its_part_is_raised_here(api: Api) -> None:
    naming = name_api(api)
    wrong = replace(naming, classes=dict.fromkeys(naming.classes, "not a name"))
    with process_beside(SPEC) as beside:
        rendered = rendered_beside(beside, api, wrong, VARIANTS)
        with pytest.raises(ValueError, match="not an identifier"):
            rendered()


@pytest.mark.usefixtures("worth")
def test_a_fault_here_does_not_wait_for_it(api: Api) -> None:
    with pytest.raises(Surplus), process_beside(SPEC) as beside:
        rendered_beside(beside, api, name_api(api), VARIANTS)
        raise Surplus("file", 1, "message")
