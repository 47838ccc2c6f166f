"""What a seat knows in Handjass: cards known, voids proved, public history, the numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from sjavs_env import Encoder, Game, GameState, Phase, hidden_hands, sample_legal, view_of
from sjavs_env.rules.tables import N_CLASSES, NONE
from sjavs_env.rules.tables.meld_tables import key_parts
from tests.engine.kinds import EVERY_PAIR, EVERY_PAIR_VARYING
from tests.engine.table import table_of

N_GAMES = 60
varying = pytest.mark.parametrize(
    "game", [pytest.param(table_of(*t.values), marks=t.marks, id=t.id) for t in EVERY_PAIR_VARYING]
)


def positions(game: Game, steps: int = 220, seed: int = 3) -> Iterator[GameState]:
    """Games of whole matches, after every step."""
    rng = np.random.default_rng(seed)
    state = game.new_games(N_GAMES, seed=seed, stride=N_GAMES, dealer=np.arange(N_GAMES))
    for _ in range(steps):
        yield state
        game.step(state, sample_legal(game.legal_actions(state), rng))
        game.next_deal(state, np.flatnonzero(state.phase == Phase.OVER))


@pytest.mark.parametrize(
    "game",  # a card turned up in front of a seat may be of a suit that it had none of before
    [
        pytest.param(game, marks=t.marks, id=t.id)
        for t in EVERY_PAIR
        if not (game := table_of(*t.values)).tables.deal.n_columns
    ],
)
def test_a_void_excludes_no_card_that_is_held(game: Game) -> None:
    shown = 0
    for state in positions(game, 120):
        for k in range(N_CLASSES):
            proved = (state.void >> k & 1) == 1
            held = state.hand & game.tables.play.void_excludes[state.mode, k][:, None]
            assert not held[proved].any()
            shown += int(proved.sum())
    assert shown > 100


@varying
def test_cards_known_to_be_in_a_hand_are_there_and_cards_out_of_play_are_not(game: Game) -> None:
    n, rows, known = game.rules.players, np.arange(N_GAMES), 0
    for state in positions(game):
        for viewer in range(n):
            view = view_of(game, state, rows, np.full(N_GAMES, viewer))
            assert view.seats is not None
            hands = state.hand[:, (viewer + np.arange(n)) % n]
            assert not (view.seats.known & ~hands).any()
            assert not (view.seats.out[:, None] & (hands | view.played)).any()
            known += int(np.bitwise_count(view.seats.known).sum(dtype=np.intp))
            if viewer == 0:
                own = np.where(state.seat_state.taker == 0, state.laid, 0)
                assert np.array_equal(view.seats.aside, own)
    assert known > 0


@varying
def test_hidden_sets_and_what_is_seen_make_the_pack(game: Game) -> None:
    rows, full = np.arange(N_GAMES), np.bitwise_or.reduce(game.tables.cards.bit)
    for state in positions(game, 100):
        for viewer in range(game.rules.players):
            seat = np.full(N_GAMES, viewer)
            view, hidden = view_of(game, state, rows, seat), hidden_hands(game, state, rows, seat)
            assert view.seats is not None
            assert hidden.shape == (N_GAMES, game.tables.n_hidden)
            lies = state.seat_state.on_table
            table = np.where(lies == NONE, 0, game.tables.cards.bit[lies])
            seen = [view.hand, *view.played.T, view.seats.aside, table.astype(view.hand.dtype)]
            sets = np.stack([*seen, *hidden.T])
            assert np.all(np.bitwise_or.reduce(sets) == full)
            assert (np.bitwise_count(sets).sum(axis=0, dtype=np.intp) == 36).all()


@varying
def test_an_observation_can_be_read_back(game: Game) -> None:
    encoder, rows, n = Encoder(game), np.arange(N_GAMES), game.rules.players
    read = encoder.layout.read
    for state in positions(game, 90):
        view = view_of(game, state, rows, state.seat)
        assert view.seats is not None
        seen = encoder.encode(view)
        assert (seen * encoder.layout.scale <= 1).all()
        for name in ("active", "playing", "zeros"):
            assert np.array_equal(read(name, seen), getattr(view.seats, name)), name
        for name in ("known", "out", "aside"):
            assert np.array_equal(read(name, seen), game.unpack(getattr(view.seats, name))), name
        assert np.array_equal(read("turned", seen).argmax(axis=1), state.seat_state.turned)
        assert np.array_equal(read("melds", seen) * 10, view.seats.melds)
        names = ("announced_points", "announced_cards", "announced_top", "announced_trump")
        for name, part in zip(names, key_parts(view.seats.announced), strict=True):
            assert np.array_equal(read(name, seen), part), name
        for name in ("six_by", "taker"):
            who = read(name, seen).argmax(axis=1) - 1
            at_table = np.where(who < 0, NONE, (who + state.seat) % n)
            assert np.array_equal(at_table, getattr(state.seat_state, name)), name
        parts = [read(name, seen) for name in ("hand", "unseen", "out", "aside")]
        parts += [read(name, seen).max(axis=1) for name in ("known", "played")]
        assert np.stack(parts).max(axis=0).all(), "no card is forgotten"
        assert not (read("unseen", seen) * read("known", seen).max(axis=1)).any()


@varying
def test_seats_that_are_out_never_act_and_are_rewarded_nothing(game: Game) -> None:
    if game.rules.players == 2:
        return
    out = 0
    rng, rows = np.random.default_rng(5), np.arange(N_GAMES)
    state = game.new_games(N_GAMES, seed=5, stride=N_GAMES)
    state.score[:, 1] = game.rules.value("target")
    game.seat_players(state, rows)
    for _ in range(120):
        assert (state.seat != 1)[state.rubber_over == 0].all() or state.n_deals.min() == 0
        game.step(state, sample_legal(game.legal_actions(state), rng))
        over = np.flatnonzero(state.phase == Phase.OVER)
        taking_part = game.taking_part(state, over)
        assert taking_part is not None
        rewards = game.rewards(game.gains(state, over), taking_part)
        assert not rewards[~taking_part].any()
        assert np.abs(rewards.sum(axis=1)).max(initial=0) < 1e-5
        out += int((~taking_part).sum())
        game.next_deal(state, over)
    assert out > 20
