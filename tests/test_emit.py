"""Writing a package: what changes on the disk, what never may, and what is said instead."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

import codegen.emit.swap
from codegen.diagnostics import Diagnostics, Refused
from codegen.emit.exchange import exchange
from codegen.emit.write import Written, write_package
from tests.support import ROOT, tree


def package(files: dict[str, str], listed: list[str] | None = None) -> dict[str, str]:
    """Return files with a manifest that lists them, or whatever it shall list."""
    names = [*files] if listed is None else listed
    manifest = {"generator": "streambind", "files": dict.fromkeys(names, "sha256")}
    return {**files, "manifest.json": json.dumps(manifest)}


def write(output: Path, files: dict[str, str]) -> Written:
    return write_package(output, files, Diagnostics())


def refusal(output: Path, files: dict[str, str]) -> list[tuple[str, str]]:
    """Return code and place of each error."""
    with pytest.raises(Refused) as raised:
        write(output, files)
    return [(item.code.id, item.document or "") for item in raised.value.diagnostics.errors]


OLD = package({"__init__.py": "", "a/x.py": "x\n", "a/y.py": "y\n", "b/c/z.py": "z\n"})
NEW = package({"__init__.py": "", "a/x.py": "X\n"})


def test_a_new_folder(tmp_path: Path) -> None:
    done = write(tmp_path / "deep" / "out", OLD)
    assert tree(tmp_path / "deep" / "out") == OLD
    assert done.written == ("__init__.py", "a/x.py", "a/y.py", "b/c/z.py", "manifest.json")
    assert done.unchanged == done.deleted == ()


def test_only_what_differs_is_touched(tmp_path: Path) -> None:
    write(tmp_path, OLD)
    before = (tmp_path / "__init__.py").stat()
    done = write(tmp_path, NEW)
    assert done.written == ("a/x.py", "manifest.json")
    assert done.unchanged == ("__init__.py",)
    assert done.deleted == ("a/y.py", "b/c/z.py")
    assert tree(tmp_path) == NEW
    assert not (tmp_path / "b").exists(), "folders left empty go"
    after = (tmp_path / "__init__.py").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_the_second_run_writes_nothing(tmp_path: Path) -> None:
    write(tmp_path, OLD)
    assert write(tmp_path, OLD).unchanged == (
        *sorted(OLD.keys() - {"manifest.json"}),
        "manifest.json",
    )


def test_bytes_are_utf8_with_line_feeds(tmp_path: Path) -> None:
    write(tmp_path, package({"a.py": "é\n\n"}))
    assert (tmp_path / "a.py").read_bytes() == b"\xc3\xa9\n\n"


def test_new_files_have_the_usual_mode(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    write(tmp_path / "out", OLD)
    assert (tmp_path / "out" / "a" / "x.py").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_files_of_others_stay(tmp_path: Path) -> None:
    write(tmp_path, OLD)
    (tmp_path / "b" / "notes.txt").write_text("mine")
    write(tmp_path, NEW)
    assert tree(tmp_path) == {**NEW, "b/notes.txt": "mine"}


def test_a_file_can_become_a_folder(tmp_path: Path) -> None:
    write(tmp_path, package({"a": "file\n"}))
    new = package({"a/b.py": ""})
    write(tmp_path, new)
    assert tree(tmp_path) == new


def test_an_interrupted_first_run_can_be_repeated(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.py").write_text(OLD["a/x.py"])
    write(tmp_path, OLD)
    assert tree(tmp_path) == OLD


NOT_OURS = {
    "a file of somebody": {"thesis.txt": "years of work"},
    "a file of ours by name only": {"__init__.py": "print()"},
    "a file deep inside": {"a/b/c.txt": ""},
    "another manifest": {"manifest.json": '{"name": "web app", "icons": []}'},
    "a manifest of the wrong shape": {"manifest.json": '{"generator": 1, "files": []}'},
    "a broken manifest": {"manifest.json": "{"},
    "a manifest that nests": {"manifest.json": "[" * 100_000},
    "a manifest with a huge number": {"manifest.json": "1" * 10_000},
}


@pytest.mark.parametrize("there", NOT_OURS.values(), ids=NOT_OURS.keys())
def test_a_folder_that_is_not_ours_stays_as_it_is(there: dict[str, str], tmp_path: Path) -> None:
    for name, text in there.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert refusal(tmp_path, OLD) == [("SB502", str(tmp_path))]
    assert tree(tmp_path) == there


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    assert refusal(tmp_path / "out", OLD) == [("SB501", str(tmp_path / "out"))]
    assert (tmp_path / "out").read_text() == "mine"


def test_no_file_replaces_a_folder(tmp_path: Path) -> None:
    write(tmp_path, package({}))
    (tmp_path / "a" / "x.py").mkdir(parents=True)
    assert refusal(tmp_path, OLD) == [("SB504", str(tmp_path / "a" / "x.py"))]


def test_no_folder_replaces_a_file(tmp_path: Path) -> None:
    write(tmp_path, package({}))
    (tmp_path / "a").write_text("mine")
    assert refusal(tmp_path, OLD) == [("SB504", str(tmp_path / "a"))]
    assert (tmp_path / "a").read_text() == "mine"


HOSTILE = ("../secret", "a/../../secret", "/etc/hostname", "", ".", "..", "a//b", "a\\..\\b", "C:x")
HOSTILE_TEXT = ("a\x00b", "\ud800", "a\nb")


@pytest.mark.parametrize("path", HOSTILE + HOSTILE_TEXT, ids=ascii)
def test_a_manifest_cannot_name_what_lies_elsewhere(path: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("mine")
    output = tmp_path / "out"
    write(output, package({"a/x.py": "x\n"}, listed=["a/x.py", path]))
    before = tree(tmp_path)
    assert refusal(output, NEW) == [("SB503", str(output / "manifest.json"))]
    assert tree(tmp_path) == before


def test_a_manifest_may_list_what_is_gone_or_a_folder(tmp_path: Path) -> None:
    write(tmp_path, package({"a/x.py": ""}, listed=["gone.py", "a", "a/x.py/deeper.py"]))
    assert write(tmp_path, NEW).deleted == ()
    assert tree(tmp_path) == NEW


@pytest.mark.parametrize("link", ["a", "a/x.py"])
def test_nothing_is_written_through_a_link_that_leads_out(link: str, tmp_path: Path) -> None:
    outside, output = tmp_path / "outside", tmp_path / "out"
    outside.mkdir()
    (outside / "x.py").write_text("mine")
    write(output, package({}))
    (output / link).parent.mkdir(exist_ok=True)
    (output / link).symlink_to(outside if link == "a" else outside / "x.py")
    assert refusal(output, NEW) == [("SB503", str(output / link))]
    assert tree(outside) == {"x.py": "mine"}


def test_nothing_is_deleted_through_a_link_that_leads_out(tmp_path: Path) -> None:
    outside, output = tmp_path / "outside", tmp_path / "out"
    outside.mkdir()
    (outside / "z.py").write_text("mine")
    write(output, package({}, listed=["b/z.py"]))
    (output / "b").symlink_to(outside)
    assert refusal(output, NEW) == [("SB503", str(output / "b"))]
    assert tree(outside) == {"z.py": "mine"}


def test_the_folder_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write(tmp_path / "link", OLD)
    assert tree(tmp_path / "real") == OLD


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if "streambind" in path.name]


def in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let folders not change places, as on a system that cannot do that."""
    monkeypatch.setattr(codegen.emit.swap, "exchange", lambda *_: False)


@pytest.mark.parametrize("can_swap", [True, False])
def test_a_full_disk_leaves_the_old_state(can_swap: bool, tmp_path: Path) -> None:
    output = tmp_path / "out"
    write(output, OLD)
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))\n"
        "import sys, json, codegen.emit.swap\n"
        "from codegen.emit.write import write_package\n"
        "from pathlib import Path\n"
        "from codegen.diagnostics import Diagnostics, Refused\n"
        "from codegen.report import format_text\n"
        f"if not {can_swap}: codegen.emit.swap.exchange = lambda *_: False\n"
        "try: write_package(Path(sys.argv[1]), json.load(sys.stdin), Diagnostics())\n"
        "except Refused as error: print(format_text(error.diagnostics, color=False), end='')\n"
    )
    big = package({"__init__.py": "", "a/x.py": "X\n" * 100})
    done = subprocess.run(
        [sys.executable, "-c", script, output],
        input=json.dumps(big),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == (
        f"{output}: error SB505 cannot write: File too large\n"
        "help: make room or give access, then run the command again\n"
    )
    assert tree(output) == OLD
    assert leftovers(tmp_path) == []


def test_a_folder_without_access_leaves_the_old_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "out"
    write(output, OLD)
    # A user that may do everything writes to read-only folders too.
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert refusal(output, NEW) == [("SB505", str(output))]
    assert tree(output) == OLD


def test_without_a_place_beside_it_changes_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_place(monkeypatch)
    write(tmp_path / "out", OLD)
    (tmp_path / "out" / "notes.txt").write_text("mine")
    done = write(tmp_path / "out", NEW)
    assert (done.written, done.deleted) == (("a/x.py", "manifest.json"), ("a/y.py", "b/c/z.py"))
    assert tree(tmp_path / "out") == {**NEW, "notes.txt": "mine"}
    write(tmp_path / "other", package({"a": ""}))
    write(tmp_path / "other", OLD)
    assert tree(tmp_path / "other") == OLD, "a file can become a folder"


@pytest.mark.parametrize("below", ["", "a"])
def test_the_working_folder_stays_the_same_one(
    below: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "out", OLD)
    monkeypatch.chdir(tmp_path / "out" / below)
    before = os.stat(".").st_ino
    write(tmp_path / "out", NEW)
    assert (os.stat(".").st_ino, Path.cwd()) == (before, tmp_path / "out" / below)
    assert tree(tmp_path / "out") == NEW


def test_a_mount_point_stays_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "out", OLD)
    monkeypatch.setattr(os.path, "ismount", lambda path: path == str(tmp_path / "out"))
    before = (tmp_path / "out").stat().st_ino
    write(tmp_path / "out", NEW)
    assert (tmp_path / "out").stat().st_ino == before
    assert tree(tmp_path / "out") == NEW


def test_files_of_others_stay_the_same_ones(tmp_path: Path) -> None:
    output = tmp_path / "out"
    write(output, OLD)
    (output / "a" / "notes.txt").write_text("mine")
    (output / "link").symlink_to("a/notes.txt")
    (output / "empty").mkdir()
    (output / "a" / "__pycache__").mkdir()
    before = (output / "a" / "notes.txt").stat().st_ino
    output.chmod(0o750)
    write(output, NEW)
    assert (output / "a" / "notes.txt").stat().st_ino == before
    assert os.readlink(output / "link") == "a/notes.txt"
    assert (output / "empty").is_dir()
    assert output.stat().st_mode & 0o777 == 0o750


def test_what_others_write_meanwhile_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "out"
    write(output, OLD)
    (output / "notes.txt").write_text("old")

    def meanwhile(one: str, other: str) -> bool:
        (output / "notes.txt").unlink()
        (output / "notes.txt").write_text("new")
        (output / "b" / "more").mkdir()
        (output / "b" / "more" / "more.txt").write_text("more")
        return exchange(one, other)

    monkeypatch.setattr(codegen.emit.swap, "exchange", meanwhile)
    write(output, NEW)
    assert tree(output) == {**NEW, "notes.txt": "new", "b/more/more.txt": "more"}


MANY = {f"{folder}/{number}.py": "x = 1\n" for folder in "abcd" for number in range(50)}
ONE = package({**MANY, "only/one.py": "1\n", "both.py": "1\n" * 1000})
OTHER = package({**MANY, "only/other.py": "2\n", "both.py": "2\n" * 1000})
WRITER = """
import sys, json
from pathlib import Path
from codegen.diagnostics import Diagnostics
from codegen.emit.write import write_package
packages = json.load(sys.stdin)
print("ready", flush=True)
while True:
    for files in packages:
        write_package(Path(sys.argv[1]), files, Diagnostics())
"""


def test_killed_at_any_moment_the_folder_is_the_old_or_the_new_one(tmp_path: Path) -> None:
    output = tmp_path / "out"
    write(output, ONE)
    (output / "notes.txt").write_text("mine")
    states = [{**it, "notes.txt": "mine"} for it in (ONE, OTHER)]
    random, seen = Random(7), list[int]()
    for _ in range(30):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, output],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert writer.stdin
        assert writer.stdout
        with writer.stdin, writer.stdout:
            writer.stdin.write(json.dumps([ONE, OTHER]).encode())
            writer.stdin.close()
            writer.stdout.readline()
            time.sleep(random.uniform(0, 0.05))
            writer.kill()
            writer.wait()
        seen.append(states.index(tree(output)))
    assert set(seen) == {0, 1}, "both were met, or nothing was shown"
    write(output, ONE)
    write(output, OTHER)
    assert leftovers(tmp_path) == []


def test_a_place_below_a_file_is_an_error_of_the_place(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert [code for code, _ in refusal(tmp_path / "file" / "out", OLD)] == ["SB505"]
