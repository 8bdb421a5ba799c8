"""Where a problem is shown: the same place whatever a document is written in.

The documents of the cases that are not without problems, as they are, as JSON on many lines and on
one, in a Markdown page, and brought in by an overlay. PyYAML says where a pointer leads, in JSON
too, which is YAML to it.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from textwrap import indent

import pytest
import yaml

from codegen.diagnostics import Diagnostic, Diagnostics, Refused
from codegen.pipeline import load_api
from codegen.report import locate
from codegen.source.document import read_document
from codegen.source.pointer import split
from tests.support import CASES

# What is wrong with a text, and not with what it says.
OF_TEXTS = ("SB1", "SB210")


def problems(path: Path, *overlays: Path) -> tuple[Diagnostics, list[Diagnostic]]:
    diagnostics = Diagnostics()
    with suppress(Refused):
        load_api(str(path), overlays, diagnostics)
    return diagnostics, [it for it in diagnostics if not it.code.id.startswith(OF_TEXTS)]


def is_told(folder: Path) -> bool:
    spec = folder / "spec.yaml"
    is_alone = spec.exists() and not list(folder.glob("*overlay*"))
    return is_alone and bool(problems(spec)[1])


NAMES = sorted(folder.name for folder in CASES.iterdir() if is_told(folder))


def find(text: str, pointer: str) -> tuple[int, int]:
    """Where a pointer leads: to the name of a member, or to an item, as far as it leads."""
    at = node = yaml.compose(text, Loader=yaml.CSafeLoader)
    assert at is not None
    for token in split(pointer):
        if isinstance(node, yaml.MappingNode):
            found = [it for it in node.value if it[0].value == token]
            if not found:
                break
            at, node = found[0]
        elif isinstance(node, yaml.SequenceNode) and token.isdecimal():
            at = node = node.value[int(token)]
        else:
            break
    return at.start_mark.line + 1, at.start_mark.column + 1


def as_json(text: str, data: object) -> str:
    return json.dumps(data, indent=2)


def minified(text: str, data: object) -> str:
    return json.dumps(data, separators=(",", ":"))


def as_it_is(text: str, data: object) -> str:
    return text


FORMS: dict[str, tuple[str, Callable[[str, object], str]]] = {
    "yaml": ("spec.yaml", as_it_is),
    "json": ("spec.json", as_json),
    "minified": ("spec.json", minified),
    "json of a file of YAML's": ("spec.yaml", minified),
}


def told(path: Path, text: str, *overlays: Path) -> list[tuple[str, str, str]]:
    """What is said of a document, after it was checked that it is said at the right places."""
    diagnostics, found = problems(path, *overlays)
    place = overlays[0] if overlays else path
    for item in found:
        assert item.origin is not None
        assert item.origin.document == str(place)
        position = locate(item, diagnostics)
        assert position is not None
        assert (position.line, position.column) == find(text, item.origin.pointer), item
    return [
        (it.code.id, it.message.replace(str(path), ""), it.origin.pointer)
        for it in found
        if it.origin is not None
    ]


@pytest.fixture(params=NAMES)
def case(request: pytest.FixtureRequest) -> tuple[Path, str, object]:
    spec = CASES / request.param / "spec.yaml"
    return spec, spec.read_text("utf-8"), read_document(spec, Diagnostics()).data


def test_there_are_cases() -> None:
    assert len(NAMES) > 20


@pytest.mark.parametrize("form", FORMS)
def test_in_every_form(case: tuple[Path, str, object], form: str, tmp_path: Path) -> None:
    spec, text, data = case
    name, write = FORMS[form]
    written = write(text, data)
    (tmp_path / name).write_text(written, "utf-8")
    assert told(tmp_path / name, written) == told(spec, text)


def test_in_a_page(case: tuple[Path, str, object], tmp_path: Path) -> None:
    spec, text, _ = case
    if spec.parent.name == "error_no_openapi":
        pytest.skip("a definition is known by its `openapi`")
    page = tmp_path / "page.md"
    page.write_text(f"# Pets\n\nAs it is:\n\n```yaml\n{text}```\n", "utf-8")
    # The lines above are a comment to YAML.
    assert told(page, "#\n" * 5 + text) == told(spec, text)


def test_in_an_overlay(case: tuple[Path, str, object], tmp_path: Path) -> None:
    spec, text, data = case
    assert isinstance(data, dict)
    if spec.parent.name == "error_no_openapi":
        pytest.skip("what is missing is missing in the document")
    (tmp_path / "spec.json").write_text("{}", "utf-8")
    head = 'overlay: 1.0.0\ninfo: {title: More, version: "1"}\nactions:\n'
    written = f"{head}  - target: $\n    update:\n{indent(text, ' ' * 6)}"
    (tmp_path / "more.yaml").write_text(written, "utf-8")
    assert told(tmp_path / "spec.json", written, tmp_path / "more.yaml") == [
        (code, message, pointer.replace("#", "#/actions/0/update", 1))
        for code, message, pointer in told(spec, text)
    ]
