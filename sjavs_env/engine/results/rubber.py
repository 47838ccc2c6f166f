"""The match: running scores, pending ties, its end and the next dealer (rules 2.1, 5.2, 5.3).

How a match ends is a word of the rule set, bound here to a function.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sjavs_env.engine.state import REDEAL, GameState
from sjavs_env.rules.tables import NOBODY, Bool, Ints, RuleTables

__all__ = ["ENDS", "pass_deal_on", "record_deals", "start_rubbers"]

End = tuple[Bool, Ints]  # is the match over (R,), and the crosses it brings (R, P)


def record_deals(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """Enter scored deals in the match."""
    before = state.score[rows]
    after = before + state.change[rows]
    state.n_deals[rows] += 1
    is_tie = tables.result.payoff_winner[state.outcome[rows]] == NOBODY
    pending = state.ties[rows] + 1
    state.ties[rows] = np.where(is_tie, pending if tables.result.tie_stacks else 1, 0)
    over, crosses = ENDS[tables.match.kind](tables, state.n_deals[rows], before, after)
    state.score[rows] = np.maximum(after, 0) if tables.match.least == 0 else after
    state.crosses[rows] += crosses
    state.rubber_over[rows] = over


def _first_out_wins(tables: RuleTables, n_deals: Ints, before: Ints, after: Ints) -> End:
    """Whoever comes to 0 or below wins, the lowest if several do; more against a full score.

    Two seats that finish level without being partners win together, never double (rules 5.3).
    """
    wins = (after <= 0) & (after == after.min(axis=1, keepdims=True))
    shut_out = ((after == tables.match.start) | wins).all(axis=1)
    one_side = wins.sum(axis=1) == tables.result.ally[0].sum()
    value = np.array(tables.match.crosses)[(shut_out & one_side).astype(np.intp)]
    return wins.any(axis=1), wins * value[:, None]


def _first_out_loses(tables: RuleTables, n_deals: Ints, before: Ints, after: Ints) -> End:
    """Whoever comes to 0 or below has lost, the others get a cross.

    If several do, the lowest before that deal; if these are level too, all play on until one
    alone is lowest (rules 5.3).
    """
    is_decider: Bool = np.asarray((before <= 0).any(axis=1))
    out = after <= 0
    judged = np.where(is_decider[:, None], after, np.where(out, before, np.iinfo(np.intp).max))
    lowest: Bool = np.asarray(judged == judged.min(axis=1, keepdims=True))
    over: Bool = np.asarray(out.any(axis=1) & (lowest.sum(axis=1) == 1))
    return over, np.asarray((~lowest & over[:, None]).astype(np.intp))


def _fixed_deals(tables: RuleTables, n_deals: Ints, before: Ints, after: Ints) -> End:
    """After so many deals a cross goes to whoever has most."""
    over = n_deals >= tables.match.match_deals
    most: Bool = after == after.max(axis=1, keepdims=True)
    return over, np.asarray((most & over[:, None]).astype(np.intp))


# By deals played and the scores before and after the last one.
ENDS: dict[str, Callable[[RuleTables, Ints, Ints, Ints], End]] = {
    "first_out_wins": _first_out_wins,
    "first_out_loses": _first_out_loses,
    "deals": _fixed_deals,
}


def start_rubbers(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """Put scores back to the start; crosses are kept."""
    state.score[rows] = tables.match.start
    state.ties[rows] = 0
    state.n_deals[rows] = 0
    state.rubber_over[rows] = 0


def pass_deal_on(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """The deal passes to the next player after a played deal; a redeal stays."""
    played = state.outcome[rows] != REDEAL
    state.dealer[rows] = (state.dealer[rows] + played) % tables.n_players
