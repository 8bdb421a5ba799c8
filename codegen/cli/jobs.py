"""What a command is to work on: the command line over a job of the configuration over defaults.

The keys of a job are the command's own options and its argument, as `options` declares them; a
value from a file takes the same way through them as one from the command line.
"""

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click
from click.core import ParameterSource

from codegen.cli.options import CHOICES, PACKAGE, SOURCE, VARIANTS
from codegen.config import Config, Key, Kind, Section, Setting, read_config
from codegen.console import Console
from codegen.diagnostics import Diagnostics, Severity
from codegen.emit.manifest import MANIFEST, read_manifest
from codegen.profiles import find_profiles
from codegen.record import Inputs, Record, find_record, write_record
from codegen.versions import Version

if TYPE_CHECKING:
    from codegen.ir.api import Api
    from codegen.source.document import Document


# What a manifest states by digests, or has no business to know.
_PLACES = frozenset({"spec", "output", "overlays", "ref_root"})
# What it states as it comes out in the end.
_DECIDED = frozenset({"types", "variants"})
# What of it decides how a document is read.
_STATED = ("profiles", "schemas", "operations", "tags", "paths", "types", "names")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One package: a document, what is laid over it, what is wanted of it, and where it goes."""

    spec: str
    overlays: tuple[Path, ...] = ()
    profiles: tuple[str, ...] = ()
    ref_root: Path | None = None
    output: Path = Path()
    variants: tuple[str, ...] = ()
    schemas: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        return "<stdin>" if self.spec == "-" else self.spec

    @property
    def chosen(self) -> tuple[str, ...]:
        """The variants, all where none is asked for, in an order of their own."""
        return tuple(name for name in VARIANTS if not self.variants or name in self.variants)

    @property
    def options(self) -> dict[str, object]:
        """All that decides what comes out beside the files that are read."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in named.items() if value and name not in _PLACES}

    def load(self, diagnostics: Diagnostics) -> "Api":
        """Read the document as it lies under profiles and overlays; all of it."""
        return self.load_version(Version(self.spec, self.title), diagnostics)

    def load_version(self, version: Version, diagnostics: Diagnostics) -> "Api":
        """Read another document in the place of the job's own."""
        from codegen.pipeline import load_api

        overlays = self._laid_over(diagnostics)
        ref_root = self.ref_root if version.spec == self.spec else None
        return load_api(
            version.spec, overlays, diagnostics, ref_root, self.types, self.names, version.name
        )

    def as_made(self, options: Mapping[str, object]) -> "Job":
        """The job as it was when a package was made by the options that its manifest states."""
        made: dict[str, Any] = {name: _texts(options.get(name)) for name in _STATED}
        return replace(self, **made)

    def prune(self, api: "Api", diagnostics: Diagnostics) -> "Api":
        """Keep what is wanted."""
        from codegen.passes.prune import prune

        return prune(
            api,
            diagnostics,
            schemas=self.schemas,
            operations=self.operations,
            tags=self.tags,
            paths=self.paths,
        )

    def load_document(self, diagnostics: Diagnostics) -> "Document":
        """Read the document as it lies under profiles and overlays, and no further."""
        from codegen.pipeline import load_document

        return load_document(self.spec, self._laid_over(diagnostics), diagnostics)[0]

    def parse(self, document: "Document", diagnostics: Diagnostics) -> "Api":
        """Read a document that is at hand as the job's own."""
        from codegen.pipeline import parse_api

        return parse_api(document, diagnostics, self.ref_root, self.types, self.names)

    def _laid_over(self, diagnostics: Diagnostics) -> tuple[Path, ...]:
        return (*find_profiles(self.profiles, diagnostics), *self.overlays)

    def build(self, console: Console, diagnostics: Diagnostics) -> dict[str, str]:
        """Return the text of every file of the package by its path."""
        from codegen.beside import process_beside
        from codegen.pipeline import build_package

        stated = {name: it for name, it in self.options.items() if name not in _DECIDED}
        with process_beside(self.spec) as beside:
            with console.stage("reading"):
                api = self.prune(self.load(diagnostics), diagnostics)
            with console.stage("building"):
                return build_package(api, self.chosen, stated, beside)

    def find_inputs(self) -> tuple[Path, ...]:
        """The files that the package is made from; those referred to, as its manifest has them."""
        spec = Path(self.spec)
        manifest = read_manifest(str(self.output))
        beside = manifest.references if manifest is not None else ()
        return (spec, *self._inputs.overlays, *(spec.parent / name for name in beside))

    def find_record(self, console: Console) -> Record | None:
        """Return the record of a run that this one would repeat, and say nothing else by."""
        if self.spec == "-" or console.verbose:
            return None
        record = find_record(self.output, self._inputs)
        says_more = record is not None and record.warnings + record.notes > 0
        return None if says_more and console.format != "text" else record

    def write_record(self, files: Mapping[str, str], diagnostics: Diagnostics) -> None:
        """Leave a record of a run that ended with these files in the folder."""
        if self.spec != "-":
            counts = Counter(item.code.severity for item in diagnostics)
            manifest, warnings = files[MANIFEST], counts[Severity.WARNING]
            write_record(self.output, self._inputs, manifest, warnings, counts[Severity.NOTE])

    @property
    def _inputs(self) -> Inputs:
        overlays = self._laid_over(Diagnostics())
        options = {**self.options, "ref_root": os.path.realpath(self.ref_root or "")}
        return Inputs(spec=Path(self.spec), overlays=overlays, options=options)


def _texts(value: object) -> tuple[str, ...]:
    """What a manifest states of an option: texts, or pairs of them."""
    match value:
        case list():
            return tuple(it for it in cast("list[object]", value) if isinstance(it, str))
        case dict():
            pairs = cast("dict[str, object]", value)
            return tuple(f"{name}={it}" for name, it in pairs.items())
        case _:
            return ()


def read_jobs(chosen: tuple[str, ...], diagnostics: Diagnostics) -> tuple[Job, ...]:
    """Return what the running command is to work on; `chosen` are the jobs that are named.

    Raises `Refused` after reporting SB601, SB602 or SB611 to SB615, and `UsageError` where the
    command line lacks what no configuration adds.
    """
    ctx = click.get_current_context()
    config = read_config(Path.cwd(), find_keys(), diagnostics)
    sections = _sections(ctx, config, chosen, diagnostics)
    if len(sections) > 1 and _is_given(ctx, "output"):
        raise click.UsageError("-o goes with one job only: choose it with --job.", ctx)
    merged = [_merge(ctx, section, diagnostics) for section in sections]
    diagnostics.check()
    return tuple(Job(**values) for values in merged)


def read_job(chosen: tuple[str, ...], diagnostics: Diagnostics) -> Job:
    """Return the one job that the running command is to work on; raises as `read_jobs` does."""
    job, *others = read_jobs(chosen, diagnostics)
    if others:
        raise click.UsageError("The configuration has several jobs: choose one with --job.")
    return job


def find_jobs(spec: Path, diagnostics: Diagnostics) -> tuple[Job, ...]:
    """Return the jobs of the configuration whose document this is, else one of nothing but it."""
    ctx = click.get_current_context()
    config = read_config(Path.cwd(), find_keys(), diagnostics)
    merged = [_merge(ctx, section, diagnostics) for section in (config.jobs if config else ())]
    diagnostics.check()
    place = os.path.abspath(spec)
    found = [Job(**values) for values in merged if os.path.abspath(values["spec"]) == place]
    return tuple(found) or (Job(spec=str(spec)),)


@click.command()
@SOURCE
@PACKAGE
def _job(**_: object) -> None:
    """Never run: it holds what a job consists of."""


def find_keys() -> tuple[Key, ...]:
    """The keys of a job, in the order of the help."""
    return tuple(
        Key(
            name=_key(param),
            kind=_kind(param),
            about=_about(param),
            choices=CHOICES[param.name].names if param.name in CHOICES else (),
        )
        for param in _job.params
    )


def _key(param: click.Parameter) -> str:
    return max(param.opts, key=len).lstrip("-")


def _kind(param: click.Parameter) -> Kind:
    if "=" in (param.metavar or ""):
        return "pairs"
    if isinstance(param.type, click.Path):
        return "paths" if param.multiple else "path"
    return "texts"


def _about(param: click.Parameter) -> str:
    if isinstance(param, click.Option):
        return param.help or ""
    return "The OpenAPI document, in YAML or JSON, or a Markdown page that holds one."


def _sections(
    ctx: click.Context, config: Config | None, chosen: tuple[str, ...], diagnostics: Diagnostics
) -> tuple[Section | None, ...]:
    """The jobs of the configuration; what a document named on the command line has of it."""
    if _is_given(ctx, "spec"):
        if chosen:
            raise click.UsageError("--job and SPEC exclude each other.", ctx)
        return (config.outside if config else None,)
    if config is None or not config.jobs:
        hint = "Without it, jobs come from a configuration, which `streambind init` writes."
        spec = next(param for param in ctx.command.params if param.name == "spec")
        raise click.MissingParameter(hint, ctx, spec)
    names = tuple(job.name for job in config.jobs if job.name is not None)
    diagnostics.check_choice("job", "SB614", chosen, names)
    diagnostics.check()
    return tuple(job for job in config.jobs if not chosen or job.name in chosen)


def _merge(ctx: click.Context, section: Section | None, diagnostics: Diagnostics) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for param in _job.params:
        assert param.name is not None
        setting = section.settings.get(_key(param)) if section else None
        if setting is not None and not _is_given(ctx, param.name):
            value = _convert(ctx, param, setting, diagnostics)
        elif param.name in ctx.params:
            setting, value = None, ctx.params[param.name]
        else:
            continue
        if (choice := CHOICES.get(param.name)) is not None:
            origin = setting.origin if setting else None
            diagnostics.check_choice(choice.kind, choice.code, value, choice.names, origin)
        if value is None and param.name in ("spec", "output"):
            _refuse_missing(ctx, param, section, diagnostics)
        merged[param.name] = value
    return merged


def _convert(
    ctx: click.Context, param: click.Parameter, setting: Setting, diagnostics: Diagnostics
) -> Any:
    try:
        return param.type_cast_value(ctx, setting.value)
    except click.BadParameter as error:
        diagnostics.add("SB612", error.message, origin=setting.origin)
        return None


def _refuse_missing(
    ctx: click.Context,
    param: click.Parameter,
    section: Section | None,
    diagnostics: Diagnostics,
) -> None:
    """Report what a job lacks; a document on the command line is no job of the configuration."""
    if section is None or _is_given(ctx, "spec"):
        raise click.MissingParameter(ctx=ctx, param=param)
    diagnostics.add("SB615", f"the job has no {_key(param)!r}", origin=section.origin)


def _is_given(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
