"""Contracts: what it is worth to declare with a hand, and when it is better to give up.

A hand promises a share of the card points.  Together with the chances of taking all tricks or
none, the table of results turns it into game points: those of the declarer less those of a
defender.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Floats, Ints
from sjavs_agents.heuristic.bidding import LOW, with_trumps
from sjavs_agents.heuristic.promise import Promise, hand_features
from sjavs_agents.heuristic.sight import TableReader
from sjavs_env import Phase, PlayerView
from sjavs_env.engine.results.payoff import points_in
from sjavs_env.rules.tables import (
    DECLARERS,
    DEFENDERS,
    GAVE_UP,
    TRICKS_ALL,
    TRICKS_NONE,
    TRICKS_SOME,
)

__all__ = ["bid_contract", "contract_values", "gives_up"]

ENOUGH = -1.0  # game points from which on a contract is bid; found by matches


@dataclass(frozen=True)
class ContractPromise(Promise):
    """The share of all card points that a hand takes, and its chances of all tricks and of none.

    Least-squares and logistic fits to 160,000 deals of ``klorsjavs``, ``danish_4`` and the two
    ``auction_sjavs``, in which any seat declared any contract and the rule player played on.
    """

    all_tricks: tuple[float, float]  # chance: logistic of base + slope * share
    no_trick: tuple[float, float]


# With the talon still to be taken: all that will count for the declarer ...
WITH_TALON = ContractPromise(
    0.094, 0.072, 0.100, 0.006, 0.027, 0.32, 0.178, (-9.5, 10.3), (3.1, -14.0)
)
# ... and with the hand as it is: what its tricks will hold.
AS_IT_IS = ContractPromise(
    -0.295, 0.082, 0.103, 0.019, 0.055, 0.46, 0.140, (-12.3, 15.5), (1.1, -15.5)
)


def contract_values(reader: TableReader, view: PlayerView) -> Floats:
    """Return the game points (R, K) that each contract promises, played in the best suit."""
    game, t = reader.game, reader.game.tables
    modes = [t.course.fixed_mode] if t.course.fixed_mode else range(1, t.n_modes)
    aside = _aside(reader, view)
    found = {
        promise: np.max([_share(reader, view, mode, promise) for mode in modes], axis=0)
        for promise in (WITH_TALON, AS_IT_IS)
    }
    values = []
    for k, contract in enumerate(game.rules.contracts):
        column = int(t.result.column_of[k, modes[0]])
        if contract.takes_talon:
            values.append(_worth(reader, column, WITH_TALON, found[WITH_TALON], 0.0))
        else:
            values.append(_worth(reader, column, AS_IT_IS, found[AS_IT_IS], aside))
    return np.stack(values, axis=1)


def bid_contract(reader: TableReader, view: PlayerView, mask: NDArray[np.int8]) -> Ints:
    """Return the contract (R,) worth most, or "pass" where none promises enough."""
    calls = reader.game.actions.slices[Phase.AUCTION]
    enough = np.full((len(view), 1), ENOUGH)
    worth = np.concatenate([enough, contract_values(reader, view)], axis=1)
    return calls.start + np.where(mask[:, calls] == 1, worth, LOW).argmax(axis=1)


def gives_up(reader: TableReader, view: PlayerView) -> NDArray[np.bool_]:
    """Return whether the declarer (R,) has less to lose by giving up than by playing on."""
    t = reader.game.tables
    named = with_trumps(reader, view)
    share = np.zeros(len(view))
    for mode in range(1, t.n_modes):
        rows = np.flatnonzero(named.mode == mode)
        if len(rows):
            share[rows] = _share(reader, named.select(rows), mode, AS_IT_IS)
    columns = t.result.column_of[view.best_bid, named.mode]
    aside, lost, kept = _aside(reader, view), np.zeros(len(view)), np.zeros(len(view))
    for column in np.unique(columns):
        rows = np.flatnonzero(columns == column)
        lost[rows] = _paid(reader, int(column))[0, GAVE_UP]
        kept[rows] = _worth(reader, int(column), AS_IT_IS, share[rows], aside[rows])
    return kept < lost


def _share(reader: TableReader, view: PlayerView, mode: int, by: ContractPromise) -> Floats:
    """Share (R,) of all card points that a hand promises in one trump mode."""
    t = reader.game.tables
    held = reader.game.unpack(view.hand).view(np.bool_)
    found = hand_features(reader, view.hand, held, mode)
    in_hand = held @ t.cards.points / t.cards.points.sum()
    return by.mean(found.qualities(in_hand))


def _aside(reader: TableReader, view: PlayerView) -> Floats:
    """Share (R,) of all card points that lies aside, as far as the viewer can tell."""
    t = reader.game.tables
    known = points_in(t, view.laid)
    rest = t.cards.points.sum() - known - points_in(t, view.hand)
    unseen = t.n_cards - np.bitwise_count(view.hand) - np.bitwise_count(view.laid)
    in_talon = t.deal.n_talon - view.taken
    return np.asarray((known + rest * in_talon / np.maximum(unseen, 1)) / t.cards.points.sum())


def _worth(
    reader: TableReader, column: int, by: ContractPromise, share: Floats, aside: Floats | float
) -> Floats:
    """Game points (R,) to expect in one payoff column."""
    paid = _paid(reader, column)
    points = np.linspace(0, 1, len(paid))
    away = (points - (share + aside)[:, None]) / by.spread
    likely = np.exp(-(away**2) / 2)
    likely /= likely.sum(axis=1, keepdims=True)
    every, none = _chance(by.all_tricks, share), _chance(by.no_trick, share)
    some = np.maximum(1 - every - none, 0) * (likely @ paid[:, TRICKS_SOME])
    return np.asarray(every * paid[-1, TRICKS_ALL] + none * paid[0, TRICKS_NONE] + some)


def _chance(line: tuple[float, float], share: Floats) -> Floats:
    base, slope = line
    return np.asarray(1 / (1 + np.exp(-base - slope * share)))


def _paid(reader: TableReader, column: int) -> Floats:
    """What the declarer gains more than a defender (points + 1, 5), by points and tricks taken."""
    t = reader.game.tables
    change = t.result.payoff_change[column, t.result.payoff_row[column]]
    return np.asarray(
        t.match.gain_sign * (change[..., DECLARERS] - change[..., DEFENDERS]), dtype=float
    )
