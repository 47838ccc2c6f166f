"""The players that search: legal, repeatable, and right where the right card can be told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sjavs_agents.arena.match import play_match
from sjavs_agents.heuristic.mixed_agent import MixedAgent
from sjavs_agents.heuristic.rule_agent import RuleAgent
from sjavs_agents.registry import AGENTS, make_agent
from sjavs_agents.search import pimc as pimc_module
from sjavs_agents.search.card_search import best_cards
from sjavs_agents.search.pimc import ROUND, PimcAgent
from sjavs_agents.search.rollout import RolloutAgent
from sjavs_agents.solver.solver import Solver
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import Game, GameState, PlayerView, make_rules, view_of
from tests.agents.seats import known
from tests.agents.solver.late import endings

FEWEST = {"worlds": 2, "iterations": 12}  # what a search has of them


def quickly(name: str) -> str:
    """The name of a player of the registry that searches no more than a test has time for."""
    found = ",".join(f"{k}={n}" for k, n in FEWEST.items() if k in AGENTS[name].options)
    return f"{name}:{found}" if found else name


QUICK = {name: quickly(name) for name, recipe in AGENTS.items() if recipe.searches} | {
    "points": "pimc:worlds=2,utility=points",
    "inference": "pimc:worlds=2,infer=rules",
    "late": "rollout:worlds=2,exact=2",
    "likely": "rollout:worlds=2,infer=policy",
}
# Two games for every player; the others are no different to it and take long, so only the search
# that draws worlds and the one that draws lines meet them all, and the rest when there is time.
TABLES = ["faroese", "klorsjavs", "faroese_free", "faroese_3", "danish_4", "auction_sjavs"]
QUICKLY = [
    pytest.param(
        rules, kind, id=f"{kind}-{rules}",
        marks=() if kind in ("late", "ismcts") or rules in TABLES[:2] else pytest.mark.slow,
    )
    for kind in QUICK
    for rules in TABLES
]  # fmt: skip


def game_of(rules: str = "faroese") -> Game:
    return Game(make_rules(rules))


@pytest.mark.parametrize(("rules", "kind"), QUICKLY)
def test_they_play_whole_deals_and_the_same_ones_again(rules: str, kind: str) -> None:
    """The arena refuses an illegal action."""
    game, name = game_of(rules), QUICK[kind]
    first, again = (
        play_match(game, (known(name, game), RuleAgent(game)), 1, seed=5) for _ in range(2)
    )
    assert first.agents[0] == name
    np.testing.assert_array_equal(first.game_points, again.game_points)
    np.testing.assert_array_equal(first.tally.actions, again.tally.actions)


@pytest.mark.parametrize("name", ["rollout:worlds=2", "ismcts:iterations=12"])
def test_games_of_many_sides_are_searched_without_open_hands(name: str) -> None:
    game = game_of("handjass")
    result = play_match(game, (make_agent(name, game), make_agent("random", game)), 2, seed=5)
    assert result.tally.decisions[0] > 0


@pytest.mark.parametrize("name", ["pimc", "cheater", "rollout:exact=2"])
def test_an_open_handed_search_of_many_sides_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="handjass") as error:
        make_agent(name, game_of("handjass"))
    assert "\n" not in str(error.value)


def test_the_best_card_is_the_favourite_if_that_is_as_good() -> None:
    values = np.array([[1.0, 2.0, 2.0 + 1e-12, np.nan], [5.0, 1.0, 1.0, 0.0]])
    legal = np.array([[True, True, True, False], [False, True, True, True]])
    assert best_cards(values, legal, np.array([2, 3])).tolist() == [2, 1]
    assert best_cards(values, legal, np.array([0, 2])).tolist() == [1, 2]


@pytest.mark.parametrize("rules", ["faroese", "faroese_3", "klorsjavs"])
@pytest.mark.parametrize("name", ["pimc:worlds=4", "rollout:worlds=4,exact=3"])
def test_where_nothing_is_hidden_the_search_is_exact(rules: str, name: str) -> None:
    """Some endings agree with one deal only; there the imagined worlds are the real one."""
    game = game_of(rules)
    state, rows = endings(game, 400, 2)
    view = view_of(game, state, rows, state.seat[rows])
    known = np.flatnonzero(np.array(Sampler(game).count(view)) == 1)
    rows = rows[known]
    assert len(rows) > 5
    rng = np.random.default_rng(0)
    mask = game.legal_actions(state, rows)
    chosen = make_agent(name, game).act(view.select(known), mask, rng)
    values = Solver(game).card_values(state, rows, "score")
    best = np.nanmax(values, axis=1)
    np.testing.assert_allclose(values[np.arange(len(rows)), chosen], best)


def test_the_tree_search_finds_the_best_card_of_an_open_ending() -> None:
    game = game_of("faroese_3")
    state, rows = endings(game, 1200, 3)
    view = view_of(game, state, rows, state.seat[rows])
    known = np.flatnonzero(np.array(Sampler(game).count(view)) == 1)
    values = Solver(game).card_values(state, rows[known], "score")
    matters = np.nanmax(values, axis=1) > np.nanmin(values, axis=1)
    assert matters.sum() >= 3
    known, values = known[matters], values[matters]
    mask = game.legal_actions(state, rows[known])
    agent = make_agent("ismcts:iterations=300", game)
    chosen = agent.act(view.select(known), mask, np.random.default_rng(0))
    found = values[np.arange(len(known)), chosen]
    np.testing.assert_allclose(found, np.nanmax(values, axis=1))


def test_late_rollouts_are_open_handed_search() -> None:
    game = game_of()
    state, rows = endings(game, 40, 3)
    view, mask = view_of(game, state, rows, state.seat[rows]), game.legal_actions(state, rows)
    ours, theirs = (
        make_agent(name, game).act(view, mask, np.random.default_rng(3))
        for name in ("rollout:worlds=5,exact=8", "pimc:worlds=5")
    )
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("kind", ["pimc:worlds=5", "rollout:worlds=3", "ismcts:iterations=20"])
def test_before_the_last_tricks_the_policy_plays(kind: str) -> None:
    game = game_of()
    player, whole, policy = (
        make_agent(name, game)
        for name in (f"{kind},policy=greedy,tricks=3", f"{kind},policy=greedy", "greedy")
    )
    for tricks_left, same in ((3, whole), (5, policy)):
        state, rows = endings(game, 60, tricks_left)
        view, mask = view_of(game, state, rows, state.seat[rows]), game.legal_actions(state, rows)
        chosen, expected, other = (
            agent.act(view, mask, np.random.default_rng(3))
            for agent in (player, same, policy if same is whole else whole)
        )
        np.testing.assert_array_equal(chosen, expected)
        assert (chosen != other).any()


@pytest.mark.parametrize("kind", ["pimc:worlds=2", "rollout:worlds=2", "ismcts:iterations=4"])
def test_calls_are_those_of_the_policy(kind: str) -> None:
    """Where all may pass, ``random-pass`` nearly always does; the player by maxims does not."""
    game = game_of("faroese_free")
    state = game.new_games(40, seed=1)
    rows = np.arange(40)
    view, mask = view_of(game, state, rows, state.seat), game.legal_actions(state)
    passing, usual = (
        make_agent(f"{kind}{policy}", game).act(view, mask, np.random.default_rng(0))
        for policy in (",policy=random-pass:chance=1", "")
    )
    assert (passing == game.actions.pass_).all()
    assert (usual != game.actions.pass_).any()


def test_worlds_weighed_by_the_policy_are_those_weighed_by_its_name() -> None:
    game = game_of()
    state, rows = endings(game, 40, 4)
    view, mask = view_of(game, state, rows, state.seat[rows]), game.legal_actions(state, rows)
    own, named, even = (
        make_agent(f"pimc:worlds=4,policy=greedy{infer}", game).act(
            view, mask, np.random.default_rng(3)
        )
        for infer in (",infer=policy", ",infer=greedy", "")
    )
    np.testing.assert_array_equal(own, named)
    assert (own != even).any()


def test_a_search_of_few_tricks_plays_more_boards_at_once_unless_its_policy_searches() -> None:
    game = game_of()
    late, whole, slow = (
        make_agent(f"pimc:worlds=2{more}", game).boards_at_once  # type: ignore[attr-defined]  # an option of agents
        for more in (",tricks=4", "", ",tricks=4,policy=pimc")
    )
    assert late > whole == slow


class Telling(RuleAgent):
    """Plays by maxims and says that it gives every other card one chance in e^5."""

    def action_log_probs(self, view: PlayerView, mask: NDArray[np.int8]) -> NDArray[np.float32]:
        chosen = self.act(view, mask, np.random.default_rng(0))
        log_probs = np.where(mask == 1, -5, -1e9).astype(np.float32)
        log_probs[np.arange(len(chosen)), chosen] = 0
        return log_probs


@pytest.mark.parametrize(
    "kind",
    [
        lambda game, policy, x: RolloutAgent(game, policy, worlds=4, cards=0, prior=x),
        lambda game, policy, x: PimcAgent(game, policy=policy, worlds=4, prior=x),
    ],
    ids=["rollout", "pimc"],
)
def test_what_the_policy_prefers_counts_as_much_as_the_prior_says(kind: Any) -> None:
    game = game_of()
    state, rows = endings(game, 60, 5)
    view, mask = view_of(game, state, rows, state.seat[rows]), game.legal_actions(state, rows)
    policy = Telling(game)
    values = [
        agent.values(view, mask, np.random.default_rng(3))
        for agent in (kind(game, policy, prior) for prior in (0.0, 0.5))
    ]
    cards = mask[:, : len(game.pack)] == 1
    of_policy = policy.action_log_probs(view, mask)[:, : len(game.pack)]
    np.testing.assert_allclose((values[1] - values[0])[cards], 0.5 * of_policy[cards])
    bound = kind(game, policy, 100)
    ours, theirs = (a.act(view, mask, np.random.default_rng(3)) for a in (bound, policy))
    np.testing.assert_array_equal(ours, theirs)


def test_a_budget_of_time_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of()
    state, rows = endings(game, 4, 3)
    drawn: list[int] = []
    sample = Sampler.sample

    def counted(self: Sampler, view: object, worlds: int, rng: object) -> GameState:
        drawn.append(worlds)
        return sample(self, view, worlds, rng)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr(Sampler, "sample", counted)
    clock = iter(range(100))
    monkeypatch.setattr(pimc_module, "perf_counter", lambda: float(next(clock)))
    agent = PimcAgent(game, worlds=100, ms=3000 / len(rows))
    mask = game.legal_actions(state, rows)
    agent.act(view_of(game, state, rows, state.seat[rows]), mask, np.random.default_rng(0))
    assert drawn == [ROUND] * 3


def test_the_cheat_plays_only_where_hands_are_open() -> None:
    game = game_of()
    cheat, rules = make_agent("cheater", game), make_agent("rules", game)
    state = game.new_games(1)
    rows = np.array([0])
    view, mask = view_of(game, state, rows, state.seat), game.legal_actions(state)
    with pytest.raises(ValueError, match="has to see all hands"):
        cheat.act(view, mask, np.random.default_rng(0))
    for pair in ((cheat, rules), (rules, cheat)):
        with pytest.raises(ValueError, match="'cheater' looks into all hands"):
            MixedAgent(*pair)


@pytest.mark.parametrize(
    ("better", "worse", "boards"),
    [
        ("cheater", "rules", 40),
        ("pimc:worlds=4", "greedy", 24),
        pytest.param("rollout:worlds=8", "rules", 100, marks=pytest.mark.slow),
    ],
)
def test_the_better_player_wins(better: str, worse: str, boards: int) -> None:
    game = game_of()
    pair = make_agent(better, game), make_agent(worse, game)
    points = play_match(game, pair, boards, seed=2).estimates()["game_points"]
    assert points.low is not None
    assert points.low > 0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pimc:worlds=0", r"worlds is '0'; allowed: 1 to 1000000"),
        ("pimc:worlds=many", "worlds is 'many'"),
        ("pimc:utility=money", "utility is 'money'; allowed: score, points"),
        ("pimc:tricks=0", "tricks is '0'; allowed: 1 to 1000000"),
        ("pimc:ms=-1", "ms is '-1'; allowed: a number from 0"),
        ("pimc:infer=nobody", "there is no agent 'nobody'"),
        ("pimc:policy=nobody", "there is no agent 'nobody'"),
        ("pimc:policy=cheater", "'cheater' looks into all hands"),
        ("pimc:policy=policy", "there is no agent 'policy'"),
        ("pimc:infer=policy,belief=no.safetensors", "no.safetensors"),
        ("ismcts:tricks=0", "tricks is '0'; allowed: 1 to 1000000"),
        ("rollout:policy=nobody", "there is no agent 'nobody'"),
        ("rollout:prior=-1", "prior is '-1'; allowed: a number from 0"),
        ("rollout:infer=rules", "infer is 'rules'; allowed: policy"),
        ("cheater:worlds=3", "there is no option 'worlds'; allowed: utility, threads"),
        ("pimc:worlds=4,worlds=5", "worlds is given twice; allowed: once"),
        ("rules|cheater", "'cheater' looks into all hands; allowed: agents that play by what"),
        ("cheater||rules", "'cheater' looks into all hands"),
        ("pimc:infer=cheater", "'cheater' looks into all hands"),
        ("rollout:policy=cheater", "'cheater' looks into all hands"),
        ("rollout:policy=rollout:policy=cheater", "'cheater' looks into all hands"),
    ],
)
def test_what_cannot_be_made_is_refused_in_one_line(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        make_agent(name, game_of())
    assert "\n" not in str(error.value)
