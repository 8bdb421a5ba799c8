"""What it costs to import, in an interpreter of its own: milliseconds of the processor, the memory
that stays, and how many modules were loaded.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench import by_hand
from tests.bench.bodies import chunk
from tests.bench.measure import Figures, Subject, take_turns
from tests.bench.plan import (
    CHUNK,
    VARIANTS,
    Plan,
    has,
    module_of_peer,
    package,
)
from tests.bench.results import Section
from tests.support import ROOT

ONE = "{}: one type of chunk"
FIRST = "{}: and the first chunk decoded"
ALL = "{}: all, by preload()"
BARE = "a bare interpreter"
PYDANTIC = "import pydantic"
MODEL = "pydantic: a model of one member, by hand"
PEER = "datamodel-code-generator, {}: its module"
OPENAI = "import openai"
# The interpreter is bare but for what this takes, which is loaded before.
PROGRAM = """
import sys
from time import process_time
def resident():
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1])
    except OSError:
        return 0
pages, modules, begun = resident(), len(sys.modules), process_time()
{statements}
spent = process_time() - begun
print(spent * 1e3, len(sys.modules) - modules)
if pages:
    import resource
    print((resident() - pages) * resource.getpagesize() / 1e6)
"""


def measure(plan: Plan) -> Section | None:
    rows = take_turns([*subjects(plan)], plan.effort.imports, plan.tell)
    of = "generated/" if plan.document is None else plan.document.name
    title = f"import, of what is made of {of}"
    return Section(title=title, columns=("ms", "MB", "modules"), rows=rows)


def subjects(plan: Plan) -> Iterator[Subject]:
    yield importing(plan, BARE, "")
    yield importing(plan, PYDANTIC, "import pydantic")
    yield importing(plan, MODEL, by_hand.MODEL)
    ours = "generated" if plan.document is None else package(plan, plan.document)
    for variant in VARIANTS:
        yield from of_variant(plan, f"{ours}.{variant}", variant)
    if plan.document is not None:
        yield from of_peers(plan, plan.document)
    if has("openai"):
        yield importing(plan, OPENAI, "import openai")


def of_variant(plan: Plan, module: str, variant: str) -> Iterator[Subject]:
    one = f"from {module} import {CHUNK}"
    decode = f"from {module} import loads\nloads({CHUNK}, {chunk(content='a')!r})"
    if has_chunk(plan, module):
        yield importing(plan, ONE.format(variant), one)
        yield importing(plan, FIRST.format(variant), f"{one}\n{decode}")
    yield importing(plan, ALL.format(variant), f"from {module} import preload\npreload()")


def has_chunk(plan: Plan, module: str) -> bool:
    """Whether the document is one that knows chunks of a chat."""
    folder = (ROOT if plan.document is None else plan.folder) / module.partition(".")[0]
    manifest = json.loads((folder / "manifest.json").read_bytes())
    return CHUNK in manifest["schemas"].values()


def of_peers(plan: Plan, document: Path) -> Iterator[Subject]:
    for variant in VARIANTS:
        if module := module_of_peer(plan, document, variant):
            yield importing(plan, PEER.format(variant), f"import {module}")


def importing(plan: Plan, label: str, statements: str) -> Subject:
    return Subject(label, lambda: in_new_interpreter(plan.folder, statements))


def in_new_interpreter(folder: Path, statements: str) -> Figures:
    """The best run counts: from the second on, modules are compiled, as those of users are."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONPYCACHEPREFIX": str(folder / "pyc"),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM.format(statements=statements)],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    names = ("ms", "modules", "MB")
    return dict(zip(names, map(float, done.stdout.split()), strict=False))
