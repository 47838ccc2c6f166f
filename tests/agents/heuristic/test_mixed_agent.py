"""A caller and a player as one agent."""

from __future__ import annotations

import numpy as np
import pytest

from sjavs_agents.base import open_decisions
from sjavs_agents.registry import make_agent
from sjavs_env import Game, Phase, make_rules, sample_legal, view_of

GAME = Game(make_rules("faroese_free"))
NAMES = ["faroese_free", "faroese_3", "klorsjavs", "auction_sjavs"]


@pytest.mark.parametrize("bars", ["|", "||"])
@pytest.mark.parametrize("game", [Game(make_rules(name)) for name in NAMES], ids=NAMES)
def test_the_first_decides_what_it_should_and_the_second_the_rest(game: Game, bars: str) -> None:
    mixed = make_agent(f"rules:bidding=longest{bars}greedy", game)
    caller, player = make_agent("rules:bidding=longest", game), make_agent("greedy", game)
    state, rng = game.new_games(64, dealer=np.arange(64)), np.random.default_rng(0)
    seen = set()
    for rows, mask in open_decisions(game, state):
        view = view_of(game, state, rows, state.seat[rows])
        calls = view.phase == Phase.AUCTION if bars == "|" else view.phase != Phase.PLAY
        actions = mixed.act(view, mask, rng)
        for agent, at in ((caller, calls), (player, ~calls)):
            chosen = np.flatnonzero(at)
            if len(chosen):
                alone = agent.act(view.select(chosen), mask[chosen], rng)
                np.testing.assert_array_equal(actions[chosen], alone)
        seen |= set(view.phase.tolist())
        game.step(state, sample_legal(mask, rng), rows)
    assert seen == set(game.tables.course.phases) - {Phase.OVER}


def test_its_name_says_both() -> None:
    assert make_agent("rules|greedy", GAME).name == "rules|greedy"
    assert make_agent("rules||greedy", GAME).name == "rules||greedy"


@pytest.mark.parametrize("name", ["rules|", "|rules", "rules|nobody", "rules||", "||rules"])
def test_half_an_agent_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="there is no agent"):
        make_agent(name, GAME)
