"""The targets of `make fuzz`, for as long as the tests may take: what once failed, and inputs that
differ a little from what the tests have.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.mutate import mutate_body, mutate_document
from tests.fuzz.seeds import FOUND, found, seeds
from tests.fuzz.targets import HEAD, TARGETS

KEPT = [(target, name) for target in TARGETS for name in found(target)]
SEEDS = {target: sorted(seeds(target)) for target in TARGETS}


@pytest.mark.parametrize(("target", "name"), KEPT)
def test_what_once_failed(target: str, name: str) -> None:
    TARGETS[target](found(target)[name])


def test_what_is_kept_belongs_to_a_target() -> None:
    assert {folder.name for folder in FOUND.iterdir()} <= TARGETS.keys()


@pytest.mark.parametrize("target", ["reader", "overlay"])
@settings(max_examples=80)
@given(seed=st.integers(0, 2**32), index=st.integers(0, 2**16))
def test_documents_that_differ_a_little(target: str, seed: int, index: int) -> None:
    known = SEEDS[target]
    TARGETS[target](mutate_document(known[index % len(known)], Random(seed)))


@pytest.mark.parametrize("target", ["framings", "decoder"])
@settings(max_examples=150)
@given(head=st.binary(min_size=HEAD, max_size=HEAD), seed=st.integers(0, 2**32))
def test_bodies_that_differ_a_little(target: str, head: bytes, seed: int) -> None:
    random = Random(seed)
    body = random.choice(SEEDS[target])[HEAD:]
    TARGETS[target](head + mutate_body(body, random))


@pytest.mark.parametrize("target", TARGETS)
@given(data=st.binary(max_size=400))
def test_any_bytes(target: str, data: bytes) -> None:
    TARGETS[target](data)
