"""What a deal pays as levels: against the tables of the rules, written down here."""

from __future__ import annotations

import numpy as np
import pytest

from sjavs_agents.solver.payoff_ladder import Ladder, LadderMaker
from sjavs_agents.solver.position import ALL_BY_ONE, POINTS, TRICKS
from sjavs_agents.solver.solver import Solver
from sjavs_env import Game, GameState
from sjavs_env.rules.tables import NONE
from tests.agents.solver.endings import positions
from tests.engine.table import game_of

Level = tuple[int, int, float]  # measure, threshold, payoff of the declarer or of seat 0


def ladder_of(game: Game, state: GameState, row: int, total: int, base: int = 0) -> list[Level]:
    """The levels of a game as the side of its declarer sees them."""
    rows = np.array([row])
    ally = game.tables.result.ally[state.declarer[rows]]
    ladders, which = LadderMaker(game).ladders(
        state, rows, ally, np.array([base]), np.array([total])
    )
    found: Ladder = ladders[which[0]]
    own = found.payoff[:, int(ally[0].argmax())]
    return list(zip(found.measure.tolist(), found.threshold.tolist(), own.tolist(), strict=True))


def with_trumps(game: Game, mode: int, ties: int = 0) -> tuple[GameState, int]:
    """A game with a trump suit (0: none was named), and its row."""
    state = positions(game, 400, 2, seed=1)
    row = int(np.flatnonzero(state.mode == mode)[0])
    state.ties[:] = ties
    return state, row


def levels(*rows: Level) -> list[Level]:
    return [(NONE, 0, rows[0][2]), *rows[1:]]


PLAIN = levels(
    (NONE, 0, -16),
    (TRICKS, 1, -8),
    (POINTS, 31, -4),
    (POINTS, 60, 0),
    (POINTS, 61, 2),
    (POINTS, 90, 4),
    (TRICKS, 8, 12),
    (ALL_BY_ONE, 8, 16),
)


def test_faroese_sjavs_has_the_rows_of_its_table() -> None:
    assert ladder_of(game_of("faroese"), *with_trumps(game_of("faroese"), 2), 120) == PLAIN


def test_clubs_pay_double_but_not_all_of_it() -> None:
    clubs = ladder_of(game_of("faroese"), *with_trumps(game_of("faroese"), 1), 120)
    assert [payoff for _, _, payoff in clubs] == [-16, -8, 0, 4, 8, 16, 24]
    assert clubs[1] == (POINTS, 31, -8)  # no trick costs no more than 30 points


def test_a_pending_tie_goes_to_the_winners() -> None:
    tied = ladder_of(game_of("faroese"), *with_trumps(game_of("faroese"), 2, ties=1), 120)
    assert [payoff for _, _, payoff in tied] == [-18, -10, -6, 0, 4, 6, 14, 18]


def test_a_deal_without_a_bid_has_three_levels() -> None:
    game = game_of("faroese_wiki")
    found = ladder_of(game, *with_trumps(game, 0), 120)
    assert found == levels((NONE, 0, -4), (POINTS, 60, 0), (POINTS, 61, 4))


def test_a_lone_declarer_takes_all_tricks_by_one_hand() -> None:
    game = game_of("faroese_3")
    found = ladder_of(game, *with_trumps(game, 2), 120, base=14)
    assert found == levels(
        (NONE, 0, -16),
        (TRICKS, 1, -8),
        (POINTS, 31, -4),
        (POINTS, 60, 0),
        (POINTS, 61, 2),
        (POINTS, 90, 4),
        (TRICKS, 10, 12),
    )


def test_klorsjavs_counts_down_to_the_loss() -> None:
    game = game_of("klorsjavs")
    found = ladder_of(game, *with_trumps(game, 1), 120)
    assert found == levels(
        (NONE, 0, -16), (TRICKS, 1, -8), (POINTS, 61, 4), (POINTS, 91, 8), (POINTS, 120, 16)
    )


def test_handjass_is_a_matter_of_the_higher_total_and_of_the_bag() -> None:
    game = game_of("handjass", players=2)
    state = positions(game, 200, 2, seed=2)
    seats = state.seat_state
    seats.zeros[:], seats.melds[:] = 0, 0
    seats.melds[0, 0] = 20
    found = ladder_of(game, state, 0, total=70)
    # in the bag below 21; with 20 for melds, a point is enough to be out of it
    assert found == levels(
        (NONE, 0, -2),  # the other gets a mark, and one for the bag
        (POINTS, 1, -1),
        (POINTS, 25, 0),  # 45 : 45, both get a mark
        (POINTS, 26, 1),
        (POINTS, 50, 2),  # 70 : 20, the other is in the bag
    )


def test_melds_not_yet_scored_are_foreseen() -> None:
    game = game_of("handjass", players=2)
    state = positions(game, 400, 9, seed=3)
    rows = np.arange(len(state))
    ahead = state.clone()
    for _ in range(2):
        game.step(ahead, game.legal_actions(ahead).argmax(axis=1))
    assert (ahead.trick_number == 1).all()
    assert ahead.seat_state.melds.any()
    foreseen = LadderMaker(game)._melds(state, rows)
    np.testing.assert_array_equal(foreseen, ahead.seat_state.melds)


def test_payoffs_that_fall_are_refused() -> None:
    game = game_of("faroese", **{"payoff.win": (6, 12)})
    state, row = with_trumps(game, 2)
    with pytest.raises(ValueError, match=r"^faroese pays 4 for more than what it pays 6 for"):
        Solver(game).card_values(state, np.array([row]), "score")
    assert np.isfinite(Solver(game).card_values(state, np.array([row]))).any()
