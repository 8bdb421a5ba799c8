"""What the readers here raise: a text holds no usable value, for these reasons."""

from dataclasses import dataclass

from codegen.diagnostics import Position


@dataclass(frozen=True, slots=True)
class Problem:
    """A reason, under a code of `codegen.codes`, and the way out where that of the code is none."""

    code: str
    message: str
    position: Position
    help: str | None = None


class Unreadable(ValueError):
    """The text has problems; there is at least one."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems


def repeated_key(key: str, first: tuple[int, int], position: Position) -> Problem:
    """Describe a key that an object holds already, at a line and column."""
    line, column = first
    message = f"the key {key!r} is already on line {line}, column {column}"
    return Problem("SB104", message, position)
