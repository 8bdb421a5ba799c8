"""Where the templates lie."""

from pathlib import Path


def templates_folder() -> Path:
    """The folder of the templates: inside an installed package, beside it in a checkout."""
    installed = Path(__file__).parent / "_templates"
    return installed if installed.is_dir() else Path(__file__).parent.parent / "templates"
