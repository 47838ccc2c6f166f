"""The single seat under its registered name, and agents in it by theirs."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from sjavs_agents.registry import make_agent
from sjavs_env import SingleSeatEnv
from sjavs_env.envs import policies
from tests.envs.play import choose

NAME = "sjavs/SingleSeat-v0"


def test_the_checker_of_gymnasium_passes_what_is_made_by_name_alone() -> None:
    check_env(gymnasium.make(NAME).unwrapped)


def test_what_is_made_by_name_can_still_refuse_illegal_actions() -> None:
    env = gymnasium.make(NAME, illegal="raise")
    env.reset(seed=1)
    mask = env.get_wrapper_attr("action_masks")()
    with pytest.raises(ValueError, match="is illegal for player_0; legal: "):
        env.step(int(np.flatnonzero(~mask)[0]))


def test_the_environment_is_made_without_importing_the_package_first() -> None:
    code = f"""
import gymnasium
env = gymnasium.make("sjavs_env:{NAME}", rules="klorsjavs")
print(env.reset(seed=1)[0]["action_mask"].sum() > 0)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def story(env: SingleSeatEnv) -> list[Any]:
    rng, over = np.random.default_rng(4), False
    observation, _ = env.reset(seed=9)
    seen: list[Any] = [observation["observation"].tobytes()]
    while not over:
        observation, reward, over, _, _ = env.step(choose(observation["action_mask"], rng))
        seen.append((observation["observation"].tobytes(), reward))
    return seen


@pytest.mark.parametrize("rules", ["faroese", "handjass"])
@pytest.mark.parametrize("name", ["rules", "random", "greedy"])
def test_a_policy_can_be_given_by_the_name_of_an_agent(rules: str, name: str) -> None:
    by_name = SingleSeatEnv(rules, policy=name)
    assert story(by_name) == story(
        SingleSeatEnv(rules, policy=make_agent(name, by_name.table.game))
    )


def test_the_same_seed_gives_the_same_deals_whoever_sits_in_the_other_seats() -> None:
    hands = []
    for policy in ("rules", "random", "greedy"):
        env = SingleSeatEnv("faroese", policy=policy)
        env.reset(seed=12)
        hands.append(env.table.get_state()["cards"]["dealt"])
    assert hands[0] == hands[1] == hands[2]


def test_an_agent_that_nobody_knows_is_named_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"^policy is 'nobody'; .*random") as caught:
        SingleSeatEnv(policy="nobody")
    assert "\n" not in str(caught.value)


def test_without_the_agents_a_name_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policies, "_maker", lambda: None)
    wanted = r"^policy is 'rules', and there are no agents with names here; allowed: a function or "
    with pytest.raises(ValueError, match=wanted):
        SingleSeatEnv(policy="rules")


def test_nothing_of_the_agents_is_imported_until_a_name_is_given() -> None:
    code = "import sys, sjavs_env; sjavs_env.SingleSeatEnv(); print('sjavs_agents' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
