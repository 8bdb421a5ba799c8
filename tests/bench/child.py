"""Run the program that the arguments name, and print what it cost as JSON; what it says is dropped.

A process of its own, and a small one: Linux counts the memory of the process that starts a program
as the program's. Where the program starts others, what all have at a time counts, if the system
tells; else the largest process.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread
from time import perf_counter

UNIT = 1 if sys.platform == "darwin" else 1024
PAUSE = 0.05


class Watch(Thread):
    """Looks again and again at how much memory a process and those it started have together."""

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self.most = 0
        self.ended = Event()
        self._process = process

    def run(self) -> None:
        while not self.ended.wait(PAUSE):
            self.most = max(self.most, together(self._process))


def together(process: int) -> int:
    """The bytes of a process and of those it started; what they share counts once."""
    folder = Path("/proc", str(process))
    try:
        lines = (folder / "smaps_rollup").read_text().splitlines()
        threads = [path.read_text() for path in folder.glob("task/*/children")]
    except OSError:
        return 0
    own = sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return own * 1024 + sum(together(int(child)) for child in " ".join(threads).split())


def main() -> None:
    begun = perf_counter()
    process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
    watch = Watch(process.pid)
    watch.start()
    _, status, usage = os.wait4(process.pid, 0)
    spent = perf_counter() - begun
    watch.ended.set()
    process.returncode = os.waitstatus_to_exitcode(status)
    figures = {
        "s": spent,
        "cpu s": usage.ru_utime + usage.ru_stime,
        "MB": max(usage.ru_maxrss * UNIT, watch.most) / 1e6,
        "status": process.returncode,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
