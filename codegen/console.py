"""Standard error, as the user wants to hear from it.

In: stages as they run, diagnostics, lines of talk. Rules: nothing goes to standard output; colours
and the line of progress are for terminals only, and the line is gone when its stage ends; with
`json`, standard error is one JSON array and nothing else.
"""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Literal, TextIO, TypeAlias

from codegen.diagnostics import Diagnostics, Severity
from codegen.report import counted, format_github, format_json, format_text

Format: TypeAlias = Literal["text", "json", "github"]

MAX_WARNINGS = 20
_ERASE = "\r\x1b[K"


@dataclass(frozen=True, slots=True, kw_only=True)
class Console:
    """`quiet` leaves warnings and errors; `verbose` adds notes, every warning and times."""

    format: Format
    quiet: bool
    verbose: bool

    @contextmanager
    def stage(self, name: str) -> Generator[None]:
        """Show that a stage runs, and with `verbose` how long it took."""
        start = perf_counter()
        is_live = not self.quiet and self.format == "text" and _is_terminal(sys.stderr)
        if is_live:
            _write(f"{_ERASE}{name} ...")
        try:
            yield
        finally:
            if is_live:
                _write(_ERASE)
        if self.verbose:
            self.say(f"{name}: {perf_counter() - start:.2f} s")

    def say(self, line: str) -> None:
        """Write a line of talk, unless nobody wants it."""
        if not self.quiet and self.format != "json":
            _write(f"{line}\n")

    def recall(self, *, warnings: int, notes: int) -> None:
        """Write how much an earlier run had to say of what did not change since."""
        counts = (counted(warnings, "warning"), counted(notes, "note"))
        said = [text for text, number in zip(counts, (warnings, notes), strict=True) if number]
        if said:
            self.say(f"{' and '.join(said)} (-v shows all)")

    def report(self, diagnostics: Diagnostics) -> None:
        """Write the problems in the format asked for; text holds back what `verbose` is for."""
        if self.format == "json":
            _write(format_json(diagnostics))
            return
        if self.verbose:
            _write(self._format(diagnostics))
            return
        notes = [item for item in diagnostics if item.code.severity is Severity.NOTE]
        warnings = [item for item in diagnostics if item.code.severity is Severity.WARNING]
        more = warnings[MAX_WARNINGS:] if self.format == "text" else []
        hidden = frozenset((*notes, *more))
        shown = diagnostics.only(item for item in diagnostics if item not in hidden)
        _write(self._format(shown))
        if more:
            _write(f"and {counted(len(more), 'more warning')} (-v shows all)\n")
        if notes:
            self.say(f"{counted(len(notes), 'note')} (-v shows all)")

    def _format(self, diagnostics: Diagnostics) -> str:
        if self.format == "github":
            return format_github(diagnostics)
        return format_text(diagnostics, color=wants_color(sys.stderr))


def wants_color(stream: TextIO) -> bool:
    """Tell whether colours may go to a stream: to a terminal, unless its user has none of them."""
    # https://no-color.org and https://bixense.com/clicolors
    is_off = os.environ.get("NO_COLOR") or os.environ.get("CLICOLOR") == "0"
    return _is_terminal(stream) and not is_off


def _is_terminal(stream: TextIO) -> bool:
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
