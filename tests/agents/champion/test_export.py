"""A champion made from a run: weights, card and page, together or not at all."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from sjavs_agents.arena.match import play_match
from sjavs_agents.champion import yardsticks
from sjavs_agents.champion.command import main
from sjavs_agents.champion.model_card import CARD, card_page, read_card, rules_digest
from sjavs_agents.champion.narrowing import count_same, narrowed
from sjavs_agents.champion.yardsticks import StoppedError
from sjavs_agents.neural.checkpoint import newest_checkpoint, read_checkpoint, write_checkpoint
from sjavs_agents.registry import make_agent
from sjavs_env import Game, make_rules
from tests.agents.champion.made import BOARDS, export, tiny_run
from tests.commands import refused


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_run(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def weights(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(run, tmp_path_factory.mktemp("shelf"))


def test_weights_card_and_page_lie_side_by_side(weights: Path) -> None:
    names = ["faroese-4.json", "faroese-4.md", "faroese-4.safetensors"]
    assert sorted(path.name for path in weights.parent.iterdir()) == names
    card = read_card(weights)
    assert weights.with_suffix(".md").read_text(encoding="utf-8") == card_page(card)
    assert card["weights"]["sha256"] == sha256(weights.read_bytes()).hexdigest()
    assert card["weights"]["bytes"] == weights.stat().st_size
    assert card["game"]["digest"] == rules_digest(make_rules("faroese"))
    assert card["game"]["digest"] != rules_digest(make_rules("faroese", tie="double"))


def test_the_player_is_that_of_the_run_in_half_the_room(run: Path, weights: Path) -> None:
    found = newest_checkpoint(run / "checkpoints", lambda path, arrays, meta: arrays)
    assert found is not None
    theirs = {k: v for k, v in found[0].items() if k.startswith("average.")}
    arrays, _ = read_checkpoint(weights)
    assert arrays.keys() == theirs.keys()
    for name, value in arrays.items():
        assert value.dtype == np.float32
        np.testing.assert_array_equal(value, theirs[name].astype(np.float16))
    numbers = sum(value.size for value in arrays.values())
    assert read_card(weights)["weights"]["numbers"] == numbers
    assert 2 * numbers < weights.stat().st_size < 2 * numbers + 3000


def test_weights_in_16_bits_choose_what_those_in_32_do(run: Path, weights: Path) -> None:
    game = Game(make_rules("faroese"))
    wide, narrow, other = (make_agent(name, game) for name in (str(run), str(weights), "greedy"))
    compared, same = count_same(game, wide, narrow, 60, 1)
    assert compared > 900
    assert same >= 0.999 * compared
    assert count_same(game, wide, other, 60, 1)[1] < 0.9 * compared
    told = read_card(weights)["weights"]
    assert (told["compared"], told["same"]) == count_same(game, wide, narrow, 30, 3)


def test_a_weight_that_16_bits_do_not_hold_is_refused() -> None:
    kept = narrowed({"a": np.array([1.0, -65504.0], np.float32)})
    assert kept["a"].dtype == np.float16
    with pytest.raises(ValueError, match="a weight of b is 70000; allowed: up to 65504"):
        narrowed({"b": np.array([1.0, -70000.0], np.float32)})


def test_the_card_tells_the_matches_as_they_are_played_again(weights: Path) -> None:
    game = Game(make_rules("faroese"))
    (told,) = read_card(weights)["evaluation"]
    pair = make_agent(str(weights), game), make_agent("greedy", game)
    estimates = play_match(game, pair, BOARDS, seed=3).estimates()
    assert (told["agent"], told["boards"], told["seed"]) == ("greedy", BOARDS, 3)
    for kind in ("game_points", "card_points", "boards_won"):
        e = estimates[kind]
        assert told[kind] == {"mean": e.mean, "low": e.low, "high": e.high}


def test_the_card_tells_all_sittings_and_no_place_of_the_machine(run: Path, tmp_path: Path) -> None:
    again = tiny_run(tmp_path, init=str(run), name="again")
    card = read_card(export(again, tmp_path / "shelf"))
    first, second = card["training"]["sittings"]
    assert (first["run"], second["run"]) == ("tiny", "again")
    assert second["iterations"] == 2
    assert second["decisions"] > 500
    assert card["training"]["config"]["run"]["init"] == "tiny"
    assert str(tmp_path.parent) not in json.dumps(card)


def test_a_run_whose_beginnings_are_gone_makes_no_champion(run: Path, tmp_path: Path) -> None:
    moved = tiny_run(tmp_path, init=str(run), name="again")
    (path,) = (moved / "checkpoints").iterdir()
    arrays, meta = read_checkpoint(path)
    meta["config"]["run"]["init"] = "nowhere"
    write_checkpoint(path, arrays, meta)
    with pytest.raises(ValueError, match=r"run\.init is 'nowhere', of which a card has to tell"):
        export(moved, tmp_path / "shelf")


def test_what_is_there_is_replaced_only_when_asked(run: Path, tmp_path: Path) -> None:
    path = export(run, tmp_path)
    before = path.with_suffix(".json").read_bytes()
    with pytest.raises(ValueError, match=r"out holds 'faroese-4\.safetensors' already; allowed: "):
        export(run, tmp_path)
    assert path.with_suffix(".json").read_bytes() == before
    export(run, tmp_path, replace=True, against="greedy random")
    agents = [match["agent"] for match in read_card(path)["evaluation"]]
    assert agents == ["greedy", "random"]


def test_an_interrupt_leaves_nothing_but_the_boards_played(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[list[str]] = []

    def interrupted(argv: list[str], program: str) -> int:
        played.append(argv)
        return 130

    with monkeypatch.context() as patch:
        patch.setattr(yardsticks, "evaluate", interrupted)
        with pytest.raises(StoppedError) as error:
            export(run, tmp_path)
        words = ["export", str(run), "--out", str(tmp_path), "--against", "greedy", "--seed", "3"]
        assert main(words) == error.value.status == 130
    assert list(tmp_path.iterdir()) == []
    folders = {argv[argv.index("--out") + 1] for argv in played}
    assert len(folders) == 1  # by which the same command goes on


def test_a_yardstick_that_cannot_play_the_game_is_left_out_unless_it_was_asked_for(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game = Game(make_rules("handjass"))
    can, refused_ = yardsticks.able(["rules", "pimc"], game)
    assert can == ["rules"]
    (line,) = refused_
    assert line.startswith("not measured against pimc: agent 'pimc': handjass with 4 players")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["export", "nowhere"], "nowhere: there is no such checkpoint file"),
        (["export", "."], "there is no checkpoint in this folder; allowed: that of a run"),
        (["export", "x", "--boards", "1"], "boards is 1; allowed: 2 to 16777216"),
        (["export", "x", "--search-boards", "0"], "search-boards is 0; allowed: 2 to"),
        (["card", "--rules", "whist"], "no rules named 'whist'"),
    ],
)
def test_bad_input_is_told_in_one_line(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    refused(main, words)
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_a_run_with_parameters_of_its_own_makes_no_champion(run: Path, tmp_path: Path) -> None:
    (path,) = (run / "checkpoints").iterdir()
    arrays, meta = read_checkpoint(path)
    meta["rules"]["overrides"] = {"tie": "double"}
    write_checkpoint(tmp_path / "own.safetensors", arrays, meta)
    with pytest.raises(ValueError, match="was trained with tie set; allowed: a rule set as it"):
        export(tmp_path / "own.safetensors", tmp_path)


def test_a_player_without_its_run_makes_no_champion(weights: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"faroese-4.*: the checkpoint is damaged or incomplete"):
        export(weights, tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"}, {"version": 2}, {"weights": None}, {"evaluation": [{}]},
        {"training": {"config": {}, "sittings": [{"run": 3}]}},
    ],
)  # fmt: skip
def test_a_card_that_is_none_is_refused_in_one_line(
    change: dict[str, object], weights: Path, tmp_path: Path
) -> None:
    card = read_card(weights)
    assert CARD(card, "") is None
    (tmp_path / "a.json").write_text(json.dumps({**card, **change}), encoding="utf-8")
    with pytest.raises(ValueError, match=r"a\.json is no card of a champion: ") as error:
        read_card(tmp_path / "a.safetensors")
    assert "\n" not in str(error.value)
