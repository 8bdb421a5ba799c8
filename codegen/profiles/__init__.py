"""Overlays that are shipped with the tool: what documents do not say of the streams of known APIs.

A profile is an OpenAPI Overlay and nothing more: it adds `x-stream` rules to the operations that
stream, and mends the document where the server is known to deviate from it.
"""

from pathlib import Path

from codegen.diagnostics import Diagnostics

_FOLDER = Path(__file__).parent
NAMES = tuple(sorted(path.stem for path in _FOLDER.glob("*.yaml")))


def find_profiles(names: tuple[str, ...], diagnostics: Diagnostics) -> tuple[Path, ...]:
    """The overlays of the profiles with these names, whose places that match nothing are counted;
    raises Refused for one that is not shipped.
    """
    diagnostics.check_choice("profile", "SB602", names, NAMES)
    diagnostics.check()
    paths = {name: _FOLDER / f"{name}.yaml" for name in names}
    for name, path in paths.items():
        diagnostics.sum_up(str(path), name)
    return tuple(paths.values())
