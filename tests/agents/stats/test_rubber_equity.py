"""Rubbers reckoned backward, beside a plain recursion by the rules and rubbers that are played."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from sjavs_agents.base import forced, open_decisions
from sjavs_agents.registry import make_agent
from sjavs_agents.stats.deal_results import DealResults
from sjavs_agents.stats.rubber_deals import RubberDeals
from sjavs_agents.stats.rubber_decider import FARTHEST, Decider
from sjavs_agents.stats.rubber_equity import RubberEquity, match_equity
from sjavs_agents.stats.rubber_page import stored_results
from sjavs_env import Game, GameState, Phase, make_rules, view_of
from sjavs_env.rules.terms import DECLARERS, GAVE_UP, NOBODY
from tests.agents.stats.board_results import rng_of

MOST_IDLE = 14  # deals in a row that change no score; more happen once in 10^12 rubbers
MOST_DECIDERS = 15  # after which hardly any match goes on
GAMES: dict[str, dict[str, Any]] = {
    "faroese": {"start": 12},
    "faroese_smith": {"start": 10},
    "faroese_wiki": {"start": 10},
    "suduroy": {"start": 11},
    "faroese_2": {"cross_rule": "shutout_only", "start": 8},
    "faroese_3": {"start": 6},
    "faroese_free": {"tie": "double", "tie_stacks": True, "start": 8, "payoff.win": (0, 4)},
}


def game_of(name: str) -> Game:
    return Game(make_rules(name, **GAMES[name]))


def drawn_results(game: Game, name: str) -> DealResults:
    """Deals that come to all that is possible, at random, otherwise for each party that deals."""
    results, rng = DealResults.empty(game), rng_of(name)
    n, _, columns, _ = results.counts.shape
    no_bid = [] if game.tables.auction.redeal_when_all_pass else [columns - 1]
    for column in [*range(columns - 1), *no_bid]:
        found = np.unique(game.tables.result.payoff_row[column, :, :GAVE_UP])
        is_tie = game.tables.result.payoff_winner[found] == NOBODY
        for dealer, declarer in np.ndindex(n, n):
            drawn = rng.integers(1, 30, len(found))
            results.counts[dealer, declarer, column, found] = np.where(is_tie, drawn // 4, drawn)
    return results


def slow_bonus(rules: Any, column: str, by_declarers: bool, pending: int, amount: int) -> int:
    """What pending ties add for the winners, by the rules as written."""
    tie = rules.scoring.ties.tie
    if tie == "double":
        return amount if pending else 0
    if tie == "add_2_plain_4_clubs" and column == "clubs":
        return 4 * pending
    if tie == "add_2_declarers_4_defenders" and not by_declarers and column != "no bid":
        return 4 * pending
    return 2 * pending


def slow_value(
    game: Game, results: DealResults, scores: tuple[int, ...], dealer: int
) -> np.ndarray:
    """Chances to win and crosses of each party from these scores, by the rules as written."""
    rules: Any = game.rules
    columns = (*rules.scoring.payoff_columns, "no bid")
    tables, n = game.tables.result, len(scores)
    deals = []
    for d in range(n):
        chances = results.counts[d] / results.counts[d].sum()
        deals.append(
            [(q, c, o, float(chances[q, c, o])) for q, c, o in np.argwhere(chances).tolist()]
        )

    @cache
    def value(d: int, before: tuple[int, ...], ties: int, idle: int) -> list[float]:
        if idle > MOST_IDLE:
            return [0.0] * (2 * n)
        pending = ties if rules.scoring.ties.tie_stacks else min(ties, 1)
        found = [0.0] * (2 * n)
        for q, c, o, chance in deals[d]:
            if tables.payoff_winner[o] == NOBODY:
                add(found, chance, value((d + 1) % n, before, ties + 1, idle + 1))
                continue
            by_declarers = bool(tables.payoff_winner[o] == DECLARERS)
            amount = -int(tables.payoff_change[c, o, 0 if by_declarers else 1])
            amount += slow_bonus(rules, columns[c], by_declarers, pending, amount)
            wins = [(i == q) == by_declarers for i in range(n)]
            after = tuple(s - amount * w for s, w in zip(before, wins, strict=True))
            if min(after) > 0:
                waited = idle + 1 if after == before else 0
                add(found, chance, value((d + 1) % n, after, 0, waited))
            else:
                add(found, chance, ended(after))
        return found

    def add(found: list[float], chance: float, more: list[float]) -> None:
        for k, x in enumerate(more):
            found[k] += chance * x

    def ended(after: tuple[int, ...]) -> list[float]:
        winners = [s == min(after) for s in after]
        others = [s for s, w in zip(after, winners, strict=True) if not w]
        shut_out = all(s == rules.match.start for s in others) and len(others) == n - 1
        worth = 1 + (shut_out and rules.match.double_at_start)
        if rules.match.cross_rule == "shutout_only":
            worth = int(shut_out)
        return [float(x) for x in (*winners, *(worth * w for w in winners))]

    return np.array(value(dealer, scores, 0, 0))


def solved(game: Game, results: DealResults, scores: tuple[int, ...], dealer: int) -> np.ndarray:
    equity = RubberEquity.of(game, results)
    at = dealer, *(score // equity.unit for score in scores), 0
    return np.concatenate([equity.wins[at], equity.crosses[at]])


@pytest.mark.parametrize("name", GAMES)
def test_values_are_those_of_the_recursion_that_follows_the_rules(name: str) -> None:
    game = game_of(name)
    results, n = drawn_results(game, name), len(drawn_results(game, name).counts)
    start = game.tables.match.start
    for scores in ((start,) * n, (start, *[start - 4] * (n - 1))):
        for dealer in range(n):
            expected = slow_value(game, results, scores, dealer)
            assert solved(game, results, scores, dealer) == pytest.approx(expected, abs=1e-12)


def slow_loss(game: Game, results: DealResults, scores: tuple[int, ...]) -> list[float]:
    """Chances to win of each seat where the first at 0 loses, the first seat dealing first."""
    n, change = len(scores), game.tables.result.payoff_change
    deals = [
        [(q, change[c, o].tolist(), float(counts[q, c, o] / counts.sum()))
         for q, c, o in np.argwhere(counts).tolist()]
        for counts in results.counts
    ]  # fmt: skip

    @cache
    def value(d: int, before: tuple[int, ...], deciders: int) -> list[float]:
        found = [0.0] * n
        if deciders > MOST_DECIDERS:
            return found
        is_decider = min(before) <= 0
        for q, (own, others), chance in deals[d]:
            after = tuple(s + (own if i == q else others) for i, s in enumerate(before))
            out = [i for i in range(n) if after[i] <= 0]
            judged = {i: after[i] for i in range(n)} if is_decider else {i: before[i] for i in out}
            lowest = [i for i in judged if judged[i] == min(judged.values())]
            if len(lowest) == 1:
                won = [float(i != lowest[0]) for i in range(n)]
            else:
                level = min(after) if out else 0  # below 0 only distances count
                after = tuple(score - level for score in after)
                won = value((d + 1) % n, after, deciders + bool(out))
            for i in range(n):
                found[i] += chance * won[i]
        return found

    return value(0, scores, 0)


@pytest.mark.parametrize(
    ("name", "scores"),
    [
        ("klorsjavs", (12, 8, 12)),
        pytest.param("danish_4", (4, 4, 8, 4), marks=pytest.mark.slow),
    ],
)
def test_matches_that_are_lost_are_those_of_the_recursion(
    name: str, scores: tuple[int, ...]
) -> None:
    game = Game(make_rules(name, start=12))
    results, rng = DealResults.empty(game), rng_of(name)
    rows = np.unique(game.tables.result.payoff_row[0])
    results.counts[:, :, 0, rows] = rng.integers(1, 30, (*results.counts.shape[:2], len(rows)))
    equity = RubberEquity.of(game, results)
    at = 0, *(score // equity.unit for score in scores), 0
    assert equity.wins[at] == pytest.approx(slow_loss(game, results, scores), abs=1e-5)


@pytest.mark.parametrize(
    ("name", "most"),
    [("klorsjavs", 1e-12), pytest.param("danish_4", 1e-9, marks=pytest.mark.slow)],
)
def test_a_distance_that_counts_as_a_larger_one_changes_next_to_nothing(
    name: str, most: float
) -> None:
    game = Game(make_rules(name))
    deals = RubberDeals(game, stored_results(name).of_equals())
    near, far = (
        Decider.of(deals, lambda won, *_: won.astype(np.float64), farthest)
        for farthest in (FARTHEST, FARTHEST + 4)
    )
    assert near is not None
    assert far is not None
    level = np.zeros((1, deals.n), dtype=np.intp)
    assert np.abs(near.values(level, 0) - far.values(level, 0)).max() < most


def test_pending_ties_are_worth_what_they_add() -> None:
    game = Game(make_rules("faroese", start=10))
    results = drawn_results(game, "pending")
    equity = RubberEquity.of(game, results)
    for pending in range(equity.most_pending + 3):
        later = [equity.win(10, 10, pending, we_deal) for we_deal in (False, True)]
        assert all(0 < x < 1 for x in later)
    assert equity.win(10, 10, equity.most_pending) == equity.win(10, 10, 99)
    assert equity.win(10, 10, equity.most_pending) != equity.win(10, 10, equity.most_pending - 1)


def test_sides_that_play_alike_have_even_chances() -> None:
    game = Game(make_rules("faroese"))
    equity = RubberEquity.of(game, stored_results("faroese").of_equals())
    for ours, theirs, pending in [(24, 24, 0), (6, 18, 0), (2, 24, 3), (12, 10, 1)]:
        both = equity.win(ours, theirs, pending, True) + equity.win(theirs, ours, pending, False)
        assert both == pytest.approx(1, abs=1e-12)
        assert equity.gain(ours, theirs, pending, True) == pytest.approx(
            -equity.gain(theirs, ours, pending, False), abs=1e-12
        )
    assert equity.win(2, 24) > equity.win(4, 24) > equity.win(4, 22) > equity.win(4, 2)


def play_rubbers(
    game: Game, scores: tuple[int, ...], pending: int, dealer: int, rubbers: int, seed: int
) -> GameState:
    """Rubbers that rule players play to their end from these scores of the seats."""
    agent, rng = make_agent("rules", game), rng_of(f"rubbers {seed}")
    numbers = np.arange(rubbers) << 16
    state = game.new_games(rubbers, seed=seed, numbers=numbers, dealer=dealer)
    state.score[:], state.ties[:] = scores, pending
    for rows, mask in open_decisions(game, state):
        action, choices = forced(mask)
        at = rows[choices]
        if len(at):
            view = view_of(game, state, at, state.seat[at])
            action[choices] = agent.act(view, mask[choices], rng)
        game.step(state, action, rows)
        over = rows[state.phase[rows] == Phase.OVER]
        game.next_deal(state, over[state.rubber_over[over] == 0])
    return state


def check_played(name: str, scores: tuple[int, ...], pending: int, rubbers: int) -> str:
    """Played rubbers end as reckoned, from each dealer, but for chance; return how far off."""
    game = Game(make_rules(name))
    equity = RubberEquity.of(game, stored_results(name).of_equals())
    told = []
    n, seats = len(equity.wins), game.tables.n_players
    for dealer in range(n):
        by_seat = tuple(scores[seat % n] for seat in range(seats))
        state = play_rubbers(game, by_seat, pending, dealer, rubbers, 100 + dealer)
        at = dealer, *(score // equity.unit for score in scores), pending
        crosses = state.crosses[:, :n]
        for values, played in ((equity.wins, crosses > 0), (equity.crosses, crosses)):
            error = np.sqrt(played.var(axis=0) / rubbers + 1e-9)
            off = (played.mean(axis=0) - values[at]) / error
            assert (np.abs(off) < 4).all()
            told.append(f"{values[at][0]:.4f}: {played[:, 0].mean():.4f} ± {error[0]:.4f}")
    return f"{name} {scores} {pending}: {'; '.join(told)}"


@pytest.mark.parametrize(
    ("name", "scores", "pending"),
    [("faroese", (8, 14), 1), ("klorsjavs", (12, 12, 20), 0)],
)
def test_rubbers_that_are_played_end_as_reckoned(
    name: str, scores: tuple[int, ...], pending: int
) -> None:
    check_played(name, scores, pending, 300)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "scores", "pending"),
    [
        ("faroese", (24, 24), 0), ("faroese", (24, 12), 2), ("faroese_smith", (20, 24), 1),
        ("suduroy", (24, 24), 1), ("faroese_wiki", (24, 24), 0), ("faroese_2", (24, 24), 0),
        ("faroese_3", (6, 10, 4), 0), ("faroese_3", (24, 24, 24), 0), ("faroese_3", (24, 12, 6), 2),
        ("klorsjavs", (60, 60, 60), 0), ("danish_4", (20, 24, 32, 20), 0),
    ],
)  # fmt: skip
def test_many_rubbers_that_are_played_end_as_reckoned(
    name: str, scores: tuple[int, ...], pending: int
) -> None:
    print(check_played(name, scores, pending, 5000))  # noqa: T201


@pytest.mark.parametrize("cross_rule", ["standard", "shutout_only"])
def test_a_match_to_one_cross_is_the_rubber_and_longer_ones_go_on_from_it(cross_rule: str) -> None:
    game = Game(make_rules("faroese", cross_rule=cross_rule, start=12))
    results = drawn_results(game, cross_rule)
    equity, match = RubberEquity.of(game, results), match_equity(game, results, 3)
    if cross_rule == "standard":
        assert match[1, 1] == pytest.approx(equity.wins[:, -1, -1, 0], abs=1e-12)
    assert match[1:, 1:].sum(axis=-1) == pytest.approx(1, abs=1e-12)
    assert (np.diff(match[1:, 1:, :, 0], axis=0) < 0).all()
    assert (np.diff(match[1:, 1:, :, 0], axis=1) > 0).all()


def test_a_match_is_won_as_often_as_reckoned() -> None:
    game = Game(make_rules("faroese", start=8))
    results = drawn_results(game, "match")
    rng, lacking = rng_of("matches"), 2
    won = np.array([play_match(game, results, lacking, rng) for _ in range(1500)])
    chance = match_equity(game, results, lacking)[lacking, lacking, 0, 0]
    assert won.mean() == pytest.approx(chance, abs=4 * np.sqrt(chance * (1 - chance) / 1500))


def play_match(game: Game, results: DealResults, lacking: int, rng: np.random.Generator) -> bool:
    """Whether party 0, which deals first, is first with so many crosses, deal by deal."""
    events = [np.argwhere(counts) for counts in results.counts]
    sums = [np.cumsum(results.counts[d][tuple(events[d].T)]) for d in range(2)]
    start, result = game.rules.match.start, game.tables.result  # type: ignore[union-attr]
    crosses, dealer = [0, 0], 0
    while max(crosses) < lacking:
        score, ties = [start, start], 0
        while min(score) > 0:
            drawn = np.searchsorted(sums[dealer], rng.integers(sums[dealer][-1]), side="right")
            declarer, column, row = events[dealer][drawn]
            dealer = 1 - dealer
            if (winner := result.payoff_winner[row]) == NOBODY:
                ties += 1
                continue
            party = declarer if winner == DECLARERS else 1 - declarer
            score[party] += int(result.payoff_change[column, row, winner]) - 2 * ties
            ties = 0
        winner = int(np.argmin(score))
        crosses[winner] += 1 + (score[1 - winner] == start)
    return crosses[0] >= lacking


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"ours": 0, "theirs": 24}, "ours is 0; allowed: multiples of 2 up to 24"),
        ({"ours": 24, "theirs": 3}, "theirs is 3; allowed: multiples of 2 up to 24"),
        ({"ours": 24, "theirs": 24, "pending": -1}, "pending is -1; allowed: 0 or more"),
    ],
)
def test_what_is_no_score_is_refused(call: dict[str, Any], message: str) -> None:
    game = Game(make_rules("faroese"))
    equity = RubberEquity.of(game, stored_results("faroese"))
    with pytest.raises(ValueError, match=f"^{message}$"):
        equity.win(**call)


def test_games_and_results_without_such_a_rubber_are_refused() -> None:
    of_deals, of_three = Game(make_rules("auction_sjavs")), Game(make_rules("faroese_3"))
    with pytest.raises(ValueError, match="auction_sjavs has no rubber that ends at 0"):
        RubberEquity.of(of_deals, DealResults.empty(of_deals))
    results = stored_results("faroese_3")
    with pytest.raises(ValueError, match="played by 3 parties; allowed: 2"):
        RubberEquity.of(of_three, results).win(24, 24)
    with pytest.raises(ValueError, match="faroese_3 is played by 3 parties; allowed: 2"):
        match_equity(of_three, results, 2)
    game = Game(make_rules("faroese"))
    nothing, ties = DealResults.empty(game), DealResults.empty(game)
    with pytest.raises(ValueError, match="lack deals dealt by party 0"):
        RubberEquity.of(game, nothing)
    ties.counts[:, 0, 0, game.tables.result.payoff_names.index("tie")] = 5
    with pytest.raises(ValueError, match="decide no deal; allowed: some that change a score"):
        RubberEquity.of(game, ties)
    with pytest.raises(ValueError, match="no results of 'handjass'; allowed: faroese, "):
        stored_results("handjass")
