"""Counts of what deals come to, as they are stored."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from sjavs_agents.arena.deal_counts import count_deals
from sjavs_agents.base import open_decisions
from sjavs_agents.registry import make_agent
from sjavs_agents.stats.deal_results import DealResults, parties
from sjavs_env import REDEAL, Game, make_rules, sample_legal
from tests.agents.stats.board_results import rng_of


@pytest.mark.parametrize("name", ["faroese", "faroese_wiki", "faroese_3", "klorsjavs"])
def test_every_deal_is_counted_where_its_change_says(name: str) -> None:
    game, rng = Game(make_rules(name)), rng_of(name)
    state = game.new_games(400, seed=3, dealer=np.arange(400))
    for rows, mask in open_decisions(game, state):
        game.step(state, sample_legal(mask, rng), rows)
    played = np.flatnonzero(state.outcome != REDEAL)
    results = DealResults.empty(game)
    results.add(game, state, played)
    assert results.counts.sum() == len(played)
    party, n = parties(game), len(results.counts)
    expected = np.zeros((n, n))  # change of each party's score by the party that deals
    for b in played:
        expected[party[state.dealer[b]]] += state.change[b, :n]
    change = game.tables.result.payoff_change
    found = np.zeros((n, n))
    for dealer, declarer, column, row in np.argwhere(results.counts):
        deals = results.counts[dealer, declarer, column, row]
        own = np.arange(n) == declarer
        found[dealer] += deals * np.where(own, *change[column, row])
    assert (found == expected).all()


def test_stored_counts_come_back() -> None:
    game = Game(make_rules("faroese_wiki"))
    results = count_deals(game, make_agent("rules", game), 300).results
    text = json.dumps(results.to_json(game))
    assert (DealResults.from_json(game, json.loads(text)).counts == results.counts).all()


def test_parties_that_are_alike_share_their_deals_by_place_from_the_dealer() -> None:
    game = Game(make_rules("faroese_3"))
    results = count_deals(game, make_agent("rules", game), 300).results
    alike = results.of_equals().counts
    assert alike.sum() == 3 * results.counts.sum()
    for dealer, declarer in np.ndindex(3, 3):
        place = (declarer - dealer) % 3
        expected = sum(results.counts[d, (d + place) % 3] for d in range(3))
        assert (alike[dealer, declarer] == expected).all()


def test_counted_deals_are_those_of_the_seed_and_redeals_are_left_out() -> None:
    game = Game(make_rules("faroese"))
    counts = count_deals(game, make_agent("rules", game), 500, seed=5)
    assert counts.results.counts.sum() + counts.redeals == 500
    assert counts.redeals > 0
    again = count_deals(game, make_agent("rules", game), 500, seed=5)
    assert (again.results.counts == counts.results.counts).all()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, r"results are \{\}; allowed: 2 lists of 2 mappings"),
        ([[{}, {}]], "allowed: 2 lists of 2 mappings"),
        ([[{"red": {}}, {}], [{}, {}]], "column is 'red'; allowed: plain, clubs, no bid"),
        ([[{"plain": {"luck": 1}}, {}], [{}, {}]], "result is 'luck'; allowed: single_vol, "),
        ([[{"plain": {"vol": -1}}, {}], [{}, {}]], "deals is -1; allowed: 0 to "),
        ([[{"plain": {"vol": True}}, {}], [{}, {}]], "deals is True; allowed: 0 to "),
    ],
)
def test_a_file_that_holds_no_counts_is_refused(data: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        DealResults.from_json(Game(make_rules("faroese")), data)


def test_a_game_without_a_table_of_results_is_refused() -> None:
    with pytest.raises(ValueError, match="handjass has no table of results"):
        DealResults.empty(Game(make_rules("handjass")))
