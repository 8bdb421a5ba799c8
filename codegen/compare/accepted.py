"""`.streambind-accepted`: changes that somebody has looked at and lives with.

A line is a fingerprint and, for people, what it stands for; a line that starts with `#` is a
comment.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from codegen.compare.change import Change
from codegen.diagnostics import Diagnostics, Position
from codegen.report import escape

FILE = ".streambind-accepted"
_FINGERPRINT = re.compile(r"[0-9a-f]{12}")


def read_accepted(path: Path, diagnostics: Diagnostics) -> frozenset[str]:
    """Return the fingerprints in a file, none if there is no file.

    Raises `Refused` after reporting SB632 for each line that does not start with one.
    """
    if not path.is_file():
        return frozenset()
    found: set[str] = set()
    for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
        word = line.split(maxsplit=1)[0] if line.strip() else "#"
        if _FINGERPRINT.fullmatch(word):
            found.add(word)
        elif not word.startswith("#"):
            message = f"{escape(word)!r} is no fingerprint of a change"
            position = Position(line=number, column=1)
            diagnostics.add("SB632", message, document=str(path), position=position)
    diagnostics.check()
    return frozenset(found)


def format_accepted(changes: Iterable[Change]) -> str:
    """The lines that accept changes."""
    return "".join(map(_format, changes))


def _format(change: Change) -> str:
    words = change.kind.name.lower().replace("_", "-")
    return f"{change.fingerprint} {change.tier.value} {words} {escape(change.symbol)}\n"
