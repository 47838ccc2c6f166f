"""What all know of a hand by what lay open: exactly the cards that must be there.

Before the first card is played a seat can have shown a card only by events of the deal (a card
turned up, exchanged, or taken with the reserve).  A known card is there; and counting all deals
that agree with what a viewer knows, no other card is certain to be in another hand.  (That known
cards are no more than what lay open is shown by ``tests/envs/test_aec_secrets_handjass.py``: when
hidden cards are exchanged, they stay the same.)
"""

from __future__ import annotations

import numpy as np
import pytest

from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import Phase, sample_legal, view_of
from tests.engine.table import TABLES, VARYING, table_of

DEALS = 60


@pytest.mark.parametrize(("rules", "players"), [t for t in TABLES if t[0] in VARYING])
def test_known_cards_are_there_and_no_other_card_is_certain_to_be(rules: str, players: int) -> None:
    game, rng = table_of(rules, players), np.random.default_rng(4)
    sampler, seen = Sampler(game), 0
    state = game.new_games(DEALS, seed=9, dealer=np.arange(DEALS))
    game.next_deal(state, np.arange(DEALS))
    while True:
        rows = np.flatnonzero((state.phase != Phase.OVER) & (state.trick_size == 0))
        rows = rows[state.trick_number[rows] == 0]
        if not len(rows):
            break
        for away in range(1, players):
            view = view_of(game, state, rows, (state.seat[rows] + away) % players)
            assert view.seats is not None
            there = (state.seat[rows, None] + away + np.arange(players)) % players
            hands = state.hand[rows[:, None], there]
            assert not (view.seats.known & ~hands).any()
            chances = sampler.chances(view)[:, : players - 1]
            others = view.seats.playing[:, 1:] == 1
            assert chances[others].max() < 1 - 1e-9
            seen += int(np.bitwise_count(view.seats.known[:, 1:][others]).sum())
        game.step(state, sample_legal(game.legal_actions(state, rows), rng), rows)
    assert seen
