"""The ladders of all games as one report."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.all_ladders import main

pytest.importorskip("numba")


def test_ladders_are_kept_gone_on_with_and_written_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    argv = ["--games", "handjass/3", "handjass/4", "--agents", "greedy", "random",
            "pimc", "--boards", "6", "--folder", str(tmp_path / "kept"),
            "--out", str(tmp_path / "r.html")]  # fmt: skip
    assert main(argv) == 0
    first = (tmp_path / "r.html").read_bytes()
    told = capsys.readouterr().out
    assert told.count("without pimc: ") == 2
    assert "without g" not in told
    for words in (b"Ladders of 2 games", b"Overview", b"handjass, 3 players: 6 boards",
                  b"handjass, 4 players: 6 boards", b"Cost of a decision"):  # fmt: skip
        assert words in first
    monkeypatch.delattr("sjavs_agents.arena.tournament.player.play_shard")  # nothing is played
    assert main(argv) == 0
    assert (tmp_path / "r.html").read_bytes() == first


def test_a_game_that_is_not_there_is_refused_and_so_are_agents_who_cannot_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for more, message in (
        (["--games", "whist/4"], "whist/4"),
        (["--games", "faroese/4", "--agents", "random"], "fewer than two in every game"),
    ):
        with pytest.raises(SystemExit):
            main([*more, "--folder", str(tmp_path), "--out", str(tmp_path / "r.html")])
        assert message in capsys.readouterr().err
