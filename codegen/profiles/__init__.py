"""Overlays that are shipped with the tool: what documents do not say of the streams of known APIs.

A profile is an OpenAPI Overlay and nothing more: it adds `x-stream` rules to the operations that
stream, and mends the document where the server is known to deviate from it.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from codegen.diagnostics import Diagnostics

_FOLDER = Path(__file__).parent
NAMES = tuple(sorted(path.stem for path in _FOLDER.glob("*.yaml")))


def find_profiles(names: Iterable[str], diagnostics: Diagnostics) -> tuple[Path, ...]:
    """The overlays of the profiles with these names; raises Refused for one that is not shipped."""
    paths: list[Path] = []
    for name in names:
        if name in NAMES:
            paths.append(_FOLDER / f"{name}.yaml")
            continue
        close = get_close_matches(name.lower(), NAMES, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        message = f"there is no profile {name!r}{hint}"
        diagnostics.add("SB602", message, help=f"the profiles are {', '.join(NAMES)}")
    diagnostics.check()
    return tuple(paths)
