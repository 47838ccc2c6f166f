"""All worlds of a view: the same that other ways of finding them give, and no other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sjavs_agents.heuristic.random_agent import PassingAgent
from sjavs_agents.worlds.sampler import Sampler, Worlds
from sjavs_env import Game, GameState, Phase, PlayerView, hidden_hands, view_of
from tests.agents.solver.endings import positions
from tests.agents.worlds.stories import differing, look_alikes, tell, view_now
from tests.engine.kinds import EVERY_PAIR, as_one
from tests.engine.table import game_of, table_of

MOST, TRICKS_LEFT = 5000, 2
DRAWN = 4000
N_GAMES = 6


@pytest.fixture(params=as_one(EVERY_PAIR))
def game(request: pytest.FixtureRequest) -> Game:
    return table_of(*request.param)


def endings(game: Game) -> Any:
    """Late positions, with the view of the seat to act and all its worlds."""
    sampler = Sampler(game)
    state = positions(game, N_GAMES, TRICKS_LEFT, seed=3, cards_in_trick=None)
    for row in range(N_GAMES):
        rows = np.array([row])
        view = view_of(game, state, rows, state.seat[rows])
        worlds = sampler.all_worlds(view, MOST)
        if worlds is not None:
            yield state, row, view, worlds


def arrangements(state: GameState) -> list[bytes]:
    """What tells worlds apart: hands, and what lies below which card."""
    return [
        hand.tobytes() + below.tobytes()
        for hand, below in zip(state.hand, state.face_down, strict=True)
    ]


def test_worlds_are_sound_and_different_and_look_the_same(game: Game) -> None:
    found = 0
    for _, _, view, worlds in endings(game):
        n = len(worlds.chance)
        assert game.problems(worlds.state) == []
        again = view_of(game, worlds.state, np.arange(n), np.repeat(view.seat, n))
        assert not differing(again, view.select(np.zeros(n, dtype=np.intp))).any()
        assert len(set(arrangements(worlds.state))) == n
        assert worlds.chance.sum() == pytest.approx(1.0)
        assert (worlds.chance > 0).all()
        found += 1
    assert found > 0


def test_the_true_deal_is_among_them(game: Game) -> None:
    for state, row, _, worlds in endings(game):
        truth = arrangements(state.select(np.array([row])))
        assert set(truth) <= set(arrangements(worlds.state))


def shares(game: Game, viewer: Any, state: GameState, chance: Any) -> Any:
    """How likely each card is in each hand, and below each seat's cards face up (H, N)."""
    n = len(state)
    hidden = hidden_hands(game, state, np.arange(n), np.repeat(viewer, n))
    others, is_table = game.tables.n_players - 1, game.tables.deal.n_columns > 0
    piles = others + (game.tables.n_players if is_table else 0)
    return np.einsum("w,whn->hn", chance, game.unpack(hidden[:, :piles]))


def hidden_shares(game: Game, view: PlayerView, worlds: Worlds) -> Any:
    """How likely each card that is hidden from the viewer is where (H, N)."""
    found = shares(game, view.seat, worlds.state, worlds.chance)
    known = np.bitwise_or.reduce(view.open, axis=1)
    if view.seats is not None:
        known |= np.bitwise_or.reduce(view.seats.known, axis=1)
    return np.where(game.unpack(known)[0] == 1, 0, found)


def test_chances_are_the_beliefs_of_the_sampler(game: Game) -> None:
    sampler, rng = Sampler(game), np.random.default_rng(1)
    for _, _, view, worlds in endings(game):
        found = hidden_shares(game, view, worlds)
        drawn = sampler.drawn_chances(view, DRAWN, rng)[0, : len(found)]
        assert np.abs(drawn - found).max() < 5 * 0.5 / DRAWN**0.5
        if not sampler.lacks_melds(view).any():
            assert np.allclose(found, sampler.chances(view)[0, : len(found)])


def test_beliefs_lack_melds_once_somebody_could_announce_some() -> None:
    game = table_of("handjass", 4)
    state = positions(game, 1, game.tables.n_tricks, seed=0)
    for n_played in range(2):
        view = view_of(game, state, np.array([0]), state.seat)
        assert Sampler(game).lacks_melds(view).tolist() == [n_played > 0]
        game.step(state, game.legal_actions(state).argmax(axis=1))


def test_announced_melds_tell_where_cards_are() -> None:
    game = table_of("handjass", 2)
    sampler, rng = Sampler(game), np.random.default_rng(2)
    state = positions(game, 200, game.tables.n_tricks, seed=1)
    leader = state.seat.copy()
    game.step(state, game.legal_actions(state).argmax(axis=1))
    rows = np.flatnonzero(state.seat_state.announced[np.arange(200), leader] > 0)
    view = view_of(game, state, rows, 1 - leader[rows])
    hand = sampler.holders.index("hand 1")
    counted = sampler.chances(view)[:, hand]
    drawn = sampler.drawn_chances(view, DRAWN, rng)[:, hand]
    truth = (game.unpack(state.hand[rows, leader[rows]]) == 1) & (counted > 0)
    gain = np.where(truth, np.log(np.maximum(drawn, 1 / DRAWN)) - np.log(counted + ~truth), 0)
    gain = gain.sum(axis=1)
    assert len(rows) > 40
    assert gain.mean() > 5 * gain.std() / len(rows) ** 0.5


def test_chances_are_those_of_drawn_worlds(game: Game) -> None:
    sampler, rng = Sampler(game), np.random.default_rng(0)
    _, _, view, worlds = max(endings(game), key=lambda found: len(found[3].chance))
    sample = sampler.sample(view, DRAWN, rng)
    expected = shares(game, view.seat, worlds.state, worlds.chance)
    found = shares(game, view.seat, sample, np.full(DRAWN, 1 / DRAWN))
    assert np.abs(found - expected).max() < 5 * 0.5 / DRAWN**0.5


@pytest.mark.parametrize("rules", ["klorsjavs", "auction_sjavs", "danish_4"])
def test_they_are_the_deals_that_another_enumeration_finds(rules: str) -> None:
    game = game_of(rules)
    sampler, compared = Sampler(game), 0
    for number in range(40):
        story = tell(game, PassingAgent(game), number, number % game.tables.n_players, 17)
        viewer = int(story.state.seat[0])
        if story.state.phase[0] != Phase.PLAY:
            continue
        worlds = sampler.all_worlds(view_now(story, viewer), 10**5)
        assert worlds is not None
        others = (viewer + np.arange(1, game.tables.n_players)) % game.tables.n_players
        hands = worlds.state.hand[:, others].tolist()
        found = {tuple(hand): c for hand, c in zip(hands, worlds.chance, strict=True)}
        wanted: dict[tuple[int, ...], float] = {}
        alike = look_alikes(story, viewer)
        for holders, count in alike.items():
            hand = holders[: len(others)]
            wanted[hand] = wanted.get(hand, 0.0) + count / sum(alike.values())
        assert found == pytest.approx(wanted)
        compared += 1
        if compared == 3:
            return
    raise AssertionError(f"only {compared} positions were compared")


def test_too_many_worlds_are_none() -> None:
    for _, _, view, worlds in endings(game_of("faroese")):
        n = len(worlds.chance)
        assert n == 1 or Sampler(game_of("faroese")).all_worlds(view, n - 1) is None


def test_other_moments_and_several_views_are_refused() -> None:
    game = game_of("faroese_free")
    state = game.new_games(2)
    view = view_of(game, state, np.arange(2), state.seat.copy())
    sampler = Sampler(game)
    with pytest.raises(ValueError, match=r"2 views, phases .*; allowed: one, in phase PLAY"):
        sampler.all_worlds(view, MOST)
    with pytest.raises(ValueError, match="allowed: one, in phase PLAY"):
        sampler.all_worlds(view.select(np.array([0])), MOST)
