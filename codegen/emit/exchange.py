"""Two folders change places in one step, where the system offers that.

https://man7.org/linux/man-pages/man2/rename.2.html, RENAME_EXCHANGE; renamex_np(2) of macOS,
RENAME_SWAP.
"""

import ctypes
import os
import sys

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_RENAME_SWAP = 2


def exchange(one: str, other: str) -> bool:
    """Swap what two paths name; False, and nothing happened, where that cannot be done."""
    paths = os.fsencode(one), os.fsencode(other)
    try:
        if sys.platform == "linux":
            rename = ctypes.CDLL(None).renameat2
            return bool(rename(_AT_FDCWD, paths[0], _AT_FDCWD, paths[1], _RENAME_EXCHANGE) == 0)
        if sys.platform == "darwin":
            return bool(ctypes.CDLL(None).renamex_np(*paths, _RENAME_SWAP) == 0)
    # A C library without the function.
    except AttributeError:
        pass
    return False
