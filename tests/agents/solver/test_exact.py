"""The sampler against the enumeration of every deal that would have looked the same."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sjavs_agents.base import Agent
from sjavs_agents.heuristic.random_agent import PassingAgent
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import Game, Phase
from tests.agents.worlds.stories import Story, look_alikes, tell, view_now
from tests.engine.table import game_of

DRAWS_PER_WORLD, MOST_WORLDS = 60, 2500
CHANCE = 1e-4  # a fair sampler fails one test in so many


def story_at(game: Game, number: int, trick: int, size: int, agent: Agent) -> Story | None:
    """A deal played up to so many cards in a trick, if it comes so far."""
    for n_actions in range(1, 80):
        story = tell(game, agent, number, number % game.tables.n_players, n_actions)
        if story.state.phase[0] == Phase.OVER:
            return None
        at = (int(story.state.trick_number[0]), int(story.state.trick_size[0]))
        if story.state.phase[0] == Phase.PLAY and at == (trick, size):
            return story
    return None


def stories(game: Game, trick: int, size: int, wanted: int) -> list[Story]:
    """Deals that come so far, with nobody out who keeps a whole hand of hidden cards."""
    found: list[Story] = []
    agent, number = PassingAgent(game, 0.5), 0
    while len(found) < wanted:
        story = story_at(game, number, trick, size, agent)
        if story and (not game.tables.seats or story.state.seat_state.playing.all()):
            found.append(story)
        number += 1
    return found


def check(story: Story, viewer: int, *, counts_ways: bool) -> int:
    """Compare count, belief and draws with the enumeration; return how many worlds there are.

    ``counts_ways``: a world that can have come about in several ways counts several times.
    """
    sampler, view = Sampler(story.game), view_now(story, viewer)
    worlds = look_alikes(story, viewer)
    total = sum(worlds.values())
    if not story.game.tables.seats:
        if not counts_ways:
            assert len(set(worlds.values())) == 1
        assert sampler.count(view) == [total if counts_ways else len(worlds)]
        assert np.allclose(sampler.chances(view)[0], belief_of(worlds, view), atol=1e-12)
    number = DRAWS_PER_WORLD * len(worlds)
    hands = sampler.hands(view, number, np.random.default_rng(len(worlds)))[0]
    drawn = Counter(tuple(map(int, row)) for row in hands)
    assert set(drawn) <= set(worlds)
    expected = np.array([number * worlds[w] / total for w in worlds])
    observed = np.array([drawn[w] for w in worlds])
    if len(worlds) > 1:
        assert stats.chisquare(observed, expected).pvalue > CHANCE
    return len(worlds)


def belief_of(worlds: Counter[tuple[int, ...]], view: Any) -> np.ndarray:
    """The share of the worlds in which each hidden card is with each holder."""
    n_cards = view.fell.shape[1]
    shares = np.zeros((len(next(iter(worlds))), n_cards))
    for world, times in worlds.items():
        for holder, word in enumerate(world):
            for card in range(n_cards):
                shares[holder, card] += times * (word >> card & 1)
    return shares / sum(worlds.values())


def check_all(game: Game, trick: int, size: int, wanted: int, counts_ways: bool = True) -> None:
    sizes = []
    for story, viewer in product(stories(game, trick, size, wanted), range(game.tables.n_players)):
        worlds = 0
        if story.state.seat[0] >= 0:
            worlds = check(story, viewer, counts_ways=counts_ways)
        sizes.append(worlds)
    assert max(sizes) > 5
    assert max(sizes) <= MOST_WORLDS


@pytest.mark.parametrize(
    ("preset", "overrides"),
    [
        ("faroese", {}),
        ("faroese", {"auction_mode": "optional_pass"}),
        ("faroese", {"force_clubs_on_equal": False}),
        ("faroese", {"follow": "must_overtrump"}),
        ("faroese", {"follow": "strict"}),
        ("faroese_wiki", {}),
        ("faroese_free", {}),
        ("faroese_free", {"force_clubs_on_equal": True}),
    ],
    ids=str,
)
def test_four_hands(preset: str, overrides: dict[str, Any]) -> None:
    check_all(game_of(preset, **overrides), trick=5, size=2, wanted=2)


@pytest.mark.parametrize("trick", [7, 8])
def test_three_hands_with_a_blind_exchange(trick: int) -> None:
    check_all(game_of("faroese_3"), trick=trick, size=1, wanted=3)


@pytest.mark.parametrize("preset", ["klorsjavs", "auction_sjavs", "danish_4"])
def test_an_exchange_of_the_whole_talon(preset: str) -> None:
    game = game_of(preset)
    trick = 2 if preset == "danish_4" else 3
    check_all(game, trick=trick, size=2, wanted=3, counts_ways=False)


@pytest.mark.parametrize(
    ("preset", "trick"),
    [
        ("handjass", 6),
        ("handjass_strict", 6),
        pytest.param("handjass_swiss", 7, marks=pytest.mark.slow),
    ],
)
def test_four_hands_of_which_all_may_have_announced_melds(preset: str, trick: int) -> None:
    check_all(game_of(preset), trick=trick, size=2, wanted=3)


@pytest.mark.parametrize(
    "preset", [pytest.param("handjass", marks=pytest.mark.slow), "handjass_swiss"]
)
@pytest.mark.parametrize(("trick", "size", "wanted"), [(8, 0, 4), (7, 2, 2)])
def test_three_hands_and_a_reserve(preset: str, trick: int, size: int, wanted: int) -> None:
    check_all(game_of(preset, players=3), trick, size, wanted)
