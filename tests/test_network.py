"""No command but `fetch` reaches for the network, whatever a document refers to.

Each command runs in an interpreter of its own, where an audit hook ends the process at the first
socket that is made or name that is looked up.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from codegen.cli import main
from tests.support import ROOT

SPEC = """
openapi: 3.1.0
info: {title: Remote, version: "1", license: {name: MIT, url: "https://example.com/license"}}
servers: [{url: "https://example.com"}]
externalDocs: {url: "https://example.com/docs"}
paths:
  /events:
    get:
      operationId: watchEvents
      responses:
        "200":
          description: Events.
          content: {text/event-stream: {schema: {$ref: "#/components/schemas/Here"}}}
components:
  schemas:
    Here: {type: object, properties: {site: {$id: "https://example.com/site", type: string}}}
"""
REMOTE = SPEC + '    There: {$ref: "https://example.com/there.yaml"}\n'
GUARDED = """
import os, sys

def watch(event, arguments):
    if event.startswith("socket."):
        os.write(2, f"network: {event}".encode())
        os._exit(99)

sys.addaudithook(watch)
"""
COMMAND = "from codegen.cli import main; main()"
ARGUMENTS = {
    "init": ["spec.yaml", "-o", "out"],
    "generate": ["spec.yaml", "-o", "out"],
    "check": ["spec.yaml", "-o", "made"],
    "diff": ["spec.yaml", "spec.yaml"],
    "list": ["spec.yaml"],
    "inspect": ["spec.yaml", "body.sse"],
    "conform": ["spec.yaml", "body.sse"],
    "examples": ["spec.yaml"],
    "explain": ["SB111"],
}
# It generates, again and again.
ENDLESS = {"watch"}
# It is what it is for: test_fetch.py.
CONNECTS = {"fetch"}


def run(code: str, arguments: list[str], folder: Path) -> "subprocess.CompletedProcess[str]":
    path = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
    command = [sys.executable, "-c", GUARDED + path + code, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_every_command_is_tried() -> None:
    assert {*main.commands} == {*ARGUMENTS} | ENDLESS | CONNECTS


@pytest.mark.parametrize("name", ARGUMENTS)
def test_no_socket(name: str, tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC)
    (tmp_path / "body.sse").write_text('data: {"site": "https://example.com"}\n\n')
    run(COMMAND, ["generate", "spec.yaml", "-o", "made"], tmp_path)
    done = run(COMMAND, [name, *ARGUMENTS[name]], tmp_path)
    assert done.returncode == 0, done.stderr


def test_what_lies_elsewhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(REMOTE)
    done = run(COMMAND, ["generate", *ARGUMENTS["generate"]], tmp_path)
    assert done.returncode == 2
    assert "error SB111" in done.stderr


def test_the_guard_sees_a_socket(tmp_path: Path) -> None:
    done = run("import socket; socket.getaddrinfo('localhost', 1)", [], tmp_path)
    assert (done.returncode, done.stderr) == (99, "network: socket.getaddrinfo")
