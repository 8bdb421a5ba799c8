"""Every place where a string may stand, times hostile texts, times the variants.

What comes out parses, holds no statement, call, import or name beyond what a harmless text gives at
the same place, and the hostile text stands wherever the harmless one did; or the input is refused
with a place. Here each place gets a few of the texts, and its neighbours the others; `make
matrix` tries all of them.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from codegen.pipeline import VARIANTS
from tests.command import run
from tests.hostile.bench import faults_at
from tests.hostile.facts import Facts, facts_of, surplus
from tests.hostile.places import OVERLAY, find_places, load, put, strings, unread
from tests.hostile.texts import TEXTS
from tests.support import CASES, ROOT

GROUPS = 24
SHARE = 30
Record = Callable[[str, object], None]


def some_texts(index: int, share: int = SHARE) -> list[str]:
    return [name for at, name in enumerate(TEXTS) if (at + index) % share == 0]


@pytest.mark.parametrize("group", range(GROUPS))
def test_documents(group: int, tmp_path: Path, record_property: Record) -> None:
    faults: list[str] = []
    count = 0
    for index, place in list(enumerate(find_places()))[group::GROUPS]:
        names = some_texts(index // GROUPS + group)
        faults += faults_at(place, tmp_path, names)
        count += len(names) * len(VARIANTS)
    record_property("combinations", count)
    assert faults == []


def test_the_documents_use_every_keyword() -> None:
    assert unread() == set()


def test_overlays(tmp_path: Path, record_property: Record) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps(load(CASES.parent / "stream_cases/keyed/spec.yaml")))
    places = list(strings(load(OVERLAY), str(OVERLAY.relative_to(ROOT / "tests"))))
    faults: list[str] = []
    count = 0
    for index, place in enumerate(places):
        faults += faults_at(place, tmp_path, names := some_texts(index, 6), spec)
        count += len(names) * len(VARIANTS)
    record_property("combinations", count)
    assert faults == []


# Configurations, file names and arguments: each run is in a folder far enough inside a temporary
# one that `../..` stays in it.

SETTINGS: dict[str, Any] = {
    "spec": "spec.json",
    "output": "out",
    "overlay": ["overlay.json"],
    "profile": [],
    "ref-root": ".",
    "jobs": [
        {
            "job": "one",
            "variant": ["dataclasses"],
            "schema": ["Chunk"],
            "operation": ["read"],
            "tag": ["one"],
            "path": ["/read"],
            "type": {"date": "str"},
            "name": {"#/components/schemas/Part": "Piece"},
        }
    ],
}
OPTIONS = [
    ["--operation", "{}"],
    ["--schema", "{}"],
    ["--tag", "{}"],
    ["--path", "{}"],
    ["--type", "date={}"],
    ["--type", "{}=str"],
    ["--type", "{}"],
    ["--name", "#/components/schemas/Part={}"],
    ["--name", "#/components/schemas/{}=Piece"],
    ["--name", "{}"],
    ["--variant", "{}"],
    ["--profile", "{}"],
    ["--overlay", "{}"],
    ["--ref-root", "{}"],
    ["--job", "{}"],
]
COMMANDS = [
    *(["generate", "spec.json", "-o", "out", "--variant", "dataclasses", *it] for it in OPTIONS),
    ["generate", "spec.json", "-o", "{}", "--variant", "dataclasses"],
    ["generate", "{}", "-o", "out"],
    ["check", "spec.json", "-o", "{}"],
    ["diff", "spec.json", "{}"],
    ["diff", "{}:spec.json", "spec.json"],
    ["diff", "spec.json", "spec.json", "--fail-on", "{}"],
    ["list", "{}"],
    ["list", "spec.json", "--schema", "{}"],
    ["examples", "{}"],
    ["explain", "{}"],
    ["inspect", "spec.json", "{}"],
    ["inspect", "spec.json", "body.jsonl", "--stream", "{}"],
    ["conform", "spec.json", "{}"],
    ["init", "{}", "-o", "out"],
    ["init", "spec.json", "-o", "{}"],
]


class Project:
    """A folder that commands run in, and what they may not touch around it."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._root = root
        self._monkeypatch = monkeypatch
        spec = put_tags(load(CASES.parent / "stream_cases/keyed/spec.yaml"))
        self.spec = json.dumps(spec)
        self._files = {
            "spec.json": self.spec,
            "overlay.json": json.dumps(load(OVERLAY)),
            "body.jsonl": '{"parts": [{"n": 1, "text": "a"}]}\n',
        }
        twin = ["generate", "spec.json", "-o", "out"]
        self._twins = [self.run(it)[1] for it in (twin, [*twin, "--overlay", "overlay.json"])]

    def run(self, arguments: list[str], files: dict[str, str] | None = None) -> tuple[int, Facts]:
        """The exit code of a command, and the facts of all modules that it wrote."""
        top = self._root / "top"
        shutil.rmtree(top, ignore_errors=True)
        home = top / "a/b/c/d"
        home.mkdir(parents=True)
        for name, text in {**self._files, **(files or {})}.items():
            (home / name).write_text(text, "utf-8", "surrogatepass")
        self._monkeypatch.chdir(home)
        done = run(*arguments)
        self._monkeypatch.chdir(self._root)
        assert done.exit_code in (0, 1, 2), done.output
        assert done.exit_code != 2 or "error SB" in done.output or "Usage:" in done.output
        assert {it.name for it in self._root.iterdir()} == {"top"}
        made = {str(it): it.read_text("utf-8") for it in top.rglob("*.py")}
        return done.exit_code, facts_of(made)

    def faults(self, made: Facts) -> list[str]:
        """What a package holds beyond those of the document, alone and with its overlay."""
        return [*surplus(made, *self._twins)]


def put_tags(document: Any) -> Any:
    document = json.loads(json.dumps(document))
    document["paths"]["/read"]["get"]["tags"] = ["one"]
    return document


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("HOME", str(tmp_path / "top"))
    return Project(tmp_path, monkeypatch)


def toml(value: Any) -> str:
    """A value as TOML; its strings have the escapes of JSON."""
    match value:
        case dict():
            pairs = (f"{json.dumps(name)} = {toml(member)}" for name, member in value.items())
            return f"{{{', '.join(pairs)}}}"
        case list():
            return f"[{', '.join(map(toml, value))}]"
        case _:
            return json.dumps(value)


@pytest.mark.parametrize("file", ["streambind.toml", "pyproject.toml"])
def test_configurations(file: str, project: Project, record_property: Record) -> None:
    head = "[tool.streambind]\n" if file == "pyproject.toml" else ""
    places = list(strings(SETTINGS, file))
    count = codes = 0
    for index, place in enumerate(places):
        for name in some_texts(index + bool(head), 12):
            settings = put(SETTINGS, place, TEXTS[name])
            lines = (f"{json.dumps(key)} = {toml(value)}\n" for key, value in settings.items())
            code, made = project.run(["generate"], {file: head + "".join(lines)})
            assert project.faults(made) == [], (place, name)
            count, codes = count + 1, codes + (code == 0)
    record_property("combinations", count)
    assert 0 < codes < count


def test_arguments(project: Project, record_property: Record) -> None:
    count = 0
    # No argument holds NUL, or a surrogate that stands for no byte.
    texts = {name: it for name, it in TEXTS.items() if not {"\0", "\ud800"} & {*it}}
    for index, pattern in enumerate(COMMANDS):
        for name in some_texts(index, 8):
            if name in texts:
                arguments = [part.replace("{}", texts[name]) for part in pattern]
                _, made = project.run(arguments)
                assert project.faults(made) == [], (pattern, name)
                count += 1
    record_property("combinations", count)


def is_file_name(text: str) -> bool:
    try:
        return bool(text.strip(". ")) and not {"/", "\0"} & {*text} and len(text.encode()) < 200
    except UnicodeEncodeError:
        return False


def test_file_names(project: Project, record_property: Record) -> None:
    names = {name: text for name, text in TEXTS.items() if is_file_name(text)}
    count = 0
    for index, suffix in enumerate(("", ".json", ".md")):
        alone, referred = named(project, f"plain{suffix}")
        for file in (f"{text}{suffix}" for text in [*names.values()][index::3]):
            made = named(project, file)
            assert [*surplus(made[0], alone), *surplus(made[1], referred)] == [], file
            count += 2 * len(VARIANTS)
    record_property("combinations", count)
    assert len(names) > 30


def named(project: Project, file: str) -> list[Facts]:
    """What a document of this name gives, and one that refers to it."""
    text = project.spec
    if file.endswith(".md"):
        text = f"# {file}\n\n```json\n{text}\n```\n"
    reference = {"$ref": f"{quote(file)}#/components/schemas/Chunk"}
    other = project.spec.replace('{"$ref": "#/components/schemas/Chunk"}', json.dumps(reference))
    files = {file: text, "other.json": other}
    runs = [project.run(["generate", it, "-o", "out"], files) for it in (file, "other.json")]
    assert [code for code, _ in runs] == [0, 0]
    return [made for _, made in runs]
