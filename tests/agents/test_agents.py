"""What holds for every agent in every game that it plays.

The agents are those of the registry: one that is new there is tested here without another word.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sjavs_agents.base import OpenHandedAgent
from sjavs_agents.heuristic.random_agent import PassingAgent
from sjavs_agents.registry import AGENTS, make_agent
from sjavs_env import Game, GameState, Phase
from tests.agents.seats import every_question, game_for, known
from tests.engine.kinds import EVERY_TRAIT
from tests.engine.table import game_of, table_of

VARIANTS = [
    game_of("faroese", auction_mode="optional_pass"),
    game_of("faroese_free", follow="must_overtrump"),
    game_of("faroese_wiki", auction_mode="free", better_rule=False),
    game_of("faroese", min_bid=1),
    game_of("faroese_3", auction_mode="free"),
    game_of("faroese_2", follow="must_overtrump"),
    game_of("klorsjavs", concede=False),
    game_of("handjass_swiss", players=3, weis="large", taker_must_play=False),
    game_of("handjass_alt", players=2, meld_selection="best_first", six_timing="after"),
]
FAST = [name for name, recipe in AGENTS.items() if not recipe.searches]  # see search/test_players
MORE = ["rules:bidding=longest"]  # options with a play of their own
DETERMINISTIC = [*(name for name in FAST if not AGENTS[name].draws), *MORE]
EVERYWHERE = ["random", "greedy", "rules", "expert"]  # what commands and trainings fall back on
ONCE = np.random.default_rng(0)  # never drawn from


def pairs(names: list[str], tables: list[Any], more: list[Game]) -> pytest.MarkDecorator:
    """Every agent at every table, but ways of bidding only where there is an auction."""
    games = [(table_of(*table.values), table.marks) for table in tables]
    games += [(game, ()) for game in more]
    found = [
        pytest.param(name, game, marks=marks, id=f"{name}-{game.rules.name}")
        for name in names
        for game, marks in games
        if "bidding" not in name or Phase.AUCTION in game.tables.course.phases
    ]
    return pytest.mark.parametrize(("name", "game"), found)


@pairs([*FAST, *MORE], EVERY_TRAIT, VARIANTS)
def test_agents_do_only_what_is_legal(name: str, game: Game) -> None:
    agent = known(name, game)
    for _, mask, action in every_question(game, agent, game.new_games(100, seed=3)):
        assert mask[np.arange(len(mask)), action].all()


@pairs(DETERMINISTIC, EVERY_TRAIT, VARIANTS)
def test_a_batch_is_answered_like_its_rows_one_by_one(name: str, game: Game) -> None:
    agent = known(name, game)
    for view, mask, action in every_question(game, agent, game.new_games(2, seed=5)):
        for row in range(len(view)):
            one = np.array([row])
            assert agent.act(view.select(one), mask[one], ONCE)[0] == action[row]


@pairs(DETERMINISTIC, EVERY_TRAIT, [])
def test_answers_do_not_depend_on_the_seat_at_the_table(name: str, game: Game) -> None:
    agent = known(name, game)

    def answers(dealer: int) -> list[list[int]]:
        state: GameState = game.new_games(6, seed=9, dealer=dealer)
        return [a.tolist() for _, _, a in every_question(game, agent, state)]

    assert all(answers(0) == answers(seat) for seat in range(1, game.tables.n_players))


@pytest.mark.parametrize("name", FAST)
def test_the_same_stream_gives_the_same_answers(name: str) -> None:
    game = game_of("faroese_free")
    agent = known(name, game)
    runs = [
        [a.tolist() for _, _, a in every_question(game, agent, game.new_games(50), seed=seed)]
        for seed in (1, 1, 2)
    ]
    assert runs[0] == runs[1]
    is_one = runs[0] == runs[2]
    assert is_one != AGENTS[name].draws, f"its Recipe has to say draws={not is_one}"


@pairs(EVERYWHERE, EVERY_TRAIT, VARIANTS)
def test_some_agents_refuse_no_game(name: str, game: Game) -> None:
    assert make_agent(name, game).name == name


@pytest.mark.parametrize("name", AGENTS)
def test_an_empty_batch_has_no_answers(name: str) -> None:
    game = game_for(name)
    agent = make_agent(name, game)
    if isinstance(agent, OpenHandedAgent):
        pytest.skip("it is never shown a view")
    view, mask, _ = next(every_question(game, make_agent("random", game), game.new_games(3)))
    nobody = np.array([], dtype=np.intp)
    assert len(agent.act(view.select(nobody), mask[nobody], ONCE)) == 0


@pytest.mark.parametrize("chance", [0.0, 0.3, 0.8, 1.0])
def test_the_passing_agent_passes_as_often_as_it_says(chance: float) -> None:
    game = game_of("faroese_free")
    agent = PassingAgent(game, chance)
    view, mask, _ = next(every_question(game, agent, game.new_games(20_000)))
    choice = mask.sum(axis=1) > 1
    action = agent.act(view, mask, np.random.default_rng(4))
    passed = (action == game.actions.pass_)[choice]
    assert abs(passed.mean() - chance) < 4 * 0.5 / np.sqrt(len(passed))
    assert agent.name == f"random-pass:chance={chance:g}"


def test_the_passing_agent_chooses_evenly_among_its_bids() -> None:
    game = game_of("faroese_free")
    agent = PassingAgent(game, 0.0)
    view, mask, _ = next(every_question(game, agent, game.new_games(60_000)))
    wide = mask.sum(axis=1) == 3  # pass and two bids
    action = agent.act(view.select(wide), mask[wide], np.random.default_rng(4))
    first = mask[wide, game.actions.pass_ + 1 :].argmax(axis=1) + game.actions.pass_ + 1
    assert abs((action == first).mean() - 0.5) < 4 * 0.5 / np.sqrt(wide.sum())
