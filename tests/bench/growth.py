"""Whether twice as much costs twice as much: of a stream, of an event, of a document."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tests.bench.bodies import KIB, calls, chunk, cut, frame, texts
from tests.bench.documents import write_document
from tests.bench.generation import into_nothing
from tests.bench.measure import Figures, Subject, per_item, take_turns
from tests.bench.plan import Plan, generate
from tests.bench.reading import check, read, read_and_show
from tests.bench.results import Section

TEXT = "text in {:,} chunks"
CALL = "tool call in {:,} chunks"
VARIANT = "dataclasses"


def measure_streams(plan: Plan) -> Section | None:
    """Each with one snapshot at the end, which is all that shows what was accumulated."""
    rows = take_turns([*streams(plan)], plan.effort.rounds, plan.tell)
    title = "growth: feed and one snapshot, a chunk"
    return Section(title=title, columns=("us",), rows=rows, floor=next(iter(rows)))


def streams(plan: Plan) -> Iterator[Subject]:
    for label, chunks in ((TEXT, texts), (CALL, calls)):
        for count in plan.effort.growth:
            pieces = [*map(frame, chunks(count))]
            check(VARIANT, pieces, count)
            yield per_item(label.format(count), partial(read_and_show, VARIANT, pieces), count)


def measure_events(plan: Plan) -> Section | None:
    """If time grew with the square, each size would cost four times as much a KiB as the last.

    What is larger than the allocator keeps at hand may cost a few times as much, once.
    """
    rows = take_turns([*events(plan)], plan.effort.rounds, plan.tell)
    title = "growth: one event in reads of 1 KiB, a KiB"
    return Section(title=title, columns=("us",), rows=rows, floor=next(iter(rows)))


def events(plan: Plan) -> Iterator[Subject]:
    for size in plan.effort.large:
        pieces = cut(frame(chunk(content="x" * size * KIB)), KIB)
        check(VARIANT, pieces, 1)
        yield per_item(f"an event of {size:,} KiB", partial(read, VARIANT, pieces), size)


def measure_documents(plan: Plan) -> Section | None:
    """The last column is what a schema more costs, from one size to the next."""
    sizes = plan.effort.schemas
    rows = take_turns([generating(plan, size) for size in sizes], 1, plan.tell)
    by_size = dict(zip(sizes, rows.values(), strict=True))
    for size, before in zip(sizes[1:], sizes, strict=False):
        more = by_size[size]["cpu s"] - by_size[before]["cpu s"]
        by_size[size]["cpu ms a schema more"] = more / (size - before) * 1e3
    columns = ("s", "cpu s", "MB", "cpu ms a schema more")
    return Section(title="growth: generation of documents", columns=columns, rows=rows)


def generating(plan: Plan, size: int) -> Subject:
    document = plan.folder / f"schemas_{size}.yaml"
    output = plan.folder / f"schemas_{size}"

    def once() -> Figures:
        write_document(document, size)
        return into_nothing(generate(document, output), output)

    return Subject(f"{size:,} schemas", once)
