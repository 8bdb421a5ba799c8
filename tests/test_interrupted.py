"""`streambind generate` that does not come to its end: the folder holds the old package or the new.

It is killed at each of its steps in the file system, counted from inside by an audit hook, and at
random moments of its whole life from outside; and each step is refused, as by a full disk.
"""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.support import ROOT, tree

OLD = """\
openapi: 3.1.0
info: {title: Pets, version: "1"}
paths: {}
components:
  schemas:
    Pet: {type: object, properties: {age: {type: integer}}}
    Gone: {type: object}
"""
NEW = OLD.replace("integer", "string").replace("Gone", "Toy")
OUT = Path("out")
ARGUMENTS = ["generate", "pets.yaml", "-o", "out", "--variant", "dataclasses", "--quiet"]

# Runs the command in one child after the other. At the step with its number, each child kills
# itself, or is refused; the last one meets no step with its number. Says what became of each, and
# waits for a line.
DRIVER = """
import json, os, signal, sys

fault, arguments = int(sys.argv[1]), sys.argv[2:]
from codegen.cli import main
import codegen.emit.exchange, codegen.emit.write, codegen.pipeline, codegen.source.yaml12

STEPS = {"os.mkdir", "os.rename", "os.link", "os.remove", "os.rmdir", "os.chmod", "ctypes.dlsym"}
here = os.getcwd()


def is_step(event, values):
    if event != "open":
        return event in STEPS
    path, _, flags = values
    return isinstance(path, str) and os.path.abspath(path).startswith(here) and flags & 3


def run(number):
    left = number

    def watch(event, values):
        nonlocal left
        if left and is_step(event, values):
            left -= 1
            if not left and not fault:
                os.kill(os.getpid(), signal.SIGKILL)
            if not left:
                raise OSError(fault, os.strerror(fault))

    said = os.open("said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(said, 2)
    sys.addaudithook(watch)
    try:
        main(arguments)
    except SystemExit as exit:
        os._exit(100 if left else exit.code or 0)


code, number = 0, 0
while code != 100:
    number += 1
    child = os.fork()
    if not child:
        run(number)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(json.dumps(code), flush=True)
    sys.stdin.readline()
"""


def leftovers() -> list[str]:
    return sorted(it.name for it in Path().iterdir() if ".streambind-" in it.name)


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "codegen", *arguments]
    return subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)


def environment() -> dict[str, str]:
    cache = str(Path("cache").absolute())
    return {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": cache}


@pytest.fixture
def states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """The old package, which is there, and the one that the document gives now."""
    monkeypatch.chdir(tmp_path)
    found: list[dict[str, str]] = []
    for text in (NEW, OLD):
        Path("pets.yaml").write_text(text)
        assert run(*ARGUMENTS).returncode == 0
        found.insert(0, tree(OUT))
    Path("pets.yaml").write_text(NEW)
    return found


def drive(fault: int) -> Iterator[int]:
    """Yield the exit code of each child; the old package is there again for the next one."""
    shutil.copytree("out", "before")
    driver = subprocess.Popen(
        [sys.executable, "-c", DRIVER, str(fault), *ARGUMENTS],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with driver:
        assert driver.stdin
        assert driver.stdout
        for line in driver.stdout:
            yield json.loads(line)
            shutil.rmtree("out")
            shutil.copytree("before", "out")
            driver.stdin.write("\n")
            driver.stdin.flush()


def test_killed_at_each_step_it_is_the_old_package_or_the_new(states: list[dict[str, str]]) -> None:
    seen: list[int] = []
    for code in drive(0):
        assert code in (-signal.SIGKILL, 100)
        seen.append(states.index(tree(OUT)))
    assert seen == sorted(seen), "once it is the new one, it stays that"
    assert seen.count(0) > 20
    assert seen.count(1) > 5
    assert leftovers() == []


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EACCES], ids=os.strerror)
def test_refused_at_any_step_it_is_the_old_package_or_done(
    fault: int, states: list[dict[str, str]]
) -> None:
    seen: list[int] = []
    for code in drive(fault):
        said = Path("said").read_text()
        if code == 2:
            assert said == (
                f"out: error SB505 cannot write: {os.strerror(fault)}\n"
                "help: make room or give access, then run the command again\n"
            )
        else:
            assert (code in (0, 100), said) == (True, "")
        assert tree(OUT) == states[code != 2]
        seen.append(code)
    assert seen.count(2) > 10
    assert run(*ARGUMENTS).returncode == 0
    assert (tree(OUT), leftovers()) == (states[1], [])


def test_killed_at_any_moment_it_is_the_old_package_or_the_new(
    states: list[dict[str, str]],
) -> None:
    start = time.perf_counter()
    assert run(*ARGUMENTS).returncode == 0
    whole = time.perf_counter() - start
    random, texts = Random(7), {0: OLD, 1: NEW}
    for turn in range(12):
        Path("pets.yaml").write_text(texts[turn % 2])
        command = [sys.executable, "-m", "codegen", *ARGUMENTS]
        process = subprocess.Popen(command, env=environment(), stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0, whole))
        process.kill()
        process.wait()
        assert tree(OUT) in states
    Path("pets.yaml").write_text(NEW)
    assert run(*ARGUMENTS).returncode == 0
    assert run("check", *ARGUMENTS[1:]).returncode == 0
    assert (tree(OUT), leftovers()) == (states[1], [])


def test_a_disk_that_fills_up_within_a_file(states: list[dict[str, str]]) -> None:
    limits = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (900, 900))\n"
    code = f"{limits}import sys; from codegen.cli import main; main(sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", code, *ARGUMENTS],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (
        2,
        "out: error SB505 cannot write: File too large\n"
        "help: make room or give access, then run the command again\n",
    )
    assert (tree(OUT), leftovers()) == (states[0], [])


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes to read-only folders too")
def test_a_read_only_folder(states: list[dict[str, str]]) -> None:
    OUT.chmod(0o555)
    done = run(*ARGUMENTS)
    OUT.chmod(0o755)
    assert (done.returncode, done.stderr) == (
        2,
        "out: error SB505 cannot write: Permission denied\n"
        "help: make room or give access, then run the command again\n",
    )
    assert tree(OUT) == states[0]
