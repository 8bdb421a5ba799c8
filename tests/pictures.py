"""Draws the pictures of `docs/`: `make pictures`. They show a body that the tests have."""

from __future__ import annotations

import html
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.command import run

ROOT = Path(__file__).parent.parent
BODY = ("tests/recorded/orders.yaml", "tests/recorded/odd.sse", "--stream", "PlaceOrderStream")
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
TERMINAL = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; padding: 20px 24px; background: #14171c; color: #e3e6eb }}
pre {{ margin: 0; font: 14px/1.5 "Liberation Mono", Menlo, Consolas, monospace }}
b {{ color: #7ee2a2; font-weight: 400 }}</style><pre><b>$ {command}</b>\n{text}</pre>"""


def shoot(page: Path, picture: str, size: str, anchor: str = "") -> None:
    assert CHROMIUM is not None, "pictures need Chromium"
    target = ROOT / "docs" / picture
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    command = [CHROMIUM, *flags, f"--window-size={size}", f"--screenshot={target}"]
    subprocess.run([*command, page.as_uri() + anchor], check=True, capture_output=True, timeout=120)


def draw(folder: Path) -> None:
    page = folder / "page.html"
    run("inspect", *BODY, "--html", str(page))
    shoot(page, "inspect-page.png", "1280,620", "#3")
    for name, size in (("inspect", "760,860"), ("conform", "760,760")):
        text = html.escape(run(name, *BODY).stdout)
        command = f"streambind {name} orders.yaml odd.sse --stream PlaceOrderStream"
        page.write_text(TERMINAL.format(command=command, text=text), "utf-8")
        shoot(page, f"{name}.png", size)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        draw(Path(folder))
