"""One rule of `x-stream.fold` -> `ir.rules.Rule`.

A rule is a word (`first last replace concat append sum max drop json`), or an object:

    {MEMBER: RULE}, {merge: {MEMBER: RULE}}      an object, member by member
    {keyed: KEY, of: RULES}                      an array of entries that belong together; also
        keep-key, else: append | last, apart: MEMBER, order: arrival, max: N
    {append: true, glue: {same, concat, last}}   entries that continue the one before
    {json: {rest: partial | raw | error, at: close | each}}
    {patch: {path: MEMBER, value: [MEMBER]}}     entries that say where they belong
    {by-type: {string: WORD, array: WORD or glue, object: WORD or glue}}
        string: {rule: concat, into: MEMBER, make: {MEMBER: VALUE}} for texts that meet entries

Beside any of them, or beside `rule: WORD`, `into: NAME` names the member of the result. Every error
has its place in the document.
"""

from __future__ import annotations

from collections.abc import Callable

from codegen.diagnostics import Diagnostics, suggestion
from codegen.ir.rules import (
    Glue,
    GlueRule,
    JsonKind,
    JsonRule,
    KeyedRule,
    KindRule,
    MemberRule,
    MergeRule,
    Otherwise,
    PatchRule,
    Rest,
    Rule,
    Simple,
    TextEntry,
)
from codegen.openapi.node import Node
from codegen.openapi.stream_values import check_keys, read_constants, read_names, read_word

_WORDS = {rule.value: rule for rule in Simple}
_KEYED = ("keyed", "of", "keep-key", "else", "apart", "order", "max")
_FORMS = (*_KEYED, "append", "glue", "json", "patch", "by-type", "merge", "rule", "into")
_WHOLE_JSON = JsonRule(rest=Rest.PARTIAL, early=False)


def read_merge(node: Node, diagnostics: Diagnostics) -> MergeRule:
    """The rules of an object's members."""
    if not isinstance(node.data, dict):
        diagnostics.add("SB303", "rules are an object: {MEMBER: RULE}", origin=node.origin)
    return MergeRule(
        members=tuple(_read_member(name, member, diagnostics) for name, member in node.members())
    )


def _read_member(name: str, node: Node, diagnostics: Diagnostics) -> MemberRule:
    return MemberRule(
        name=name,
        into=_read_into(node.child("into"), diagnostics) or name,
        rule=read_rule(node, diagnostics),
        origin=node.origin,
    )


def _read_into(node: Node, diagnostics: Diagnostics) -> str | None:
    if node.data is None or isinstance(node.data, str):
        return node.data
    diagnostics.add("SB303", "`into` is the name of a member", origin=node.origin)
    return None


def read_rule(node: Node, diagnostics: Diagnostics) -> Rule | None:
    """A rule; None where only `into` is said, or after an error."""
    if node.data == "json":
        return _WHOLE_JSON
    if isinstance(node.data, str) and node.data in _WORDS:
        return _WORDS[node.data]
    if not isinstance(node.data, dict):
        words = (*_WORDS, "json")
        message = f"a rule is one of {', '.join(words)}, or an object"
        help_ = suggestion(str(node.data), words)
        diagnostics.add("SB303", message, origin=node.origin, help=help_)
        return None
    if not any(key in _FORMS for key in node.keywords):
        return read_merge(node, diagnostics)
    for key, member in node.members():
        if key not in _FORMS:
            help_ = "put the rules of members under `merge`"
            diagnostics.add("SB301", f"unknown key {key!r}", origin=member.origin, help=help_)
    return _read_form(node, diagnostics)


def _read_form(node: Node, diagnostics: Diagnostics) -> Rule | None:
    if "keyed" in node.keywords:
        return _read_keyed(node, diagnostics)
    if "glue" in node.keywords:
        return _read_glue(node.child("glue"), diagnostics)
    if "append" in node.keywords:
        return Simple.APPEND
    readers: dict[str, Callable[[Node, Diagnostics], Rule | None]] = {
        "json": _read_json,
        "patch": _read_patch,
        "by-type": _read_kinds,
        "merge": read_merge,
        "rule": read_rule,
    }
    found = next((key for key in readers if key in node.keywords), None)
    return readers[found](node.child(found), diagnostics) if found else None


def _read_keyed(node: Node, diagnostics: Diagnostics) -> KeyedRule:
    limit = node.child("max")
    if limit.data is not None and not (type(limit.data) is int and limit.data > 0):
        diagnostics.add("SB303", "`max` is a number of entries", origin=limit.origin)
    keep = node.child("keep-key")
    if keep.data is not None and not isinstance(keep.data, bool):
        diagnostics.add("SB303", "`keep-key` is true or false", origin=keep.origin)
    order = node.child("order")
    if order.data not in (None, "key", "arrival"):
        diagnostics.add("SB303", "`order` is key (the default) or arrival", origin=order.origin)
    of = node.child("of")
    return KeyedRule(
        key=node.text("keyed"),
        keep_key=keep.data is True,
        otherwise=read_word(node.child("else"), Otherwise, Otherwise.ERROR, diagnostics),
        apart=node.text("apart") or None,
        by_arrival=order.data == "arrival",
        limit=limit.data if type(limit.data) is int else None,
        of=MergeRule(members=()) if of.data is None else read_merge(of, diagnostics),
    )


def _read_glue(node: Node, diagnostics: Diagnostics) -> GlueRule:
    check_keys(node, ("same", "concat", "last"), diagnostics)
    same, concat, last = (
        tuple(read_names(node.child(key), diagnostics)) for key in ("same", "concat", "last")
    )
    return GlueRule(glue=Glue(same=same, concat=concat, last=last))


def _read_json(node: Node, diagnostics: Diagnostics) -> JsonRule:
    check_keys(node, ("rest", "at"), diagnostics)
    at = node.child("at")
    if at.data not in (None, "close", "each"):
        diagnostics.add("SB303", "`at` is close (the default) or each", origin=at.origin)
    rest = read_word(node.child("rest"), Rest, Rest.PARTIAL, diagnostics)
    return JsonRule(rest=rest, early=at.data == "each")


def _read_patch(node: Node, diagnostics: Diagnostics) -> PatchRule:
    check_keys(node, ("path", "value"), diagnostics)
    value = node.child("value")
    one = isinstance(value.data, str)
    values = (value.data,) if one else tuple(read_names(value, diagnostics))
    if not node.text("path") or not values:
        message = "`patch` names the member that holds the path, and those that hold the value"
        diagnostics.add("SB303", message, origin=node.origin, help="patch: {path: p, value: [v]}")
    return PatchRule(path=node.text("path"), values=tuple(map(str, values)))


def _read_kinds(node: Node, diagnostics: Diagnostics) -> KindRule:
    kinds = {kind.value: kind for kind in JsonKind}
    check_keys(node, tuple(kinds), diagnostics)
    rules: list[tuple[JsonKind, Simple | GlueRule]] = []
    text: TextEntry | None = None
    for key, member in node.members():
        if key == "string" and "make" in member.keywords:
            text = _read_text(member, diagnostics)
            rule: Rule | None = Simple.CONCAT
        else:
            rule = read_rule(member, diagnostics)
        if key in kinds and isinstance(rule, Simple | GlueRule):
            rules.append((kinds[key], rule))
        elif rule is not None:
            message = "the rule of a kind is a word, or `append` with `glue`"
            diagnostics.add("SB303", message, origin=member.origin)
    return KindRule(rules=tuple(rules), text=text)


def _read_text(node: Node, diagnostics: Diagnostics) -> TextEntry:
    check_keys(node, ("rule", "into", "make"), diagnostics)
    if node.text("rule") != "concat" or not node.text("into"):
        message = "a text that may become an entry is joined, and has a member there"
        help_ = "string: {rule: concat, into: MEMBER, make: {MEMBER: VALUE}}"
        diagnostics.add("SB303", message, origin=node.origin, help=help_)
    make = read_constants(node.child("make"), diagnostics)
    return TextEntry(member=node.text("into"), make=make)
