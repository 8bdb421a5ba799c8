"""What a section of the benchmark is given: where to work, on what, and how thoroughly."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from codegen.pipeline import VARIANTS as VARIANTS
from tests.bench.measure import Tell, run_command
from tests.support import ROOT

SPEC = ROOT.parent / "shared/corpus/specs/openai.yaml"
STREAM = "CreateChatCompletionStream"
CHUNK = "CreateChatCompletionStreamResponse"

# By the module that is imported: what it is called in a package index.
PEERS = {
    "datamodel_code_generator": "datamodel-code-generator",
    "httpx_sse": "httpx-sse",
    "mypy": "mypy",
    "msgspec": "msgspec",
    "openai": "openai",
    "openapi_python_client": "openapi-python-client",
    "orjson": "orjson",
    "pydantic": "pydantic",
    "pyright": "pyright",
}
# What the peer calls each of our variants.
MODELS = {
    "dataclasses": "dataclasses.dataclass",
    "typeddicts": "typing.TypedDict",
    "pydantic": "pydantic_v2.BaseModel",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How often things are measured, and on how much."""

    rounds: int
    """of what runs in this process"""
    imports: int
    """of interpreters that import something"""
    commands: int
    """of programs"""
    checked: tuple[str, ...]
    """the variants that type checkers read"""
    chunks: int
    growth: tuple[int, ...]
    """numbers of chunks of a stream"""
    large: tuple[int, ...]
    """sizes of an event, in KiB"""
    schemas: tuple[int, ...]
    """numbers of schemas of a document"""


FULL = Effort(
    rounds=12,
    imports=6,
    commands=2,
    checked=VARIANTS,
    chunks=1_000,
    growth=(250, 1_000, 4_000, 16_000),
    large=(256, 1_024, 4_096),
    schemas=(10, 30, 100, 300, 1_000, 3_000),
)
TINY = Effort(
    rounds=1,
    imports=1,
    commands=1,
    checked=VARIANTS[:1],
    chunks=20,
    growth=(5, 10),
    large=(1, 2),
    schemas=(3, 6),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """`folder` is ours to write to; without a `document`, the sections that need one are left
    out.
    """

    folder: Path
    document: Path | None
    effort: Effort
    tell: Tell


def has(peer: str) -> bool:
    assert peer in PEERS
    return find_spec(peer) is not None


def generate(document: Path, output: Path) -> list[str]:
    """The command that writes our package, three variants."""
    return [*python("codegen"), "generate", str(document), "-o", str(output)]


def generate_models(document: Path, variant: str, output: Path) -> list[str]:
    """The command that writes the peer's module of the same variant."""
    model = ["--output-model-type", MODELS[variant], "--target-python-version", "3.11"]
    input_ = ["--input", str(document), "--input-file-type", "openapi"]
    return [*python("datamodel_code_generator"), *input_, *model, "--output", str(output)]


def generate_client(document: Path, output: Path) -> list[str]:
    """The command that writes the other peer's client, with models of its own kind."""
    flags = ["--meta", "none", "--overwrite"]
    target = ["--output-path", str(output)]
    return [*python("openapi_python_client"), "generate", "--path", str(document), *flags, *target]


def python(module: str) -> list[str]:
    return [sys.executable, "-m", module]


def package(plan: Plan, document: Path) -> str:
    """The import name of our package of the document, which is made if it is not there."""
    if not (plan.folder / "ours").exists():
        plan.tell("generating the package that is measured")
        run_command(generate(document, plan.folder / "ours"), plan.folder)
    return "ours"


def module_of_peer(plan: Plan, document: Path, variant: str) -> str | None:
    """The import name of the peer's module, which is made if it is not there."""
    if not has("datamodel_code_generator"):
        return None
    name = f"peer_{variant}"
    path = plan.folder / f"{name}.py"
    if not path.exists():
        plan.tell(f"generating the module of a peer that is measured: {variant}")
        run_command(generate_models(document, variant, path), plan.folder)
    return name
