"""`python -m codegen`: the command `streambind` where its script is not on the path."""

from codegen.cli import main

main(prog_name="streambind")
