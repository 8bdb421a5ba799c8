"""What several test files share: the package that `spec/` gives, and the page's example chunks.

`importer` makes packages importable. `package` is the committed `generated`, or the same made anew
in a temporary folder where that one is missing or stale: `test_generated` alone says so, and the
rest tests what the generator gives now. `variant` is each of its three variant packages in turn.
"""

import atexit
import importlib
import json
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from codegen.diagnostics import Diagnostics
from codegen.emit.write import write_package
from codegen.loading import loaded
from codegen.pipeline import VARIANTS, build_package, load_api
from codegen.source.document import read_document
from codegen.source.pointer import lookup
from tests.recordings.bodies import CORPUS
from tests.support import Importer

# How long an example takes says more of the machine than of the code.
settings.register_profile("streambind", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("streambind")

# What runs leave behind for the next ones is that of the tests alone, and of one process.
os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="streambind-")
atexit.register(shutil.rmtree, os.environ["XDG_CACHE_HOME"], ignore_errors=True)

# What a shell runs in its background ignores interrupts, and so would all that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "spec/CreateChatCompletionStreamResponse.md"
OVERLAY = ROOT / "spec/overlay.yaml"
EXAMPLE = "#/components/schemas/CreateChatCompletionStreamResponse/x-oaiMeta/example"


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("corpus") is not None and not CORPUS.exists():
        pytest.skip("no corpus beside the checkout")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how many hostile inputs the tests of the matrix have tried."""
    passed = terminalreporter.stats.get("passed", ())
    counts = [n for it in passed for name, n in it.user_properties if name == "combinations"]
    if counts:
        terminalreporter.write_line(f"{sum(counts):,} combinations of a place, a text, a variant")


@pytest.fixture(scope="session")
def fresh_files() -> dict[str, bytes]:
    """Every file of the package as `spec/` gives it now."""
    api = load_api(str(PAGE), (OVERLAY,), Diagnostics())
    return {path: text.encode() for path, text in build_package(api, VARIANTS).items()}


@pytest.fixture(scope="module")
def importer() -> Iterator[Importer]:
    """Makes a package importable, by its files, and gives its name; it goes with the module."""
    with ExitStack() as stack:
        yield lambda files: stack.enter_context(loaded(files))


@pytest.fixture(scope="session")
def package(fresh_files: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    committed = ROOT / "generated"
    if all(
        (committed / path).is_file() and (committed / path).read_bytes() == content
        for path, content in fresh_files.items()
    ):
        return importlib.import_module("generated")
    folder = tmp_path_factory.mktemp("fresh")
    files = {path: content.decode() for path, content in fresh_files.items()}
    write_package(folder / "fresh_generated", files, Diagnostics())
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        fresh = importlib.import_module("fresh_generated")
    return fresh


@pytest.fixture(scope="session", params=VARIANTS)
def variant(request: pytest.FixtureRequest, package: ModuleType) -> Any:
    return importlib.import_module(f"{package.__name__}.{request.param}")


@pytest.fixture(scope="session")
def chunks() -> list[Any]:
    """The example chunks of the page, parsed."""
    text = lookup(read_document(str(PAGE), Diagnostics()).data, EXAMPLE)
    assert isinstance(text, str)
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


@pytest.fixture(scope="session")
def body(chunks: list[Any]) -> bytes:
    """The example chunks as a server sends them."""
    events = [*map(json.dumps, chunks), "[DONE]"]
    return "".join(f"data: {data}\n\n" for data in events).encode()
