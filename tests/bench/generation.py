"""Generation of a document: a program from its start to its end, written into a new folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import mkdtemp

from tests.bench.measure import Figures, Subject, command, run_command, take_turns
from tests.bench.plan import VARIANTS, Plan, generate, generate_client, generate_models, has
from tests.bench.results import Section

COLUMNS = ("s", "cpu s", "MB")
COLD = "streambind, three variants"
IDLE = "streambind, nothing to do"
PEER = "datamodel-code-generator"
TOTAL = f"{PEER}, three runs"


def measure(plan: Plan) -> Section | None:
    if plan.document is None:
        return None
    rows = take_turns([*subjects(plan, plan.document)], plan.effort.commands, plan.tell)
    if runs := [rows[label] for variant in VARIANTS if (label := one_run(variant)) in rows]:
        rows[TOTAL] = together(runs)
    title = f"generation of {plan.document.name}"
    return Section(title=title, columns=COLUMNS, rows=rows, floor=COLD)


def subjects(plan: Plan, document: Path) -> Iterator[Subject]:
    ours = plan.folder / "ours"
    yield Subject(COLD, lambda: into_nothing(generate(document, ours), ours))
    yield command(IDLE, generate(document, ours), plan.folder)
    if has("datamodel_code_generator"):
        for variant in VARIANTS:
            module = plan.folder / f"peer_{variant}.py"
            yield command(one_run(variant), generate_models(document, variant, module), plan.folder)
    if has("openapi_python_client"):
        client = plan.folder / "client"
        yield command("openapi-python-client", generate_client(document, client), plan.folder)


def one_run(variant: str) -> str:
    return f"{PEER}, {variant}"


def into_nothing(arguments: Sequence[str], output: Path) -> Figures:
    if output.exists():
        # Not deleted: some file systems search for a second what they may give out again.
        output.rename(mkdtemp(dir=output.parent))
    return run_command(arguments, output.parent)


def together(runs: list[Figures]) -> Figures:
    """One after the other: times add up, and so much memory is enough as the largest needs."""
    return {
        column: max(run[column] for run in runs)
        if column == "MB"
        else sum(run[column] for run in runs)
        for column in COLUMNS
    }
