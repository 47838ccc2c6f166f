"""Card points by full-width search: every card is tried everywhere, nothing is cut off.

Only positions between tricks are remembered, so that deals with many cards can be done.  Written
for games without duties but to follow suit; it shares no code and no representation of the
cards with the solver.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types

from sjavs_env import Game, GameState

__all__ = ["full_width"]

MEMO = types.DictType(types.int64, types.int64)
ARRAY = types.int64[:]
TABLE = types.int64[:, :]
SIGNATURE = types.int64(ARRAY, ARRAY, TABLE, ARRAY, ARRAY, ARRAY, types.int64, MEMO)


# compiled at every start: numba cannot keep a function that calls itself
@numba.njit(SIGNATURE)
def _best(
    holder: Any, suit: Any, power: Any, worth: Any, side: Any, trick: Any, leader: int, memo: Any
) -> int:
    """Return what side 0 takes from here on; ``holder`` (N,) is the seat of a card or -1."""
    n = len(side)
    size = 0
    while size < n and trick[size] >= 0:
        size += 1
    key = leader
    if size == 0:
        for card in range(len(holder)):
            key = 2 * key + (1 if holder[card] >= 0 else 0)
        if key in memo:
            return memo[key]
    seat = (leader + size) % n
    follows = False
    if size:
        for card in range(len(holder)):
            follows |= holder[card] == seat and suit[card] == suit[trick[0]]
    found = -1 if side[seat] == 0 else 1 << 30
    for card in range(len(holder)):
        if holder[card] != seat or (follows and suit[card] != suit[trick[0]]):
            continue
        holder[card], trick[size] = -1, card
        if size + 1 < n:
            value = _best(holder, suit, power, worth, side, trick, leader, memo)
        else:
            winner, pile = 0, 0
            for i in range(n):
                pile += worth[trick[i]]
                if power[suit[trick[0]], trick[i]] > power[suit[trick[0]], trick[winner]]:
                    winner = i
            winner = (leader + winner) % n
            after = np.full(n, -1, np.int64)
            value = pile if side[winner] == 0 else 0
            value += _best(holder, suit, power, worth, side, after, winner, memo)
        holder[card], trick[size] = seat, -1
        found = max(found, value) if side[seat] == 0 else min(found, value)
    if found == -1 or found == 1 << 30:
        found = 0  # no cards are left
    if size == 0:
        memo[key] = found
    return found


def full_width(game: Game, state: GameState, row: int) -> int:
    """Return the card points that side 0 takes from a position between tricks on."""
    t, mode = game.tables, state.mode[row]
    assert t.play.follow == "whist"
    assert state.trick_size[row] == 0
    holder = np.full(t.n_cards, -1, np.int64)
    for seat in range(t.n_players):
        holder[game.unpack(state.hand[row, seat : seat + 1])[0] == 1] = seat
    side = (~t.result.ally[state.declarer[row]]).astype(np.int64)
    memo = numba.typed.Dict.empty(types.int64, types.int64)
    return int(
        _best(
            holder,
            t.cards.class_of[mode].astype(np.int64),
            t.cards.power[mode].astype(np.int64),
            t.cards.worth[mode].astype(np.int64),
            side,
            np.full(t.n_players, -1, np.int64),
            int(state.leader[row]),
            memo,
        )
    )
