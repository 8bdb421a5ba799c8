"""The configuration: what to generate, written down.

In: a folder to start from, and the keys that a command takes. Out: jobs, each a setting by key, in
the order of the file. A file is `streambind.toml`, or `pyproject.toml` with a table
`[tool.streambind]`; it is looked for in the folder and those around it, up to the root of the
repository. The keys of the table are defaults of its jobs; without jobs, the table is the one job.
Rules: every key and value is checked, and reported at its place; paths are relative to the folder
of the file. Nothing here knows what a key is for.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from codegen.diagnostics import Diagnostics, Origin, suggestion
from codegen.source.document import read_document
from codegen.source.pointer import join
from codegen.source.values import Json

FILE, SHARED_FILE = "streambind.toml", "pyproject.toml"
JOBS, JOB = "jobs", "job"
_REPOSITORY = (".git", ".hg", ".jj")

Kind: TypeAlias = Literal["path", "texts", "paths", "pairs"]
_WANTED: dict[Kind, str] = {
    "path": "a string, the path of a file or folder",
    "texts": "an array of strings",
    "paths": "an array of strings, the paths of files",
    "pairs": "a table of strings",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key of a job: what kind of value it has, and what it is for, in a sentence.

    `pairs` are a table whose members are handed over as texts, `name=value`.
    """

    name: str
    kind: Kind
    about: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A value, its paths joined to the folder of the file, and where it is written."""

    value: str | tuple[str, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """The settings of one package by key, those of the table that it lies in included."""

    name: str | None
    settings: Mapping[str, Setting]
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """`outside` holds what is written outside of jobs, for documents that no job names."""

    outside: Section
    jobs: tuple[Section, ...]


def read_config(folder: Path, keys: tuple[Key, ...], diagnostics: Diagnostics) -> Config | None:
    """Read the configuration that holds for a folder; None where there is none.

    Raises `Refused` after reporting SB102 to SB106 (the file), SB611 (a key that is not known),
    SB612 (a value of another type) and SB613 (a name or folder that two jobs have).
    """
    for path in find_files(folder):
        if not path.is_file():
            continue
        document = read_document(path, diagnostics, os.path.relpath(path, folder))
        table, pointer = document.data, "#"
        if path.name == SHARED_FILE:
            table, pointer = shared_table(document.data), "#/tool/streambind"
        if table is not None:
            reader = _Reader(document.name, path.parent, folder, keys, diagnostics)
            return reader.read(table, pointer)
    return None


def find_files(folder: Path) -> tuple[Path, ...]:
    """The files that may hold the configuration of a folder, the first to be asked first."""
    return tuple(place / file for place in _folders(folder) for file in (FILE, SHARED_FILE))


def _folders(folder: Path) -> Iterator[Path]:
    """Yield a folder and those around it, up to the root of the repository that it lies in."""
    for place in (folder, *folder.parents):
        yield place
        if any((place / name).exists() for name in _REPOSITORY):
            return


def shared_table(data: Json) -> Json:
    """The table of ours in `pyproject.toml`; None where there is none."""
    tool = data.get("tool") if isinstance(data, dict) else None
    return tool.get("streambind") if isinstance(tool, dict) else None


def _is_path(text: str) -> bool:
    """Whether a text can be a path at all."""
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return False
    return "\0" not in text


class _Reader:
    def __init__(
        self,
        document: str,
        home: Path,
        folder: Path,
        keys: tuple[Key, ...],
        diagnostics: Diagnostics,
    ) -> None:
        self._document = document
        # Paths are shown and recorded as the user of the command would write them.
        self._home = os.path.relpath(home, folder)
        self._keys = {key.name: key for key in keys}
        self._diagnostics = diagnostics

    def read(self, table: Json, pointer: str) -> Config:
        defaults = self._settings(table, pointer, beside=(JOBS,))
        written = self._written_jobs(table, pointer)
        places = [join(pointer, JOBS, index) for index in range(len(written))]
        jobs = [self._job(*it, defaults) for it in zip(written, places, strict=True)]
        outside = Section(name=None, settings=defaults, origin=self._origin(pointer))
        if not written and "spec" in defaults:
            jobs, outside = [outside], replace(outside, settings={})
        self._check_repeated(jobs)
        self._diagnostics.check()
        return Config(outside=outside, jobs=tuple(jobs))

    def _written_jobs(self, table: Json, pointer: str) -> list[Json]:
        written = table.get(JOBS) if isinstance(table, dict) else None
        if isinstance(written, list):
            return written
        if written is not None:
            self._refuse("SB612", f"{JOBS!r} is an array of tables", join(pointer, JOBS))
        return []

    def _job(self, table: Json, pointer: str, defaults: Mapping[str, Setting]) -> Section:
        settings = self._settings(table, pointer, beside=(JOB,))
        name = table.get(JOB) if isinstance(table, dict) else None
        if name is not None and not isinstance(name, str):
            self._refuse("SB612", f"{JOB!r} is a string", join(pointer, JOB))
            name = None
        return Section(name=name, settings={**defaults, **settings}, origin=self._origin(pointer))

    def _settings(
        self, table: Json, pointer: str, *, beside: tuple[str, ...]
    ) -> dict[str, Setting]:
        if not isinstance(table, dict):
            self._refuse("SB612", "a table of keys is wanted", pointer)
            return {}
        found: dict[str, Setting] = {}
        for name, written in table.items():
            place = join(pointer, name)
            if name in beside:
                continue
            if name not in self._keys:
                self._refuse_key(name, place, (*self._keys, *beside))
                continue
            value = self._value(self._keys[name], written)
            if value is None:
                wanted = _WANTED[self._keys[name].kind]
                self._refuse("SB612", f"{name!r} is {wanted}", place)
            else:
                found[name] = Setting(value=value, origin=self._origin(place))
        return found

    def _value(self, key: Key, written: Json) -> str | tuple[str, ...] | None:
        """Return a value as a command takes it; None for one of another type."""
        match key.kind, written:
            case "path", str() if _is_path(written):
                return self._path(written)
            case "texts" | "paths", list():
                texts = [it for it in written if isinstance(it, str)]
                if len(texts) < len(written) or (
                    key.kind == "paths" and not all(map(_is_path, texts))
                ):
                    return None
                return tuple(map(self._path, texts) if key.kind == "paths" else texts)
            case "pairs", dict():
                pairs = [f"{name}={it}" for name, it in written.items() if isinstance(it, str)]
                return tuple(pairs) if len(pairs) == len(written) else None
            case _:
                return None

    def _path(self, text: str) -> str:
        return os.path.normpath(os.path.join(self._home, text))

    def _check_repeated(self, jobs: list[Section]) -> None:
        """Report jobs that cannot be told apart, or that would write one folder in turns."""
        seen: dict[tuple[str, object], Section] = {}
        for job in jobs:
            output = job.settings.get("output")
            marks = {JOB: job.name, "output": output.value if output else None}
            for kind, mark in marks.items():
                if mark is not None and seen.setdefault((kind, mark), job) is not job:
                    message = f"two jobs have the {kind} {str(mark)!r}"
                    self._refuse("SB613", message, join(job.origin.pointer, kind))

    def _refuse_key(self, name: str, pointer: str, known: tuple[str, ...]) -> None:
        help = f"the keys here are {', '.join(sorted(known))}"
        message = f"there is no key {name!r}{suggestion(name.replace('_', '-'), known, '; ')}"
        self._diagnostics.add("SB611", message, origin=self._origin(pointer), help=help)

    def _refuse(self, code: str, message: str, pointer: str) -> None:
        self._diagnostics.add(code, message, origin=self._origin(pointer))

    def _origin(self, pointer: str) -> Origin:
        return Origin(document=self._document, pointer=pointer)
