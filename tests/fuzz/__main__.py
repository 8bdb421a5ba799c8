"""`make fuzz`: atheris over each target of `targets`, for some minutes, guided by coverage.

    python -m tests.fuzz FOLDER MINUTES [TARGET]...

What it learns is kept in FOLDER, so that the next run goes on from there, and so is an input that
fails. A run ends at the first failure with the exit code of libFuzzer.
"""

from __future__ import annotations

import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from random import Random

import atheris

PACKAGES = ["codegen", "templates", "generated"]
with atheris.instrument_imports(include=PACKAGES, enable_loader_override=False):
    from tests.fuzz.mutate import mutate_body, mutate_document
    from tests.fuzz.seeds import seeds
    from tests.fuzz.targets import HEAD, TARGETS, load_all

    load_all()

# Seconds that one input may take, and megabytes that the process may.
LIMITS = ["-timeout=60", "-rss_limit_mb=3072", "-max_len=20000"]
DOCUMENTS = ("reader", "overlay")


def run_all(folder: Path, minutes: str, targets: list[str]) -> int:
    """Each target in a process of its own: libFuzzer ends the one it runs in."""
    codes = [
        subprocess.run(
            [sys.executable, "-m", "tests.fuzz", str(folder), minutes, target, "--here"],
            check=False,
        ).returncode
        for target in targets
    ]
    return next((code for code in codes if code), 0)


def run_one(folder: Path, minutes: str, target: str) -> None:
    corpus = folder / target
    corpus.mkdir(parents=True, exist_ok=True)
    for seed in seeds(target):
        (corpus / sha256(seed).hexdigest()[:16]).write_bytes(seed)
    seconds = round(float(minutes) * 60)
    arguments = [f"-max_total_time={seconds}", f"-artifact_prefix={folder / target}-"]
    arguments += [*LIMITS, "-print_final_stats=1", "-verbosity=1", str(corpus)]

    def mutate(data: bytes, max_size: int, seed: int) -> bytes:
        random = Random(seed)
        if random.random() < 0.5:
            return bytes(atheris.Mutate(data, max_size))
        if target in DOCUMENTS:
            return mutate_document(data, random)[:max_size]
        return data[:HEAD] + mutate_body(data[HEAD:], random)[: max_size - HEAD]

    atheris.Setup([sys.argv[0], *arguments], TARGETS[target], custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    folder, minutes, *targets = sys.argv[1:]
    if targets[-1:] == ["--here"]:
        run_one(Path(folder), minutes, targets[0])
    else:
        sys.exit(run_all(Path(folder), minutes, targets or list(TARGETS)))
