"""OpenSpiel reads the games that we write, and values policies as we do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sjavs_agents.base import Floats
from sjavs_agents.exact.cfr import CfrPlus
from sjavs_agents.exact.efg import efg_lines, infoset_numbers
from sjavs_agents.exact.game_tree import GameTree
from sjavs_agents.exact.valuation import exploitability
from tests.agents.exact.slow_tree import mini_tree, tree_of_six

pytestmark = pytest.mark.integration


def policy_there(game: Any, tree: GameTree, policy: Floats) -> dict[str, list[tuple[int, float]]]:
    """Return a policy by OpenSpiel's names of information sets and numbers of actions."""
    numbers = infoset_numbers(tree)
    place = {
        (int(seat), int(n)): i
        for i, (seat, n) in enumerate(zip(tree.infoset_seat, numbers, strict=True))
    }
    found: dict[str, list[tuple[int, float]]] = {}
    todo = [game.new_initial_state()]
    while todo:
        state = todo.pop()
        if state.is_terminal():
            continue
        legal = state.legal_actions()
        todo += [state.child(action) for action in legal]
        if state.is_chance_node() or (name := state.information_state_string()) in found:
            continue
        _, _, number, _ = name.split("-", 3)  # owner, observer, number, name
        i = place[state.current_player(), int(number)]
        told = policy[tree.first_slot[i] : tree.first_slot[i + 1]].tolist()
        found[name] = list(zip(legal, told, strict=True))
    return found


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("game", ["six", "mini_8"])
@pytest.mark.parametrize("kind", ["uniform", "CFR+"])
def test_nash_conv_is_the_same_there(game: str, kind: str, tmp_path: Path) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    tree = tree_of_six() if game == "six" else mini_tree()
    solver = CfrPlus(tree)
    *_, _ = solver.run(30)
    policy = tree.uniform() if kind == "uniform" else solver.average()
    path = tmp_path / "game.efg"
    path.write_text("".join(f"{line}\n" for line in efg_lines(tree)))
    theirs = pyspiel.load_game(f"efg_game(filename={path})")
    told = pyspiel.TabularPolicy(policy_there(theirs, tree, policy))
    found = exploitability(tree, policy)
    assert pyspiel.nash_conv(theirs, told) == pytest.approx(found.nash_conv, abs=1e-9)
