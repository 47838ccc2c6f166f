"""Worlds weighed by how likely the others' calls and cards would have been in them."""

from __future__ import annotations

import numpy as np
import pytest

from sjavs_agents.heuristic.rule_agent import RuleAgent
from sjavs_agents.registry import make_agent
from sjavs_agents.worlds.by_policy import FLOOR, PolicyInference
from sjavs_agents.worlds.rewind import before_calls, rewound
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import GameState, Phase, view_of
from tests.agents.solver.late import endings, legal_cards
from tests.engine.table import SJAVS, game_of


@pytest.mark.parametrize("rules", ["faroese", "faroese_3", "klorsjavs", "auction_sjavs"])
def test_a_deal_rewound_and_played_again_is_the_same(rules: str) -> None:
    game = game_of(rules)
    state, rows = endings(game, 60, 2)
    past = rewound(game, state.select(rows))
    assert game.problems(past) == []
    for _ in range(game.tables.n_tricks * game.tables.n_players):
        seat = past.seat
        own = game.unpack((state.dealt ^ state.hand)[rows, seat]).astype(np.bool_)
        now = own & (state.fell[rows] == past.trick_number[:, None] + 1)
        on = np.flatnonzero(now.any(axis=1))
        if not len(on):
            break
        legal = legal_cards(game, past, on)
        card = now[on].argmax(axis=1)
        assert legal[np.arange(len(on)), card].all()
        game.step(past, card, on)
    for name, value in state.select(rows).arrays().items():
        np.testing.assert_array_equal(value, past.arrays()[name], err_msg=name)


def test_no_world_explains_the_cards_better_than_the_real_one() -> None:
    """All played by maxims, which play one card for certain."""
    game = game_of()
    state, rows = endings(game, 24, 3)
    inference = PolicyInference(Sampler(game), RuleAgent(game))
    rng = np.random.default_rng(0)
    real = inference.log_weights(state.select(rows), state.seat[rows], rng)
    view = view_of(game, state, rows, state.seat[rows])
    worlds = inference.sampler.sample(view, 6, rng)
    imagined = inference.log_weights(worlds, np.repeat(state.seat[rows], 6), rng)
    assert (real > np.log(1 - FLOOR) * 24).all()
    spread = imagined.reshape(-1, 6) - real[:, None]
    assert spread.max() < 0.5  # forced cards add nothing, so worlds may win a little by these
    assert spread.min() < np.log(FLOOR)


def test_inference_prefers_worlds_that_explain_the_cards() -> None:
    game = game_of()
    state, rows = endings(game, 24, 3)
    inference = PolicyInference(Sampler(game), RuleAgent(game))
    view, rng = view_of(game, state, rows, state.seat[rows]), np.random.default_rng(0)
    viewer = np.repeat(view.seat, 6)
    even, likely = (
        inference.log_weights(draw.sample(view, 6, rng), viewer, rng).mean()
        for draw in (inference.sampler, inference)
    )
    assert likely > even + 1


def test_inference_needs_a_past_that_can_be_told() -> None:
    with pytest.raises(ValueError, match="infer does not know faroese_2; allowed: games without"):
        make_agent("pimc:infer=rules", game_of("faroese_2"))


def auctions(rules: str) -> tuple[GameState, GameState]:
    """Return deals before anybody spoke, and as they stand after some cards."""
    game, rng = game_of(rules), np.random.default_rng(5)
    state = game.new_games(60, seed=5, dealer=rng.integers(game.rules.players, size=60))
    first, player = state.clone(), RuleAgent(game)
    while len(rows := np.flatnonzero((state.phase != Phase.OVER) & (state.trick_number < 2))):
        view = view_of(game, state, rows, state.seat[rows])
        game.step(state, player.act(view, game.legal_actions(state, rows), rng), rows)
    played = np.flatnonzero((state.phase == Phase.PLAY) & (state.calls.sum(axis=1) > 0))
    return first.select(played), state.select(played)


@pytest.mark.parametrize(
    "rules", [name for name in SJAVS if game_of(name).tables.deal.n_columns == 0]
)
def test_what_stood_before_the_calls_is_told_from_what_followed(rules: str) -> None:
    first, state = auctions(rules)
    assert len(state) > 20
    past = before_calls(game_of(rules), state)
    for name, value in first.arrays().items():
        np.testing.assert_array_equal(value, past.arrays()[name], err_msg=name)


def before_the_lead(rules: str, n_games: int) -> GameState:
    """Games that maxims have bid, at the first lead."""
    game, rng = game_of(rules), np.random.default_rng(6)
    state, player = game.new_games(n_games, seed=6), RuleAgent(game)
    while len(rows := np.flatnonzero((state.phase != Phase.OVER) & (state.phase != Phase.PLAY))):
        view = view_of(game, state, rows, state.seat[rows])
        game.step(state, player.act(view, game.legal_actions(state, rows), rng), rows)
    return state.select(np.flatnonzero(state.phase == Phase.PLAY))


@pytest.mark.parametrize("rules", ["faroese_free", "klorsjavs", "danish_4", "auction_sjavs"])
def test_calls_that_were_a_choice_tell_likely_hands(rules: str) -> None:
    game, state = game_of(rules), before_the_lead(rules, 80)
    inference, rng = PolicyInference(Sampler(game), RuleAgent(game)), np.random.default_rng(0)
    view = view_of(game, state, np.arange(len(state)), state.seat)
    real = inference.log_weights(state, state.seat, rng)
    even, likely = (
        inference.log_weights(draw.sample(view, 8, rng), np.repeat(state.seat, 8), rng).mean()
        for draw in (inference.sampler, inference)
    )
    assert real.mean() > even + 0.5
    assert likely - even > 0.4 * (real.mean() - even)


def test_calls_that_the_rules_prescribe_tell_nothing_more() -> None:
    game, state = game_of("faroese"), before_the_lead("faroese", 40)
    inference = PolicyInference(Sampler(game), RuleAgent(game))
    weights = inference.log_weights(state, state.declarer, np.random.default_rng(0))
    assert not weights.any()
