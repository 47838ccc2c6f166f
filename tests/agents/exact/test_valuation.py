"""Values and best responses are those of the plain definitions, and CFR+ comes near equilibria."""

from __future__ import annotations

import numpy as np
import pytest

from sjavs_agents.base import Floats
from sjavs_agents.exact.cfr import CfrPlus, normalised
from sjavs_agents.exact.game_tree import GameTree
from sjavs_agents.exact.valuation import (
    action_values,
    best_response,
    exploitability,
    game_value,
    others_reach,
    own_reach,
)
from tests.agents.exact.slow_tree import (
    Policy,
    best,
    choices,
    mini_tree,
    tree_of_six,
    trees_of_six,
    value,
)


def drawn(tree: GameTree, seed: int) -> Floats:
    """Return a random policy; every third action has no chance in it."""
    weights = np.random.default_rng(seed).exponential(size=tree.n_slots)
    return normalised(tree, np.where(np.arange(tree.n_slots) % 3 == 2, 0, weights))


def by_history(tree: GameTree, policy: Floats) -> Policy:
    """Return a policy by what is seen of histories."""
    at = {int(key): i for i, key in enumerate(tree.infoset_key)}
    found = {}
    for root in trees_of_six():
        for node in choices(root):
            i = at[node.key]
            found[node.seen] = policy[tree.first_slot[i] : tree.first_slot[i + 1]].tolist()
    return found


def policies() -> list[Floats]:
    tree = tree_of_six()
    solver = CfrPlus(tree)
    *_, _ = solver.run(20)
    at_random = [drawn(tree, seed) for seed in (1, 2, 3)]
    return [tree.uniform(), solver.average(), solver.current(), *at_random]


@pytest.mark.parametrize("nth", range(6))
def test_exploitability_is_what_the_definition_says(nth: int) -> None:
    tree, policy = tree_of_six(), policies()[nth]
    slow, roots = by_history(tree, policy), [(1 / 90, root) for root in trees_of_six()]
    expected = sum(weight * value(root, slow) for weight, root in roots)
    found = exploitability(tree, policy)
    assert found.value == pytest.approx(expected, abs=1e-12)
    assert game_value(tree, policy) == found.value
    for seat, sign in ((0, 1), (1, -1)):
        gained = best(roots, slow, seat) - sign * expected
        assert found.against[seat] == pytest.approx(gained, abs=1e-12)
        assert gained > -1e-12
    assert found.nash_conv == sum(found.against)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_best_response_gains_what_it_says_and_no_other_answer_more(seat: int) -> None:
    tree, policy = mini_tree(), drawn(mini_tree(), 5)
    gained, answer = best_response(tree, policy, seat)
    sign = 1 if seat == 0 else -1
    own = tree.slot_seat == seat
    assert sign * game_value(tree, answer) == pytest.approx(gained, abs=1e-12)
    assert np.array_equal(answer[~own], policy[~own])
    assert np.array_equal(np.add.reduceat(answer, tree.first_slot[:-1])[tree.infoset_seat == seat],
                          np.ones((tree.infoset_seat == seat).sum()))  # fmt: skip
    for seed in range(20):
        other = np.where(own, drawn(tree, seed), policy)
        assert sign * game_value(tree, other) <= gained


def test_reaches_and_values_of_edges_make_up_the_value_of_the_game() -> None:
    tree, policy = mini_tree(), drawn(mini_tree(), 7)
    seats = [others_reach(tree, policy, seat) for seat in (0, 1)]
    ends = seats[0][tree.ends] * seats[1][tree.ends] * tree.n_deals  # the deal is in both
    assert ends.sum() == pytest.approx(1, abs=1e-12)
    assert ends @ tree.end_value == pytest.approx(game_value(tree, policy), abs=1e-12)
    into = action_values(tree, policy)[tree.node_into]
    assert np.abs(into).max() <= 16 + 1e-9
    reach = own_reach(tree, policy)[tree.node_infoset]
    for seat in (0, 1):
        mine = tree.infoset_seat[tree.node_infoset] == seat
        along = seats[1 - seat][tree.node_into][mine] * tree.n_deals
        assert np.allclose(along, reach[mine], atol=1e-14), "what the other seat cannot change"


def solution(tree: GameTree) -> float:
    """Return the value of a game by linear programming over sequences (von Stengel 1996)."""
    linprog = pytest.importorskip("scipy.optimize").linprog
    sparse = pytest.importorskip("scipy.sparse")
    rows = [np.flatnonzero(tree.slot_seat == seat) for seat in (0, 1)]
    place = np.zeros(tree.n_slots, dtype=int)
    for own in rows:
        place[own] = 1 + np.arange(len(own))  # 0 is the empty sequence

    def plan(seat: int) -> tuple[object, Floats]:
        """What makes a realization plan: E x = e."""
        infosets = np.flatnonzero(tree.infoset_seat == seat)
        matrix = sparse.lil_matrix((1 + len(infosets), 1 + len(rows[seat])))
        matrix[0, 0] = 1
        for row, i in enumerate(infosets, start=1):
            parent = tree.parent_slot[i]
            matrix[row, place[parent] if parent >= 0 else 0] = -1
            matrix[row, place[tree.first_slot[i] : tree.first_slot[i + 1]]] = 1
        return matrix.tocsr(), np.eye(1, 1 + len(infosets))[0]

    last = np.zeros((2, len(tree.edge_slot)), dtype=int)  # sequences by edge
    for ply in tree.plies:
        for node in range(ply.nodes.start, ply.nodes.stop):
            edges = slice(int(tree.first_edge[node]), int(tree.first_edge[node + 1]))
            last[:, edges] = last[:, [tree.node_into[node]]]
            seat = tree.infoset_seat[tree.node_infoset[node]]
            last[seat, edges] = place[tree.edge_slot[edges]]
    shape = (1 + len(rows[0]), 1 + len(rows[1]))
    payoff = sparse.coo_matrix(
        (tree.end_value / tree.n_deals, (last[0, tree.ends], last[1, tree.ends])), shape
    ).tocsr()
    (first, e), (second, f) = plan(0), plan(1)
    # the dealer chooses y and prices p of forehand's information sets: min e p, E' p >= A y
    found = linprog(
        np.concatenate([np.zeros(shape[1]), e]),
        A_ub=sparse.hstack([payoff, -first.T]),  # type: ignore[attr-defined]  # sparse
        b_ub=np.zeros(shape[0]),
        A_eq=sparse.hstack([second, sparse.csr_matrix((len(f), len(e)))]),
        b_eq=f,
        bounds=[(0, None)] * shape[1] + [(None, None)] * len(e),
    )
    assert found.status == 0
    return float(found.fun)


def test_the_value_of_the_solution_is_that_of_a_linear_program() -> None:
    tree = tree_of_six()
    solver = CfrPlus(tree)
    *_, _ = solver.run(400)
    found = exploitability(tree, solver.average())
    assert found.nash_conv < 1e-3
    assert abs(found.value - solution(tree)) <= found.nash_conv


def test_cfr_plus_is_near_an_equilibrium_of_the_mini_game_after_a_hundred_iterations() -> None:
    tree = mini_tree()
    solver = CfrPlus(tree)
    *_, _ = solver.run(100)
    found = exploitability(tree, solver.average())
    assert 0 < found.nash_conv < 0.005
    assert found.value == pytest.approx(-0.5465, abs=0.005)
    assert solver.decisions == 2 * 100 * tree.n_nodes
    policy = solver.average()
    assert np.allclose(np.add.reduceat(policy, tree.first_slot[:-1]), 1)


def test_the_mini_game_is_worth_learning() -> None:
    """In its solution forehand mostly bids and sometimes passes, and much is left to chance."""
    tree = mini_tree()
    solver = CfrPlus(tree)
    *_, _ = solver.run(60)
    policy = solver.average()
    opening = tree.plies[0]
    passes = policy[opening.slots][tree.slot_action[opening.slots] == tree.game.actions.pass_]
    assert 0.02 < passes.mean() < 0.5
    assert passes.max() > 0.5
    mixed = (policy > 0.05) & (policy < 0.95)
    assert mixed.mean() > 0.05
