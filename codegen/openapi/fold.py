"""The rules of `x-stream.fold.merge` -> `ir.MergeRule`.

A rule is a word (`first last concat append drop`), or an object: `{keyed: KEY, of: RULES, keep-key:
true}` for an array of entries that belong together, `{merge: RULES}` or simply `{MEMBER: RULE}` for
an object. Beside any of them, or beside `rule: WORD`, `into: NAME` names the member of the result.
Every error has the place of the rule.
"""

from __future__ import annotations

from codegen.diagnostics import Diagnostics
from codegen.ir.fold import KeyedRule, MemberRule, MergeRule, Rule, Simple
from codegen.openapi.node import Node

_WORDS = {rule.value: rule for rule in Simple}
_FORMS = ("keyed", "of", "keep-key", "else", "merge", "rule", "into")


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
        rule=_read_rule(node, diagnostics),
        origin=node.origin,
    )


def _read_into(node: Node, diagnostics: Diagnostics) -> str | None:
    if node.data is None or isinstance(node.data, str):
        return node.data
    diagnostics.add("SB303", "`into` is the name of a member", origin=node.origin)
    return None


def _read_rule(node: Node, diagnostics: Diagnostics) -> Rule | None:
    if isinstance(node.data, str) and node.data in _WORDS:
        return _WORDS[node.data]
    if not isinstance(node.data, dict):
        words = ", ".join(_WORDS)
        diagnostics.add("SB303", f"a rule is one of {words}, or an object", origin=node.origin)
        return None
    if not any(key in _FORMS for key in node.keywords):
        return read_merge(node, diagnostics)
    for key, member in node.members():
        if key not in _FORMS:
            help_ = "put the rules of members under `merge`"
            diagnostics.add("SB301", f"unknown key {key!r}", origin=member.origin, help=help_)
    if "keyed" in node.keywords:
        otherwise = node.child("else")
        if otherwise.data not in (None, "append", "error"):
            message = "`else` is append or error (the default)"
            diagnostics.add("SB303", message, origin=otherwise.origin)
        keep = node.child("keep-key")
        if keep.data is not None and not isinstance(keep.data, bool):
            diagnostics.add("SB303", "`keep-key` is true or false", origin=keep.origin)
        return KeyedRule(
            key=node.text("keyed"),
            keep_key=keep.data is True,
            append_others=otherwise.data == "append",
            of=read_merge(node.child("of"), diagnostics)
            if "of" in node.keywords
            else MergeRule(members=()),
        )
    if "merge" in node.keywords:
        return read_merge(node.child("merge"), diagnostics)
    return _read_rule(node.child("rule"), diagnostics) if "rule" in node.keywords else None
