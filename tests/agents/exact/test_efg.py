"""What is written for other programs is the same game: policies are worth the same in it."""

from __future__ import annotations

import numpy as np
import pytest

from sjavs_agents.base import Floats
from sjavs_agents.exact.cfr import CfrPlus
from sjavs_agents.exact.efg import efg_lines, infoset_numbers
from sjavs_agents.exact.game_tree import GameTree
from sjavs_agents.exact.valuation import exploitability
from tests.agents.exact.efg_reader import read_efg
from tests.agents.exact.slow_tree import Policy, Seen, best, mini_tree, tree_of_six, value


def solved(tree: GameTree) -> Floats:
    solver = CfrPlus(tree)
    *_, _ = solver.run(30)
    return solver.average()


def by_number(tree: GameTree, policy: Floats) -> Policy:
    """Return a policy by what the file calls information sets."""
    found: dict[Seen, list[float]] = {}
    numbers, dealt = infoset_numbers(tree), tree.examples.dealt
    for i, seat in enumerate(tree.infoset_seat.tolist()):
        hand = " ".join(tree.game.pack.names(int(dealt[i, seat])))
        slots = policy[tree.first_slot[i] : tree.first_slot[i + 1]]
        found[seat, (str(numbers[i]), hand), ()] = slots.tolist()
    return found


@pytest.mark.parametrize("game", ["six", pytest.param("mini_8", marks=pytest.mark.slow)])
@pytest.mark.parametrize("policy", ["uniform", "CFR+"])
def test_nash_conv_is_the_same_in_the_file(game: str, policy: str) -> None:
    tree = tree_of_six() if game == "six" else mini_tree()
    probabilities = tree.uniform() if policy == "uniform" else solved(tree)
    roots = read_efg("\n".join(efg_lines(tree)))
    told = by_number(tree, probabilities)
    nash_conv = sum(best(roots, told, seat) for seat in (0, 1))
    found = exploitability(tree, probabilities)
    assert nash_conv == pytest.approx(found.nash_conv, abs=1e-9)
    assert sum(w * value(root, told) for w, root in roots) == pytest.approx(found.value, abs=1e-9)


def test_information_sets_are_numbered_from_one_for_each_player() -> None:
    tree = tree_of_six()
    for seat in (0, 1):
        numbers = infoset_numbers(tree)[tree.infoset_seat == seat]
        assert np.array_equal(numbers, 1 + np.arange(len(numbers)))


def test_a_node_names_hand_and_actions_as_people_would() -> None:
    lines = list(efg_lines(tree_of_six()))
    assert lines[0] == 'EFG 2 R "Mini game of 8 cards" { "forehand" "dealer" }'
    assert '"AC KC / QC AS" 1/90' in lines[3]
    opening = next(line for line in lines if line.startswith("p"))
    assert opening.startswith('p "" 1 ')
    assert '"AC KC" { "pass" "2" } 0' in opening
