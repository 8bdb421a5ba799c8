"""What `diff` says of a change, and that it is so: a folder of `changes/` for each class of them.

`old.yaml` and `new.yaml` are the smallest documents that show it, `expected.txt` what is to be
said. `client.py` uses what changes, as code with attributes does, and `client_keys.py` as code with
keys; `payload.json` is data by the name of its type, and `body.txt` what comes over the wire of the
stream. The client type-checks against the old package, and against the new one unless the change is
called one of the source tier; the data and the body are read by the old one, and by the new one
unless the change is called one of the wire tier; the body adds up to the same unless that is told.
All cases lie in two packages, so that the checker runs once.
"""

import importlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from codegen.backends.naming import name_streams
from codegen.compare.api import compare_apis
from codegen.compare.change import Change, Kind, Tier
from codegen.compare.format import Report, format_text
from codegen.diagnostics import Diagnostics
from codegen.pipeline import VARIANTS, build_package, load_api
from tests.support import write

CASES = Path(__file__).parent / "changes"
NAMES = sorted(folder.name for folder in CASES.iterdir())
SIDES = ("old", "new")


def compare(case: str, diagnostics: Diagnostics) -> tuple[Change, ...]:
    old, new = (load_api(str(CASES / case / f"{side}.yaml"), (), diagnostics) for side in SIDES)
    return compare_apis(old, new, VARIANTS)


def said(case: str) -> str:
    """What is said of a case, with paths that begin at its folder."""
    diagnostics = Diagnostics()
    changes = compare(case, diagnostics)

    report = Report(
        old="old.yaml",
        new="new.yaml",
        variants=VARIANTS,
        changes=changes,
        accepted=(),
        locate=diagnostics.position,
    )
    return format_text(report, verbose=True).replace(f"{CASES / case}/", "")


def worst(case: str, variant: str) -> set[Tier]:
    return {it.tier for it in compare(case, Diagnostics()) if variant in it.variants}


@pytest.mark.parametrize("case", NAMES)
def test_what_is_said(case: str) -> None:
    """Where this is right and the file is not: `make update`."""
    assert said(case) == (CASES / case / "expected.txt").read_text("utf-8")


def test_every_kind_and_tier_has_a_case() -> None:
    found = {(it.kind, it.tier) for case in NAMES for it in compare(case, Diagnostics())}
    assert {kind for kind, _ in found} == set(Kind)
    assert {tier for _, tier in found} == set(Tier)


@pytest.mark.parametrize("case", NAMES)
def test_the_other_way_round_nothing_is_lost(case: str) -> None:
    """A document is what it is: compared with itself it has no changes."""
    for side in SIDES:
        api = load_api(str(CASES / case / f"{side}.yaml"), (), Diagnostics())
        assert compare_apis(api, api, VARIANTS) == ()


# Proof


def merge(side: str) -> dict[str, Any]:
    """All documents of a side as one; no two cases have a name in common."""
    merged: dict[str, Any] = {"paths": {}, "components": {"schemas": {}}}
    for case in NAMES:
        document = yaml.safe_load((CASES / case / f"{side}.yaml").read_text("utf-8"))
        merged["openapi"], merged["info"] = document["openapi"], document["info"]
        for whole, part in (
            (merged["paths"], document["paths"]),
            (merged["components"]["schemas"], document["components"]["schemas"]),
        ):
            assert not whole.keys() & part.keys(), case
            whole.update(part)
    return merged


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with both packages, `changes_old` and `changes_new`."""
    folder = tmp_path_factory.mktemp("changes")
    for side in SIDES:
        (folder / f"{side}.json").write_text(json.dumps(merge(side)))
        api = load_api(str(folder / f"{side}.json"), (), Diagnostics())
        write(folder / f"changes_{side}", build_package(api, VARIANTS))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield folder
    shutil.rmtree(folder)


def test_clients_type_check_where_it_is_said_that_they_do(packages: Path) -> None:
    runs: dict[str, bool] = {}
    for case in NAMES:
        for variant in VARIANTS:
            file = "client_keys.py" if variant == "typeddicts" else "client.py"
            code = (CASES / case / file).read_text("utf-8")
            for side in SIDES:
                name = f"{case}_{variant}_{side}.py"
                package = f"from changes_{side}.{variant}"
                (packages / name).write_text(re.sub(r"^from variant\b", package, code, flags=re.M))
                is_source = Tier.SOURCE in worst(case, variant)
                # What refuses data may well type-check: of that, the client says nothing.
                if side == "old" or Tier.WIRE not in worst(case, variant):
                    runs[name] = side == "old" or not is_source
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", *runs]
    done = subprocess.run(
        [*command, "--cache-dir", str(packages / "cache")],
        cwd=packages,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    failed = {line.partition(":")[0] for line in done.stdout.splitlines() if ": error: " in line}
    assert failed <= runs.keys(), done.stdout
    assert {name: name not in failed for name in runs} == runs


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("case", [it for it in NAMES if (CASES / it / "payload.json").exists()])
def test_data_is_read_where_it_is_said_that_it_is(case: str, variant: str, packages: Path) -> None:
    ((name, data),) = json.loads((CASES / case / "payload.json").read_text("utf-8")).items()
    old, new = (importlib.import_module(f"changes_{side}.{variant}") for side in SIDES)
    old.from_json(getattr(old, name), data)
    if Tier.WIRE in worst(case, variant):
        with pytest.raises(new.DecodeError):
            new.from_json(getattr(new, name), data)
    else:
        new.from_json(getattr(new, name), data)


WITH_BODY = [case for case in NAMES if (CASES / case / "body.txt").exists()]


def read_body(case: str, package: Any) -> tuple[list[Any], bool, Any]:
    """The items of a body, whether all is well with them, and what they add up to."""
    (name,) = name_streams(load_api(str(CASES / case / "new.yaml"), (), Diagnostics()))
    reader = getattr(package.streams, name)(on_invalid="keep")
    found = [*reader.feed((CASES / case / "body.txt").read_bytes()), *reader.close()]
    faults = [it for it in found if type(it).__name__ in ("InvalidEvent", "StreamError")]
    others = ("InvalidEvent", "StreamError", "UnknownEvent")
    items = [repr(it) if type(it).__name__ in others else package.to_json(it) for it in found]
    is_well = items != [] and not faults and reader.outcome.value == "complete"
    whole = package.to_json(reader.result()) if hasattr(reader, "result") else None
    return items, is_well, whole


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("case", WITH_BODY)
def test_a_body_is_read_as_it_is_said(case: str, variant: str, packages: Path) -> None:
    old, new = (importlib.import_module(f"changes_{side}.{variant}") for side in SIDES)
    (items, is_well, whole), now = read_body(case, old), read_body(case, new)
    assert is_well
    if Tier.WIRE in worst(case, variant):
        assert (now[0], now[1]) != (items, True)
        return
    assert (now[0], now[1]) == (items, True)
    kinds = {it.kind for it in compare(case, Diagnostics())}
    if None not in (whole, now[2]):
        assert (now[2] == whole) is (Kind.STREAM_FOLDED not in kinds)


def test_every_change_that_refuses_data_is_shown_to() -> None:
    shown = [it for it in NAMES if (CASES / it / "payload.json").exists()] + WITH_BODY
    wire = [it for it in NAMES if any(Tier.WIRE in worst(it, variant) for variant in VARIANTS)]
    assert [case for case in wire if case not in shown] == []


def test_every_change_of_what_adds_up_is_shown_to() -> None:
    folded = [
        case
        for case in NAMES
        if any(it.kind is Kind.STREAM_FOLDED for it in compare(case, Diagnostics()))
    ]
    assert len(folded) > 3
    assert [case for case in folded if case not in WITH_BODY] == []
