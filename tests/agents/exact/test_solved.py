"""A solved game is a file that is a player; a damaged one is told in one line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sjavs_agents.arena.match import play_match
from sjavs_agents.base import fair
from sjavs_agents.exact.cfr import CfrPlus
from sjavs_agents.exact.solved import PolicyTable, load_solved, save_solved
from sjavs_agents.exact.tabulating import tabulate
from sjavs_agents.neural.checkpoint import read_checkpoint, write_checkpoint
from sjavs_agents.registry import make_agent
from sjavs_env import Game, make_rules, view_of
from tests.agents.exact.slow_tree import mini_tree

ABOUT = {"iterations": 20, "value": -0.5, "nash_conv": 0.1}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tree, solver = mini_tree(), CfrPlus(mini_tree())
    *_, _ = solver.run(20)
    found = tmp_path_factory.mktemp("solved") / "mini.safetensors"
    save_solved(found, tree.game, PolicyTable.of(tree, solver.average()), ABOUT)
    return found


def test_what_is_read_is_the_policy_that_was_written(path: Path) -> None:
    tree, solver = mini_tree(), CfrPlus(mini_tree())
    *_, _ = solver.run(20)
    agent = make_agent(str(path), tree.game)
    assert agent.name == str(path)
    found = tabulate(tree, agent, np.random.default_rng(0))
    assert found.asked == 0
    assert np.allclose(found.policy, solver.average(), atol=1e-12, rtol=0)


def test_the_same_policy_makes_the_same_file(path: Path, tmp_path: Path) -> None:
    tree, solver = mini_tree(), CfrPlus(mini_tree())
    *_, _ = solver.run(20)
    again = tmp_path / "again.safetensors"
    save_solved(again, tree.game, PolicyTable.of(tree, solver.average()), ABOUT)
    assert again.read_bytes() == path.read_bytes()


def test_it_plays_whole_rubbers_in_both_seats_and_beats_others(path: Path) -> None:
    game = Game(make_rules("mini_8"))
    solved = make_agent(str(path), game)
    for other in ("random", "rules"):
        players = (solved, make_agent(other, game))
        found = play_match(game, players, 400, seed=3).estimates()["game_points"]
        assert (found.low or 0) > 0
    assert play_match(game, (solved, solved), 20, seed=4, episode="rubber").estimates()


def test_it_draws_as_often_as_its_table_says(path: Path) -> None:
    tree = mini_tree()
    agent = load_solved(str(path), tree.game)
    n, rng = 20_000, np.random.default_rng(5)
    policy = tabulate(tree, agent, rng).policy
    mixed = np.flatnonzero((policy > 0.3) & (policy < 0.7))[0]
    infoset = int(np.searchsorted(tree.first_slot, mixed, side="right")) - 1
    rows = np.full(n, infoset)
    view = view_of(tree.game, tree.examples, rows, tree.infoset_seat[rows].astype(np.intp))
    actions = agent.act(view, tree.game.legal_actions(tree.examples, rows), rng)
    share = (actions == tree.slot_action[mixed]).mean()
    assert abs(share - policy[mixed]) < 4 * np.sqrt(0.25 / n)
    assert fair(agent) is agent


def test_it_plays_no_other_game(path: Path) -> None:
    for rules in (make_rules("mini_10"), make_rules("mini_8", auction_mode="forced")):
        with pytest.raises(ValueError, match="solves 'mini_8' with other rules than those of"):
            make_agent(str(path), Game(rules))
    changed = replace(make_rules("mini_8"), title="another title")
    with pytest.raises(ValueError, match="other rules"):
        make_agent(str(path), Game(changed))
    with pytest.raises(ValueError, match="no option 'temperature'; allowed: none"):
        make_agent(f"{path}:temperature=1", mini_tree().game)


def test_positions_that_its_game_has_not_have_no_answer(path: Path) -> None:
    tree = mini_tree()
    agent = load_solved(str(path), tree.game)
    rows = np.arange(3)
    view = view_of(tree.game, tree.examples, rows, tree.infoset_seat[rows].astype(np.intp))
    view.hand[:] = 255
    mask = tree.game.legal_actions(tree.examples, rows)
    with pytest.raises(ValueError, match="has no answer; allowed: positions of its own game"):
        agent.act(view, mask, np.random.default_rng(0))


def spoilt(**changes: Any) -> Any:
    def spoil(arrays: dict[str, Any], meta: dict[str, Any]) -> None:
        for name, change in changes.items():
            arrays[name] = change(arrays[name])

    return spoil


def _set(place: int, value: Any) -> Any:
    def change(array: np.ndarray) -> np.ndarray:
        array = array.copy()
        array[place] = value
        return array

    return change


DAMAGE = {
    "a key out of order": (spoilt(key=lambda a: a[::-1].copy()), "key does not rise"),
    "keys of another type": (spoilt(key=lambda a: a.astype(np.int64)), "key is an array of int64"),
    "a negative chance": (spoilt(probability=_set(0, -0.5)), "does not add up to 1"),
    "chances that are none": (spoilt(probability=_set(3, np.nan)), "does not add up to 1"),
    "an action that is none": (spoilt(action=_set(1, 999)), "action is none of the game"),
    "an action below all": (spoilt(action=_set(0, -1)), "action is none of the game"),
    "no actions": (spoilt(first=_set(1, 0)), "first does not part the actions"),
    "an end beyond": (spoilt(first=_set(-1, 10**6)), "first does not part the actions"),
    "a chance too few": (spoilt(probability=lambda a: a[:-1]), "first does not part the actions"),
    "two dimensions": (spoilt(action=lambda a: a[None]), "action is an array of int16"),
    "nothing": (spoilt(key=lambda a: a[:0], first=lambda a: a[:1]), "first does not part"),
    "an array more": (lambda a, m: a.update(x=a["key"]), "holds action, "),
    "another digest": (lambda a, m: m.update(digest="0" * 32), "with other rules than those of"),
    "other observations": (lambda a, m: m.update(observation=7), "observations of version 7"),
    "no digest": (lambda a, m: m.pop("digest"), "digest is missing"),
    "a sum that is none": (lambda a, m: m.update(nash_conv=-1), "nash_conv is -1"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_told_in_one_line(damage: str, path: Path, tmp_path: Path) -> None:
    spoil, message = DAMAGE[damage]
    arrays, meta = read_checkpoint(path)
    spoil(arrays, meta)
    odd = tmp_path / "odd.safetensors"
    kept = {k: v for k, v in meta.items() if k not in ("format", "version")}
    write_checkpoint(odd, arrays, kept)
    with pytest.raises(ValueError, match=message) as error:
        make_agent(str(odd), mini_tree().game)
    assert "\n" not in str(error.value)
    assert str(odd) in str(error.value)


def test_a_file_that_is_cut_off_is_told(path: Path, tmp_path: Path) -> None:
    odd = tmp_path / "odd.safetensors"
    for size in (0, 7, 300, 40_000):
        odd.write_bytes(path.read_bytes()[:size])
        with pytest.raises(ValueError, match="odd") as error:
            make_agent(str(odd), mini_tree().game)
        assert "\n" not in str(error.value)


def test_a_player_of_another_kind_is_no_solved_game(path: Path, tmp_path: Path) -> None:
    arrays, meta = read_checkpoint(path)
    odd = tmp_path / "odd.safetensors"
    write_checkpoint(odd, arrays, {k: v for k, v in meta.items() if k in ("rules", "digest")})
    with pytest.raises(ValueError, match="holds 'agent'; allowed here: 'solved game'"):
        load_solved(str(odd), mini_tree().game)
