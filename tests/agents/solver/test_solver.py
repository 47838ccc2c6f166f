"""The solver against slow searches that share nothing with it, and its answers among themselves."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from sjavs_agents.solver.solver import Solver
from sjavs_env import Game, GameState, Phase
from sjavs_env.rules.tables import Ints
from tests.agents.solver.endings import brute_force, positions
from tests.engine.table import TABLES, VARYING, game_of, table_of

GAMES = [
    *(table_of(name, n) for name, n in TABLES if name not in VARYING or n == 2),
    game_of("faroese", follow="must_overtrump"),
    game_of("faroese_3", follow="must_overtrump"),
    game_of("faroese_2", follow="must_overtrump"),
    game_of("faroese_wiki", tie="double", all_pass="redeal"),
    game_of("handjass", players=2, last_trick=0, rank_tie="earliest"),
    game_of("handjass_strict", players=2, rank_tie="none"),
]
PARTNERS = game_of("faroese")


def name_of(game: Game) -> str:
    return f"{game.rules.name}-{game.rules.follow}"


def all_of(state: GameState) -> Ints:
    return np.arange(len(state))


def compare(game: Game, state: GameState, solver: Solver) -> None:
    """Every card of every position, in both utilities, and the questions about the best one."""
    rows, exact = all_of(state), brute_force(game, state)
    ally = game.tables.result.ally[state.declarer]
    first = ally.argmax(axis=1)
    np.testing.assert_array_equal(solver.card_values(state, rows, seat=first), exact.points)
    score = solver.card_values(state, rows, "score", seat=first)
    np.testing.assert_allclose(score, exact.score, rtol=0, atol=1e-6)
    ours = ally[rows, state.seat]
    tricks = np.where(ours, np.nanmax(exact.tricks, axis=1), np.nanmin(exact.tricks, axis=1))
    tricks = np.where(ours, tricks, game.tables.n_tricks - tricks).astype(np.int64)
    assert solver.reaches(state, rows, tricks, "tricks").all()
    assert not solver.reaches(state, rows, tricks + 1, "tricks").any()
    if not state.trick_size.any():
        return
    sign = np.where(ours, 1, -1)[:, None]
    assert np.array_equal(solver.card_values(state, rows), sign * exact.points, equal_nan=True)


@pytest.mark.parametrize("cards_in_trick", [0, None], ids=["between tricks", "anywhere"])
@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_endings_are_solved_as_by_playing_them_out(game: Game, cards_in_trick: int | None) -> None:
    solver = Solver(game, table_bits=10)
    compare(game, positions(game, 200, 2, seed=1, cards_in_trick=cards_in_trick), solver)
    compare(game, positions(game, 60, 3, seed=2, cards_in_trick=cards_in_trick), solver)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_10_000_endings_are_solved_as_by_playing_them_out(game: Game) -> None:
    solver = Solver(game, table_bits=10)
    for seed in range(100):
        compare(game, positions(game, 100, 3, 100 + seed, None if seed % 2 else 0), solver)
    for seed in range(10):
        compare(game, positions(game, 5, 4, 200 + seed, 0), solver)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["faroese", "faroese_wiki", "faroese_3", "klorsjavs", "danish_4"])
def test_six_cards_each_are_solved_as_by_a_search_of_full_width(name: str) -> None:
    from tests.agents.solver.full_width import full_width  # compiled as it is imported: 17 s

    game = game_of(name)
    state = positions(game, 60, min(6, game.tables.n_tricks), seed=3)
    solved = Solver(game).points(state, all_of(state))
    for row in range(len(state)):
        ally = game.tables.result.ally[state.declarer[row]]
        found = full_width(game, state, row) + int((state.points[row] * ally).sum())
        if game.tables.deal.n_talon:
            aside = game.unpack(state.talon[row : row + 1] | state.laid[row : row + 1])
            found += int(aside[0] @ game.tables.cards.points)
        ours = ally[state.seat[row]]
        assert solved[row] == (found if ours else game.tables.total_points - found)


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_the_best_card_is_worth_what_the_position_is(game: Game) -> None:
    state = positions(game, 100, 4, seed=4, cards_in_trick=None)
    solver, rows = Solver(game), all_of(state)
    best = np.nanmax(solver.card_values(state, rows), axis=1)
    points = solver.points(state, rows)
    assert solver.reaches(state, rows, points).all()
    assert not solver.reaches(state, rows, points + 1).any()
    total = 2 * points - best
    assert (total <= game.tables.total_points).all()
    if not game.tables.seats:  # there all cards are somebody's
        assert (total == game.tables.total_points).all()


def test_legal_cards_alone_have_values() -> None:
    state = positions(PARTNERS, 50, 5, seed=5, cards_in_trick=None)
    solver, rows = Solver(PARTNERS), all_of(state)
    legal = PARTNERS.legal_actions(state)[:, : len(PARTNERS.pack)] == 1
    for utility in ("points", "score"):
        values = solver.card_values(state, rows, utility)
        assert np.array_equal(~np.isnan(values), legal)


def test_values_are_those_of_the_seat_asked_for() -> None:
    state = positions(PARTNERS, 50, 4, seed=6, cards_in_trick=None)
    solver, rows = Solver(PARTNERS), all_of(state)
    for utility in ("points", "score"):
        own = solver.card_values(state, rows, utility)
        partner = solver.card_values(state, rows, utility, (state.seat + 2) % 4)
        other = solver.card_values(state, rows, utility, (state.seat + 1) % 4)
        np.testing.assert_array_equal(own, partner)
        np.testing.assert_array_equal(own, -other)


def test_playing_the_best_cards_on_both_sides_brings_the_value() -> None:
    state = positions(PARTNERS, 30, 5, seed=7)
    solver, rows = Solver(PARTNERS), all_of(state)
    first, points = state.seat.copy(), solver.points(state, rows)
    while (state.phase == Phase.PLAY).any():
        values = solver.card_values(state, rows)
        PARTNERS.step(state, np.nanargmax(values, axis=1))
    partner = (first + 2) % 4
    assert np.array_equal(state.points[rows, first] + state.points[rows, partner], points)


def test_before_a_late_exchange_each_lead_is_worth_the_better_answer() -> None:
    game = game_of("handjass_swiss", players=2)
    state = game.new_games(150, seed=8)
    solver, late = Solver(game), 0
    keep = [game.actions.parse(label) for label in ("keep hand", "stay", "keep six")]
    while not (state.phase == Phase.PLAY).all():
        waiting = np.flatnonzero(state.phase != Phase.PLAY)
        mask = game.legal_actions(state, waiting)
        game.step(state, [next(a for a in keep if row[a]) for row in mask], waiting)
    for row in range(len(state)):
        lead = int(np.argmax(game.legal_actions(state, np.array([row]))[0]))
        led = state.select(np.array([row]))
        game.step(led, [lead])
        if led.phase[0] != Phase.SIX:
            continue
        late += 1
        for utility in ("points", "score"):
            answers = []
            for answer in ("swap six", "keep six"):
                child = led.clone()
                game.step(child, [game.actions.parse(answer)])
                reply = solver.card_values(child, np.array([0]), utility)
                answers.append(np.nanmax(reply))
            values = solver.card_values(state, np.array([row]), utility)
            assert values[0, lead] == pytest.approx(-max(answers))
        with pytest.raises(ValueError, match=f"^in game {row} the lowest trump may be exchanged"):
            solver.points(state, np.array([row]))
    assert late > 5


def test_answers_depend_on_neither_table_nor_threads_nor_order() -> None:
    state = positions(PARTNERS, 40, 5, seed=9)
    rows = all_of(state)
    expected = Solver(PARTNERS, table_bits=16).card_values(state, rows, "score")
    for solver in (Solver(PARTNERS, table_bits=1), Solver(PARTNERS, threads=2)):
        np.testing.assert_array_equal(solver.card_values(state, rows, "score"), expected)
    backwards = Solver(PARTNERS).card_values(state, rows[::-1], "score")
    np.testing.assert_array_equal(backwards[::-1], expected)


@pytest.mark.parametrize("shared", [False, True])
def test_two_threads_solve_at_the_same_time(shared: bool) -> None:
    states = [positions(PARTNERS, 60, 5, seed) for seed in (10, 11)]
    one = Solver(PARTNERS)
    expected = [one.card_values(state, all_of(state)) for state in states]
    solvers = [one, one] if shared else [Solver(PARTNERS), Solver(PARTNERS)]
    with ThreadPoolExecutor(2) as pool:
        runs = [
            pool.submit(s.card_values, x, all_of(x)) for s, x in zip(solvers, states, strict=True)
        ]
        for run, values in zip(runs, expected, strict=True):
            np.testing.assert_array_equal(run.result(), values)


def test_nothing_is_asked_of_no_rows() -> None:
    state = positions(PARTNERS, 1, 2, seed=12)
    solver, none = Solver(PARTNERS), np.zeros(0, dtype=np.intp)
    assert solver.points(state, none).shape == (0,)
    assert solver.reaches(state, none, 61).shape == (0,)
    assert solver.card_values(state, none, "score").shape == (0, 32)


@pytest.mark.parametrize("players", [3, 4])
def test_games_of_more_sides_are_refused(players: int) -> None:
    game = game_of("handjass", **{"players": players})
    with pytest.raises(ValueError, match=f"^handjass with {players} players is no game of two"):
        Solver(game)


def test_games_that_are_not_in_play_are_refused() -> None:
    solver, state = Solver(PARTNERS), PARTNERS.new_games(2)
    for ask in (solver.points, solver.card_values):
        with pytest.raises(ValueError, match=r"^game 1 is in phase AUCTION; allowed: PLAY$"):
            ask(state, np.array([1]))


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda s, x, r: s.card_values(x, r, "money"),
            "utility is 'money'; allowed: points, score",
        ),
        (lambda s, x, r: s.reaches(x, r, 1, "aces"), "measure is 'aces'; allowed: points, tricks"),
        (lambda s, x, r: Solver(PARTNERS, table_bits=0), "table_bits is 0; allowed: 1 to 28"),
        (lambda s, x, r: Solver(PARTNERS, threads=0), "threads is 0; allowed: whole numbers"),
        (lambda s, x, r: s.card_values(x, r, seat=4), "seat is 4; allowed: 0 to 3"),
    ],
)
def test_bad_input_is_named(ask: object, message: str) -> None:
    state = positions(PARTNERS, 1, 2, seed=13)
    with pytest.raises(ValueError, match=f"^{message}"):
        ask(Solver(PARTNERS), state, all_of(state))  # type: ignore[operator]  # a lambda
