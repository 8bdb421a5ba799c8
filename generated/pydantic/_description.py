"""What the models hold: their fields, read for those who explain or complete."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Final, Union, cast, get_args

from pydantic.fields import FieldInfo

from .._runtime.explain import Describe, Member, Members
from ._codec import fields_of, is_model, is_nullable, others, wire_name


@cache
def _members(tp: Any) -> Members | None:
    if not is_model(tp):
        return None
    declared = (
        Member(wire_name(name, field), _type_if_present(field), field.is_required())
        for name, field in fields_of(tp).items()
    )
    return Members(tuple(declared), others(tp), tp.__limits__)


def _type_if_present(field: FieldInfo) -> Any:
    if field.is_required() or is_nullable(field):
        marks_ = tuple(field.metadata)
        return Annotated[(field.annotation, *marks_)] if marks_ else field.annotation
    # This None only stands for absence; on the wire it would be wrong.
    kept = tuple(arg for arg in get_args(field.annotation) if arg is not type(None))
    return cast(Any, Union)[kept]


def _no_tag(tp: Any) -> None:
    """Annotations are marked with it."""


DESCRIBE: Final = Describe(_members, _no_tag)
