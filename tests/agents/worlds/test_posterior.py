"""Worlds drawn by Bayes' rule, against the posterior computed deal by deal."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from sjavs_agents.base import Agent, Floats
from sjavs_agents.heuristic.random_agent import RandomAgent
from sjavs_agents.registry import make_agent
from sjavs_agents.worlds.posterior import PosteriorWorlds
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import Game, GameState, view_of
from tests.agents.exploit.weak import Drawing, Lowest, Tossing
from tests.agents.worlds.stories import Story, decks, differing, tell, view_now
from tests.agents.worlds.stories import candidates as deals_of
from tests.engine.table import game_of


def chances_of(player: Lowest, legal: list[int]) -> dict[int, float]:
    """How likely the player does what, said once more in plain words."""
    if isinstance(player, Tossing):
        found = dict.fromkeys(legal, 0.0)
        found[legal[0]] += 0.8
        found[legal[-1]] += 0.2
        return found
    return {action: float(action == legal[0]) for action in legal}


def weighed_deals(story: Story, viewer: int, player: Lowest) -> tuple[GameState, Floats]:
    """All deals that look alike to the viewer, as they stand, and how likely each of them is.

    They are played again from the first call, and each action is weighed for itself.
    """
    game, deals = story.game, list(deals_of(story, viewer))
    state = game.new_games(len(deals), dealer=story.dealer)
    game.deal_deck(state, np.arange(len(deals)), decks(game, deals, story.dealer, -1))
    weight = np.ones(len(deals))
    for seat, action in zip(story.seats, story.actions, strict=True):
        masks = game.legal_actions(state)
        can = masks[:, action] == 1
        state, weight = state.select(np.flatnonzero(can)), weight[can]
        if seat != viewer:
            legal = [np.flatnonzero(mask).tolist() for mask in masks[can]]
            weight *= [chances_of(player, actions)[action] for actions in legal]
        game.step(state, np.full(len(state), action))
    view = view_of(game, state, np.arange(len(state)), np.full(len(state), viewer))
    weight[differing(view, view_now(story, viewer))] = 0
    possible = np.flatnonzero(weight)
    return state.select(possible), weight[possible] / weight.sum()


def late_story(game: Game, player: Agent, number: int) -> Story | None:
    """A deal in which the seat to act has two or three cards left, and a choice; some have none."""
    for n_actions in range(40, 0, -1):
        story = tell(game, player, number, 3, n_actions)
        left = int(game.unpack(story.state.hand[0, story.state.seat]).sum())
        if left in (2, 3) and game.legal_actions(story.state).sum() > 1:
            return story
    return None


@pytest.mark.parametrize("kind", [Tossing, Lowest])
def test_worlds_come_as_often_as_bayes_rule_says(kind: type[Lowest]) -> None:
    game, n, uneven = game_of(), 2000, 0
    player = kind(game)
    source = PosteriorWorlds(Sampler(game), player)
    for number in range(6):
        story = late_story(game, player, number)
        assert story is not None
        viewer = int(story.state.seat[0])
        state, chances = weighed_deals(story, viewer, player)
        exact = dict(zip(map(tuple, state.hand.tolist()), chances.tolist(), strict=True))
        assert len(exact) == len(chances)
        drawn = source.sample(view_now(story, viewer), n, np.random.default_rng(0))
        seen = Counter(map(tuple, drawn.hand.tolist()))
        assert set(seen) <= set(exact)
        for hands, chance in exact.items():  # drawn, and then resampled from these
            assert seen[hands] / n == pytest.approx(chance, abs=5 * (chance / n) ** 0.5 + 2 / n)
        uneven += len(set(chances.round(6))) > 1
    assert uneven > 0 or kind is Lowest  # for whom all that is possible is equally likely
    assert (source.asked, source.unexplained) == (6, 0)


def test_where_no_world_explains_everything_worlds_are_drawn_all_the_same() -> None:
    """A deal that was not played by the player who is believed to have played it."""
    game = game_of()
    source = PosteriorWorlds(Sampler(game), Lowest(game))
    story = tell(game, RandomAgent(), 1, 3, 20)
    viewer = int(story.state.seat[0])
    view = view_now(story, viewer)
    drawn = source.sample(view, 8, np.random.default_rng(0))
    assert (source.asked, source.unexplained) == (1, 1)
    again = view_of(game, drawn, np.arange(8), np.full(8, viewer))
    assert not differing(again, view.select(np.zeros(8, dtype=np.intp))).any()


def test_a_policy_that_draws_has_to_tell_how() -> None:
    game = game_of()
    sampler = Sampler(game)
    for policy in (Tossing(game), RandomAgent(), make_agent("rules", game)):
        PosteriorWorlds(sampler, policy)
    with pytest.raises(ValueError, match=r"^agent 'drawing' draws its actions and does not tell"):
        PosteriorWorlds(sampler, Drawing(game))
    with pytest.raises(ValueError, match="'cheater' looks into all hands; allowed: "):
        PosteriorWorlds(sampler, make_agent("cheater", game))
