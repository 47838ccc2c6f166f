"""What a state is made of, and what it lacks."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from sjavs_env import Game, GameState
from sjavs_env.engine.state import BLOCKS, ONLY_GAME, SeatState, names_of
from tests.engine.table import TABLES, game_of, table_of

# The rows of each block as states have always been pickled and saved.
FIELDS_OF_SEATS = [
    "turned", "on_table", "six_by", "six_asked", "taker", "n_playing",
    "active", "playing", "following", "zeros", "announced", "melds",
    "dead", "gone", "known",
]  # fmt: skip


@pytest.fixture(params=[("faroese", 4), ("handjass", 3)], ids=lambda table: table[0])
def game(request: pytest.FixtureRequest) -> Game:
    return table_of(*request.param)


@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_a_state_has_fields_of_seats_only_where_seats_may_be_out(rules: str, players: int) -> None:
    game = table_of(rules, players)
    state = game.new_games(2)
    assert (state.seats is None) == (game.tables.seats is None)
    assert not any(hasattr(state, name) for name in FIELDS_OF_SEATS)


def test_behaviour_of_seats_is_refused_to_games_without_them() -> None:
    with pytest.raises(TypeError, match="the part is None; allowed: SeatState"):
        _ = game_of("faroese").new_games(1).seat_state


def test_every_field_of_the_blocks_is_declared_in_its_record() -> None:
    for kind, is_of_seats in ((GameState, False), (SeatState, True)):
        blocks = [block for block in BLOCKS if block.of_seats == is_of_seats]
        allowed = {*names_of(blocks), *(block.name for block in blocks), "seats"}
        declared = set(kind.__annotations__)
        assert set(names_of(blocks)) <= declared <= allowed


def test_saved_names_are_flat_and_those_of_seats_come_last(game: Game) -> None:
    names = list(game.new_games(2).arrays())
    assert (
        len(set(names))
        == len(names)
        == len(names_of(BLOCKS)) - (0 if game.tables.seats else len(FIELDS_OF_SEATS))
    )
    assert (names[-len(FIELDS_OF_SEATS) :] == FIELDS_OF_SEATS) == bool(game.tables.seats)


def test_a_pickle_is_the_blocks_in_their_order(game: Game) -> None:
    state = game.new_games(3, seed=5)
    kind, blocks = state.__reduce__()
    assert kind is GameState
    assert len(blocks) == len([b for b in BLOCKS if game.tables.seats or not b.of_seats])
    again = pickle.loads(pickle.dumps(state))
    assert all(np.array_equal(x, again.arrays()[name]) for name, x in state.arrays().items())


def test_fields_are_views_of_their_blocks(game: Game) -> None:
    state = game.new_games(3, seed=5)
    for block, array in zip(BLOCKS, state.blocks(), strict=False):
        for i, name in enumerate(block.fields):
            field = state.arrays()[name]
            assert not field.size or np.shares_memory(field, array[i]), name


def test_copies_and_parts_keep_what_is_of_seats_to_themselves() -> None:
    state = table_of("handjass", 3).new_games(4, seed=5)
    copy, part, both = state.clone(), state.select(np.array([2, 0])), GameState.joined([state] * 2)
    wanted = state.seat_state.active.copy()
    for other in (copy, part, both):
        other.seat_state.active[:] = 7
        assert np.array_equal(state.seat_state.active, wanted)
    state.put(np.array([1, 3]), part)
    assert (state.seat_state.active[[1, 3]] == 7).all()
    assert np.array_equal(state.seat_state.active[[0, 2]], wanted[[0, 2]])


def test_blocks_that_are_too_few_make_no_state() -> None:
    blocks = table_of("handjass", 3).new_games(2).blocks()
    for n in (3, len(blocks) - 1):
        with pytest.raises(ValueError, match="shorter"):
            GameState(*blocks[:n])


def test_the_rows_of_a_single_game_cannot_be_written() -> None:
    assert ONLY_GAME.tolist() == [0]
    assert ONLY_GAME.dtype == np.intp
    with pytest.raises(ValueError, match="read-only"):
        ONLY_GAME[0] = 1
