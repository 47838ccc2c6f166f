"""What every field of a state can be at all: the numbers that mean something."""

from __future__ import annotations

import numpy as np

from sjavs_env.engine.state import REDEAL, GameState
from sjavs_env.rules.tables import N_CLASSES, NO_LEAD, NONE, RuleTables

__all__ = ["range_problems"]

_MOST = 2**31  # where nothing in the rules says when to stop


def range_problems(tables: RuleTables, state: GameState) -> list[str]:
    """Name every field that holds a number without a meaning, with the first game that does.

    Who deals and acts, and the phase, are told among the other invariants (``problems``).
    """
    found, arrays = [], state.arrays()
    for name, (low, high) in _ranges(tables).items():
        values = arrays.get(name)  # some games do not have all fields
        if values is None or not values.size:
            continue
        is_wrong = ((values < low) | (values > high)).reshape(len(state), -1).any(axis=1)
        if is_wrong.any():
            game = int(np.flatnonzero(is_wrong)[0])
            found.append(f"game {game}: {name} is out of range; allowed: {low} to {high}")
    return found


def _ranges(t: RuleTables) -> dict[str, tuple[int, int]]:
    """The lowest and the highest value of each field."""
    seat, card, flag = (0, t.n_players - 1), (0, t.n_cards - 1), (0, 1)
    or_none = {"seat": (NONE, seat[1]), "card": (NONE, card[1])}
    words = (0, 2**t.n_cards - 1)
    return {
        **dict.fromkeys(("leader", "winner", "following"), seat),
        **dict.fromkeys(("declarer", "six_by", "taker"), or_none["seat"]),
        **dict.fromkeys(("trick", "face_up", "face_down", "on_table"), or_none["card"]),
        **dict.fromkeys(("aside", "turned"), card),
        **dict.fromkeys(("cut", "gave_up", "rubber_over", "active", "playing", "six_asked"), flag),
        **dict.fromkeys(("dealt", "hand", "talon", "laid", "dead", "gone", "known"), words),
        **dict.fromkeys(("points", "pile", "ties", "n_deals", "announced", "melds"), (0, _MOST)),
        **dict.fromkeys(("tricks", "trick_number", "fell"), (0, t.n_tricks)),
        **dict.fromkeys(("change", "crosses", "score"), (-_MOST, _MOST)),
        "calls": (0, 1 + t.auction.n_bids),
        "best_bid": (NONE, t.auction.n_bids - 1),
        "mode": (0, t.n_modes - 1),
        "led": (0, NO_LEAD),
        "best_power": (0, t.cards.beats.shape[2] - 1),
        "trick_size": (0, t.n_players),
        "n_playing": (0, t.n_players),
        "taken": (0, t.deal.n_talon),
        "void": (0, 2**N_CLASSES - 1),
        "outcome": (REDEAL, len(t.result.payoff_names) - 1),
    }
