"""Run the program that the arguments name, and print what it cost as JSON; what it says is dropped.

A process of its own, and a small one: Linux counts the memory of the process that starts a program
as the program's.
"""

import json
import os
import subprocess
import sys
from time import perf_counter

UNIT = 1 if sys.platform == "darwin" else 1024


def main() -> None:
    begun = perf_counter()
    process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    figures = {
        "s": perf_counter() - begun,
        "cpu s": usage.ru_utime + usage.ru_stime,
        "MB": usage.ru_maxrss * UNIT / 1e6,
        "status": process.returncode,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
