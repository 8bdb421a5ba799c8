"""What pydantic would read otherwise: constants, arrays by their places, and unions.

Each is a mark in `Annotated`, as the run time's are for the other variants, and makes
the schema that pydantic validates by.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NoReturn, TypeAlias, cast, get_args

from pydantic_core import CoreSchema, core_schema

from pydantic import GetCoreSchemaHandler

from .._runtime import marks
from .._runtime.decoding import one_of
from ._codec import UnknownVariant


class _Exactly:
    """Keeps true and 1.0 from passing for 1, as they do in Python."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        constants = get_args(source)

        def check(value: Any) -> Any:
            if not one_of(value, *constants):
                raise ValueError("another type than the constant's")
            return value

        return core_schema.no_info_before_validator_function(check, handler(source))


EXACTLY = _Exactly()


class OneOf(marks.OneOf):
    """Only these constants, which `Literal` cannot hold."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        def check(value: Any) -> Any:
            if not one_of(value, *self.values):
                raise ValueError(f"not one of {self.values!r}")
            return value

        return core_schema.no_info_before_validator_function(check, handler(source))


class Prefix(marks.Prefix):
    """An array whose first items have types of their own; all others are `rest`."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        items = [handler.generate_schema(tp) for tp in self.first]
        count = len(items)
        known: list[Any] = [
            core_schema.tuple_schema(items[:n]) for n in range(count + 1)
        ]
        if not self.is_whole:
            items.append(handler.generate_schema(self.rest))
            known.append(core_schema.tuple_schema(items, variadic_item_index=count))
        either = core_schema.union_schema(known, mode="left_to_right")
        return core_schema.chain_schema(
            [
                core_schema.list_schema(),
                core_schema.no_info_before_validator_function(tuple, either),
                core_schema.no_info_plain_validator_function(list),
            ]
        )


class _Nothing:
    """Makes a schema that no value satisfies, which pydantic has no type for."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self._refuse)

    def _refuse(self, value: Any) -> Any:
        raise ValueError("no value is allowed here")


Never: TypeAlias = Annotated[NoReturn, _Nothing()]
"""The type of what cannot be there."""


class InOrder:
    """Makes the first member of a union that fits the answer, and not the closest.

    Each union has its own: typing takes A | B and B | A for the same otherwise.
    """

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema: Any = handler(source)
        if schema["type"] == "union":
            schema["mode"] = "left_to_right"
        return cast(CoreSchema, schema)


class Tagged(marks.Tagged):
    """Tells the objects of a union apart by a member: `cases` names who answers.

    With `unlisted`, an object whose member holds another string is kept; `untagged` is
    what an object is that lacks the member.
    """

    def __init__(
        self,
        name: str,
        cases: Mapping[str, Any],
        unlisted: type[UnknownVariant] | None = None,
        *,
        untagged: Any = None,
    ) -> None:
        super().__init__(name, cases, untagged)
        self.unlisted = unlisted

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        choices = {tag: handler.generate_schema(tp) for tag, tp in self.cases.items()}
        known = core_schema.tagged_union_schema(choices, self.name, strict=True)
        others = (self._unlisted, self.unlisted), (self._untagged, self.untagged)
        options: list[Any] = [known]
        for check, tp in others:
            if tp is not None:
                schema = handler.generate_schema(tp)
                options.append(
                    core_schema.no_info_before_validator_function(check, schema)
                )
        if len(options) == 1:
            return known
        return core_schema.union_schema(options, mode="left_to_right")

    def _unlisted(self, value: Any) -> Any:
        if isinstance(value, UnknownVariant):
            return value
        tag = cast(Any, value).get(self.name) if isinstance(value, dict) else None
        if not isinstance(tag, str) or tag in self.cases:
            raise ValueError(f"no {self.name} that is new")
        return cast(Any, value)

    def _untagged(self, value: Any) -> Any:
        if isinstance(value, dict) and cast(Any, value).get(self.name) is not None:
            raise ValueError(f"a {self.name} that is listed, or not known")
        return cast(Any, value)
