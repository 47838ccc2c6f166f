"""Counts of legal continuations: what can still happen in numbered deals.

From the start of the last three tricks every legal continuation is played; the number of
positions after each card and the results of all endings are golden.  So are the numbers of
different auctions of the free game.  The counts of a few deals are checked by the reference.
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from typing import Any

import numpy as np
import pytest

from sjavs_env.engine import Game, GameState, Phase, numbered_decks
from tests.engine.table import ROW, game_of
from tests.golden_files import Golden
from tests.reference.faroese import PRESETS, Deal

GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "faroese": ("faroese", {}),
    "suduroy": ("suduroy", {}),
    "faroese_wiki": ("faroese_wiki", {}),
    "faroese_wiki, nobody bids": ("faroese_wiki", {"min_bid": 8}),
    "faroese_free": ("faroese_free", {}),
    "faroese, must overtrump": ("faroese", {"follow": "must_overtrump"}),
}
N_DEALS = 8
LAST_TRICKS = 5  # tricks played before counting begins


def rule(legal: list[int], decision: int) -> int:
    """The action that leads to the positions counted from: a different one every time."""
    return legal[(7 * decision + 3) % len(legal)]


def ending(game: Game, number: int) -> tuple[GameState, list[str]] | None:
    """Play a numbered deal by rule up to the last tricks; None if nobody bids on it."""
    state = game.new_games(1, numbers=number)
    labels: list[str] = []
    while state.trick_number[0] < LAST_TRICKS:
        legal = np.flatnonzero(game.legal_actions(state)[0]).tolist()
        if not legal:
            return None
        action = rule(legal, len(labels))
        labels.append(game.actions.labels[action])
        game.step(state, [action])
    return state, labels


def continuations(game: Game, state: GameState) -> tuple[list[int], GameState]:
    """Count the positions after each action; return the states in which every line ends."""
    counts = []
    phase = int(state.phase[0])
    while (state.phase == phase).any() or (state.phase == Phase.NAME_TRUMP).any():
        at = np.flatnonzero((state.phase == phase) | (state.phase == Phase.NAME_TRUMP))
        done = state.select(np.setdiff1d(np.arange(len(state)), at))
        row, action = np.nonzero(game.legal_actions(state, at))
        state = state.select(at[row])
        game.step(state, action)
        counts.append(len(state))
        state = GameState.joined([state, done])
    return counts, state


def results(state: GameState) -> dict[str, int]:
    """How many endings give the even side each result."""
    gain = state.change[:, 1] - state.change[:, 0]
    return {str(k): n for k, n in sorted(Counter(gain.tolist()).items())}


def count_in_reference(deal: Deal, depth: int, counts: list[int]) -> None:
    """Count the same positions, one at a time."""
    for label in deal.legal():
        after = copy.copy(deal)
        after.hands = [list(hand) for hand in deal.hands]
        after.trick = list(deal.trick)
        after.points, after.tricks = list(deal.points), list(deal.tricks)
        after.act(label)
        counts[depth] += 1
        count_in_reference(after, depth + 1, counts)


def test_continuations_of_the_last_three_tricks(golden: Golden) -> None:
    found: dict[str, dict[str, Any]] = {}
    for name, (preset, overrides) in GAMES.items():
        game = game_of(preset, **overrides)
        for number in range(N_DEALS):
            position = ending(game, number)
            if position is None:
                continue
            counts, leaves = continuations(game, position[0])
            assert len(counts) == 12
            found.setdefault(name, {})[f"deal {number}"] = {
                "positions": counts,
                "results": results(leaves),
            }
    assert set(found) == set(GAMES)
    golden.check("perft.json", to_text(found))


@pytest.mark.parametrize("name", GAMES)
def test_the_reference_counts_as_many_continuations(name: str) -> None:
    preset, overrides = GAMES[name]
    game = game_of(preset, **overrides)
    for number in range(3):
        position = ending(game, number)
        if position is None:
            continue
        deck = [game.pack.cards[i] for i in numbered_decks(32, 0, number)[0]]
        deal = Deal({**PRESETS[preset], **overrides}, deck, 3)
        for label in position[1]:
            deal.act(label)
        counts = [0] * 13
        count_in_reference(deal, 0, counts)
        assert counts[:12] == continuations(game, position[0])[0]


def test_different_auctions_of_the_free_game(golden: Golden) -> None:
    game = game_of("faroese_free")
    found = {}
    for number in range(20):
        state = game.new_games(1, numbers=number)
        counts, ends = continuations(game, state)
        assert set(ends.phase.tolist()) <= {int(Phase.PLAY), int(Phase.OVER)}
        assert int((ends.phase == Phase.OVER).sum()) == 1  # all pass
        found[f"deal {number}"] = {"positions": counts, "auctions": len(ends)}
    golden.check("auctions.json", to_text({"faroese_free": found}))


def test_a_forced_auction_can_go_one_way_only() -> None:
    game = game_of()
    for number in range(20):
        counts, _ = continuations(game, game.new_games(1, numbers=number))
        assert counts[:4] == [1, 1, 1, 1]


def to_text(found: dict[str, dict[str, Any]]) -> str:
    """JSON with a line for each deal."""
    games = [
        f"  {json.dumps(name)}: {{\n"
        + ",\n".join(f"    {json.dumps(k)}: {json.dumps(v)}" for k, v in deals.items())
        + "\n  }"
        for name, deals in found.items()
    ]
    text = "{\n" + ",\n".join(games) + "\n}\n"
    assert json.loads(text) == found
    return text


def test_the_counting_starts_where_it_should() -> None:
    position = ending(game_of(), 0)
    assert position is not None
    state, labels = position
    assert (int(state.trick_number[0]), int(state.trick_size[0])) == (LAST_TRICKS, 0)
    assert np.bitwise_count(state.hand[ROW]).tolist() == [[3, 3, 3, 3]]
    assert len(labels) == 4 + 1 + 4 * LAST_TRICKS
