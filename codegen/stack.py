"""A stack as deep as documents may nest, and no collector of circles.

Every stage walks a document by recursion, as its shape asks. Python's own limit of 1,000 calls is
spent after some hundred levels, so the stages run where there is more room. What they make holds
next to no circles, and the collector would look for some a few hundred times: a quarter of all
time.
"""

import gc
import sys
import threading
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

# Sixteen calls for each of the deepest level that is read, and memory for those through C.
_CALLS = 30_000
_BYTES = 512 * 1024 * 1024

_inside = threading.local()


def deep(function: Callable[P, T]) -> Callable[P, T]:
    """Run a function where it may recurse deeply; what it raises comes out as it is."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        if getattr(_inside, "deep", False):
            return function(*args, **kwargs)
        return _run(lambda: function(*args, **kwargs))

    return run


def _run(call: Callable[[], T]) -> T:
    done: list[T] = []
    failed: list[BaseException] = []

    def work() -> None:
        _inside.deep = True
        try:
            done.append(call())
        # Not handled but handed over: the caller's own stack is where it belongs.
        except BaseException as error:
            failed.append(error)

    limit, size, collects = sys.getrecursionlimit(), threading.stack_size(_BYTES), gc.isenabled()
    sys.setrecursionlimit(max(limit, _CALLS))
    gc.disable()
    try:
        # An interrupt ends the wait, and the process does not wait for the rest.
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
        if collects:
            gc.enable()
    if failed:
        raise failed[0]
    return done[0]
