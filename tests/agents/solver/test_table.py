"""Cards face down on the table: exact while the other seat has played from its hand alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from sjavs_agents.base import Ints
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import Game, GameState, Phase, PlayerView, sample_legal, view_of
from tests.agents.worlds.stories import Story, cards_of, differing, tell, view_now
from tests.engine.table import game_of

CHANCE = 1e-4
Sets = dict[int, frozenset[int]]  # by seat at the table


class HandFirst:
    """Plays no card from the table while it may play another."""

    name = "hand first"

    def __init__(self, game: Game) -> None:
        self.game = game

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        held = np.zeros_like(mask)
        held[:, : self.game.tables.n_cards] = self.game.unpack(view.hand & ~view.open[:, 0])
        wanted = mask * held if (mask * held).any() else mask
        return sample_legal(wanted, rng)


def look_alikes(story: Story, viewer: int) -> Counter[tuple[int, ...]]:
    """Hands and cards face down of every deal that would have looked the same."""
    game, t = story.game, story.game.tables
    other, state = 1 - viewer, story.state
    view = view_now(story, viewer)
    own_down, other_down = (int((state.face_down[0, p] >= 0).sum()) for p in (viewer, other))
    seen = view.hand[0] | np.bitwise_or.reduce(view.played[0] | view.open[0])
    hidden = cards_of(int(np.bitwise_or.reduce(t.cards.bit)) & ~int(seen))
    start = game.new_games(1, seed=5, numbers=[int(state.number[0])], dealer=story.dealer)
    up = {p: frozenset(map(int, start.face_up[0, p])) for p in (viewer, other)}
    played = cards_of(view.played[0, 1])
    packs = []
    for mine in combinations(sorted(hidden), own_down):
        for theirs in combinations(sorted(hidden - set(mine)), other_down):
            rest = hidden - set(mine) - set(theirs)
            hands = {viewer: cards_of(start.hand[0, viewer]) - up[viewer]}
            hands[other] = (rest | played) - up[other]
            down = {viewer: frozenset(mine), other: frozenset(theirs)}
            packs.append(list(deck(game, story.dealer, hands, up, down)))
    state = replayed(story, np.array(packs))
    view_then = view_of(game, state, np.arange(len(state)), np.full(len(state), viewer))
    same = ~differing(view_then, view)
    faces = [
        np.bitwise_or.reduce(t.cards.bit[state.face_down[:, p]], axis=1) for p in (viewer, other)
    ]
    rows = np.stack([state.hand[:, other], *faces], axis=1)[same]
    return Counter(tuple(map(int, row)) for row in rows)


def deck(game: Game, dealer: int, hands: Sets, up: Sets, down: Sets) -> Iterator[int]:
    """A pack that deals these cards."""
    t = game.tables
    places: dict[int, int] = {}
    for i in range(2):
        seat = (dealer + 1 + i) % 2
        cards = [*sorted(hands[seat]), *sorted(up[seat])]
        places |= dict(zip(t.deal.hand[1, i].tolist(), cards, strict=True))
        places |= dict(zip(t.deal.table[1, 1, i].tolist(), sorted(down[seat]), strict=True))
    yield from (places[i] for i in range(t.n_cards))


def replayed(story: Story, packs: Ints) -> GameState:
    """The games in which the story is legal, at its end."""
    game = story.game
    state = game.new_games(len(packs), dealer=story.dealer)
    game.deal_deck(state, np.arange(len(packs)), packs)
    for action in story.actions:
        legal = game.legal_actions(state)[:, action] == 1
        state = state.select(np.flatnonzero(legal))
        game.step(state, np.full(len(state), action))
    return state


def test_hands_and_cards_face_down_are_drawn_evenly() -> None:
    game = game_of("faroese_2")
    agent, sampler, checked = HandFirst(game), Sampler(game), 0
    for number in range(40):
        story = tell(game, agent, number, number % 2, 3 + 13)
        viewer = number % 2
        whole = (story.state.face_down >= 0).sum() == 8
        if story.state.phase[0] != Phase.PLAY or not whole:
            continue
        worlds = look_alikes(story, viewer)
        view = view_now(story, viewer)
        assert sampler.count(view) == [len(worlds)]
        hands = sampler.hands(view, 30 * len(worlds), np.random.default_rng(0))[0]
        drawn = Counter(tuple(map(int, row)) for row in hands)
        assert set(drawn) <= set(worlds)
        if len(worlds) > 1:
            assert stats.chisquare([drawn[w] for w in worlds]).pvalue > CHANCE
        checked += len(worlds) > 50
        if checked == 4:
            return
    raise AssertionError("too few deals")
