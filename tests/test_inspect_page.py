"""`streambind inspect --html`: a page that needs nothing else, driven by keys in a real browser.

The browser runs a script of the test's own behind that of the page, and prints what became of it;
where there is none, these tests are skipped.
"""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from codegen.inspection.page import format_page
from codegen.recording.events import Change, Effect, Ending, Event, Role
from tests.command import run

HERE = Path(__file__).parent / "recorded"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_page(tmp_path_factory.mktemp("page") / "odd.html", HERE / "odd.sse")


def write_page(path: Path, body: Path, *options: str) -> str:
    spec = (str(HERE / "orders.yaml"), "--stream", "PlaceOrderStream")
    result = run("inspect", *spec, str(body), "--html", str(path), *options)
    assert (result.exit_code, result.stdout) == (0, "")
    assert re.fullmatch(
        rf"{re.escape(str(body))} -> {re.escape(str(path))}: \d+ events?\n", result.stderr
    )
    return path.read_text("utf-8")


def data_of(page: str) -> Any:
    """The data of a page, as its script reads them."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def drive(folder: Path, page: str, script: str) -> Any:
    """Run a script in the page; gives what its function `done` was called with."""
    driver = """
        const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", {key}));
        const text = (id) => document.getElementById(id).textContent;
        const done = (seen) => {
          const told = document.createElement("pre");
          told.id = "told";
          told.textContent = JSON.stringify(seen);
          document.body.append(told);
        };
    """
    path = folder / "driven.html"
    path.write_text(page + f"<script>{{{driver}{script}}}</script>", "utf-8")
    assert CHROMIUM is not None
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile"]
    shown = subprocess.run(
        [CHROMIUM, *flags, "--virtual-time-budget=20000", "--dump-dom", path.as_uri()],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    ).stdout
    found = re.search(r'<pre id="told">(.*?)</pre>', shown, re.DOTALL)
    assert found is not None, shown[-2000:]
    return json.loads(html.unescape(found[1]))


def test_nothing_is_loaded(page: str) -> None:
    assert "default-src 'none'" in page
    assert not re.search(r"(?:src|href|action)\s*=\s*[\"']?(?!#)\w", page)
    assert "url(" not in page
    assert "@import" not in page


def test_the_text_of_a_recording_is_no_markup(tmp_path: Path) -> None:
    hostile = "</script><script>alert(1)</script><!--\u2028&lt;{{style}}"
    body = tmp_path / "body.sse"
    body.write_text(f"data: {json.dumps({'type': 'note', 'text': hostile, hostile: hostile})}\n\n")
    page = write_page(tmp_path / "page.html", body)
    plain = write_page(tmp_path / "plain.html", HERE / "good.sse")
    assert page.count("<") == plain.count("<")
    (event,) = data_of(page)["events"]
    assert event["typed"][2] == [["type", "note"], ["text", hostile]]
    assert event["deviations"][0]["told"] == f"undeclared field {hostile}"


def test_what_ends_a_body_is_no_event_of_it(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(
        """
        openapi: 3.1.0
        info: {title: Notes, version: "1"}
        paths:
          /notes:
            get:
              operationId: watch
              responses:
                "200":
                  description: Notes.
                  content:
                    text/event-stream:
                      x-stream: {stop: [{data: "[DONE]"}]}
                      itemSchema: {type: object, properties: {text: {type: string}}}
        """
    )
    (tmp_path / "body.sse").write_text('data: {"text": "a"}\n\ndata: [DONE]\n\n')
    files = (str(tmp_path / "spec.yaml"), str(tmp_path / "body.sse"))
    path = tmp_path / "page.html"
    result = run("inspect", *files, "--html", str(path))
    assert result.exit_code == 0, result.stderr
    events = data_of(path.read_text("utf-8"))["events"]
    assert [(it["name"], it["role"]) for it in events] == [("message", "typed"), ("", "stop")]


def test_redacted(tmp_path: Path) -> None:
    page = write_page(tmp_path / "page.html", HERE / "odd.sse", "--redact")
    assert "cups" not in page
    assert '"type": "note", "text": "xxxx"' in data_of(page)["events"][5]["raw"]


@needs_browser
def test_stepped_by_keys(page: str, tmp_path: Path) -> None:
    seen = drive(
        tmp_path,
        page,
        """
        const seen = [text("event")];
        press("ArrowRight"); seen.push(text("event"), text("where"));
        press("End"); seen.push(text("event"), text("snapshot"));
        seen.push(document.querySelector("#snapshot .changed").textContent);
        press("Home"); press("ArrowLeft"); seen.push(text("where"));
        press("d"); press("d"); press("d"); seen.push(text("event"), text("found"));
        press("D"); seen.push(text("where"));
        seen.push(performance.getEntriesByType("resource").length);
        done(seen);
        """,
    )
    assert seen[:4] == ["started", "item", "2 of 6 · byte 86 · invalid", "note"]
    assert json.loads(seen[4]) == {
        "id": "o-2",
        "state": "paused",
        "region": "eu",
        "note": "Two cups",
    }
    assert seen[5] == "cups"
    assert seen[6] == "1 of 6 · byte 0"
    assert seen[7] == "payment"
    assert seen[8].startswith("undeclared event payment")
    assert seen[9:] == ["3 of 6 · byte 158 · invalid", 0]


@needs_browser
def test_found_and_linked(page: str, tmp_path: Path) -> None:
    """A text is found in the bytes; a deviation leads to its event."""
    seen = drive(
        tmp_path,
        page,
        """
        const search = document.getElementById("search");
        search.value = "cups";
        search.dispatchEvent(new Event("input"));
        const seen = [text("where"), text("hits"), document.querySelector("#raw mark").textContent];
        document.getElementById("tab-deviations").click();
        const links = [...document.querySelectorAll("#deviations a")];
        seen.push(links.length, document.getElementById("events").hidden);
        window.addEventListener("hashchange", () => setTimeout(() => {
          done([...seen, text("event")]);
        }));
        links.find((it) => it.textContent === "4").click();
        """,
    )
    assert seen == ["6 of 6 · byte 375", "1 / 1", "cups", 9, True, "payment"]


@needs_browser
def test_ten_thousand_events(tmp_path: Path) -> None:
    """Only the rows that are seen are drawn, and a step does not begin from the start."""
    events = [
        Event(
            offset=number * 40,
            raw=b'data: {"text": "word "}',
            name="message",
            role=Role.TYPED,
            json=None,
            typed={"text": "word "},
            changes=(
                Change(
                    effect=Effect.ADDED if number == 0 else Effect.EXTENDED,
                    path=("text",),
                    value="word ",
                ),
            ),
            deviations=(),
        )
        for number in range(10_000)
    ]
    ending = Ending(outcome="complete", size=400_000, snapshot={}, missing=(), deviations=())
    page = format_page("Words", "GET /words", events, ending, lambda origin: origin.document)
    seen = drive(
        tmp_path,
        page,
        """
        press("End");
        const size = JSON.parse(text("snapshot")).text.length;
        press("ArrowLeft"); press("ArrowLeft");
        done([size, JSON.parse(text("snapshot")).text.length, text("where"),
          document.querySelectorAll(".row").length < 100]);
        """,
    )
    assert seen == [50_000, 49_990, "9,998 of 10,000 · byte 399,880", True]
