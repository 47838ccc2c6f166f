"""Files of results."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from sjavs_env.cli.files import check_writable, write_json, write_whole


def test_what_can_be_written_leaves_no_trace(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    for name in ("old", "new"):
        check_writable(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert (tmp_path / "old").read_text() == "old"


@pytest.mark.parametrize("name", ["", "no/a", "file/a", "x" * 250])
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


def test_numbers_that_are_none_are_refused_by_the_writer(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        write_json(tmp_path / "a.json", {"mean": math.nan})
    assert list(tmp_path.iterdir()) == []
