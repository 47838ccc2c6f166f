"""What a hand promises where all play for themselves, and what that is worth."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.fit_totals import main, play_hands
from sjavs_agents.base import open_decisions
from sjavs_agents.heuristic.expected_totals import (
    PROMISES,
    MeldOdds,
    TotalPromise,
    hand_qualities,
    hands_of_unseen,
    promise_of,
)
from sjavs_agents.heuristic.rank_value import RankValue
from sjavs_agents.heuristic.rule_agent import RuleAgent
from sjavs_agents.heuristic.sight import TableReader
from sjavs_env import Game, Phase, view_of
from tests.engine.table import game_of, table_of

HEARTS = np.array([3])


def words(game: Game, *hands: str) -> np.ndarray:
    return np.array([game.pack.word(hand) for hand in hands], dtype=game.tables.word_type)


def test_hands_of_unseen_cards_hold_no_other() -> None:
    game = table_of("handjass", 3)
    unseen = words(game, "AC KC QC JC TC 9C 8C 7C 6C AS KS QS JS TS 9S 8S 7S 6S")
    hands = hands_of_unseen(TableReader(game), unseen, 9, 2000)[0]
    assert not (hands & ~unseen).any()
    assert (np.bitwise_count(hands) == 9).all()
    held = game.unpack(hands).mean(axis=0)[:18]
    assert np.abs(held - 0.5).max() < 4 * np.sqrt(0.25 / 2000)  # each card as often


def test_hands_of_unseen_cards_are_the_same_for_the_same_cards() -> None:
    game = table_of("handjass", 3)
    reader = TableReader(game)
    two = words(game, "AC KC QC JC TC 9C 8C 7C 6C AS", "AH KH QH JH TH 9H 8H 7H 6H AS")
    assert (hands_of_unseen(reader, two, 5, 8)[1] == hands_of_unseen(reader, two[1:], 5, 8)).all()


def test_melds_are_judged_by_how_often_another_hand_has_a_better_one() -> None:
    game = table_of("handjass", 4)
    odds = MeldOdds(TableReader(game))
    hands = words(
        game,
        "JC JS JH JD AC KC TS 7D 6D",  # the best there is
        "AC KC QC JS TS 8H 7H 6D TD",  # a run of three
        "KH QH AC JC TS 9S 7S 8D 6D",  # the marriage alone
        "AC JC TS 9S 7S 8D 6D 9H 7H",  # nothing
    )
    certain, contested, worse = odds.of(hands, np.repeat(HEARTS, 4))
    assert certain.tolist() == [0, 0, 0, 0]
    assert contested.tolist() == [200, 20, 20, 0]
    assert worse[0] == 1
    assert worse[0] > worse[1] > worse[2] > worse[3] > 0.5


def test_a_marriage_that_does_not_compete_is_certain() -> None:
    game = table_of("handjass_swiss", 4)
    hand = words(game, "KH QH JH AC JC TS 9S 7S 8D")
    certain, contested, _ = MeldOdds(TableReader(game)).of(hand, HEARTS)
    assert (certain.tolist(), contested.tolist()) == ([20], [20])


@pytest.mark.parametrize("preset", ["handjass", "handjass_strict"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_hands_take_what_they_promise(preset: str, players: int) -> None:
    """On deals that the promises were not fitted to, weak hands and strong ones alike."""
    game = table_of(preset, players)
    (found,) = (h for h in play_hands(game, 1000, seed=5) if h.players == players)
    by = promise_of(TableReader(game), players)
    mean = by.mean(found.qualities)
    off = found.points - mean
    assert abs(off.std() - by.spread) < 1
    for part in np.array_split(np.argsort(mean), 4):
        assert abs(off[part].mean()) < 3
    assert np.corrcoef(mean, found.points)[0, 1] > 0.75


@pytest.mark.parametrize(
    ("preset", "players"), [("handjass", 3), ("handjass_alt", 4), ("handjass_swiss", 2)]
)
def test_hands_are_worth_what_they_win(preset: str, players: int) -> None:
    """Where all play, in game points, by quarters of what was expected.

    Melds of the others are left out of account, and that a poor hand errs upwards alone: that
    makes up to a fifth of a mark.
    """
    game = game_of(preset, players=players, may_drop=False)
    agent, reader, deals = RuleAgent(game), TableReader(game), 1500
    state = game.new_games(deals, seed=6)
    rng, keep = np.random.default_rng(0), {Phase.SIX: 1, Phase.RESERVE: 1}
    for rows, mask in open_decisions(game, state):
        action = agent.act(view_of(game, state, rows, state.seat[rows]), mask, rng)
        for phase, choice in keep.items():
            at = state.phase[rows] == phase
            action[at] = game.actions.slices[phase].start + choice if at.any() else 0
        game.step(state, action, rows)
    hand, mode = state.dealt.reshape(-1), np.repeat(state.mode, players)
    chances = np.tile(np.arange(players + 1) == players, (len(hand), 1)).astype(float)
    worth = RankValue(reader).game_points(hand, mode, np.full(len(hand), players), chances)
    zeros = state.seat_state.zeros if game.rules.value("bag") == "zero" else 0
    won = (state.change - zeros).reshape(-1)
    mark = game.tables.seat_rules.mark_worth[players]
    for part in np.array_split(np.argsort(worth), 4):
        assert abs(won[part].mean() - worth[part].mean()) < 0.2 * mark


def test_a_better_hand_promises_more() -> None:
    game = table_of("handjass_strict", 4)
    reader = TableReader(game)
    hands = words(
        game,
        "JH 9H AH AC KC AS TS 7D 8D",
        "AH KH 8H AC KC AS TS 7D 8D",
        "8H 7H 6H AC KC AS TS 7D 8D",
        "TC 9C 8C JS 9S 8S TD 8D 7D",
    )
    for by in PROMISES[True].values():
        promised = by.mean(hand_qualities(reader, hands, np.repeat(HEARTS, 4)))
        assert (np.diff(promised) < 0).all()


def test_a_lone_player_gets_what_the_rules_say() -> None:
    game = table_of("handjass_swiss", 4)
    chances = np.array([[0.0, 1, 0, 0, 0]])
    hand = words(game, "TC 9C 8C JS 9S 8S TD 8D 7D")
    worth = RankValue(TableReader(game)).game_points(hand, HEARTS, np.array([4]), chances)
    assert worth.tolist() == [game.rules.value("lone_mark")]


def test_the_command_prints_the_fits_as_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--deals", "40"]) == 0
    printed = eval("{" + capsys.readouterr().out + "}", {"TotalPromise": TotalPromise})
    assert {kind: set(fits) for kind, fits in printed.items()} == {
        kind: set(fits) for kind, fits in PROMISES.items()
    }
    for kind, fits in PROMISES.items():
        for players, fit in fits.items():
            assert abs(printed[kind][players].spread - fit.spread) < 4
