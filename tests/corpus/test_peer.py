"""Where another generator's pydantic models accept an example of a named schema, so do ours.

The peer reads each document as it is, and lets null stand for what is absent. Where OpenAI's
documents say less than their examples do, ours mends them.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from codegen.diagnostics import Diagnostics
from codegen.pipeline import load_document
from codegen.profiles import find_profiles
from tests.corpus.documents import SPECS
from tests.corpus.test_examples import judge_all

pydantic: Any = importlib.import_module("pydantic")
NAMED = re.compile(r"#/components/schemas/([^/]+)/(?:example|examples/\d+|x-oaiMeta/example)")


def make_peer(spec: Path, folder: Path) -> dict[str, Any]:
    """The models that datamodel-code-generator makes of a document, by lower-case name."""
    options = {
        "--input": str(spec),
        "--input-file-type": "openapi",
        "--output": str(folder / "peer.py"),
        "--output-model-type": "pydantic_v2.BaseModel",
        "--target-python-version": "3.11",
        "--formatters": "builtin",
    }
    command = [sys.executable, "-m", "datamodel_code_generator"]
    command += [it for pair in options.items() for it in pair]
    subprocess.run([*command, "--disable-warnings"], check=True, capture_output=True)
    module_spec = importlib.util.spec_from_file_location("peer", folder / "peer.py")
    assert module_spec is not None
    assert module_spec.loader is not None
    module = importlib.util.module_from_spec(module_spec)
    sys.modules["peer"] = module
    module_spec.loader.exec_module(module)
    return {name.lower(): value for name, value in vars(module).items()}


def accepts(model: Any, text: str) -> bool:
    try:
        pydantic.TypeAdapter(model).validate_json(text)
    except pydantic.ValidationError:
        return False
    return True


class Case(NamedTuple):
    """A document, the profiles that mend it, and how many examples both have a model for."""

    name: str
    profiles: tuple[str, ...]
    compared: int


CASES = (
    Case("anthropic-dart.yaml", (), 11),
    Case("assemblyai.json", (), 50),
    Case("openai-2.3.0-2025-04.yaml", ("openai",), 148),
    Case("openai.yaml", ("openai",), 367),
    Case("tei.json", (), 6),
)


@pytest.mark.parametrize(
    "case",
    [pytest.param(it, id=it.name, marks=pytest.mark.xdist_group(it.name)) for it in CASES],
)
def test_what_the_peer_accepts(case: Case, tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    overlays = find_profiles(case.profiles, diagnostics)
    document, _ = load_document(str(SPECS / case.name), overlays, diagnostics)
    models = make_peer(SPECS / case.name, tmp_path)
    stricter: list[str] = []
    compared = 0
    for example, verdict in judge_all(document).verdicts:
        match = NAMED.fullmatch(example.origin.pointer)
        model = models.get(re.sub(r"\W|_", "", match[1]).lower()) if match else None
        if model is not None:
            compared += 1
            if verdict.written is None and accepts(model, example.text):
                stricter.append(f"{example.origin.pointer} {verdict.pointers[0]}")
    assert stricter == []
    assert compared == case.compared
