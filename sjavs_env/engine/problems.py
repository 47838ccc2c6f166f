"""Invariants of a dealt state: every one that is broken, with the first game that breaks it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine.state import GameState
from sjavs_env.rules.tables import NONE, Phase, RuleTables

__all__ = ["card_problems", "score_problems"]


def card_problems(tables: RuleTables, state: GameState) -> list[str]:
    """Name every broken invariant about the cards, with the first game that breaks it."""
    pack = np.bitwise_or.reduce(tables.cards.bit)
    below = np.append(tables.cards.bit, tables.word_type.type(0))[state.face_down]
    below = np.bitwise_or.reduce(below, axis=2)  # (B, P)
    seats = state.seats
    dead = seats.dead[:, None] if seats else state.piles.T[:, :0]
    sets = np.concatenate([state.dealt, below, state.piles.T, dead], axis=1)
    n_playing = seats.n_playing if seats else tables.n_players
    count = np.bitwise_count(sets).sum(axis=1, dtype=np.intp)
    checks = {
        "the hands dealt do not make the pack": np.bitwise_or.reduce(sets, axis=1) != pack,
        "a card was dealt twice": count != tables.n_cards,
        "a hand holds cards that were not dealt to it": (state.hand & ~state.dealt).any(axis=1),
        "cards played and cards logged differ": (
            np.bitwise_count(state.dealt ^ state.hand).sum(axis=1, dtype=np.intp)
            != (state.fell > 0).sum(axis=1, dtype=np.intp)
        ),
        "a card is in the trick twice, or was not played": _odd_trick(tables, state),
        "tricks, cards in the trick and cards played differ": (
            state.trick_number * n_playing + state.trick_size
            != (state.fell > 0).sum(axis=1, dtype=np.intp)
        ),
    }
    return _listed(checks)


def _odd_trick(tables: RuleTables, state: GameState) -> NDArray[np.bool_]:
    """Tell in which games (B,) the cards of the trick cannot have been played to it."""
    in_order = np.sort(state.trick, axis=1)
    twice = (in_order[:, 1:] == in_order[:, :-1]) & (in_order[:, 1:] != NONE)
    is_card = (state.trick >= 0) & (state.trick < tables.n_cards)
    fell = np.take_along_axis(state.fell, np.where(is_card, state.trick, 0), axis=1)
    return np.asarray((twice.any(axis=1)) | (is_card & (fell == 0)).any(axis=1))


def score_problems(tables: RuleTables, state: GameState) -> list[str]:
    """Name every broken invariant about points, scores and seats."""
    total = tables.total_points
    taken = state.points.sum(axis=1) + state.pile
    fallen = ((state.fell > 0) * tables.cards.worth[state.mode]).sum(axis=1)
    if tables.seats:
        fallen += tables.seats.last_trick * (state.trick_number == tables.n_tricks)
    partners = np.argwhere(tables.result.ally[:-1])
    checks = {
        "points taken differ from the cards played": taken != fallen,
        f"more than {total} card points": taken > total,
        "tricks taken differ from the tricks completed": (
            state.tricks.sum(axis=1) != state.trick_number
        ),
        "a score is outside the rubber": (
            (state.score < tables.match.least)
            | ((state.score > tables.match.start) & (tables.match.kind != "deals"))
        ).any(axis=1)
        & (tables.match.kind == "first_out_wins"),
        "partners have different scores": np.stack(
            [state.score[:, a] != state.score[:, b] for a, b in partners], axis=1
        ).any(axis=1),
        "a seat, dealer or phase is out of range": (
            (state.seat < 0)
            | (state.seat >= tables.n_players)
            | (state.dealer >= tables.n_players)
            | (state.dealer < 0)
            | ~np.isin(state.phase, tables.course.phases)
        ),
    }
    if tables.seats:
        checks |= _seat_checks(tables, state)
    return _listed(checks)


def _seat_checks(tables: RuleTables, state: GameState) -> dict[str, NDArray[np.bool_]]:
    """Who is in the match and in the deal."""
    at, goes_on = np.arange(len(state)), state.phase != Phase.OVER
    seats = state.seat_state
    out, enough = seats.active == 0, state.score >= tables.seat_rules.target
    return {
        "a seat that is out plays": ((seats.playing == 1) & (state.dealt == 0)).any(axis=1),
        "a seat that is out is to act": goes_on
        & (seats.playing[at, state.seat % tables.n_players] == 0),
        "a seat that is out has cards": (out & (state.dealt != 0)).any(axis=1) & goes_on,
        "a seat is in the match with the target reached": (~out & enough).any(axis=1) & goes_on,
        "a hand is known to hold what was not dealt to it": (seats.known & ~state.dealt).any(
            axis=1
        ),
        "zeros are negative": (seats.zeros < 0).any(axis=1),
    }


def _listed(checks: dict[str, NDArray[np.bool_]]) -> list[str]:
    return [
        f"game {int(np.flatnonzero(broken)[0])}: {text}"
        for text, broken in checks.items()
        if broken.any()
    ]
