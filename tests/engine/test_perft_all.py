"""Counts of legal continuations at every table, as in ``test_perft``, in engine and reference."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from sjavs_env.engine import GameState, Phase
from tests.engine.table import TABLES, VARYING
from tests.engine.test_perft import continuations, results, rule, to_text
from tests.engine.twins import Twins
from tests.engine.twins_handjass import HandjassTwins
from tests.golden_files import Golden

N_DEALS = 6
TRICKS_LEFT = 3
ENDS_DEALS = {"pass", "give up", "drop"}  # what leaves nothing to count, if it can be helped


def twins_at(rules: str, players: int) -> Any:
    """Games and their twins in the reference, freshly dealt."""
    if rules in VARYING:
        return HandjassTwins(rules, players, {}, N_DEALS, 0)
    return Twins(rules, {}, N_DEALS, 0)


def endings(rules: str, players: int) -> list[tuple[Any, GameState, Any]]:
    """Games played by rule up to the last tricks, each with its twin; not those never played."""
    twins = twins_at(rules, players)
    game, last = twins.game, twins.game.tables.n_tricks - TRICKS_LEFT
    found = []
    for b, deal in enumerate(twins.deals):
        state, n = twins.state.select(np.array([b])), 0
        while state.phase[0] != Phase.OVER and state.trick_number[0] < last:
            legal = np.flatnonzero(game.legal_actions(state)[0]).tolist()
            labels = game.actions.labels
            on = [a for a in legal if labels[a] not in ENDS_DEALS] or legal
            action = rule(on, n)
            deal.act(labels[action])
            game.step(state, [action])
            n += 1
        if state.phase[0] != Phase.OVER:
            found.append((game, state, deal))
    return found


def count_in_reference(deal: Any, depth: int, counts: dict[int, int]) -> None:
    """Count the positions after each card, one at a time."""
    for label in deal.legal():
        after = copy.deepcopy(deal)
        after.act(label)
        counts[depth] = counts.get(depth, 0) + 1
        count_in_reference(after, depth + 1, counts)


def test_continuations_of_the_last_three_tricks_at_every_table(golden: Golden) -> None:
    found: dict[str, dict[str, Any]] = {}
    for rules, players in TABLES:
        name = f"{rules}, {players} players"
        for i, (game, state, _) in enumerate(endings(rules, players)):
            counts, leaves = continuations(game, state)
            assert (leaves.phase == Phase.OVER).all()
            found.setdefault(name, {})[f"deal {i}"] = {
                "positions": counts,
                "results": results(leaves),
            }
    assert len(found) == len(TABLES)
    golden.check("perft_all.json", to_text(found))


@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_the_reference_counts_as_many_at_every_table(rules: str, players: int) -> None:
    for game, state, deal in endings(rules, players)[:2]:
        counts: dict[int, int] = {}
        count_in_reference(deal, 0, counts)
        assert list(counts.values()) == continuations(game, state)[0]
