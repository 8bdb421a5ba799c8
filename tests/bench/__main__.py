"""Measures what we cost beside others: `make bench`, or with arguments
`python -m tests.bench [SECTION]... [DOCUMENT]`.

Without arguments everything is measured, in some minutes, on the document of ../shared/corpus if it
is there, and `docs/` and the README get the figures. With names of sections only those are, and a
path is another document to generate from; then nothing but the table is made. Nothing fails for
being slow.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.bench.plan import FULL, SPEC
from tests.bench.run import SECTIONS, run
from tests.bench.tables import format_tables
from tests.bench.written import write_docs


def main(arguments: list[str]) -> int:
    names = [name for name in SECTIONS if name in arguments] or [*SECTIONS]
    others = [Path(argument) for argument in arguments if argument not in SECTIONS]
    if len(others) > 1 or not all(path.is_file() for path in others):
        print(f"neither sections nor one document: {' '.join(map(str, others))}", file=sys.stderr)
        print(f"the sections are {', '.join(SECTIONS)}", file=sys.stderr)
        return 2
    document = others[0].resolve() if others else SPEC if SPEC.is_file() else None
    with tempfile.TemporaryDirectory(prefix="streambind-") as folder:
        results = run(names, document, Path(folder), FULL, tell)
    tell("")
    print(format_tables(results))
    if not arguments:
        if results.left_out:
            print("docs/ is left as it is, as something is left out", file=sys.stderr)
        else:
            write_docs(results)
    return 0


def tell(text: str) -> None:
    """One line of a terminal that says what is going on; an empty one is gone."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text[:78]}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
