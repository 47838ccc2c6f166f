"""A sequential test: its formula, its looks, its errors and the boards that it takes."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
import pytest

from sjavs_agents.stats.sequential import SequentialPlan, SequentialTest
from tests.agents.stats.board_results import LUMPY

PLAN = SequentialPlan(delta1=0.2)  # about 600 lumpy boards


def slow_verdict(plan: SequentialPlan, boards: np.ndarray) -> tuple[str, int]:
    """The verdict and the boards it took, every look computed from all boards before it."""
    for n in range(plan.least, plan.cap + 1):
        if (n - plan.least) % plan.every and n != plan.cap:
            continue
        seen = boards[:n]
        low, high = plan.delta0, plan.delta1
        llr = n * (high - low) * (2 * seen.mean() - low - high) / (2 * seen.var(ddof=1))
        if llr >= log((1 - plan.beta) / plan.alpha):
            return "above", n
        if llr <= log(plan.beta / (1 - plan.alpha)):
            return "below", n
    return "capped", plan.cap


def play(plan: SequentialPlan, true_mean: float, trials: int, seed: int) -> tuple[float, float]:
    """The share of trials that say "above", and the mean number of boards."""
    rng, source = np.random.default_rng(seed), LUMPY.at(true_mean)
    above = boards = 0
    for _ in range(trials):
        test = SequentialTest(plan)
        while not test.is_over:
            test.feed(source.draw(rng, test.wanted))
        above += test.verdict == "above"
        boards += test.boards
    return above / trials, boards / trials


@pytest.mark.parametrize("true_mean", [-0.1, 0.0, 0.1, 0.2, 0.3])
def test_verdicts_are_those_of_the_formula_at_every_look(true_mean: float) -> None:
    plan = SequentialPlan(-0.05, 0.15, 0.1, 0.02, least=100, every=30, cap=725)
    rng = np.random.default_rng(4)
    for _ in range(20):
        boards = LUMPY.at(true_mean).draw(rng, 800)
        test = SequentialTest(plan)
        assert test.feed(boards) == slow_verdict(plan, boards)[0]
        assert test.boards == slow_verdict(plan, boards)[1]
        seen = boards[: test.boards]
        assert test.mean == pytest.approx(seen.mean())
        assert test.variance == pytest.approx(seen.var(ddof=1))
        assert test.llr == pytest.approx(plan.ratio(len(seen), seen.mean(), seen.var(ddof=1)))


@pytest.mark.parametrize("portion", [1, 63, 64, 100, 1024])
def test_portions_leave_no_trace(portion: int) -> None:
    boards = LUMPY.at(0.09).draw(np.random.default_rng(11), 4000)
    whole, parts = SequentialTest(PLAN), SequentialTest(PLAN)
    whole.feed(boards)
    for start in range(0, len(boards), portion):
        parts.feed(boards[start : start + portion])
    found = [(t.verdict, t.boards, t.mean, t.llr, t.variance) for t in (whole, parts)]
    assert found[0] == found[1]
    assert whole.is_over
    assert whole.boards < len(boards)


def test_nothing_is_said_before_the_first_look_nor_between_two() -> None:
    test = SequentialTest(PLAN)
    assert test.feed(np.full(255, 9.0)) == "undecided"
    assert (test.boards, test.llr, test.wanted) == (0, 0.0, 1)
    assert test.feed(np.full(1, 9.0)) == "above"
    assert (test.boards, test.wanted) == (256, 0)


def test_looks_are_where_they_are_said_to_be() -> None:
    plan = SequentialPlan(least=10, every=4, cap=20)
    looks = {plan.look_after(n) for n in range(20)}
    assert looks == {10, 14, 18, 20}
    test = SequentialTest(plan)
    test.feed(LUMPY.draw(np.random.default_rng(1), 15))
    assert (test.boards, test.wanted) == (14, 3)


def test_a_test_that_finds_nothing_ends_at_its_cap() -> None:
    plan = SequentialPlan(-0.01, 0.01, cap=500)
    test = SequentialTest(plan)
    assert test.feed(np.tile([1.0, -1.0], 400)) == "capped"
    assert (test.boards, test.wanted, test.is_over) == (500, 0, True)


def test_boards_that_are_all_level_are_below_and_the_ratio_stays_finite() -> None:
    test = SequentialTest(SequentialPlan())
    assert test.feed(np.zeros(256)) == "below"
    assert -1e6 < test.llr < test.plan.lower


@pytest.mark.parametrize(
    ("values", "allowed"),
    [
        ({"delta1": 0.0}, "more than delta0 = 0.0"),
        ({"delta0": float("nan")}, "a finite number"),
        ({"alpha": 0.5}, "more than 0 and less than 0.5"),
        ({"beta": 0.0}, "more than 0 and less than 0.5"),
        ({"least": 1}, "2 or more boards"),
        ({"every": 0}, "1 or more boards"),
        ({"cap": 255}, "256 or more boards"),
    ],
)
def test_what_makes_no_test_is_refused(values: dict[str, Any], allowed: str) -> None:
    (name, value), *_ = values.items()
    with pytest.raises(ValueError, match=f"^{name} is {value}; allowed: {allowed}$"):
        SequentialPlan(**values)


def test_results_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="allowed: a row of finite numbers"):
        SequentialTest(PLAN).feed(np.array([1.0, np.nan]))


def test_wrong_verdicts_are_no_more_frequent_than_promised() -> None:
    trials = 400
    for true_mean, wrong in [(PLAN.delta0, 0.0), (PLAN.delta1, 1.0)]:
        above, _ = play(PLAN, true_mean, trials, seed=6)
        assert abs(above - wrong) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / trials)


def test_the_chance_of_a_verdict_and_the_boards_it_takes_are_those_of_the_textbook() -> None:
    scale = (LUMPY.spread / PLAN.delta1) ** 2
    assert PLAN.chance_above(0.0) == pytest.approx(0.05)
    assert PLAN.chance_above(0.1) == pytest.approx(0.5)
    assert PLAN.chance_above(0.2) == pytest.approx(0.95)
    assert [PLAN.chance_above(x) for x in (-1e6, 1e6)] == [0, 1]
    boards = [PLAN.expected_boards(LUMPY.spread, x) / scale for x in (0.0, 0.1, 0.2)]
    assert boards == pytest.approx([5.3, 8.67, 5.3], rel=1e-3)
    beside = [PLAN.expected_boards(LUMPY.spread, 0.1 + x) / scale for x in (-1e-7, 1e-7)]
    assert beside == pytest.approx([8.67, 8.67], rel=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("true_mean", [0.0, 0.025, 0.05, 0.075, 0.1])
def test_errors_and_boards_are_as_promised(true_mean: float) -> None:
    plan, trials = SequentialPlan(delta1=0.1, cap=100_000), 2000
    above, boards = play(plan, true_mean, trials, seed=7)
    print(f"at {true_mean}: above {above:.4f}, {boards:.0f} boards")  # noqa: T201
    if true_mean in (plan.delta0, plan.delta1):
        wrong = above if true_mean == plan.delta0 else 1 - above
        assert wrong < 0.05 + 3 * np.sqrt(0.05 * 0.95 / trials)
    assert abs(above - plan.chance_above(true_mean)) < 0.04
    # looks every 64 boards overshoot the bounds, which the approximation leaves out
    assert 1 <= boards / plan.expected_boards(LUMPY.spread, true_mean) < 1.2
