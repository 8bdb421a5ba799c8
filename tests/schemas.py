"""Small schemas of every keyword that is read, composed at random: strategies for hypothesis.

What is composed of others leaves out what `read_as` of `verdicts.yaml` explains: it closes no
object, makes no union of members that only require, and has no limits beside constants and no
`nullable` in a union beside a type. Objects and arrays say their type; formats that are read as
something else have tests of their own.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Schemas = st.SearchStrategy[dict[str, Any]]

# What drawn schemas refer to.
NAMED: dict[str, Any] = {
    "pair": {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": "integer"}, "b": {"type": "string"}},
    },
    "circle": {
        "type": "object",
        "required": ["kind", "r"],
        "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}},
    },
    "square": {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"const": "square"}, "r": {"type": ["integer", "null"]}},
    },
    "tree": {
        "type": "object",
        "properties": {
            "a": {"type": "integer"},
            "b": {"type": "array", "items": {"$ref": "#/components/schemas/tree"}},
        },
    },
    "colour": {"enum": ["red", "blue", 1]},
    "shape": {
        "oneOf": [{"$ref": f"#/components/schemas/{it}"} for it in ("circle", "square")],
        "discriminator": {"propertyName": "kind"},
    },
}
PROPERTIES = ["a", "b", "c", "b/c", "kind", "class"]
CONSTANTS = [None, True, False, 0, 1, 2.5, "", "a", "red", [], [1], {}, {"a": 1}]
LIMITS = {
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"),
    "uniqueItems",
}
FORMATS = ["email", "uri", "int32", "ipv4"]


def schemas(depth: int = 2) -> Schemas:
    """A schema of any kind, nested as deep as that at most."""
    plain = st.one_of(anything(), scalars(), constants(), references())
    if not depth:
        return plain
    inner = schemas(depth - 1)
    nested = (objects, maps, arrays, tuples, unions, parts, conjunctions)
    return st.one_of(plain, *(kind(inner) for kind in nested))


def anything() -> Schemas:
    return st.sampled_from([{}, {"description": "Any."}])


def references() -> Schemas:
    refers = st.sampled_from(sorted(NAMED)).map(lambda it: {"$ref": f"#/components/schemas/{it}"})
    return refers | st.tuples(refers, nullables()).map(lambda it: {"allOf": [it[0]], **it[1]})


def nullables() -> Schemas:
    return st.sampled_from([{}, {}, {"nullable": True}])


def scalars() -> Schemas:
    integer = limited("integer", minimum=[0, 1], maximum=[2, 9], multipleOf=[2])
    number = limited("number", exclusiveMinimum=[0, 0.5], exclusiveMaximum=[2, 9.5])
    string = limited("string", minLength=[1], maxLength=[2], format=FORMATS, pattern=["^a"])
    several = st.lists(
        st.sampled_from(["boolean", "integer", "number", "string", "null"]),
        min_size=1,
        max_size=3,
        unique=True,
    ).map(lambda it: {"type": it})
    kinds = st.one_of(integer, number, string, st.just({"type": "boolean"}), several)
    return st.tuples(kinds, nullables()).map(merged)


def limited(kind: str, **limits: list[Any]) -> Schemas:
    optional = {name: st.sampled_from(values) for name, values in limits.items()}
    return st.fixed_dictionaries({"type": st.just(kind)}, optional=optional)


def constants() -> Schemas:
    several = st.lists(st.sampled_from(CONSTANTS), min_size=1, max_size=4, unique_by=repr)
    one = st.sampled_from(CONSTANTS).map(lambda it: {"const": it})
    return one | several.map(lambda it: {"enum": it})


def objects(inner: Schemas) -> Schemas:
    """Objects with members; what others are is said, or left open."""
    others = st.fixed_dictionaries(
        {},
        optional={
            "additionalProperties": st.booleans() | inner,
            "minProperties": st.just(1),
            "maxProperties": st.just(3),
        },
    )
    return st.tuples(members(inner), others, nullables()).map(merged)


def members(inner: Schemas) -> Schemas:
    held = st.dictionaries(st.sampled_from(PROPERTIES), inner, min_size=1, max_size=3)
    return held.flatmap(
        lambda it: st.lists(st.sampled_from(sorted(it)), unique=True).map(
            lambda required: {
                "type": "object",
                "properties": it,
                **({"required": required} if required else {}),
            }
        )
    )


def maps(inner: Schemas) -> Schemas:
    names = st.sampled_from([["a", "b"], ["new", "b/c"]]).map(lambda it: {"enum": it})
    return st.fixed_dictionaries(
        {"type": st.just("object")},
        optional={
            "additionalProperties": inner,
            "propertyNames": names,
            "minProperties": st.just(1),
            "maxProperties": st.just(1),
        },
    )


def arrays(inner: Schemas) -> Schemas:
    limits = limited("array", minItems=[1], maxItems=[1, 2], uniqueItems=[True])
    return st.tuples(limits, inner.map(lambda it: {"items": it}), nullables()).map(merged)


def tuples(inner: Schemas) -> Schemas:
    first = st.lists(inner, min_size=1, max_size=2).map(lambda it: {"prefixItems": it})
    rest = st.fixed_dictionaries({}, optional={"items": inner | st.just(False)})
    return st.tuples(limited("array", minItems=[1]), first, rest).map(merged)


def unions(inner: Schemas) -> Schemas:
    several = st.lists(inner, min_size=1, max_size=3)
    keyword = st.sampled_from(["anyOf", "oneOf"])
    return st.tuples(keyword, several, nullables()).map(lambda it: {it[0]: it[1], **it[2]})


def parts(inner: Schemas) -> Schemas:
    """Objects composed of others, and beside unions."""
    pair = st.just({"$ref": "#/components/schemas/pair"})
    part = members(inner) | pair
    composed = st.lists(part, min_size=1, max_size=2).map(lambda it: {"allOf": it})
    either = st.lists(part, min_size=2, max_size=2).map(lambda it: {"anyOf": it})
    whole = st.tuples(members(inner) | st.just({}), composed | either, nullables()).map(merged)
    return whole.map(lambda it: without(it, LIMITS))


def conjunctions(inner: Schemas) -> Schemas:
    """Scalars and arrays for which several schemas hold."""
    limits = st.lists(scalars(), min_size=2, max_size=2).map(lambda it: {"allOf": it})
    single = st.one_of(scalars(), constants(), unions(scalars() | constants()))
    several = st.lists(single, min_size=2, max_size=3).map(lambda it: {"allOf": it})
    either = unions(scalars() | constants() | inner).map(lambda it: without(it, {"nullable"}))
    beside = st.tuples(scalars(), either).map(merged)
    narrowed = st.lists(arrays(inner) | tuples(inner), min_size=2, max_size=2)
    listed = st.one_of(several, beside, narrowed.map(lambda it: {"allOf": it}))
    unlimited = listed.map(lambda it: without(it, LIMITS))
    return st.tuples(st.one_of(limits, unlimited), nullables()).map(merged)


def without(schema: Any, keywords: set[str]) -> Any:
    """A schema that does not use these keywords, anywhere inside."""
    if isinstance(schema, list):
        return [without(it, keywords) for it in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: without(it, keywords) for key, it in schema.items() if key not in keywords}


def merged(keywords: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    return {key: value for each in keywords for key, value in each.items()}
