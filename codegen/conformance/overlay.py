"""What makes a document true to recordings: the actions of an overlay, each with its evidence.

In: findings, and the document they are of. Out: actions of OpenAPI Overlay 1.0 that allow what was
seen and no more. What came in an order or to an end that the rules do not allow is for people to
judge; so is what lies in another file, which overlays do not reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from codegen.conformance.findings import Finding
from codegen.conformance.inference import infer_schema
from codegen.conformance.readings import Readings
from codegen.conformance.rules import Rules
from codegen.conformance.schemas import Schemas, Written, put, quote, to_json_path
from codegen.python.names import pascal, split_words
from codegen.recording.events import Kind
from codegen.source.document import Document
from codegen.source.pointer import join, lookup, split
from codegen.source.values import Json

_REPLACE = (Kind.NULL, Kind.TYPE)


@dataclass(frozen=True, slots=True)
class Action:
    """One action: it removes its target, or merges `update` into it."""

    target: str
    description: str
    update: Json = None

    @property
    def data(self) -> dict[str, Json]:
        said: dict[str, Json] = {"target": self.target, "description": self.description}
        return {**said, "remove": True} if self.update is None else {**said, "update": self.update}


def plan_actions(document: Document, readings: Readings) -> tuple[Action, ...]:
    """The actions that mend what can be mended."""
    planner = _Planner(Schemas(document), readings.rules)
    # What replaces a schema comes first, the outer before the inner.
    findings = sorted(readings.findings, key=lambda it: (it.kind not in _REPLACE, it.place.pointer))
    done = (
        action
        for finding in findings
        if finding.place.document == document.name
        for action in planner.mend(finding)
    )
    # Two findings may ask for the same: two objects that require a name in one place.
    return tuple({repr((it.target, it.update)): it for it in done}.values())


class _Planner:
    def __init__(self, schemas: Schemas, rules: Rules) -> None:
        self._schemas = schemas
        self._rules = rules
        self._replaced: set[str] = set()

    def mend(self, finding: Finding) -> Iterator[Action]:
        why = describe(finding)
        pointer = finding.place.pointer
        match finding.kind:
            case Kind.MISSING:
                yield from self._release(finding, why)
            case Kind.NULL:
                yield from self._allow_null(pointer, why)
            case Kind.TYPE:
                yield from self._allow_type(pointer, finding.values, why)
            case Kind.VALUE if any(isinstance(value, dict) for value in finding.values):
                yield from self._add_variant(finding, why)
            case Kind.VALUE:
                yield from self._allow_values(pointer, finding.values, why)
            case Kind.FIELD:
                schema = self._infer(finding.values)
                if self._rules.has_taken(pointer, finding.name):
                    schema["x-merge"] = "drop"
                yield from self._update(pointer, why, {"properties": {finding.name: schema}})
            case Kind.EVENT:
                yield from self._add_variant(finding, why)
            case Kind.ORDER:
                pass

    def _infer(self, values: Iterable[Json]) -> dict[str, Json]:
        return infer_schema(values, has_null_type=self._schemas.has_null_type)

    def _release(self, finding: Finding, why: str) -> Iterator[Action]:
        """Take a name out of every `required` that holds for the object."""
        owners = (finding.owner or "").rstrip("?+").split("|")
        for owner in owners:
            for written in self._schemas.composed(f"#{owner.partition('#')[2]}"):
                required = written.data.get("required")
                if isinstance(required, list) and finding.name in required:
                    place = join(written.pointer, "required")
                    yield from self._remove(place, why, f"[?@ == {quote(finding.name)}]")
        rule = self._rules.needs_key(finding.owner, finding.name)
        if rule is not None:
            yield from self._update(rule.pointer, why, {"else": "append"})

    def _allow_null(self, pointer: str, why: str) -> Iterator[Action]:
        written = self._schemas.find(pointer)
        if written is None:
            return
        data, enum = written.data, written.data.get("enum")
        null: dict[str, Json] = {"enum": [None]} if isinstance(enum, list) else {}
        if not self._schemas.has_null_type and "$ref" not in data:
            yield from self._update(written.pointer, why, {"nullable": True, **null})
        elif not self._schemas.has_null_type:
            yield from self._replace(written, {"nullable": True, "allOf": [data]}, why)
        elif isinstance(data.get("type"), list):
            yield from self._update(written.pointer, why, {"type": ["null"], **null})
        elif "type" in data and "const" not in data:
            if isinstance(enum, list):
                null = {"enum": [*enum, None]}
            changed: dict[str, Json] = {**data, "type": [data["type"], "null"], **null}
            yield from self._replace(written, changed, why)
        else:
            yield from self._add_alternative(written, {"type": "null"}, why)

    def _allow_type(self, pointer: str, values: tuple[Json, ...], why: str) -> Iterator[Action]:
        written = self._schemas.find(pointer)
        if written is None:
            return
        data, declared = written.data, written.data.get("type")
        schema = self._infer(values)
        seen = schema.get("type")
        if declared == seen and "format" in data:
            yield from self._remove(join(written.pointer, "format"), why)
        elif declared == "integer" and schema == {"type": "number"}:
            yield from self._update(written.pointer, why, schema)
        elif declared and schema.keys() == {"type"} and self._schemas.has_null_type:
            types = [
                it for one in (declared, seen) for it in (one if isinstance(one, list) else [one])
            ]
            yield from self._replace(written, {**data, "type": types}, why)
        else:
            yield from self._add_alternative(written, schema, why)

    def _allow_values(self, pointer: str, values: tuple[Json, ...], why: str) -> Iterator[Action]:
        new: list[Json] = [*dict.fromkeys(it for it in values if isinstance(it, str | int | float))]
        for written in self._schemas.alternatives(pointer):
            if isinstance(written.data.get("enum"), list):
                yield from self._update(written.pointer, why, {"enum": new})
                return
            if "const" in written.data:
                rest = {name: it for name, it in written.data.items() if name != "const"}
                changed: dict[str, Json] = {**rest, "enum": [written.data["const"], *new]}
                yield from self._replace(written, changed, why)
                return

    def _add_variant(self, finding: Finding, why: str) -> Iterator[Action]:
        """Add an alternative to a union, for the discriminator under a name of its own."""
        for written in self._schemas.composed(finding.place.pointer):
            keyword = next((it for it in ("oneOf", "anyOf") if it in written.data), None)
            if keyword is None:
                continue
            tag, mapping = _discriminator(written)
            schema = self._infer(finding.values)
            _narrow(schema, tag or "type", finding.name)
            if mapping is None:
                yield from self._update(written.pointer, why, {keyword: [schema]})
                return
            name = self._schemas.free_name(pascal(split_words(finding.name)) + "Event")
            reference = f"#/components/schemas/{name}"
            yield from self._update("#/components/schemas", why, {name: schema})
            update: Json = {
                keyword: [{"$ref": reference}],
                "discriminator": {"mapping": {finding.name: reference}},
            }
            yield from self._update(written.pointer, why, update)
            return

    def _add_alternative(self, written: Written, schema: Json, why: str) -> Iterator[Action]:
        """Let a schema hold, or another one."""
        keyword = next((it for it in ("anyOf", "oneOf") if it in written.data), None)
        if keyword is not None:
            yield from self._update(written.pointer, why, {keyword: [schema]})
        else:
            yield from self._replace(written, {"anyOf": [written.data, schema]}, why)

    def _replace(self, written: Written, schema: Json, why: str) -> Iterator[Action]:
        """Put a schema in the place of one.

        The member that it is part of is replaced: without what it holds, that is not declared, and
        without its removal, the two do not merge.
        """
        tokens = split(written.pointer)
        depth = max(
            (i for i, it in enumerate(tokens[:-1], 1) if it in ("properties", "schemas")),
            default=len(tokens) - 1,
        )
        member = join("#", *tokens[: depth + 1])
        if not self._is_replaced(member):
            changed = put(lookup(self._schemas.document.data, member), tokens[depth + 1 :], schema)
            yield from self._remove(member, why)
            yield from self._update(join("#", *tokens[:depth]), why, {tokens[depth]: changed})
            self._replaced.add(member)

    def _update(self, pointer: str, why: str, update: Json) -> Iterator[Action]:
        if not self._is_replaced(pointer):
            yield Action(to_json_path(pointer), why, update)

    def _remove(self, pointer: str, why: str, filter_: str = "") -> Iterator[Action]:
        if not self._is_replaced(pointer):
            yield Action(to_json_path(pointer) + filter_, why)

    def _is_replaced(self, pointer: str) -> bool:
        """Whether a place is part of what is new. What there is to say of that is found in the next
        round, with the place that it has then.
        """
        return any(f"{pointer}/".startswith(f"{it}/") for it in self._replaced)


def describe(finding: Finding) -> str:
    """The evidence: what came how often, and where first."""
    first = finding.witnesses[0]
    count = len(finding.witnesses)
    times = "once" if count == 1 else f"{count:,} times"
    name = f" {finding.name!r}" if finding.name else ""
    others = len(finding.recordings) - 1
    more = f" and {others} more" if others else ""
    return (
        f"{finding.kind.value.capitalize()}{name}: {times} in {first.recording}{more}, "
        f"first at byte {first.offset:,}."
    )


def _discriminator(written: Written) -> tuple[str | None, Json]:
    data = written.data.get("discriminator")
    if not isinstance(data, dict):
        return None, None
    name = data.get("propertyName")
    return name if isinstance(name, str) else None, data.get("mapping")


def _narrow(schema: dict[str, Json], tag: str, name: str) -> None:
    """Let the member that tells the alternatives apart be this constant."""
    properties = schema.get("properties")
    if isinstance(properties, dict) and tag in properties:
        properties[tag] = {"type": "string", "enum": [name]}
