"""Models made by a second process, while this one makes the others.

In: an API and the modules to make of it. Out: their texts. Rules: what is made there is what would
be made here, so whatever keeps the other process from its work, the work is done here, and what is
wrong is raised here. The process is another Python on this file: it gets all by its standard input,
gives the texts by its standard output, and says nothing. A small API is not worth a process.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import cast

from codegen.backends import VARIANTS
from codegen.backends.naming import Naming
from codegen.ir.api import Api
from codegen.render import render
from codegen.stack import deep

# Declarations times variants: about as many are made in the time that a process takes to start.
WORTH = 1_000
_COMMAND = """
import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
from codegen.beside import answer
answer()
"""


@deep
def render_models(api: Api, naming: Naming, variants: Iterable[str]) -> dict[str, str]:
    """The text of each module of models, by its path."""
    made = (file for name in variants for file in VARIANTS[name].models(api, naming))
    return {file.path: render(file) for file in made}


@contextmanager
def rendered_beside(
    api: Api, naming: Naming, variants: tuple[str, ...]
) -> Generator[Callable[[], dict[str, str]]]:
    """Have modules of models rendered by another process; what is handed out waits for them."""
    process = _start() if len(api.decls) * len(variants) >= WORTH else None
    if process is None:
        yield lambda: render_models(api, naming, variants)
        return
    with process, ThreadPoolExecutor(1) as pool:
        try:
            task = pickle.dumps(sys.path) + pickle.dumps((api, naming, variants))
            given = pool.submit(process.communicate, task)
            yield (
                lambda: (
                    _read(given.result()[0], process.returncode)
                    or render_models(api, naming, variants)
                )
            )
        finally:
            process.kill()


def answer() -> None:
    """What the other process does."""
    # An interrupt ends it, and is told once, by the process that asked.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    pickle.dump(render_models(*pickle.load(sys.stdin.buffer)), sys.stdout.buffer)


def _start() -> subprocess.Popen[bytes] | None:
    """Start a process, where it has a processor to itself."""
    if (os.cpu_count() or 1) < 2:
        return None
    pipe = subprocess.PIPE
    command = [sys.executable, "-I", "-c", _COMMAND]
    try:
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
    except OSError:
        return None


def _read(given: bytes, code: int) -> dict[str, str] | None:
    """The texts that the process gave; None where it came to no end of its own."""
    return cast("dict[str, str]", pickle.loads(given)) if code == 0 else None
