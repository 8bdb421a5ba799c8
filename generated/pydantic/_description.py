"""What the models hold: their fields, read for those who explain or complete."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Final

from pydantic.fields import FieldInfo

from .._runtime.explain import Describe, Member, Members, present
from ._codec import fields_of, is_model, is_nullable, others, wire_name


@cache
def _members(tp: Any) -> Members | None:
    if not is_model(tp):
        return None
    declared = (
        Member(wire_name(name, field), _declared(field), field.is_required())
        for name, field in fields_of(tp).items()
    )
    return Members(tuple(declared), others(tp), tp.__limits__)


def _declared(field: FieldInfo) -> Any:
    if not (field.is_required() or is_nullable(field)):
        return present(field.annotation)
    marks = tuple(field.metadata)
    return Annotated[(field.annotation, *marks)] if marks else field.annotation


def _no_tag(tp: Any) -> None:
    """Annotations are marked with it."""


DESCRIBE: Final = Describe(_members, _no_tag)
