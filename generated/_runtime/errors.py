"""What goes wrong with data, and what stands in for an event that cannot be used."""

from __future__ import annotations

from typing import Any, NamedTuple


class Problem(NamedTuple):
    """One place where data is not what its type says."""

    pointer: str
    """JSON Pointer (RFC 6901) into the data; empty for the whole of it."""
    expected: str
    found: str

    def __str__(self) -> str:
        place = self.pointer or "the value"
        return f"{place}: expected {self.expected}, found {self.found}"


def pointer_to(at: str, name: str) -> str:
    """Give the pointer to a member of the value at a pointer (RFC 6901 section 3)."""
    return f"{at}/{name.replace('~', '~0').replace('/', '~1')}"


class DecodeError(ValueError):
    """Data is not what its type says; `errors` lists every place."""

    def __init__(self, errors: tuple[Problem, ...]) -> None:
        super().__init__(errors)
        self.errors = errors

    def __str__(self) -> str:
        return "\n".join(map(str, self.errors))


class IncompleteResult(DecodeError):
    """A stream did not bring all that its result requires; `errors` says what."""

    def inside(self, token: str | int) -> IncompleteResult:
        """Give the same error of the value that holds this one under a token."""
        at = pointer_to("", str(token))
        problems = (it._replace(pointer=at + it.pointer) for it in self.errors)
        return IncompleteResult(tuple(problems))


class StreamError(Exception):
    """The server reported an error in its stream; `payload` is its JSON."""

    def __init__(self, payload: Any) -> None:
        super().__init__(payload)
        self.payload: Any = payload


class TruncatedStream(Exception):
    """The input ended before the stream did; `tail` is what came of a last event."""

    def __init__(self, tail: str = "") -> None:
        super().__init__(tail)
        self.tail = tail

    def __str__(self) -> str:
        return "the input ended before the stream did"


class UnknownEvent:
    """An event of a kind that the document does not list: its name, and its JSON."""

    __slots__ = ("data", "name")

    def __init__(self, name: str, data: Any) -> None:
        self.name = name
        self.data: Any = data

    def __repr__(self) -> str:
        return f"UnknownEvent(name={self.name!r}, data={self.data!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, UnknownEvent):
            return NotImplemented
        return bool(self.name == other.name and self.data == other.data)

    def __hash__(self) -> int:
        return hash(self.name)


class InvalidEvent:
    """An event that is not what its type says, as it came: `raw` and its `errors`."""

    __slots__ = ("errors", "raw")

    def __init__(self, raw: str, errors: tuple[Problem, ...]) -> None:
        self.raw = raw
        self.errors = errors

    def __repr__(self) -> str:
        return f"InvalidEvent(raw={self.raw!r}, errors={self.errors!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, InvalidEvent):
            return NotImplemented
        return self.raw == other.raw and self.errors == other.errors

    def __hash__(self) -> int:
        return hash((self.raw, self.errors))
