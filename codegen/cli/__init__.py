"""The command `streambind`: arguments and configuration -> the pipeline -> an exit code.

The only package that knows the command line: a file per command, and what they share in `main`,
`options` and `jobs`. Standard output carries what was asked for and nothing else. Exit codes: 0
done, 1 a check found something, 2 bad usage, configuration, document or output, 3 a fault of ours,
130 interrupted. Stages are imported where they are used, so that `--help` is quick.
"""

from codegen.cli.check import check
from codegen.cli.conform import conform
from codegen.cli.diff import diff
from codegen.cli.examples import examples
from codegen.cli.explain import explain
from codegen.cli.fetch import fetch
from codegen.cli.generate import generate
from codegen.cli.init import init
from codegen.cli.inspect import inspect
from codegen.cli.listing import list_
from codegen.cli.main import main
from codegen.cli.watch import watch

# In the order in which a newcomer needs them.
_COMMANDS = (
    fetch,
    init,
    generate,
    check,
    diff,
    watch,
    list_,
    inspect,
    conform,
    examples,
    explain,
)
for _command in _COMMANDS:
    main.add_command(_command)

__all__ = ["main"]
