"""`make matrix`: every hostile text at a place of every kind of the documents of the cases.

    python -m tests.hostile [PART OF A DOCUMENT'S NAME]

Prints the combinations and all that is wrong. Of documents that are named, every place is taken.
"""

from __future__ import annotations

import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from pathlib import Path

from codegen.pipeline import VARIANTS
from tests.hostile.bench import faults_at
from tests.hostile.places import Place, find_places
from tests.hostile.texts import TEXTS


def faults(place: Place) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        return faults_at(place, Path(folder), TEXTS)


if __name__ == "__main__":
    part = sys.argv[1] if len(sys.argv) > 1 else ""
    places = [place for place in find_places(every=bool(part)) if part in place.document]
    with ProcessPoolExecutor() as pool:
        found = list(chain.from_iterable(pool.map(faults, places, chunksize=8)))
    print(*found, sep="\n")
    count = len(places) * len(TEXTS) * len(VARIANTS)
    print(f"{len(places):,} places x {len(TEXTS)} texts x {len(VARIANTS)} variants = {count:,}")
    print(f"{len(found):,} faults")
    sys.exit(bool(found))
