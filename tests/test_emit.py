"""Writing a package: what changes on the disk, what never may, and what is said instead."""

import errno
import json
import os
from pathlib import Path

import pytest

from codegen.diagnostics import Diagnostics, Refused
from codegen.emit import Written, write_package


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


def tree(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


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


def test_a_full_disk_leaves_the_old_file_and_no_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, OLD)

    def full(source: Path, target: Path) -> None:
        assert source.read_text() == "X\n"
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(source))

    monkeypatch.setattr(os, "replace", full)
    assert refusal(tmp_path, NEW) == [("SB505", str(tmp_path / "a" / "x.py"))]
    assert tree(tmp_path) == {
        path: OLD[path] for path in ("__init__.py", "a/x.py", "manifest.json")
    }


def test_a_place_below_a_file_is_an_error_of_the_place(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert [code for code, _ in refusal(tmp_path / "file" / "out", OLD)] == ["SB505"]
