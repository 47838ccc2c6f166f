"""A caller and a player as one agent."""

from __future__ import annotations

import numpy as np
import pytest

from agents.registry import make_agent
from sjavs_env import Game, Phase, make_rules, sample_legal, view_of

GAME = Game(make_rules("faroese_free"))


def test_the_first_calls_and_the_second_names_and_plays() -> None:
    mixed = make_agent("rules:bidding=longest|greedy", GAME)
    caller, player = make_agent("rules:bidding=longest", GAME), make_agent("greedy", GAME)
    state, rng = GAME.new_games(64, dealer=np.arange(64)), np.random.default_rng(0)
    seen = set()
    while len(rows := np.flatnonzero(state.phase != Phase.OVER)):
        mask, view = GAME.legal_actions(state, rows), view_of(GAME, state, rows, state.seat[rows])
        calls = view.phase == Phase.AUCTION
        actions = mixed.act(view, mask, rng)
        for agent, at in ((caller, calls), (player, ~calls)):
            chosen = np.flatnonzero(at)
            if len(chosen):
                alone = agent.act(view.select(chosen), mask[chosen], rng)
                np.testing.assert_array_equal(actions[chosen], alone)
        seen |= set(view.phase.tolist())
        GAME.step(state, sample_legal(mask, rng), rows)
    assert seen == {Phase.AUCTION, Phase.NAME_TRUMP, Phase.PLAY}


def test_its_name_says_both() -> None:
    assert make_agent("rules|greedy", GAME).name == "rules|greedy"


@pytest.mark.parametrize("name", ["rules|", "|rules", "rules|nobody"])
def test_half_an_agent_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="there is no agent"):
        make_agent(name, GAME)
