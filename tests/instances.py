"""JSON values that fit a JSON Schema, and some that do not quite: strategies for hypothesis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import strategies as st

Values = st.SearchStrategy[Any]
Schemas = Mapping[str, Any]

ODD = [None, True, False, 0, 1, 2, 1.0, 1.5, "", "a", "stop", [], [1], ["a"], {}, {"a": 1}]
ANYTHING: Values = st.sampled_from(ODD)
SCALARS: dict[str, Values] = {
    "null": st.none(),
    "boolean": st.booleans(),
    "integer": st.integers(),
    "number": st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    "string": st.text(max_size=5),
}
NAMES = ["a", "b/c", "new"]


def near(schema: Any, schemas: Schemas, depth: int = 4) -> Values:
    """Values that fit a schema, and some that do not quite.

    Of `$ref`, the last part names one of the schemas.
    """
    if not isinstance(schema, dict) or not depth:
        return ANYTHING
    fitting: list[Values] = []
    if values := [*schema.get("enum", ()), *([schema["const"]] if "const" in schema else [])]:
        fitting.append(st.sampled_from(values))
    if "$ref" in schema:
        fitting.append(near(schemas[schema["$ref"].rpartition("/")[2]], schemas, depth - 1))
    fitting += [near(it, schemas, depth) for it in schema.get("anyOf", ())]
    if "allOf" in schema:
        fitting.append(st.tuples(*(near(it, schemas, depth) for it in schema["allOf"])).map(joined))
    kinds = schema.get("type", "object" if "properties" in schema else ())
    for kind in [kinds] if isinstance(kinds, str) else kinds:
        fitting.append(_of_kind(kind, schema, schemas, depth))
    if pool := list(_alike(schema)):
        fitting.append(st.sampled_from(pool))
    if len(fitting) > 1 and all(key in schema for key in ("type", "anyOf")):
        fitting.append(st.tuples(*fitting).map(joined))
    chosen = st.one_of(*fitting) if fitting else ANYTHING
    return st.integers(0, 15).flatmap(lambda n: chosen if n else ANYTHING)


def _of_kind(kind: str, schema: Any, schemas: Schemas, depth: int) -> Values:
    if kind == "array":
        first = [near(it, schemas, depth - 1) for it in schema.get("prefixItems", ())]
        more = st.lists(near(schema.get("items"), schemas, depth - 1), max_size=3)
        whole = st.tuples(st.tuples(*first), more).map(lambda it: [*it[0], *it[1]])
        return whole | st.tuples(whole, st.integers(0, 3)).map(lambda it: it[0][: it[1]])
    if kind != "object":
        return SCALARS[kind]
    members = {n: near(it, schemas, depth - 1) for n, it in schema.get("properties", {}).items()}
    required = {name: it for name, it in members.items() if name in schema.get("required", ())}
    optional = {name: it for name, it in members.items() if name not in required}
    free = [*schema.get("patternProperties", {}).values(), schema.get("additionalProperties")]
    listed = schema.get("propertyNames")
    names = [*NAMES, *(listed.get("enum", ()) if isinstance(listed, dict) else ())]
    others = [near(it, schemas, depth - 1) for it in free]
    more_members = st.dictionaries(st.sampled_from(names), st.one_of(*others), max_size=2)
    declared = st.fixed_dictionaries(required, optional=optional)
    lacking = st.tuples(declared, st.sampled_from([*members, ""])).map(
        lambda it: {name: value for name, value in it[0].items() if name != it[1]}
    )
    return st.tuples(more_members, st.one_of(declared, declared, lacking)).map(joined)


def _alike(schema: Any) -> Iterator[Any]:
    """Values beside the bounds and the constants of a schema."""
    for keyword, value in schema.items():
        values = value if keyword == "enum" else [value]
        for it in values:
            if isinstance(it, bool):
                yield from (it, int(it), float(it)) if keyword in ("const", "enum") else ()
            elif isinstance(it, int | float) and keyword in ("const", "enum"):
                yield from (it, float(it), bool(it), str(it))
            elif isinstance(it, int | float) and "Length" in keyword:
                yield from ("é" * int(it + more) for more in (-1, 0, 1) if it + more >= 0)
            elif isinstance(it, int | float) and "Items" in keyword:
                yield from ([*range(int(it + more))] for more in (-1, 0, 1) if it + more >= 0)
            elif isinstance(it, int | float) and keyword != "default":
                yield from (it - 1, it, it + 1, it + 0.5, it * 2)


def joined(parts: tuple[Any, ...]) -> Any:
    """The objects among the parts as one; the first part where there are none."""
    objects = [part for part in parts if isinstance(part, dict)]
    return {k: it for part in objects for k, it in part.items()} if objects else parts[0]
