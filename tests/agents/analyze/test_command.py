"""The command that judges recorded games."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from sjavs_agents.analyze import command
from sjavs_agents.analyze.command import main
from sjavs_agents.analyze.text import WIDTH
from sjavs_agents.registry import split_names
from tests.agents.analyze.games import game_at, record_of, written
from tests.agents.belief.tiny import written_belief

QUICK = ["--worlds", "2", "--agents", "rules,random"]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Two games of one deal each; the second one is given up."""
    return written(
        tmp_path / "games.jsonl", record_of("danish_4", seed=2), record_of("danish_4", seed=1)
    )


def analysis(record: Path, *argv: str) -> dict[str, Any]:
    out = record.parent / "out.json"
    assert main([str(record), *QUICK, "--json", str(out), *argv]) == 0
    data: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return data


def test_the_same_command_writes_the_same_bytes(record: Path) -> None:
    analysis(record)
    first = (record.parent / "out.json").read_bytes()
    analysis(record)
    assert (record.parent / "out.json").read_bytes() == first


def test_a_line_or_a_deal_alone_is_judged_as_in_the_whole(record: Path, tmp_path: Path) -> None:
    whole = analysis(record)
    assert [game["line"] for game in whole["games"]] == [1, 2]
    assert analysis(record, "--line", "2")["games"] == whole["games"][1:]
    last = len(whole["games"][0]["deals"])
    alone = analysis(record, "--line", "1", "--deal", str(last))["games"][0]["deals"]
    assert alone == whole["games"][0]["deals"][-1:]


def test_the_file_holds_what_its_page_says(record: Path) -> None:
    data = analysis(record)
    assert (data["format"], data["version"]) == ("sjavs-analysis", 1)
    assert (data["worlds"], data["seed"]) == (2, 0)
    page = (Path(__file__).parents[3] / "docs" / "analysis.md").read_text("utf-8")
    names: set[str] = set(data)
    game = data["games"][0]
    deal = game["deals"][-1]
    decision = next(d for d in deal["decisions"] if d["open_hands"])
    for part in (game, deal, deal["luck"], deal["luck"]["sides"][0], decision, decision["fair"]):
        names |= set(part)
    assert {name for name in names if f"`{name}`" not in page} == set()


@pytest.mark.parametrize("verbose", [[], ["--verbose"]])
def test_the_text_fits_the_page(
    record: Path, capsys: pytest.CaptureFixture[str], verbose: list[str]
) -> None:
    analysis(record, *verbose)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= WIDTH
    text = "\n".join(lines)
    for words in ("luck of the deal, all hands open", "lost by what each knew", "ALL HANDS OPEN"):
        assert words in text
    assert ("where hidden cards may be" in text) == bool(verbose)


def test_a_terminal_is_told_what_is_being_judged(
    record: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    analysis(record, "--line", "2", "--deal", "1")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    analysis(record, "--line", "2", "--deal", "1")
    assert capsys.readouterr().err == "judging line 2, deal 1\n"


def test_a_learned_belief_is_told_beside_what_can_be_known(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of the same cards and places, and nothing else changes."""
    plain = analysis(record)
    assert plain["belief"] is None
    path = written_belief(record.parent / "b.safetensors", game_at("danish_4"))
    data = analysis(record, "--belief", str(path), "--verbose")
    assert data["belief"] == str(path)
    assert "where they are, as the learned belief has it:" in capsys.readouterr().out
    pairs = [
        (before, now)
        for a, b in zip(plain["games"], data["games"], strict=True)
        for first, second in zip(a["deals"], b["deals"], strict=True)
        for before, now in zip(first["decisions"], second["decisions"], strict=True)
    ]
    differ = 0
    for before, now in pairs:
        learned, known = now.pop("learned"), now["belief"]
        assert before.pop("learned") is None
        assert before == now
        assert {card: set(places) for card, places in learned.items()} == {
            card: set(places) for card, places in known.items()
        }
        for card, places in learned.items():
            assert sum(places.values()) == pytest.approx(1, abs=1e-5)
            differ += places != pytest.approx(known[card], abs=0.01)
    assert differ


def test_a_belief_of_another_game_is_refused(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written_belief(record.parent / "b.safetensors", game_at("klorsjavs"))
    assert main([str(record), "--belief", str(path)]) == 2
    error = capsys.readouterr().err
    assert "trained on klorsjavs for 3 players, whose actions or observations differ" in error
    assert error.count("\n") == 1


def test_names_keep_their_options() -> None:
    assert split_names("rules,pimc:worlds=2,utility=points,a/b") == [
        "rules", "pimc:worlds=2,utility=points", "a/b"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--worlds", "0"], "worlds is 0; allowed: 1 to 100000"),
        (["--worlds", "99999999999"], "worlds is 99999999999; allowed: 1 to 100000"),
        (["--seed", "-1"], "seed is -1; allowed: a number from 0"),
        (["--threads", "0"], "threads is 0; allowed: 1 to 256"),
        (["--threads", "100000"], "threads is 100000; allowed: 1 to 256"),
        (["--line", "3"], "line is 3; "),
        (["--deal", "99"], "line 1: deal is 99; allowed: 1 to "),
        (["--agents", "nobody"], "there is no agent 'nobody'; allowed: random, "),
        (["--agents", "rules,,random"], "agents is 'rules,,random'; allowed: names"),
        (["--agents", "cheater"], "'cheater' looks into all hands; allowed: "),
        (["--json", "no/such/folder/x.json"], "no/such/folder/x.json cannot be written: "),
        (["--json", "."], ". is a folder; allowed: "),
    ],
)
def test_bad_arguments_are_told_in_one_line(
    record: Path, capsys: pytest.CaptureFixture[str], argv: list[str], words: str
) -> None:
    assert main([str(record), *argv]) == 2
    out, error = capsys.readouterr()
    assert out == ""  # nothing has been judged
    assert words in error
    assert error.startswith("sjavs analyze: error: ")
    assert error.count("\n") == 1


def test_a_file_is_written_though_nobody_reads_the_text(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leave(*words: object, flush: bool = False) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(command, "print", leave, raising=False)
    assert len(analysis(record)["games"]) == 2
    with pytest.raises(BrokenPipeError):
        main([str(record), *QUICK])


def test_bad_files_are_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").write_text("")
    (tmp_path / "text").write_text("hello\n")
    broken = record_of("danish_4")
    broken["deals"][0]["actions"][0] = "9"
    written(tmp_path / "broken", broken)
    for name, words in {
        "missing": "No such file or directory",
        "empty": "holds no record; allowed: one game in each line",
        "text": "text, line 1: no JSON: ",
        "broken": "broken, line 1: deal 1, action 1: '9' is illegal for seat ",
    }.items():
        assert main([str(tmp_path / name)]) == 2
        error = capsys.readouterr().err
        assert words in error
        assert error.count("\n") == 1
