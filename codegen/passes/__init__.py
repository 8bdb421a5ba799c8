"""`Api -> Api`, one file per pass, in the order below. Each returns a new value and states what
holds afterwards.
"""

from __future__ import annotations

from codegen.diagnostics import Diagnostics
from codegen.ir.api import Api
from codegen.passes.break_alias_cycles import break_alias_cycles
from codegen.passes.find_envelopes import find_envelopes
from codegen.passes.find_kinds import find_kinds
from codegen.passes.find_tags import find_tags
from codegen.passes.lift_null import lift_null
from codegen.passes.name_unions import name_unions
from codegen.passes.open_responses import open_responses
from codegen.passes.order_members import order_members
from codegen.passes.plan_folds import plan_folds
from codegen.passes.split_access import split_access
from codegen.passes.split_deep_types import split_deep_types
from codegen.passes.type_tags import type_tags

PASSES = (
    lift_null,  # first: it takes aliases away
    break_alias_cycles,  # early: all others follow aliases to their end
    find_envelopes,  # before tags: what only ends a stream is no kind of event
    find_tags,  # before unions move into declarations of their own
    find_kinds,  # while the tag of a union is at hand
    type_tags,  # when all tags are known, and unions still where they are written
    name_unions,  # before types are copied
    order_members,  # when every union of objects has a place of its own
    split_deep_types,  # when unions are out of them
    split_access,  # before records, which are made of what responses hold
    plan_folds,  # before opening, since records are responses too
    open_responses,
)


def run_passes(api: Api, diagnostics: Diagnostics) -> Api:
    """Run every pass in order."""
    for step in PASSES:
        api = step(api, diagnostics)
    return api
