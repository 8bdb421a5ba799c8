"""How the events of a stream add up, place by place of the result, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from codegen.ir.fold import (
    At,
    CloseStep,
    Fold,
    FoldStep,
    How,
    Keyed,
    Merge,
    Part,
    PartId,
    PutStep,
    SetStep,
    Source,
    Step,
    SwitchStep,
    Target,
)
from codegen.ir.rules import (
    Glue,
    GlueRule,
    JsonRule,
    KeyedRule,
    KindRule,
    Otherwise,
    PatchRule,
    Rest,
    Simple,
)

OTHERS = "undeclared members"


def tell_fold(fold: Fold) -> dict[str, str]:
    """What becomes of the values that go to each place of the result.

    A place is `/choices/*/text`, with the name of the event before it where events of several kinds
    go different ways; members of events that go nowhere are told by their own place.
    """
    teller = _Teller({part.id: part for part in fold.parts})
    told = {OTHERS: fold.extra.value}
    told |= {f"/{name}": f"{value!r} from the start" for name, value in fold.constants}
    if fold.part is not None:
        told |= teller.part(fold.part, "")
    for case in fold.cases:
        for name in case.names:
            for place, how in teller.steps(case.steps):
                key = f"{name} {place}"
                told[key] = f"{told[key]}, then {how}" if key in told else how
    return told


@dataclass(slots=True)
class _Teller:
    parts: dict[PartId, Part]

    def part(self, id_: PartId, place: str, around: tuple[PartId, ...] = ()) -> dict[str, str]:
        """Of an object, and of those inside it; of one that holds itself, once."""
        part = self.parts[id_]
        taken = {slot.source.path[0] for slot in part.slots}
        told = {f"{place}/{name}": "drop" for name in part.declared if name not in taken}
        for slot in part.slots:
            target = f"{place}/{slot.target}"
            origin = "" if slot.source.path == (slot.target,) else f" of {_path(slot.source)}"
            told[target] = f"{_how(slot.how)}{origin}"
            if isinstance(slot.how, Merge | Keyed) and slot.how.part not in (*around, id_):
                inside = f"{target}/*" if isinstance(slot.how, Keyed) else target
                told |= self.part(slot.how.part, inside, (*around, id_))
        return told

    def steps(self, steps: Iterable[Step], condition: str = "") -> Iterator[tuple[str, str]]:
        """The places that steps go to, and how."""
        for step in steps:
            match step:
                case PutStep(target=target, source=source):
                    yield _place(target), f"set to {_path(source)}{condition}"
                case FoldStep(target=target, source=source, how=how, make=make):
                    made = f" from {dict(make)!r}" if make else ""
                    yield _place(target), f"{_how(how)} of {_path(source)}{made}{condition}"
                    if isinstance(how, Merge | Keyed):
                        base = _place(target).rstrip("/")
                        inside = f"{base}/*" if isinstance(how, Keyed) else base
                        yield from self.part(how.part, inside).items()
                case SetStep(target=target, value=value):
                    yield _place(target), f"set to {value!r}{condition}"
                case CloseStep(target=target, members=members):
                    yield _place(target), f"whole in {', '.join(members)}{condition}"
                case SwitchStep(source=source, cases=cases):
                    for value, chosen in cases:
                        yield from self.steps(chosen, f" where {_path(source)} is {value!r}")
                case _:
                    assert_never(step)


def tell_path(path: Iterable[str]) -> str:
    """A place in JSON as people read it: `/choices/0`."""
    return "/" + "/".join(path)


def _path(source: Source) -> str:
    return tell_path(source.path) if source.path else "the event"


def _place(target: Target) -> str:
    return tell_path("*" if isinstance(step, At) else step.name for step in target)


def _how(how: How) -> str:
    match how:
        case Simple():
            return how.value
        case Merge():
            return "merge"
        case Keyed(rule=rule):
            return _keyed(rule)
        case GlueRule(glue=glue):
            return _glue(glue)
        case JsonRule(rest=rest, early=early):
            cut = "" if rest is Rest.PARTIAL else f", {rest.value} where it is cut"
            return f"json{', shown early' if early else ''}{cut}"
        case PatchRule(path=path, values=values):
            return f"patch at {path} by {', '.join(values)}"
        case KindRule(rules=rules, text=text):
            told = [f"{kind.value}: {_how(rule)}" for kind, rule in rules]
            more = [f"text as {text.member} of {dict(text.make)!r}"] if text else []
            return "; ".join([*told, *more])
        case _:
            assert_never(how)


def _keyed(rule: KeyedRule) -> str:
    told = [f"keyed by {rule.key}"]
    told += [] if rule.keep_key else ["which is left out"]
    told += (
        [] if rule.otherwise is Otherwise.ERROR else [f"{rule.otherwise.value} where there is none"]
    )
    told += [f"told apart by {rule.apart}"] if rule.apart else []
    told += ["in the order they came"] if rule.by_arrival else []
    told += [f"at most {rule.limit}"] if rule.limit is not None else []
    return ", ".join(told)


def _glue(glue: Glue) -> str:
    parts = {"alike in": glue.same, "concat": glue.concat, "last": glue.last}
    told = [f"{what} {', '.join(names)}" for what, names in parts.items() if names]
    return f"append, joined ({'; '.join(told)})"
