"""What is wrong with an input, collected while it is read.

In: problems, each with a code of `codegen.codes` and the place it was found at. Out: the same
problems in the order they came, without repeats. A stage adds what it finds and goes on; it calls
`check` where it cannot continue without an answer. Nothing here reads files or prints;
`codegen.report` turns the collection into text.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

from codegen.codes import CODES, Code, Severity

__all__ = ["Diagnostic", "Diagnostics", "Origin", "Position", "Refused", "Severity", "suggestion"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """A value in a document: the document's display name and a pointer such as `#/info/title`."""

    document: str
    pointer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A character in a text: line and column, both counted from 1."""

    line: int
    column: int


class Text(Protocol):
    """What a report needs of a document: its lines as the user sees them, and its places."""

    @property
    def name(self) -> str: ...

    def line(self, number: int) -> str: ...

    def position(self, pointer: str) -> Position: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One problem. `position` is set where the place has no pointer, as in a syntax error."""

    code: Code
    message: str
    document: str | None
    origin: Origin | None
    position: Position | None
    help: str


Trace: TypeAlias = Callable[[str], Origin]


@dataclass(slots=True)
class Diagnostics:
    """The collector handed to every stage; problems of the kinds in `ignored` are not recorded."""

    ignored: frozenset[str] = frozenset()
    # A dict keeps the order and drops exact repeats.
    _items: dict[Diagnostic, None] = field(default_factory=dict[Diagnostic, None])
    _texts: dict[str, Text] = field(default_factory=dict[str, Text])
    _profiles: dict[str, str] = field(default_factory=dict[str, str])
    _refused_parts: int = 0
    _traces: dict[str, Trace] = field(default_factory=dict[str, Trace])

    def add(
        self,
        id: str,
        message: str,
        *,
        origin: Origin | None = None,
        position: Position | None = None,
        document: str | None = None,
        help: str | None = None,
    ) -> None:
        """Record a problem at an origin, or at a position in a named document, or at no place.

        `help` replaces the help line of the code. Raises KeyError for a code that is not in the
        table.
        """
        known = CODES[id]
        if id in self.ignored:
            return
        if origin is not None and origin.document in self._traces:
            origin = self._traces[origin.document](origin.pointer)
        item = Diagnostic(
            code=known,
            message=message,
            document=origin.document if origin is not None else document,
            origin=origin,
            position=position,
            help=known.help if help is None else help,
        )
        self._items.setdefault(item)

    def trace(self, document: str, find: Trace) -> None:
        """Report places in a document where `find` says that they were written: an overlay may have
        put them there.
        """
        self._traces[document] = find

    def remember(self, text: Text) -> None:
        """Keep a document's text for excerpts, even that of one that does not parse."""
        self._texts[text.name] = text

    def text(self, name: str) -> Text | None:
        """Return the text remembered under a document's display name."""
        return self._texts.get(name)

    def position(self, origin: Origin) -> Position | None:
        """Return where a value starts in its document; None where the text is not remembered."""
        text = self.text(origin.document)
        return None if text is None else text.position(origin.pointer)

    def sum_up(self, document: str, profile: str) -> None:
        """Count what finds no place in a document that a profile, which is that document, is laid
        over: users cannot mend it one by one.
        """
        self._profiles[document] = profile

    @property
    def items(self) -> tuple[Diagnostic, ...]:
        return tuple(self._summed_up()) if self._profiles else tuple(self._items)

    def _summed_up(self) -> Iterator[Diagnostic]:
        counts = Counter(item.document for item in self._items if self._is_unmatched(item))
        for item in self._items:
            if not self._is_unmatched(item):
                yield item
            elif item.document in counts:
                assert item.document is not None, "it has a profile"
                count, profile = counts.pop(item.document), self._profiles[item.document]
                places = "place" if count == 1 else "places"
                message = f"the profile {profile!r} has {count} {places} that the document lacks"
                summed = CODES["SB126"]
                yield replace(item, code=summed, message=message, origin=None, help=summed.help)

    def _is_unmatched(self, item: Diagnostic) -> bool:
        return item.document in self._profiles and item.code.id in ("SB124", "SB305")

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(item for item in self._items if item.code.severity is Severity.ERROR)

    @property
    def has_errors(self) -> bool:
        return bool(self.errors)

    def check(self) -> None:
        """Raise `Refused` if an error was recorded."""
        if self.has_errors:
            raise Refused(self)

    def check_choice(
        self,
        kind: str,
        id: str,
        asked: tuple[str, ...],
        known: tuple[str, ...],
        origin: Origin | None = None,
    ) -> None:
        """Record, under the code `id`, each name asked for that is not known."""
        for name in asked:
            if name not in known:
                message = f"there is no {kind} {name!r}{suggestion(name.lower(), known, '; ')}"
                help = f"the {kind}s are {', '.join(known)}" if known else f"there are no {kind}s"
                self.add(id, message, origin=origin, help=help)

    def only(self, items: Iterable[Diagnostic]) -> "Diagnostics":
        """Return a collector that holds some of the problems, with all texts."""
        return Diagnostics(_items=dict.fromkeys(items), _texts=self._texts)

    def forget(self, is_idle: Callable[[Diagnostic], bool]) -> None:
        """Take back warnings and notes that turn out to concern nobody; errors stay."""
        for item in tuple(self._items):
            if item.code.severity is not Severity.ERROR and is_idle(item):
                del self._items[item]

    def include(self, other: "Diagnostics") -> None:
        """Record the problems of another collector, after those here, with their texts."""
        self._items |= other._items
        self._texts |= other._texts
        self._profiles |= other._profiles

    @contextmanager
    def part(self) -> Generator["Diagnostics"]:
        """Hand out a collector for one piece of work, and record what it holds.

        An error refuses that piece only, so that the others are tried too; `check_parts` tells.
        """
        part = Diagnostics()
        try:
            yield part
        except Refused:
            self._refused_parts += 1
        finally:
            self.include(part)

    def check_parts(self) -> None:
        """Raise `Refused` if a part was."""
        if self._refused_parts:
            raise Refused(self)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.items)


def suggestion(name: str, known: Iterable[str], before: str = "", *, cutoff: float = 0.6) -> str:
    """Ask after the known name that is most like another: `did you mean 'pets'?`, with a text
    before it; empty where none is, or none to the degree of `cutoff`.
    """
    # Its import takes as long as some commands do.
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1, cutoff=cutoff)
    return f"{before}did you mean {close[0]!r}?" if close else ""


class Refused(Exception):
    """The input has errors, so nothing is made from it. The command line exits with 2."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        super().__init__("\n".join(f"{e.code.id} {e.message}" for e in diagnostics.errors))
        self.diagnostics = diagnostics
