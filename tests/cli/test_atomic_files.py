"""Files of results."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sjavs_env.cli.atomic_files import (
    check_not_read,
    check_writable,
    is_same_file,
    sweep,
    write_all,
    write_json,
    write_whole,
)


def test_what_can_be_written_leaves_no_trace(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    for name in ("old", "new"):
        check_writable(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert (tmp_path / "old").read_text() == "old"


@pytest.mark.parametrize("name", ["", "no/a", "file/a", "x" * 256, "x" * 300])
def test_what_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / name
    with pytest.raises(OSError, match=r"allowed|cannot be written") as caught:
        check_writable(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["/dev/null", "/proc/a"])
def test_devices_and_made_up_folders_take_no_file(name: str) -> None:
    if not Path(name).parent.is_dir():
        pytest.skip("not on this system")
    with pytest.raises(OSError, match=r"allowed|cannot be written"):
        check_writable(Path(name))


def test_a_file_that_fails_halfway_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "a"
    write_whole(path, b"old")
    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="No space left") as caught:
        write_whole(path, b"new")
    assert caught.value.filename == str(path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_files_that_belong_together_change_together_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = (tmp_path / name for name in "abc")
    first.write_bytes(b"old a")
    second.write_bytes(b"old b")
    real, calls = os.replace, []

    def fail(new: Path, path: Path) -> None:
        calls.append(path)
        if calls == [first, third, second]:
            raise OSError(13, "Permission denied")
        real(new, path)

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="Permission denied") as caught:
        write_all({first: b"new a", third: b"new c", second: b"new b"})
    assert caught.value.filename == str(second)
    assert (first.read_bytes(), second.read_bytes()) == (b"old a", b"old b")
    assert sorted(tmp_path.iterdir()) == [first, second]
    write_all({first: b"new a", third: b"new c", second: b"new b"})
    assert [path.read_bytes() for path in (first, second, third)] == [b"new a", b"new b", b"new c"]
    assert sorted(tmp_path.iterdir()) == [first, second, third]


@pytest.mark.parametrize("process", [7, 123, 4567, 4194304])
def test_a_name_may_be_as_long_as_the_system_allows_in_every_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, process: int
) -> None:
    monkeypatch.setattr("os.getpid", lambda: process)
    longest = tmp_path / ("x" * 255)
    check_writable(longest)
    write_whole(longest, b"whole")
    assert longest.read_bytes() == b"whole"
    assert list(tmp_path.iterdir()) == [longest]


def test_names_of_files_in_the_making_have_one_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def look(descriptor: int) -> None:
        seen.extend(path.name for path in tmp_path.iterdir())

    monkeypatch.setattr("os.fsync", look)
    for name in ("a", "b" * 200):
        write_whole(tmp_path / name, b"")
        (tmp_path / name).unlink()
    assert [len(name) for name in seen] == [len(".sjavs-01234567.tmp")] * 2


KILLED = """
import os, signal, sys
from pathlib import Path
from sjavs_env.cli.atomic_files import write_whole
os.fsync = lambda descriptor: os.kill(os.getpid(), signal.SIGKILL)
write_whole(Path(sys.argv[1]), b"half")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such kill")
def test_what_a_killed_program_left_is_removed_by_the_next(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"old")
    subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    (left,) = set(tmp_path.iterdir()) - {path}
    other = tmp_path / ".r.jsonl.123"  # whoever wrote it, we did not
    other.touch()
    check_writable(tmp_path / "another.json")
    assert not left.exists()
    assert sorted(tmp_path.iterdir()) == [other, path]
    assert path.read_bytes() == b"old"


def test_what_another_program_is_writing_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync

    def meanwhile(descriptor: int) -> None:
        monkeypatch.setattr("os.fsync", real)
        check_writable(tmp_path / "b")
        sweep(tmp_path)

    monkeypatch.setattr("os.fsync", meanwhile)
    write_whole(tmp_path / "a", b"whole")
    assert (tmp_path / "a").read_bytes() == b"whole"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("busy", [1, 3, 99])
def test_a_file_that_is_being_read_is_replaced_a_little_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, busy: int
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    real, pauses, tries = os.replace, list[float](), iter(range(1, 100))

    def replace(new: Path, old: Path) -> None:
        if next(tries) <= busy:
            raise PermissionError(13, "The process cannot access the file")
        real(new, old)

    monkeypatch.setattr("os.replace", replace)
    monkeypatch.setattr("time.sleep", pauses.append)
    monkeypatch.setattr("sjavs_env.cli.atomic_files._PAUSES", (0.1, 0.2, 0.4))  # as on Windows
    if busy <= 3:
        write_whole(path, b"new")
        assert path.read_bytes() == b"new"
    else:
        with pytest.raises(OSError, match="cannot access"):
            write_whole(path, b"new")
        assert path.read_bytes() == b"old"
    assert pauses == [0.1, 0.2, 0.4][:busy]
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_rights_that_the_user_gives_new_files(tmp_path: Path) -> None:
    write_whole(tmp_path / "ours", b"")
    (tmp_path / "theirs").touch()
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "theirs").stat().st_mode


def test_numbers_that_are_none_are_refused_by_the_writer(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        write_json(tmp_path / "a.json", {"mean": math.nan})
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_the_same_by_every_name_of_it(tmp_path: Path) -> None:
    file, other, new = tmp_path / "file", tmp_path / "other", tmp_path / "new"
    file.touch()
    other.touch()
    (tmp_path / "link").symlink_to(file)
    (tmp_path / "hard").hardlink_to(file)
    (tmp_path / "folder").symlink_to(tmp_path)
    for name in ("link", "hard", "folder/file"):
        assert is_same_file(tmp_path / name, file), name
    assert is_same_file(tmp_path / "folder" / "new", new)
    for path in (other, new, Path("a\0b")):
        assert not is_same_file(path, file)


def test_a_file_that_is_read_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "file"
    check_not_read("out", path, [tmp_path / "other", tmp_path])
    with pytest.raises(
        ValueError, match=r"^out is '.*file', which is read; allowed: another file$"
    ):
        check_not_read("out", path, [tmp_path / "other", path])
