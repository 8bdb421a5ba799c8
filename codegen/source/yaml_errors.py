"""What the YAML parsers found wrong, and the way out.

In: an error of libyaml, and the text it is about. Out: the problem as we report it. The parsers say
what they looked for; what people did is mostly one of a few things, which their words tell apart.
"""

from yaml import MarkedYAMLError

from codegen.diagnostics import Position
from codegen.source.positions import Lines
from codegen.source.problem import Problem
from codegen.source.values import MAX_DEPTH

_TAB = "indent with spaces: YAML takes no tab there"
# By words of the parser, the first that it says.
_WAYS_OUT = {
    "mapping values are not allowed": "indent a key as those beside it; quote a text with `: `",
    "did not find expected key": "indent it as the keys beside it; quote a text with quotes",
    "cannot start any token": "put the text in quotes",
    "could not find expected ':'": "a key needs a colon and a space after it",
    "unexpected end of stream": "close the quotes",
    "unknown escape character": "write \\\\ for a backslash, or use single quotes",
    "expected ',' or ']'": "close the bracket, or put a comma",
    "expected ',' or '}'": "close the brace, or put a comma",
}


def describe(error: MarkedYAMLError, text: str) -> Problem:
    """Say what is wrong, since where, and what to do about it."""
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line, mark.column) if mark else (0, 0)
    position = Position(line=line + 1, column=column + 1)
    # libyaml looks ahead of what it hands out, and has a bound of its own.
    if error.problem == "exceeded maximum nesting depth":
        return Problem("SB105", f"nested deeper than {MAX_DEPTH} levels", position)
    character = Lines(text).line(line + 1)[column : column + 1]
    message = error.problem or ""
    if error.context:
        start = error.context_mark
        since = f" that begins on line {start.line + 1}" if start and start.line != line else ""
        message += f", {error.context}{since}"
    return Problem("SB103", message, position, _way_out(message, character))


def _way_out(message: str, character: str) -> str:
    if character == "\t":
        return _TAB
    return next((help_ for words, help_ in _WAYS_OUT.items() if words in message), "")
