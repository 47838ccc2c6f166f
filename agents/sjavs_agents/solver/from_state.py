"""Game states as positions to search."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base.sides import has_two_sides
from sjavs_agents.solver.position import FOLLOW_WORDS, Deals, Deck
from sjavs_env import Game, GameState, Phase
from sjavs_env.engine.course import can_swap
from sjavs_env.rules.tables import NONE, Bool, Ints

__all__ = ["allies", "check_in_play", "deals_of", "deck_of", "swap_may_follow"]


def deck_of(game: Game) -> Deck:
    """Return the cards of a game; ValueError if it has more sides than two."""
    t = game.tables
    if not has_two_sides(game):
        raise ValueError(
            f"{game.rules.name} with {t.n_players} players is no game of two sides; allowed: "
            "games of partners, of a declarer against the rest, or of two players"
        )
    return Deck(
        card_at=t.slots.card_at[::2].astype(np.int64),
        class_of=t.cards.class_of.astype(np.int64),
        worth=t.cards.worth.astype(np.int64),
        top_trump=np.array(
            [int(word).bit_length() - 1 for word in t.cards.top_trump], dtype=np.int64
        ),
        n_players=t.n_players,
        follow=FOLLOW_WORDS.index(t.play.follow),
        last_trick=t.seats.last_trick if t.seats else 0,
    )


def check_in_play(state: GameState, rows: Ints) -> None:
    """Raise ValueError for the first game in which no card is to be played."""
    phase = state.phase[rows]
    others = np.flatnonzero(phase != Phase.PLAY)
    if len(others):
        found = Phase(int(phase[others[0]])).name
        raise ValueError(f"game {int(rows[others[0]])} is in phase {found}; allowed: PLAY")


def swap_may_follow(game: Game, state: GameState, rows: Ints) -> Bool:
    """Return in which games (R,) a seat may still be asked for the lowest trump."""
    t = game.tables
    if not (t.seats and t.seats.asks_late):
        return np.zeros(len(rows), dtype=np.bool_)
    is_open = (state.trick_number[rows] == 0) & (state.seat_state.six_asked[rows] == 0)
    silent = (state.trick[rows] == NONE) & (np.arange(t.n_players) != state.seat[rows, None])
    return np.asarray(is_open & (can_swap(t, state, rows) & silent).any(axis=1))


def allies(game: Game, state: GameState, rows: Ints) -> Bool:
    """Return which seats (R, P) are of side 0."""
    return np.asarray(game.tables.result.ally[state.declarer[rows]])  # NONE picks the last row


def deals_of(game: Game, state: GameState, rows: Ints) -> Deals:
    """Return games (R,) in play as positions."""
    t, n = game.tables, game.tables.n_players
    bit = np.append(t.cards.bit, t.cards.bit.dtype.type(0)).astype(np.int64)  # NONE is no card
    ally = allies(game, state, rows)
    leader, at = state.leader[rows], np.arange(len(rows))
    around = (leader[:, None] + np.arange(n)) % n
    up, down = (
        a[rows].reshape(len(rows), n * t.deal.n_columns) for a in (state.face_up, state.face_down)
    )
    own = state.hand[rows].astype(np.int64) | bit[state.trick[rows]]
    own |= np.bitwise_or.reduce(bit[state.face_down[rows]], axis=2)
    points = (state.points[rows] * ally).sum(axis=1)
    if t.deal.n_talon:
        points += _points_aside(game, state, rows)
    return Deals(
        own=own,
        mode=_int64(state.mode[rows]),
        leader=_int64(leader),
        trick=_int64(state.trick[rows[:, None], around]),
        side=_int64(~ally),
        points=_int64(points),
        tricks=_int64((state.tricks[rows] * ally).sum(axis=1)),
        alone=_int64(np.where(ally[at, leader], state.tricks[rows, leader], NONE)),
        number=_int64(state.trick_number[rows]),
        up=_int64(up),
        down=_int64(down),
    )


def _points_aside(game: Game, state: GameState, rows: Ints) -> Ints:
    """Return the card points (R,) of talon and cards laid away: they are the declarer's."""
    words = state.talon[rows] | state.laid[rows]
    return np.asarray(game.unpack(words) @ game.tables.cards.points)


def _int64(values: NDArray[np.generic]) -> NDArray[np.int64]:
    return np.ascontiguousarray(values, dtype=np.int64)
