"""The mini games are rule sets like any other, and no games of the family."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

from sjavs_agents.base import open_decisions
from sjavs_env import (
    ALIASES,
    PRESETS,
    RULE_SETS,
    BatchEnv,
    SjavsEnv,
    make_rules,
    read_records,
    rules_from_json,
    rules_to_json,
    sample_legal,
    verify,
    write_record,
)
from tests.engine.table import game_of
from tests.envs.pettingzoo_checks import api_test
from tests.envs.play import play_on

MINI = [name for name in RULE_SETS if name not in PRESETS]
CARDS = {"mini_8": "AC KC QC 9C AS KS JS 9S", "mini_10": "AC KC QC TC 9C AS KS JS TS 9S"}


def test_they_stand_behind_the_games_of_the_family() -> None:
    assert list(RULE_SETS) == [*PRESETS, "mini_8", "mini_10"]
    assert not set(MINI) & set(ALIASES.values())


@pytest.mark.parametrize("name", MINI)
def test_everything_that_they_change_is_ours(name: str) -> None:
    rules, base = RULE_SETS[name], PRESETS["faroese_2"]
    changed = [key for key, source in rules.sources.items() if source != base.sources.get(key)]
    of_rows = {"payoff": "each row has its own", "version": "this project"}
    assert {"talon", "ranks", "min_bid", "auction_mode"} <= set(changed)
    assert all(rules.sources[key].startswith("OURS") for key in changed if key not in of_rows)
    assert all(row.source.startswith("OURS") for row in rules.payoff)


@pytest.mark.parametrize("name", MINI)
def test_the_packs_are_those_of_the_page(name: str) -> None:
    rules = make_rules(name)
    assert " ".join(rules.pack.cards) == CARDS[name]
    assert (rules.n_tricks, rules.deal.talon, rules.players) == (len(rules.pack) // 2 - 1, 2, 2)
    assert rules.total_points == {"mini_8": 35, "mini_10": 55}[name]
    bands = {row.name: row.points for row in rules.payoff if row.tricks == "any"}
    total = rules.total_points
    assert bands["win_high"][0] == min(p for p in range(total) if 4 * p >= 3 * total)
    assert bands["lose_low"][1] == max(p for p in range(total) if 4 * p <= total)
    assert bands["win"][0] == bands["lose"][1] + 1 == total // 2 + 1


@pytest.mark.parametrize("name", MINI)
def test_they_are_written_as_json_with_overrides(name: str) -> None:
    rules = make_rules(name, auction_mode="forced", **{"payoff.vol": (6, 8)})
    written = json.loads(json.dumps(rules_to_json(rules)))
    assert written["overrides"] == {"auction_mode": "forced", "payoff.vol": [6, 8]}
    assert rules_from_json(written) == rules


@pytest.mark.parametrize("name", MINI)
def test_random_deals_are_sound_and_worth_what_the_table_says(name: str) -> None:
    game, rng = game_of(name), np.random.default_rng(1)
    state = game.new_games(300, seed=2)
    for rows, mask in open_decisions(game, state):
        assert game.problems(state) == []
        game.step(state, sample_legal(mask, rng), rows)
    gains, bid = game.gains(state), state.best_bid >= 0
    assert not gains[~bid].any(), "a deal that nobody bids on is worth nothing"
    assert ((gains != 0).sum(axis=1) == bid).all(), "one of the two is paid"
    amounts = {amount for row in game.rules.payoff for amount in row.amounts}
    assert set(np.unique(gains[bid])) <= {0.0, *map(float, amounts)}


@pytest.mark.parametrize("name", MINI)
def test_they_are_environments(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # observations are dictionaries
        api_test(SjavsEnv(name), num_cycles=60)
    env, rng = BatchEnv(name, 4, seed=3), np.random.default_rng(0)
    turn = env.reset()
    for _ in range(40):
        turn, rewards, _ = env.step(sample_legal(turn.mask, rng))
        assert not rewards.sum(axis=1).any()


@pytest.mark.parametrize("name", MINI)
def test_their_games_are_recorded_and_replayed(name: str, tmp_path: Path) -> None:
    env = SjavsEnv(name)
    env.reset(seed=6)
    play_on(env, np.random.default_rng(4), 10**6)
    write_record(tmp_path / "games.jsonl", env.record())
    (record,) = read_records(tmp_path / "games.jsonl")
    verify(record)
    assert record["rules"] == {"name": name, "version": 1, "overrides": {}}
