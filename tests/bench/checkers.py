"""Type checkers, strict, without a cache: over one variant of our package, and over the peer's
module of the same variant.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench.by_hand import write_modules
from tests.bench.measure import Subject, command, take_turns
from tests.bench.plan import VARIANTS, Plan, has, module_of_peer, package, python
from tests.bench.results import Section

OURS = "{}: streambind, {}"
MODULES = "mypy: as many modules, each of an empty class"
PEER = "{}: datamodel-code-generator, {}"
MYPY = ["--strict", "--no-incremental", "--cache-dir", os.devnull]


def measure(plan: Plan) -> Section | None:
    if plan.document is None:
        return None
    rows = take_turns([*subjects(plan, plan.document)], plan.effort.commands, plan.tell)
    title = f"type checkers over one variant of {plan.document.name}"
    return Section(title=title, columns=("s", "cpu s", "MB"), rows=rows)


def subjects(plan: Plan, document: Path) -> Iterator[Subject]:
    ours = package(plan, document)
    strict = {"typeCheckingMode": "strict", "pythonVersion": "3.11"}
    (plan.folder / "pyrightconfig.json").write_text(json.dumps(strict), "utf-8")
    commands = {
        "mypy": [*python("mypy"), *MYPY],
        "pyright": [*python("pyright"), "--pythonpath", sys.executable],
    }
    if has("mypy"):
        modules = plan.folder / "modules"
        write_modules(modules, len([*(plan.folder / ours / VARIANTS[0] / "models").glob("*.py")]))
        yield command(MODULES, [*commands["mypy"], modules.name], plan.folder)
    for checker in filter(has, commands):
        for variant in plan.effort.checked:
            run = [*commands[checker], f"{ours}/{variant}"]
            yield command(OURS.format(checker, variant), run, plan.folder)
            if module := module_of_peer(plan, document, variant):
                run = [*commands[checker], f"{module}.py"]
                # There are errors in the peer's modules; it is not why we are here.
                yield command(PEER.format(checker, variant), run, plan.folder, returns=None)
