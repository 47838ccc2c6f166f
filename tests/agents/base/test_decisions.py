"""Deals that are played out, decision by decision."""

from __future__ import annotations

import numpy as np

from sjavs_agents.base import forced, open_decisions
from sjavs_env import Game, Phase, make_rules, sample_legal

GAME = Game(make_rules("faroese"))


def test_decisions_are_yielded_until_all_deals_are_over() -> None:
    state, rng, steps = GAME.new_games(20), np.random.default_rng(0), np.zeros(20, np.intp)
    for rows, mask in open_decisions(GAME, state):
        np.testing.assert_array_equal(mask, GAME.legal_actions(state, rows))
        steps[rows] += 1
        GAME.step(state, sample_legal(mask, rng), rows)
    assert (state.phase == Phase.OVER).all()
    assert steps.min() < 32 < steps.max()  # deals are as long as they are


def test_a_game_that_is_taken_out_stays_where_it_is() -> None:
    state, rng, going = GAME.new_games(20), np.random.default_rng(0), np.ones(20, np.bool_)
    for rows, mask in open_decisions(GAME, state, going):
        assert (state.phase[rows] != Phase.PLAY).all()
        GAME.step(state, sample_legal(mask, rng), rows)
        going[state.phase == Phase.PLAY] = False
    assert set(state.phase.tolist()) == {int(Phase.PLAY), int(Phase.OVER)}
    assert not state.trick_number.any()


def test_a_game_that_is_dealt_on_goes_on() -> None:
    state, rng, deals = GAME.new_games(20), np.random.default_rng(0), np.ones(20, np.intp)
    for rows, mask in open_decisions(GAME, state):
        GAME.step(state, sample_legal(mask, rng), rows)
        again = np.flatnonzero((state.phase == Phase.OVER) & (deals < 3))
        deals[again] += 1
        GAME.next_deal(state, again)
    assert (deals == 3).all()
    assert (state.phase == Phase.OVER).all()


def test_an_action_is_forced_where_it_is_the_only_one() -> None:
    mask = np.array([[0, 0, 1, 0], [1, 0, 1, 1], [1, 0, 0, 0]], np.int8)
    action, choices = forced(mask)
    assert action[[0, 2]].tolist() == [2, 0]
    assert choices.tolist() == [1]
