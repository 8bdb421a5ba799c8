"""The command `streambind`, run in this process."""

from click.testing import CliRunner, Result

from codegen.cli import main


def run(*arguments: str, input: str | bytes | None = None, columns: int = 80) -> Result:
    """Run it with these arguments, as in a terminal of so many columns."""
    return CliRunner(env={"COLUMNS": str(columns)}).invoke(main, arguments, input=input)
