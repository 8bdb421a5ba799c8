"""`ir.Fold` -> the functions that take an event into what has come, in straight lines.

In: the plan of a stream. Out: `_fold`, which takes a whole event, and one function for each object
inside that has rules of its own. They read the JSON of an event once it was decoded, so what its
type requires is there; they are the same in every variant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from codegen.backends.scope import DECODING, RUNTIME, Scope
from codegen.ir.fold import Fold, How, Keyed, Merge, Part, PartId, Source
from codegen.ir.rules import (
    Extra,
    Glue,
    GlueRule,
    JsonKind,
    JsonRule,
    KindRule,
    Otherwise,
    PatchRule,
    Rest,
    Simple,
    TextEntry,
)
from codegen.ir.types import Anything, Array, JsonScalar, Literal, Scalar, ScalarKind, Type, Union
from codegen.ir.walk import without_null
from codegen.python.code import Code, identifier, snippet
from codegen.python.distinct import distinct
from codegen.python.expressions import (
    Entry,
    Expr,
    Group,
    Operand,
    Ops,
    atom,
    braces,
    call,
    display,
    index,
    keyword,
    mapping,
    method,
    parameters,
    parens,
    prefixed,
    subscript,
)
from codegen.python.layout import assignment, definition, statement
from codegen.python.literals import format_string, literal
from codegen.python.names import snake, split_words

# What the functions are written with.
NAMES = frozenset(
    """_fold whole held entries event chunk entry value name object array first concat append
    sum max become list_others last_others concat_others issuperset get isinstance str
    by_arrival limit apart or_last owner make same last rest early show text""".split()
)
_HELD, _CHUNK, _VALUE = Code("held"), Code("chunk"), Code("value")
_ENTRY, _NONE = atom(Code("entry")), atom(Code("None"))
_KINDS = {JsonKind.ARRAY: "is_array", JsonKind.OBJECT: "is_object"}
_OTHERS = {
    Extra.LIST: Code("list_others"),
    Extra.LAST: Code("last_others"),
    Extra.CONCAT: Code("concat_others"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionView:
    """A function, and the constant before it with its name, if it needs one."""

    name: Code
    constant: Code | None = None
    line: Code | None = None
    lines: tuple[Code, ...]


class FoldBuilder:
    """Writes what the parts of one stream do."""

    def __init__(self, fold: Fold, scope: Scope) -> None:
        self._fold = fold
        self._scope = scope
        wanted = {"/".join(part.id): _words(part.id) for part in fold.parts}
        # `_fold` takes the whole event, whether it is one object or of several kinds.
        taken = frozenset({"fold"}) if fold.part is None else frozenset[str]()
        found = distinct(wanted, taken)
        self._names = {part.id: found["/".join(part.id)] for part in fold.parts}

    def functions(self) -> Iterator[FunctionView]:
        """A function for each part."""
        return map(self._function, self._fold.parts)

    def _function(self, part: Part) -> FunctionView:
        name = self._function_name(part.id)
        constant = identifier(f"_{self._names[part.id].removeprefix('fold_').upper()}_MEMBERS")
        # What comes undeclared may not take the place of a member that has another name here.
        known = dict.fromkeys((*part.declared, *(slot.target for slot in part.slots)))
        members = braces(*(atom(format_string(name)) for name in known))
        line = statement(snippet("{} = ", constant), members)
        undeclared = call(snippet("not {}.issuperset", constant), atom(_CHUNK))
        others = call(snippet("held.{}", _OTHERS[self._fold.extra]), atom(_CHUNK), atom(constant))
        lines = [
            self.head(name, _HELD, _CHUNK),
            _if(4, undeclared),
            statement(Code(""), others, indent=8),
        ]
        for slot in part.slots:
            key = atom(format_string(slot.target))
            lines += self.take(slot.how, _HELD, key, slot.source, _CHUNK, 4)
        return FunctionView(name=name, constant=constant, line=line, lines=tuple(lines))

    def _function_name(self, id_: PartId) -> Code:
        return identifier(f"_{self._names[id_]}")

    def head(self, name: Code, *arguments: Code) -> Code:
        """The head of a function that takes something into what has come."""
        accumulator = self._scope.use(RUNTIME + "accumulator", "Accumulator")
        types = {_HELD: accumulator, Code("whole"): accumulator, Code("name"): Code("str")}
        any_ = self._scope.use("typing", "Any")
        declared = (atom(snippet("{}: {}", it, types.get(it, any_))) for it in arguments)
        return definition(snippet("def {}", name), parameters(*declared), atom(Code("None")))

    def take(
        self, how: How, held: Code, key: Expr, source: Source, of: Code, indent: int
    ) -> list[Code]:
        """The lines by which a value of `of` joins what is `held` under a key."""
        if how is Simple.REPLACE:
            return self._replace(held, key, source, of, indent)
        value, lines = self.value(source, of), list[Code]()
        match how:
            case KindRule(text=None):
                return self._by_kind(how, held, key, value, indent)
            case Keyed():
                entries: Expr = value
                if not source.is_certain:
                    entries = Ops(Code("or"), (value, atom(Code("()"))))
                return self._keyed(how, held, key, entries, indent)
            case Simple.FIRST if kinds := self._kinds(source.type):
                # Of texts, an empty one is none.
                before = method(atom(held), Code("get"), key)
                absent: Expr = Ops(Code("is"), (before, _NONE))
                if ScalarKind.STRING in kinds:
                    absent = prefixed(Code("not "), before)
                if source.is_certain:
                    return [_if(indent, absent), self._set(held, key, value, indent + 4)]
                lines.append(_if(indent, Ops(Code("and"), (absent, there(value)))))
                return [*lines, self._set(held, key, atom(_VALUE), indent + 4)]
            case _:
                if source.is_certain:
                    return [self._join(how, held, key, source.type, value, indent)]
                joined = self._join(how, held, key, source.type, atom(_VALUE), indent + 4)
                return [_if(indent, there(value)), joined]

    def _join(self, how: How, held: Code, key: Expr, type_: Type, value: Expr, indent: int) -> Code:
        """The statement by which a value joins."""
        takes_entries = isinstance(how, GlueRule) or how is Simple.APPEND
        if takes_entries and not isinstance(without_null(type_, self._scope.decls), Array):
            value = Group(Code(""), Code("["), Code("]"), (value,))
        match how:
            case Simple.LAST:
                return self._set(held, key, value, indent)
            case Simple():
                return self._run(held, identifier(how.value), key, indent, value)
            case Merge(part=part):
                inside = call(snippet("{}.object", held), key)
                return statement(
                    Code(""), call(self._function_name(part), inside, value), indent=indent
                )
            case GlueRule(glue=glue):
                return self._call("glue", "glue", held, key, indent, value, *_glue(glue))
            case KindRule(text=TextEntry() as text, rules=rules):
                parts = (it.glue for _, it in rules if isinstance(it, GlueRule))
                glue = next(parts, Glue(same=(), concat=(), last=()))
                more = [keyword(Code("text"), atom(format_string(text.member)))]
                if text.make:
                    more.append(keyword(Code("make"), constants(text.make)))
                return self._call(
                    "glue", "join_parts", held, key, indent, value, *more, *_glue(glue)
                )
            case JsonRule(rest=rest, early=early):
                more = [keyword(Code("early"), atom(Code("True")))] if early else []
                if rest is not Rest.PARTIAL:
                    more.insert(0, keyword(Code("rest"), atom(format_string(rest.value))))
                return self._call("json_pieces", "join_json", held, key, indent, value, *more)
            case PatchRule(path=path, values=values):
                named = display(*(atom(format_string(name)) for name in values))
                where = atom(format_string(path))
                return self._call(
                    "patches", "apply_patches", held, key, indent, value, where, named
                )
            case _:
                raise AssertionError(f"{how} is written elsewhere")

    def _by_kind(
        self, how: KindRule, held: Code, key: Expr, value: Expr, indent: int
    ) -> list[Code]:
        is_bound = value.code == _VALUE
        lines = [] if is_bound else [statement(Code("value = "), value, indent=indent)]
        word = Code("if ")
        for kind, rule in how.rules:
            if kind is JsonKind.STRING:
                is_kind = call(Code("isinstance"), atom(_VALUE), atom(Code("str")))
            else:
                is_kind = call(self._scope.use(DECODING, _KINDS[kind]), atom(_VALUE))
            lines.append(statement(word, is_kind, Code(":"), indent=indent))
            type_ = Array(Anything()) if kind is JsonKind.ARRAY else Anything()
            lines.append(self._join(rule, held, key, type_, atom(_VALUE), indent + 4))
            word = Code("elif ")
        return lines

    def _replace(self, held: Code, key: Expr, source: Source, of: Code, indent: int) -> list[Code]:
        *before, last = source.path
        parent = Source(
            path=tuple(before),
            type=source.type,
            sure=min(source.sure, len(before)),
            in_object=source.in_object,
        )
        owner = self.value(parent, of)
        if not parent.is_certain:
            owner = parens(Ops(Code("or"), (owner, atom(Code("{}")))))
        name = format_string(last)
        is_there = Ops(Code("in"), (atom(name), owner))
        value = index(self.value(parent, of), atom(name))
        return [_if(indent, is_there), self._set(held, key, value, indent + 4)]

    def _keyed(self, how: Keyed, held: Code, key: Expr, entries: Expr, indent: int) -> list[Code]:
        rule, options, name = how.rule, list[Expr](), atom(format_string(how.rule.key))
        if rule.by_arrival:
            options.append(keyword(Code("by_arrival"), atom(Code("True"))))
        if rule.limit is not None:
            options.append(keyword(Code("limit"), literal(rule.limit)))
        if rule.otherwise is Otherwise.ERROR and rule.apart is None:
            at = index(_ENTRY, name)
            if how.default is not None:
                at = method(_ENTRY, Code("get"), name, literal(how.default))
            place: Operand = call(snippet("{}.entry", held), key, at, *options)
        else:
            array = call(snippet("{}.array", held), key, *options)
            more: list[Expr] = []
            if rule.apart is not None:
                more.append(keyword(Code("apart"), atom(format_string(rule.apart))))
            if rule.otherwise is Otherwise.LAST:
                more.append(keyword(Code("or_last"), atom(Code("True"))))
            place = method(array, Code("owner"), _ENTRY, name, *more)
        joined = call(self._function_name(how.part), place, _ENTRY)
        return [
            statement(Code("for entry in "), entries, Code(":"), indent=indent),
            statement(Code(""), joined, indent=indent + 4),
        ]

    def merge(self, part: PartId, held: Code, value: Expr, indent: int) -> Code:
        """The statement by which an object joins what is held."""
        joined = call(self._function_name(part), atom(held), value)
        return statement(Code(""), joined, indent=indent)

    def value(self, source: Source, of: Code) -> Operand:
        """The value itself; None where it is absent."""
        sure = source.path[: source.sure]
        inside: Operand = atom(of)
        for token in sure:
            inside = index(inside, atom(format_string(token)))
        rest = [atom(format_string(token)) for token in source.path[source.sure :]]
        if not rest:
            return inside
        if len(rest) == 1 and source.in_object:
            return method(inside, Code("get"), *rest)
        return call(self._scope.use(RUNTIME + "stream", "lookup"), inside, *rest)

    def _set(self, held: Code, key: Expr, value: Expr, indent: int) -> Code:
        return assignment(subscript(held, key), value, indent=indent)

    def _run(self, held: Code, method: Code, key: Expr, indent: int, *values: Expr) -> Code:
        called = call(snippet("{}.{}", held, method), key, *values)
        return statement(Code(""), called, indent=indent)

    def _call(
        self, module: str, name: str, held: Code, key: Expr, indent: int, *values: Expr
    ) -> Code:
        function = self._scope.use(RUNTIME + module, name)
        called = call(function, atom(held), key, *values)
        return statement(Code(""), called, indent=indent)

    def close(self, held: Code, path: Expr, members: tuple[str, ...], indent: int) -> Code:
        """The statement that says that the JSON texts of these members are whole."""
        close = self._scope.use(RUNTIME + "json_pieces", "close_json")
        names = (atom(format_string(name)) for name in members)
        return statement(Code(""), call(close, atom(held), path, *names), indent=indent)

    def _kinds(self, type_: Type) -> frozenset[ScalarKind]:
        """The kinds of values, where all of them are texts, or none is a text, array or object."""
        found: frozenset[ScalarKind] = frozenset()
        match without_null(type_, self._scope.decls):
            case Scalar(kind=kind):
                found = frozenset({kind})
            case Literal(kinds=kinds):
                found = frozenset(kinds)
            case Union(members=members):
                each = [self._kinds(member) for member in members]
                found = found.union(*each) if all(each) else found
            case _:
                pass
        is_mixed = ScalarKind.STRING in found and len(found) > 1
        return frozenset() if is_mixed else found


def _words(id_: PartId) -> str:
    return snake(("fold", *(word for name in id_ for word in split_words(name))))


def _glue(glue: Glue) -> Iterator[Expr]:
    named = {"same": glue.same, "concat": glue.concat, "last": glue.last}
    for name, members in named.items():
        if members:
            texts = display(*(atom(format_string(member)) for member in members))
            yield keyword(identifier(name), texts)


def constants(make: tuple[tuple[str, JsonScalar], ...]) -> Expr:
    """An object of constants."""
    entries = (Entry(format_string(name), literal(value)) for name, value in make)
    return mapping(*entries)


def _if(indent: int, condition: Expr) -> Code:
    return statement(Code("if "), condition, Code(":"), indent=indent)


def there(value: Operand) -> Expr:
    """That a value is there; it is bound to `value`."""
    bound = parens(prefixed(Code("value := "), value))
    return Ops(Code("is not"), (bound, _NONE))
