"""Any agent is laid out as a table: as it tells, as it always does, or as it is seen to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sjavs_agents.base import Floats, Ints
from sjavs_agents.base.asking import AgentError
from sjavs_agents.exact.cfr import CfrPlus
from sjavs_agents.exact.solved import PolicyTable, SolvedAgent
from sjavs_agents.exact.tabulating import check_answers, tabulate
from sjavs_agents.exact.valuation import exploitability
from sjavs_agents.heuristic.random_agent import RandomAgent
from sjavs_agents.neural.policy import NeuralAgent
from sjavs_agents.registry import make_agent
from sjavs_agents.training.run import Training
from sjavs_env import PlayerView
from tests.agents.exact.slow_tree import mini_tree, tree_of_six
from tests.agents.training.tiny import tiny_config


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


class Silent:
    """Draws lots and does not tell how."""

    name = "silent"

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        return RandomAgent().act(view, mask, rng)


def test_a_random_player_is_known_to_be_uniform() -> None:
    tree = mini_tree()
    found = tabulate(tree, make_agent("random", tree.game), rng())
    assert np.array_equal(found.policy, tree.uniform())
    assert not found.is_estimated


def test_a_player_that_never_draws_is_asked_once() -> None:
    tree = mini_tree()
    found = tabulate(tree, make_agent("greedy", tree.game), rng())
    assert found.asked == 1
    assert set(np.unique(found.policy)) == {0, 1}
    assert (np.add.reduceat(found.policy, tree.first_slot[:-1]) == 1).all()


@pytest.mark.parametrize("name", ["random-pass:chance=0.3", "random|random-pass:chance=0.9"])
def test_what_agents_tell_is_what_they_are_seen_to_do(name: str) -> None:
    tree = tree_of_six()
    agent = make_agent(name, tree.game)
    told = tabulate(tree, agent, rng())

    class Same(Silent):
        def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
            return agent.act(view, mask, rng)

    seen = tabulate(tree, Same(), rng(), asks=1500)
    assert (told.asked, seen.asked) == (0, 1500)
    assert seen.is_estimated
    assert np.abs(told.policy - seen.policy).max() < 5 * np.sqrt(0.25 / 1500)


def test_a_network_tells_what_it_draws_by_at_any_temperature(tmp_path: Path) -> None:
    training = Training(tiny_config(tmp_path, "mini_8"))
    plain, tree = training.agent(), mini_tree()

    def at(temperature: float) -> NeuralAgent:
        parts = plain.policies, plain.encoder, plain.precision
        return NeuralAgent("network", plain.game, *parts, temperature)

    likeliest, one, two = (tabulate(tree, at(t), rng()) for t in (0.0, 1.0, 2.0))
    assert (likeliest.asked, one.asked, two.asked) == (1, 0, 0)
    greatest = np.maximum.reduceat(one.policy, tree.first_slot[:-1])
    assert np.allclose(one.policy[likeliest.policy == 1], greatest)
    flat = np.sqrt(one.policy)
    assert np.allclose(two.policy, flat / tree.spread(np.add.reduceat(flat, tree.first_slot[:-1])))

    class Same(Silent):
        def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
            return at(2.0).act(view, mask, rng)

    seen = tabulate(tree, Same(), rng(), asks=3)
    expected = (two.policy * (1 - two.policy)).mean() / 3  # the variance of a share of three
    assert ((seen.policy - two.policy) ** 2).mean() == pytest.approx(expected, rel=0.05)


def test_one_that_draws_and_does_not_tell_is_only_estimated() -> None:
    tree = tree_of_six()
    for ask in (tabulate, check_answers):
        with pytest.raises(ValueError, match="'silent' draws lots and does not tell its prob"):
            ask(tree, Silent(), rng(), 0)
    check_answers(tree, Silent(), rng(), 2)
    tree = mini_tree()
    solver = CfrPlus(tree)
    *_, _ = solver.run(80)
    solved = SolvedAgent("solved", tree.game, PolicyTable.of(tree, solver.average()))

    class Secret(Silent):
        def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
            return solved.act(view, mask, rng)

    exact = exploitability(tree, tabulate(tree, solved, rng()).policy).nash_conv
    few, many = (
        exploitability(tree, tabulate(tree, Secret(), rng(), n).policy).nash_conv for n in (2, 40)
    )
    assert exact < 0.01
    assert few > 2 * many > 2 * exact, "best responses profit from chance in the answers as well"


def test_a_cheat_has_no_policy() -> None:
    pytest.importorskip("numba")
    tree = mini_tree()
    with pytest.raises(ValueError, match="looks into all hands"):
        tabulate(tree, make_agent("cheater", tree.game), rng())


@pytest.mark.parametrize(
    "told",
    [
        lambda mask: mask * 0.5,
        lambda mask: np.full(mask.shape, 1 / mask.shape[1]),
        lambda mask: mask * np.nan,
        lambda mask: (mask / mask.sum(axis=1, keepdims=True))[:, :-1],
        lambda mask: [],
        lambda mask: np.where(mask == 1, np.resize([-1.0, 2.0], mask.shape[1]), 0),
    ],
)
def test_what_are_no_probabilities_is_told(told: Any) -> None:
    class Liar(Silent):
        name = "liar"

        def probabilities(self, view: PlayerView, mask: NDArray[np.int8]) -> Floats:
            found: Floats = told(mask)
            return found

    with pytest.raises(ValueError, match="'liar' tells what are no probabilities; allowed"):
        tabulate(tree_of_six(), Liar(), rng())


def test_an_agent_that_fails_is_named() -> None:
    class Failing(Silent):
        name = "failing"

        def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
            raise RuntimeError("oh")

    with pytest.raises(AgentError, match="failing raised RuntimeError: oh"):
        tabulate(tree_of_six(), Failing(), rng())


@pytest.mark.parametrize(
    "name", ["pimc:worlds=2", "rollout:worlds=2", "ismcts:iterations=4", "rules"]
)
def test_players_that_search_play_mini_games(name: str) -> None:
    pytest.importorskip("numba")
    tree = mini_tree()
    check_answers(tree, make_agent(name, tree.game), rng(), 1)
