"""A whole new folder in place of the old one, in one step.

The new folder is made beside the old one: what changes is written, all else is linked, files of
others among it, so that it stays the very same file. Then the two change places. Killed before, the
old one stands; killed after, the new one; what is left beside them goes with the next run.
"""

import errno
import os
import shutil
import sys
from collections.abc import Collection, Mapping
from stat import S_IMODE

from codegen.emit.exchange import exchange
from codegen.emit.tree import folders, read, walk

_MARK = ".streambind-"


def swap_folder(root: str, contents: Mapping[str, bytes], stale: Collection[str]) -> bool:
    """Make a folder hold these files instead of the stale ones; False where it has to be done
    otherwise.

    That is so for a mount point, the working folder, a folder that nothing can be made beside, and
    a system that cannot swap.
    """
    parent, name = os.path.split(root)
    beside = os.path.join(parent, f".{name}{_MARK}{os.urandom(6).hex()}")
    is_new = not os.path.lexists(root)
    if not is_new and not os.access(root, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), root)
    if not is_new and (os.path.ismount(root) or _is_inside(os.getcwd(), root)):
        return False
    try:
        os.makedirs(parent, exist_ok=True)
        _remove_leftovers(parent, f".{name}{_MARK}")
        os.mkdir(beside)
    except PermissionError:
        return False
    lock = _lock(beside)
    try:
        _fill(beside, root, contents, stale)
        if is_new:
            os.rename(beside, root)
            return True
        os.chmod(beside, S_IMODE(os.stat(root).st_mode))
        if not exchange(beside, root):
            return False
        _take_over(root, beside, {*contents, *stale, *folders(contents)})
        return True
    except OSError as error:
        # Nobody knows the folder beside: what cannot be made is the one that was asked for.
        raise OSError(error.errno, error.strerror, root) from error
    finally:
        if lock is not None:
            os.close(lock)
        shutil.rmtree(beside, ignore_errors=True)


def _fill(beside: str, root: str, contents: Mapping[str, bytes], stale: Collection[str]) -> None:
    """Fill the new folder, with what others have in the old one too."""
    there = frozenset(walk(root)) if os.path.isdir(root) else frozenset[str]()
    others = there - contents.keys() - frozenset(stale) - frozenset(folders(contents))
    for folder in folders((*contents, *others)):
        os.mkdir(os.path.join(beside, folder))
    for path, content in contents.items():
        old, new = os.path.join(root, path), os.path.join(beside, path)
        if path in there and read(old) == content:
            _link(old, new)
        else:
            with open(new, "xb") as file:
                file.write(content)
    for path in others:
        if not path.endswith("/"):
            _link(os.path.join(root, path), os.path.join(beside, path))


def _link(old: str, new: str) -> None:
    """Make a file or a link the same file in two folders; a copy where no system allows that."""
    try:
        os.link(old, new, follow_symlinks=False)
    except (OSError, NotImplementedError):
        shutil.copy2(old, new, follow_symlinks=False)


def _take_over(root: str, old: str, ours: Collection[str]) -> None:
    """Move what others have written into the old folder while the new one was made."""
    for path in walk(old):
        before, now = os.path.join(old, path), os.path.join(root, path)
        if path in ours or path.endswith("/"):
            continue
        if not os.path.lexists(now) or not os.path.samestat(os.lstat(before), os.lstat(now)):
            os.makedirs(os.path.dirname(now), exist_ok=True)
            os.replace(before, now)


def _is_inside(path: str, root: str) -> bool:
    return os.path.commonpath((os.path.realpath(path), root)) == root


def _lock(folder: str) -> int | None:
    """Mark a folder as one that somebody is at work on; None where the system has no locks."""
    if sys.platform == "win32":
        return None
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def _remove_leftovers(parent: str, mark: str) -> None:
    """Remove what killed runs have left, and nothing that another run is at work on."""
    for name in os.listdir(parent):
        if name.startswith(mark) and (lock := _lock(os.path.join(parent, name))) is not None:
            shutil.rmtree(os.path.join(parent, name), ignore_errors=True)
            os.close(lock)
