"""What pydantic would read otherwise: constants, arrays by their places, and unions.

Each is a mark in `Annotated`, as the run time's are for the other variants, and makes
the schema that pydantic validates by.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, NoReturn, TypeAlias, cast, get_args

from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler

from .._runtime import marks
from .._runtime.decoding import one_of
from ._codec import Model, UnknownVariant, member


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

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        _, either, _ = cast(Any, schema)["steps"]
        shown = handler(either["schema"]["choices"][-1])
        # The items in front may be fewer.
        shown.pop("minItems", None)
        return shown


class _Nothing:
    """Makes a schema that no value satisfies, which pydantic has no type for."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self._refuse)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {"not": {}}

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


class _Rest(Enum):
    """What no tag names; errors tell it in their places."""

    UNLISTED = "unlisted"
    UNTAGGED = "untagged"

    def __repr__(self) -> str:
        return self.value


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
        kinds: dict[Any, Any] = {
            **self.cases,
            _Rest.UNLISTED: self.unlisted,
            _Rest.UNTAGGED: self.untagged,
        }
        choices = {
            kind: handler.generate_schema(tp)
            for kind, tp in kinds.items()
            if tp is not None
        }
        return core_schema.tagged_union_schema(
            choices,
            self._kind,
            strict=True,
            custom_error_type="union_tag_unknown",
            custom_error_message=f"{self.name} is none of {', '.join(self.cases)}",
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Tell what may come; which it is where each is a schema of its own."""
        choices: dict[Any, CoreSchema] = cast(Any, schema)["choices"]
        # A union of one is that one, by reference.
        shown = {
            kind: handler(core_schema.union_schema([choice]))
            for kind, choice in choices.items()
        }
        distinct: list[JsonSchemaValue] = []
        for kind in shown.values():
            if kind not in distinct:
                distinct.append(kind)
        told: JsonSchemaValue = {"anyOf": distinct}
        mapping = {tag: shown[tag].get("$ref") for tag in self.cases}
        if all(mapping.values()):
            told["discriminator"] = {"propertyName": self.name, "mapping": mapping}
        return told

    def _kind(self, value: Any) -> Any:
        if isinstance(value, dict):
            tag = cast(Any, value).get(self.name)
        elif isinstance(value, UnknownVariant):
            return _Rest.UNLISTED
        elif isinstance(value, Model):
            tag = member(value, self.name)
        else:
            return None
        if tag is None:
            return _Rest.UNTAGGED
        if isinstance(tag, str):
            return tag if tag in self.cases else _Rest.UNLISTED
        return None
