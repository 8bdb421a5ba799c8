"""What lies around the command: hooks, the action, and the pages that tell how to use it."""

import re
import shlex
import tomllib
from pathlib import Path

import click
import pytest
import yaml
from click.testing import CliRunner

from codegen.cli import main
from codegen.codes import CODES

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])


def option_names(command: click.Command) -> set[str]:
    return {name for param in command.params for name in param.opts} | {"--help", "-h"}


@pytest.mark.parametrize("command", ["generate", "check"])
def test_hooks_run_the_jobs_of_the_configuration(command: str) -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    (hook,) = [it for it in hooks if it["id"] == f"streambind-{command}"]
    assert hook["entry"] == f"streambind {command}"
    assert hook["language"] == "python"
    assert (hook["pass_filenames"], hook["always_run"]) == (False, True)


def test_the_action_takes_no_text_of_others_for_a_command() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    assert action["runs"]["using"] == "composite"
    runs = [step["run"] for step in action["runs"]["steps"]]
    assert "${{" not in "".join(runs)
    assert runs[-1].count('streambind" check --format github') == 1


def shown(page: Path) -> list[list[str]]:
    """The commands of ours that a page shows, in lines and in text."""
    text = page.read_text("utf-8")
    lines = re.findall(r"^(?:\$ |- run: )(streambind [a-z].*)$", text, re.MULTILINE)
    inline = re.findall(r"`(streambind [a-z][^`]*)`", text)
    return [shlex.split(line.partition("  ")[0], comments=True) for line in [*lines, *inline]]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_show_commands_and_options_that_exist(page: Path) -> None:
    for _, name, *arguments in shown(page):
        assert name in main.commands, name
        options = {it.partition("=")[0] for it in arguments if it.startswith("-")}
        assert options <= option_names(main.commands[name]), (name, options)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_name_codes_that_exist(page: Path) -> None:
    assert {*re.findall(r"\bSB\d{3}\b", page.read_text("utf-8"))} <= CODES.keys()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_every_page_is_linked() -> None:
    linked = "".join(page.read_text("utf-8") for page in PAGES)
    assert [
        page.name for page in PAGES if page.name != "README.md" and page.name not in linked
    ] == []


def test_completion_knows_the_commands() -> None:
    environment = {
        "_STREAMBIND_COMPLETE": "bash_complete",
        "COMP_WORDS": "streambind ch",
        "COMP_CWORD": "1",
    }
    result = CliRunner().invoke(main, [], env=environment, prog_name="streambind")
    assert result.stdout.split() == ["plain,check"]


def test_configurations_on_pages_are_read() -> None:
    for page in PAGES:
        for block in re.findall(r"^```toml\n(.*?)^```", page.read_text("utf-8"), re.M | re.S):
            tomllib.loads(block)
