"""The documents of the corpus, and the packages made of them.

In: `../shared/corpus/specs`, which is not ours to ship. Out: for each document that is not refused
a package, made by the command as a user makes it. `refused.yaml` lists the others: their files are
not all here.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from codegen.diagnostics import Diagnostics
from codegen.pipeline import VARIANTS
from codegen.source.document import read_document

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SPECS = ROOT.parent / "shared/corpus/specs"
REFUSED: dict[str, list[str]] = yaml.safe_load((HERE / "refused.yaml").read_text("utf-8"))


def find_documents() -> list[Path]:
    """Every document, the largest first: they take longest."""
    return sorted(SPECS.glob("*"), key=lambda path: (-path.stat().st_size, path.name))


def package_name(spec: Path) -> str:
    return "corpus_" + re.sub(r"\W", "_", spec.stem)


def generate(
    spec: Path, output: Path, *options: str, seed: str = "0"
) -> subprocess.CompletedProcess[str]:
    """Run the command on a document, with a hash seed."""
    command = [sys.executable, "-m", "codegen", "generate", str(spec), "-o", str(output), *options]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


def run(module: str, *arguments: str, folder: Path) -> None:
    """Run a tool in a folder; what it finds is the failure."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]


@dataclass(frozen=True)
class Made:
    """The package of a document, in a folder of its own, importable as long as it is open."""

    spec: Path
    folder: Path

    @property
    def name(self) -> str:
        return package_name(self.spec)

    @cached_property
    def document(self) -> Any:
        return read_document(self.spec, Diagnostics()).data

    @cached_property
    def schemas(self) -> dict[str, Any]:
        """The named schemas of the document."""
        named: dict[str, Any] = self.document.get("components", {}).get("schemas", {})
        return named or self.document.get("definitions", {})

    @cached_property
    def manifest(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(
            (self.folder / self.name / "manifest.json").read_bytes()
        )
        return content

    @cached_property
    def variants(self) -> dict[str, Any]:
        return {name: importlib.import_module(f"{self.name}.{name}") for name in VARIANTS}

    def open(self) -> None:
        done = generate(self.spec, self.folder / self.name, "--quiet")
        assert done.returncode == 0, done.stderr[-5000:]
        sys.path.insert(0, str(self.folder))

    def close(self) -> None:
        """Give memory and disk back: the packages of all documents are too many for one process."""
        sys.path.remove(str(self.folder))
        for module in [it for it in sys.modules if it.partition(".")[0] == self.name]:
            del sys.modules[module]
        shutil.rmtree(self.folder)
