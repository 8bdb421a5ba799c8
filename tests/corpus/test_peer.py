"""Where another generator's pydantic models accept an example of a named schema, so do ours."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.corpus.documents import HERE, SPECS, Made
from tests.corpus.test_examples import Judged

pydantic: Any = importlib.import_module("pydantic")
STRICTER: dict[str, Any] = yaml.safe_load((HERE / "peer.yaml").read_text("utf-8"))
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


@pytest.mark.parametrize(
    "made",
    [pytest.param(SPECS / it, id=it, marks=pytest.mark.xdist_group(it)) for it in STRICTER],
    indirect=True,
)
def test_what_the_peer_accepts(made: Made, judged: Judged, tmp_path: Path) -> None:
    models = make_peer(made.spec, tmp_path)
    stricter: list[str] = []
    compared = 0
    for example, verdict in judged.verdicts:
        match = NAMED.fullmatch(example.origin.pointer)
        model = models.get(re.sub(r"\W|_", "", match[1]).lower()) if match else None
        if model is not None:
            compared += 1
            if verdict.written is None and accepts(model, example.text):
                stricter.append(f"{example.origin.pointer} {verdict.pointers[0]}")
    assert compared == STRICTER[made.spec.name]["compared"]
    assert sorted(stricter) == sorted(STRICTER[made.spec.name]["stricter"])
