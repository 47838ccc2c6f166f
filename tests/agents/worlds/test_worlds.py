"""Every world drawn in random play is one that the seat may be in; the true deal is among them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from sjavs_agents.heuristic.random_agent import PassingAgent
from sjavs_agents.worlds.constraints import Constraints
from sjavs_agents.worlds.counting import count_ways
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import Game, GameState, Phase, hidden_hands, view_of
from tests.agents.worlds.stories import Deal, cards_of, differing, replay, tell, view_now
from tests.engine.kinds import EVERY_PAIR, as_one
from tests.engine.table import game_of, table_of
from tests.engine.test_properties import play

N_GAMES, WORLDS = 16, 4


@pytest.fixture(params=as_one(EVERY_PAIR))
def game(request: pytest.FixtureRequest) -> Game:
    return table_of(*request.param)


def positions(game: Game, steps: int, every: int = 1, seed: int = 1) -> Any:
    """States with the rows whose deal goes on, and seats to look from: to act, and any."""
    rng = np.random.default_rng(seed)
    state = game.new_games(N_GAMES, seed=seed, stride=N_GAMES, dealer=np.arange(N_GAMES))
    for i, _ in enumerate(play(game, state, steps, rng)):
        rows = np.flatnonzero(state.phase != Phase.OVER)
        if i % every == 0 and len(rows):
            yield state, rows, state.seat[rows]
            yield state, rows, rng.integers(game.tables.n_players, size=len(rows))


def test_worlds_are_sound_and_look_the_same(game: Game) -> None:
    sampler, rng = Sampler(game), np.random.default_rng(0)
    for state, rows, viewer in positions(game, 90, every=3):
        view = view_of(game, state, rows, viewer)
        worlds = sampler.sample(view, WORLDS, rng)
        assert game.problems(worlds) == []
        again = np.repeat(np.arange(len(rows)), WORLDS)
        seen = view_of(game, worlds, np.arange(len(worlds)), view.seat[again])
        assert not differing(seen, view.select(again)).any()


def test_worlds_can_be_played_to_the_end(game: Game) -> None:
    sampler, rng = Sampler(game), np.random.default_rng(0)
    for state, rows, viewer in positions(game, 40, every=13):
        worlds = sampler.sample(view_of(game, state, rows, viewer), WORLDS, rng)
        while (worlds.phase != Phase.OVER).any():
            mask = game.legal_actions(worlds)
            game.step(worlds, np.where(mask, rng.random(mask.shape), -1.0).argmax(axis=1))
            assert game.problems(worlds) == []


def true_cards(game: Game, state: GameState, rows: Any, viewer: Any) -> Any:
    """What each holder has in truth (R, H)."""
    hidden = hidden_hands(game, state, rows, viewer)
    if not game.tables.deal.n_talon:
        return hidden
    own = state.declarer[rows] == viewer
    laid = np.where(own, 0, state.laid[rows])
    return np.concatenate([hidden[:, :-1], state.talon[rows][:, None], laid[:, None]], axis=1)


def test_the_true_deal_is_among_the_worlds(game: Game) -> None:
    """Each hidden card is left to its true holder alone: some way has to remain."""
    constraints = Constraints(game)
    n_public = len(constraints.holders)
    for state, rows, viewer in positions(game, 90):
        view = view_of(game, state, rows, viewer)
        cases = constraints.cases(view)
        problems, space = constraints.problems(view, cases)
        true = true_cards(game, state, rows, viewer).astype(np.int64)[cases.row]
        played = np.bitwise_or.reduce(view.played, axis=1).astype(np.int64)[cases.row, None]
        hands = true[:, : game.tables.n_players - 1]
        may = problems.may
        may[:, :n_public] &= true | played
        if may.shape[1] > n_public:  # cards that came later are in the declarer's hand
            declarer = np.maximum(view.declarer[cases.row], 1) - 1
            may[:, -1] &= hands[np.arange(len(hands)), declarer] | played[:, 0]
        ways = np.zeros(len(rows), dtype=np.int64)
        np.add.at(ways, cases.row, count_ways(problems, space))
        assert (ways > 0).all()


REPLAYED = as_one([t for t in EVERY_PAIR if not table_of(*t.values).tables.deal.n_columns])


@pytest.mark.parametrize("table", REPLAYED)
def test_the_story_could_have_been_told_of_every_world(table: tuple[str, int]) -> None:
    """The deal of a world replays action by action, each of them legal, to the same view."""
    game = table_of(*table)
    sampler, rng, told = Sampler(game), np.random.default_rng(0), 0
    n, agent = game.tables.n_players, PassingAgent(game, 0.6)
    for number in range(300):
        story = tell(game, agent, number, number % n, 2 + number * 5 % 26)
        exchanged = story.state.taken[0] or story.state.phase[0] == Phase.LAY
        seats = story.state.seats
        swapped = seats is not None and (seats.six_by[0] >= 0 or seats.taker[0] >= 0)
        if story.state.phase[0] == Phase.OVER or exchanged or swapped:
            continue  # the hands are not those that were dealt
        viewer = number % n
        view = view_now(story, viewer)
        worlds = sampler.sample(view, 50, rng)
        deals = [as_dealt(game, worlds, i) for i in range(len(worlds))]
        state, kept = replay(story, deals)
        assert len(kept) == len(deals)
        seen = view_of(game, state, np.arange(len(state)), np.full(len(state), viewer))
        assert not differing(seen, view).any()
        told += 1
        if told == 5:
            return
    raise AssertionError("too few deals")


def as_dealt(game: Game, state: GameState, i: int) -> Deal:
    hands = tuple(cards_of(w) for w in state.dealt[i])
    if game.tables.seats:
        return Deal(hands, piles=(cards_of(state.talon[i]), cards_of(state.seat_state.dead[i])))
    return Deal(hands, tuple(state.aside[i].tolist()))


def test_the_same_seed_draws_the_same_worlds(game: Game) -> None:
    sampler = Sampler(game)
    differ = False
    for state, rows, viewer in positions(game, 40, every=20):
        view = view_of(game, state, rows, viewer)
        a, b, c = (sampler.sample(view, 3, np.random.default_rng(s)) for s in (1, 1, 2))
        assert all(np.array_equal(x, b.arrays()[name]) for name, x in a.arrays().items())
        differ |= not np.array_equal(a.hand, c.hand)
    assert differ  # at the end of a deal all may be known


def test_games_with_an_auction_draw_a_view_alike_in_any_batch() -> None:
    game = game_of("faroese")
    sampler = Sampler(game)
    state, rows, viewer = next(iter(positions(game, 1)))
    view = view_of(game, state, rows, viewer)
    whole = sampler.hands(view, 5, np.random.default_rng(0))
    first = sampler.hands(view.select(rows[:1]), 5, np.random.default_rng(0))
    assert np.array_equal(whole[:1], first)
    none = sampler.hands(view.select(rows[:0]), 5, np.random.default_rng(0))
    assert none.shape == (0, 5, 3)


def test_a_wrong_question_is_refused_in_one_line() -> None:
    game = game_of("faroese")
    sampler, rng = Sampler(game), np.random.default_rng(0)
    state = game.new_games(2)
    view = view_of(game, state, np.arange(2), np.zeros(2, dtype=np.intp))
    with pytest.raises(ValueError, match="worlds is 0; allowed: a number from 1"):
        sampler.sample(view, 0, rng)
    view.void[1, 1:] = 31  # three seats without any card of a class
    with pytest.raises(ValueError, match="no deal agrees with view 1"):
        sampler.hands(view, 1, rng)
    with pytest.raises(ValueError, match="no deal agrees with view 1"):
        sampler.count(view)
    view.phase[0] = Phase.OVER
    with pytest.raises(ValueError, match="the deal of view 0 is over"):
        sampler.chances(view)


def test_without_the_calls_all_deals_of_the_hidden_cards_count() -> None:
    for preset, dealt in (("faroese", 8), ("faroese_3", 10), ("faroese_2", 8)):
        game = game_of(preset)
        state = game.new_games(20, seed=2)
        while len(speak := np.flatnonzero(state.phase < Phase.PLAY)):
            game.step(state, game.legal_actions(state, speak).argmax(axis=1), speak)
        rows = np.flatnonzero(state.phase != Phase.OVER)
        view = view_of(game, state, rows, state.seat[rows])
        t = game.tables
        sizes = [dealt] * (t.n_players - 1) + [t.deal.n_talon] + [t.deal.n_columns] * t.n_players
        all_ways = math.factorial(sum(sizes))
        for size in sizes:
            all_ways //= math.factorial(size)
        assert Sampler(game, calls=False).count(view) == [all_ways] * len(rows)
        ways = Sampler(game).count(view)
        assert max(ways) <= all_ways  # a pass over a long suit may prove nothing
        assert sum(ways) < all_ways * len(rows)
