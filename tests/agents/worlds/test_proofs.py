"""What calls and cards prove: never more than is true, and all of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sjavs_agents.worlds.announcements import Announcements
from sjavs_agents.worlds.proofs import Proofs
from sjavs_env import Phase, view_of
from sjavs_env.engine.phases.auction import CLUBS, suit_lengths
from sjavs_env.engine.phases.declare import suits_to_name
from sjavs_env.rules.tables import NONE
from tests.engine.kinds import EVERY_PAIR, as_one
from tests.engine.table import SJAVS, game_of, table_of
from tests.engine.test_properties import played_on

AUCTIONS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in SJAVS),
    ("faroese", {"auction_mode": "optional_pass"}),
    ("faroese", {"better_rule": False}),
    ("faroese", {"force_clubs_on_equal": False}),
    ("faroese_free", {"force_clubs_on_equal": True}),
    ("faroese_3", {"auction_mode": "free"}),
]


@pytest.mark.parametrize(("preset", "overrides"), AUCTIONS, ids=str)
def test_bounds_are_kept_by_the_hands_that_could_have_called_so(
    preset: str, overrides: dict[str, Any]
) -> None:
    game = game_of(preset, **overrides)
    t, rng, n = game.tables, np.random.default_rng(3), game.tables.n_players
    announcements = Announcements(t)
    state = game.new_games(300, seed=3, dealer=np.arange(300))
    dealt = state.dealt.copy()
    while (state.phase == Phase.AUCTION).any() or (state.phase == Phase.NAME_TRUMP).any():
        mask = game.legal_actions(state)
        game.step(state, np.where(mask, rng.random(mask.shape), -1.0).argmax(axis=1))
    rows = np.arange(300)
    view = view_of(game, state, rows, rng.integers(n, size=300))
    low, high, need = announcements.bounds(view)
    # hands that the seats have, and hands of others in their place
    kept = 0
    for shift in range(4):
        for s in range(1, n):
            seat = (view.seat + s) % n
            hand = np.roll(dealt, shift, axis=0)[rows, seat]
            lengths = suit_lengths(t, hand)
            inside = (low[:, s - 1] <= lengths) & (lengths <= high[:, s - 1])
            fits = inside.all(axis=1) & (lengths.max(axis=1) >= need[:, s - 1])
            assert np.array_equal(fits, could_have_called(game, view, s, lengths))
            assert fits.all() or shift
            kept += int(fits.sum())
    assert kept >= 300 * (n - 1)


def could_have_called(game: Any, view: Any, seat: int, lengths: Any) -> Any:
    """Replay the auction of each view with one seat's lengths (R, 4)."""
    t, n = game.tables, game.tables.n_players
    could = np.ones(len(view), dtype=np.bool_)
    for r in range(len(view)):
        standing = NONE
        for i in range(1, n + 1):
            speaker = (view.dealer[r] + i) % n
            call = view.calls[r, speaker]
            if speaker == seat and call:
                longest, clubs = lengths[r].max(), lengths[r, CLUBS]
                could[r] &= t.auction.legal_calls[standing + 1, longest, clubs, call - 1] == 1
            standing = max(standing, call - 2)
        names = Phase.NAME_TRUMP in t.course.phases and view.mode[r] > 0
        if names and view.declarer[r] == seat:
            allowed = suits_to_name(t, view.best_bid[[r]], lengths[[r]])
            could[r] &= allowed[0, view.mode[r] - 1] == 1
    return could


@pytest.mark.parametrize("table", as_one(EVERY_PAIR))
def test_no_card_that_a_seat_holds_is_excluded(table: tuple[str, int]) -> None:
    game = table_of(*table)
    proofs, shown = Proofs(game), 0
    for steps in range(8, 60, 5):
        state = played_on(game, 80, steps)
        rows = np.flatnonzero(state.phase != Phase.OVER)
        n = game.tables.n_players
        viewer = np.arange(len(rows)) % n
        view = view_of(game, state, rows, viewer)
        excluded = proofs.excluded(view)
        hands = state.hand[rows[:, None], (viewer[:, None] + np.arange(n)) % n] & ~view.open
        assert not (excluded & hands).any()
        shown += int((excluded != 0).sum())
    assert shown > 50


@pytest.mark.parametrize("follow", ["whist", "must_overtrump", "simple", "strict"])
def test_a_card_is_forbidden_by_some_single_other_card_or_not_at_all(follow: str) -> None:
    game = game_of("handjass", follow=follow)
    t, rng = game.tables, np.random.default_rng(0)
    state = played_on(game, 400, 30)  # in the middle of a trick
    rows = np.flatnonzero((state.phase == Phase.PLAY) & (state.trick_size > 0))
    assert len(rows) > 50
    proofs = Proofs(game)
    for _ in range(20):  # hands of any size in the place of the one that is to play
        hand = rng.integers(1, 2**t.n_cards, size=len(rows), dtype=np.uint64)
        hand &= rng.integers(1, 2**t.n_cards, size=len(rows), dtype=np.uint64)
        hand[hand == 0] = 1
        state.hand[rows, state.seat[rows]] = hand
        legal = game.legal_actions(state, rows)[:, : t.n_cards] == 1
        held = game.unpack(hand) == 1
        sets = proofs.sets[state.mode[rows], state.led[rows], state.best_power[rows]]
        forbidden = (sets.astype(np.uint64) & hand[:, None]) != 0
        assert np.array_equal(legal, held & ~forbidden)
