"""The JSON Schema of the configuration, for editors: `docs/streambind.schema.json`.

It describes `streambind.toml`, which is also what `[tool.streambind]` in `pyproject.toml` holds.
Draft 7, which editors of TOML read.
"""

import json

from codegen.config import JOB, JOBS, Key, Kind

_TEXT: dict[str, object] = {"type": "string"}
_KINDS: dict[Kind, dict[str, object]] = {
    "path": _TEXT,
    "texts": {"type": "array", "items": _TEXT},
    "paths": {"type": "array", "items": _TEXT},
    "pairs": {"type": "object", "additionalProperties": _TEXT},
}
_JOB = {"description": "The name of the job, for --job.", "type": "string"}


def format_config_schema(keys: tuple[Key, ...]) -> str:
    """Return the schema for these keys as JSON text."""
    settings = {key.name: {"description": key.about, **_kind(key)} for key in keys}
    job = {
        "type": "object",
        "properties": {JOB: _JOB, **settings},
        "additionalProperties": False,
    }
    jobs = {"description": "A package each.", "type": "array", "items": job}
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "streambind",
        "type": "object",
        "properties": {**settings, JOBS: jobs},
        "additionalProperties": False,
    }
    return json.dumps(schema, indent=2) + "\n"


def _kind(key: Key) -> dict[str, object]:
    if key.choices:
        return {"type": "array", "items": {"enum": list(key.choices)}}
    return _KINDS[key.kind]
