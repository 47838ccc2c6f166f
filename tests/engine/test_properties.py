"""What holds in every deal: conservation, batches, copies, symmetry, sound states."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sjavs_env.engine import Game, GameState, Phase
from sjavs_env.rules import PRESETS
from sjavs_env.rules.tables import PLAYED
from tests.engine.kinds import EVERY_TRAIT, as_one
from tests.engine.table import game_of, table_of

N_GAMES = 60
PER_SEAT = ("dealt", "hand", "calls", "trick", "void", "points", "tricks", "change")
PER_SEAT_RUBBER = ("score", "crosses")
VARYING_SEATS = ("active", "playing", "zeros", "announced", "melds", "known")
SEATS = ("dealer", "seat", "leader", "winner", "declarer", "six_by", "taker")


@pytest.fixture(params=as_one(EVERY_TRAIT))
def game(request: pytest.FixtureRequest) -> Game:
    return table_of(*request.param)


def choose(game: Game, state: GameState, rng: np.random.Generator) -> NDArray[np.intp]:
    """A random legal action for each game; any action where the deal is over."""
    mask = game.legal_actions(state)
    return np.where(mask, rng.random(mask.shape), -1.0).argmax(axis=1)


def play(
    game: Game, state: GameState, n_steps: int, rng: np.random.Generator
) -> Iterator[NDArray[np.intp]]:
    """Step all games at random, dealing again where a deal is over; yield the actions."""
    for _ in range(n_steps):
        action = choose(game, state, rng)
        game.step(state, action)
        yield action
        over = np.flatnonzero(state.phase == Phase.OVER)
        game.next_deal(state, over)


def played_on(game: Game, n_games: int, n_steps: int, seed: int = 0) -> GameState:
    """Games in the middle of their deals."""
    state = game.new_games(n_games, seed=seed, stride=n_games)
    for _ in play(game, state, n_steps, np.random.default_rng(seed)):
        pass
    return state


def covered(state: GameState) -> NDArray[np.unsignedinteger[Any]]:
    """Cards face down on the table (B, P) as words."""
    bits = np.where(state.face_down < 0, 0, 1 << np.maximum(state.face_down, 0))
    return np.bitwise_or.reduce(bits, axis=2).astype(state.hand.dtype)


def apart(state: GameState) -> NDArray[np.unsignedinteger[Any]]:
    """Sets of cards that lie apart (B, piles)."""
    dead = [state.seats.dead] if state.seats else []
    return np.stack([*state.piles, *dead], axis=1)


def worth(
    game: Game, state: GameState, words: NDArray[np.unsignedinteger[Any]]
) -> NDArray[np.intp]:
    """Card points in sets of cards (B, X) together."""
    points = game.unpack(words).sum(axis=1) * game.tables.cards.worth[state.mode]
    return np.asarray(points.sum(axis=1), dtype=np.intp)


def assert_same(a: GameState, b: GameState) -> None:
    """Every array of two states is equal, in values and type."""
    assert list(a.arrays()) == list(b.arrays())
    for name, value in a.arrays().items():
        other = b.arrays()[name]
        assert value.dtype == other.dtype, name
        assert np.array_equal(value, other), name


# Conservation


def test_cards_and_points_are_conserved_and_states_are_sound_after_every_step(game: Game) -> None:
    state = game.new_games(N_GAMES, seed=1, stride=N_GAMES)
    rng = np.random.default_rng(1)
    for _ in play(game, state, 150, rng):
        assert game.problems(state) == []
        somewhere = np.concatenate([state.hand, covered(state), apart(state)], axis=1)
        held = np.bitwise_count(somewhere).sum(axis=1, dtype=np.intp)
        cards = np.full(N_GAMES, len(game.pack))
        assert np.array_equal(held + (state.fell > 0).sum(axis=1), cards)
        total = game.tables.cards.worth.sum(axis=1)[state.mode]
        if game.tables.seats:
            is_last = state.trick_number == game.rules.n_tricks
            total += game.tables.seats.last_trick * is_last
        taken = state.points.sum(axis=1) + state.pile
        assert np.array_equal(worth(game, state, somewhere) + taken, total)
        assert np.array_equal(state.tricks.sum(axis=1), state.trick_number)


def test_played_deals_share_out_all_points_and_tricks(game: Game) -> None:
    state = game.new_games(N_GAMES, seed=2)
    rng = np.random.default_rng(2)
    while (state.phase != Phase.OVER).any():
        game.step(state, choose(game, state, rng))
    played = (state.outcome >= 0) & (state.gave_up == 0)
    if game.tables.seats:
        played = state.outcome == PLAYED
    apart_or_held = np.concatenate([apart(state), state.hand], axis=1)
    aside = worth(game, state, apart_or_held)
    total = game.tables.total_points
    assert played.sum() > N_GAMES // 5
    assert ((state.points.sum(axis=1) + aside)[played] == total).all()
    assert (state.tricks.sum(axis=1)[played] == game.rules.n_tricks).all()
    assert not state.points[~played].any()
    plays = state.seats.playing[played] == 1 if state.seats else ...
    assert not state.hand[played][plays].any()
    assert np.array_equal(state.hand[~played], state.dealt[~played])


def test_every_seat_speaks_once_and_plays_one_card_to_a_trick(game: Game) -> None:
    if game.tables.seats:
        pytest.skip("nobody speaks, and not every seat plays")
    state = game.new_games(N_GAMES, seed=3, numbers=np.arange(N_GAMES))
    rng = np.random.default_rng(3)
    spoken = np.zeros((N_GAMES, game.rules.players), dtype=np.intp)
    played = np.zeros_like(spoken)
    while (state.phase != Phase.OVER).any():
        for phase, counts in ((Phase.AUCTION, spoken), (Phase.PLAY, played)):
            rows = np.flatnonzero(state.phase == phase)
            counts[rows, state.seat[rows]] += 1
        game.step(state, choose(game, state, rng))
        whole = (state.trick_size == 0) & (state.phase == Phase.PLAY)
        assert (played[whole] == state.trick_number[whole][:, None]).all()
    if game.rules.value("auction_mode") == "first_bid":  # nobody speaks after it
        assert (spoken.max(axis=1) == 1).all()
        assert np.array_equal((state.calls > 1).sum(axis=1), state.declarer >= 0)
    else:
        assert (spoken == 1).all()
    played_out = (state.outcome >= 0) & (state.gave_up == 0)
    assert (played[played_out] == game.rules.n_tricks).all()
    assert np.array_equal(state.calls > 0, spoken == 1)


def test_rewards_sum_to_zero(game: Game) -> None:
    state = game.new_games(500, seed=4)
    rng = np.random.default_rng(4)
    while (state.phase != Phase.OVER).any():
        game.step(state, choose(game, state, rng))
    rewards = game.rewards(game.gains(state), game.taking_part(state, np.arange(500)))
    assert np.abs(rewards.sum(axis=1)).max() < 1e-5
    assert np.abs(rewards).max() > 0


@pytest.mark.parametrize("preset", ["faroese_3", "faroese_2", "klorsjavs", "danish_4"])
def test_alone_either_the_declarer_or_every_defender_is_paid(preset: str) -> None:
    game = game_of(preset)
    state = game.new_games(500, seed=4)
    rng = np.random.default_rng(4)
    while (state.phase != Phase.OVER).any():
        game.step(state, choose(game, state, rng))
    decided = np.flatnonzero((state.outcome >= 0) & state.change.any(axis=1))
    assert len(decided) > 250
    changed = state.change[decided] != 0
    alone = np.arange(game.rules.players) == state.declarer[decided][:, None]
    assert ((changed == alone).all(axis=1) | (changed == ~alone).all(axis=1)).all()


def test_chips_only_change_hands() -> None:
    game = game_of("auction_sjavs")
    state = game.new_games(500, seed=4)
    rng = np.random.default_rng(4)
    while (state.phase != Phase.OVER).any():
        game.step(state, choose(game, state, rng))
    played = state.outcome >= 0
    assert not state.change.sum(axis=1).any()
    others = state.change[played].sum(axis=1, keepdims=True) - state.change[played]
    alone = np.arange(3) == state.declarer[played][:, None]
    assert (state.change[played][alone] == -others[alone]).all()
    assert (np.abs(state.change[played][alone]) >= 2).all()


PARTNERS = [name for name, rules in PRESETS.items() if rules.sides == "partners"]


@pytest.mark.parametrize("preset", PARTNERS)
def test_only_one_side_of_partners_gains(preset: str) -> None:
    game = game_of(preset)
    state = game.new_games(500, seed=4)
    rng = np.random.default_rng(4)
    while (state.phase != Phase.OVER).any():
        game.step(state, choose(game, state, rng))
    gains = game.gains(state)
    rewards = game.rewards(gains)
    assert (gains >= 0).all()
    assert ((gains[:, 0] == 0) | (gains[:, 1] == 0)).all()
    assert np.array_equal(gains[:, :2], gains[:, 2:])
    assert np.array_equal(rewards[:, 0], gains[:, 0] - gains[:, 1])
    assert np.abs(rewards).max() > 0


def test_a_finished_deal_has_no_legal_action_and_stays_as_it_is(game: Game) -> None:
    state = game.new_games(20, seed=5)
    rng = np.random.default_rng(5)
    while (state.phase != Phase.OVER).any():
        game.step(state, choose(game, state, rng))
    assert not game.legal_actions(state).any()
    before = state.clone()
    game.step(state, np.zeros(20, dtype=np.intp))
    assert_same(before, state)


# Batches


def test_games_stepped_together_are_the_games_stepped_one_by_one(game: Game) -> None:
    together = game.new_games(12, seed=6, stride=12, dealer=np.arange(12))
    single = [together.select(slice(b, b + 1)) for b in range(12)]
    for action in play(game, together, 120, np.random.default_rng(6)):
        for b, alone in enumerate(single):
            game.step(alone, action[b : b + 1])
            if alone.phase[0] == Phase.OVER:
                game.next_deal(alone, np.array([0]))
    for b, alone in enumerate(single):
        assert_same(alone, together.select(np.array([b])))


def test_a_step_of_some_rows_leaves_the_others_alone(game: Game) -> None:
    state = played_on(game, 40, 55)
    rows = np.array([31, 2, 7, 8, 30])
    before, others = state.clone(), np.setdiff1d(np.arange(40), rows)
    action = choose(game, state, np.random.default_rng(0))
    whole = state.clone()
    game.step(whole, action)
    game.step(state, action[rows], rows)
    assert_same(state.select(others), before.select(others))
    assert_same(state.select(rows), whole.select(rows))
    assert np.array_equal(game.legal_actions(state)[rows], game.legal_actions(state, rows))


def test_nothing_happens_to_no_rows(game: Game) -> None:
    state = played_on(game, 3, 20)
    before, none = state.clone(), np.array([], dtype=np.intp)
    game.step(state, none, none)
    game.next_deal(state, none)
    assert_same(before, state)
    assert game.legal_actions(state, none).shape == (0, game.actions.size)


def test_the_same_seed_and_choices_give_the_same_games(game: Game) -> None:
    assert_same(played_on(game, 25, 90, seed=7), played_on(game, 25, 90, seed=7))
    other = played_on(game, 25, 90, seed=8)
    assert not np.array_equal(played_on(game, 25, 90, seed=7).dealt, other.dealt)


def test_looking_at_a_state_does_not_change_it(game: Game) -> None:
    state = played_on(game, 30, 50)
    before = state.clone()
    game.legal_actions(state)
    game.problems(state)
    game.gains(state)
    assert_same(before, state)


def test_shifting_every_seat_by_one_changes_nothing_but_the_seats(game: Game) -> None:
    state = game.new_games(N_GAMES, seed=9, stride=N_GAMES, dealer=np.arange(N_GAMES))
    turned = game.new_games(N_GAMES, seed=9, stride=N_GAMES, dealer=np.arange(1, N_GAMES + 1))
    rng = np.random.default_rng(9)
    for _ in range(250):
        assert np.array_equal(game.legal_actions(state), game.legal_actions(turned))
        action = choose(game, state, rng)
        for games in (state, turned):
            game.step(games, action)
            game.next_deal(games, np.flatnonzero(games.phase == Phase.OVER))
    n = game.rules.players
    for name, value in state.arrays().items():
        other = turned.arrays()[name]
        if name == "following":  # seats by seat; that of a seat which does not play says nothing
            plays = state.seat_state.playing == 1
            there = np.roll(other, -1, axis=1)
            assert np.array_equal((value[plays] + 1) % n, there[plays])
        elif name in PER_SEAT + PER_SEAT_RUBBER + VARYING_SEATS + ("face_up", "face_down"):
            assert np.array_equal(np.roll(value, 1, axis=1), other), name
        elif name in SEATS:
            assert np.array_equal(np.where(value < 0, value, (value + 1) % n), other), name
        else:
            assert np.array_equal(value, other), name
    assert state.crosses.any() or game.rules.match.kind != "first_out_wins"


# Copies


def test_a_copy_is_equal_and_independent(game: Game) -> None:
    state = played_on(game, 10, 60)
    copy = state.clone()
    assert_same(state, copy)
    for value in copy.arrays().values():
        value[:] = 1
    assert_same(state, played_on(game, 10, 60))


def test_a_copy_goes_on_like_the_original(game: Game) -> None:
    state = played_on(game, 10, 60)
    copy = state.clone()
    for _ in play(game, state, 40, np.random.default_rng(5)):
        pass
    for _ in play(game, copy, 40, np.random.default_rng(5)):
        pass
    assert_same(state, copy)


def test_selected_games_are_independent_and_put_back_where_they_came_from(game: Game) -> None:
    state = played_on(game, 10, 60)
    whole, rows = state.clone(), np.array([8, 1, 5])
    part = state.select(rows)
    assert len(part) == 3
    for b, row in enumerate(rows):
        assert_same(part.select(np.array([b])), state.select(slice(row, row + 1)))
    action = choose(game, part, np.random.default_rng(0))
    game.step(part, action)
    assert_same(state, whole)
    game.step(whole, action, rows)
    state.put(rows, part)
    assert_same(state, whole)


def test_a_game_selected_twice_makes_two_games(game: Game) -> None:
    state = played_on(game, 4, 60)
    twice = state.select(np.array([2, 2]))
    game.step(twice, choose(game, twice, np.random.default_rng(0))[:1], np.array([0]))
    assert_same(twice.select(np.array([1])), state.select(np.array([2])))
    assert any(not np.array_equal(value[0], value[1]) for value in twice.arrays().values())


def test_arrays_make_the_same_state_again(game: Game, tmp_path: Any) -> None:
    state = played_on(game, 10, 60)
    rebuilt = GameState.from_arrays(state.arrays())
    assert_same(state, rebuilt)
    rebuilt.points[:] = 7
    assert not np.array_equal(state.points, rebuilt.points)
    stored_arrays: dict[str, Any] = dict(state.arrays())
    np.savez(tmp_path / "state.npz", **stored_arrays)
    with np.load(tmp_path / "state.npz") as stored:
        assert_same(state, GameState.from_arrays(dict(stored)))
    assert_same(state, pickle.loads(pickle.dumps(state)))


def test_arrays_with_missing_or_surplus_names_are_refused(game: Game) -> None:
    arrays = game.new_games(2).arrays()
    del arrays["seat"]
    arrays["extra"] = np.zeros(2)
    with pytest.raises(ValueError, match="missing or surplus: extra, seat"):
        GameState.from_arrays(arrays)
