"""Models made by a second process, while this one makes the others.

In: an API and the modules to make of it. Out: their texts. Rules: what is made there is what would
be made here, so whatever keeps the other process from its work, the work is done here, and what is
wrong is raised here. The process is another Python on this file, which is ready by the time that
the document is read: it gets all by its standard input, gives the texts by its standard output, and
says nothing. A small document is not worth a process.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import BinaryIO, TypeAlias, cast

from codegen.backends import VARIANTS
from codegen.backends.naming import Naming
from codegen.ir.api import Api
from codegen.render import render
from codegen.stack import deep

Process: TypeAlias = subprocess.Popen[bytes]

# Bytes of a document: of fewer, most is read and rendered here before another process is ready.
WORTH = 400_000
_COMMAND = """
import sys
sys.path[:] = sys.argv[1:]
from codegen.beside import answer
answer()
"""


@contextmanager
def process_beside(spec: str) -> Generator[Process | None]:
    """Start a process that can render, and end it with the block; None where a document is not
    worth one, or one would have no processor to itself.
    """
    is_worth_it = os.path.isfile(spec) and os.path.getsize(spec) >= WORTH
    process = _start() if is_worth_it and _processors() > 1 else None
    if process is None:
        yield None
        return
    with process:
        try:
            yield process
        finally:
            process.kill()


def rendered_beside(
    process: Process | None, api: Api, naming: Naming, variants: tuple[str, ...]
) -> Callable[[], dict[str, str]]:
    """Have modules of models rendered by a process; what is given back waits for them."""

    def render_here() -> dict[str, str]:
        return render_models(api, naming, variants)

    if process is None or not _ask(process, pickle.dumps((api, naming, variants))):
        return render_here
    return lambda: _answer_of(process) or render_here()


@deep
def render_models(api: Api, naming: Naming, variants: Iterable[str]) -> dict[str, str]:
    """The text of each module of models, by its path."""
    made = (file for name in variants for file in VARIANTS[name].models(api, naming))
    return {file.path: render(file) for file in made}


def answer() -> None:
    """What the other process does."""
    # An interrupt ends it, and is told once, by the process that asked.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    pickle.dump(_answer_to(sys.stdin.buffer), sys.stdout.buffer)


@deep
def _answer_to(task: BinaryIO) -> dict[str, str]:
    return render_models(*pickle.load(task))


def _start() -> Process | None:
    pipe = subprocess.PIPE
    command = [sys.executable, "-I", "-c", _COMMAND, *sys.path]
    try:
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
    except OSError:
        return None


def _processors() -> int:
    """How many of them this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _ask(process: Process, task: bytes) -> bool:
    """Tell a process what to do; whether it took it.

    Not in a thread: one would wait its turn for each piece that a pipe takes.
    """
    assert process.stdin is not None
    try:
        with process.stdin as given:
            given.write(task)
    except OSError:
        return False
    return True


def _answer_of(process: Process) -> dict[str, str] | None:
    """The texts that a process gives; None where it came to no end of its own."""
    assert process.stdout is not None
    given = process.stdout.read()
    return cast("dict[str, str]", pickle.loads(given)) if process.wait() == 0 else None
