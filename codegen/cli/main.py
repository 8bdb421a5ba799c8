"""The group that every command is part of, and the last resort for what a command lets through."""

from typing import Any

import click

from codegen import __version__
from codegen.report import escape

_ENCODING = "the encoding of this locale, {}, has no bytes for {!r}: set PYTHONUTF8=1"
_FAULT = "streambind failed, and the fault is its own: please report it with the lines below"


class _Streambind(click.Group):
    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            raise click.exceptions.Exit(130) from None
        except UnicodeEncodeError as error:
            lacking = error.object[error.start : error.end]
            click.echo(f"Error: {_ENCODING.format(error.encoding, lacking)}", err=True)
            raise click.exceptions.Exit(2) from None
        # The last resort: whatever a stage did not foresee is a fault of ours, and says so.
        except Exception:
            import traceback

            lines = traceback.format_exc().splitlines()
            click.echo("\n".join((_FAULT, *map(escape, lines))), err=True)
            raise click.exceptions.Exit(3) from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which a newcomer needs them, which is that of `codegen.cli`."""
        return list(self.commands)


@click.group(cls=_Streambind, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="streambind %(version)s")
def main() -> None:
    """Make typed Python packages, with stream decoders, from OpenAPI documents.

    \b
    Example:
      streambind generate openapi.yaml -o acme/api
    """
