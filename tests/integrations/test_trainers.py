"""Trainers of others work with the environments as they are: `make test-integrations`."""

from __future__ import annotations

import numpy as np
import pytest

from sjavs_env import SingleSeatEnv, sjavs_v0

pytestmark = pytest.mark.integration


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("rules", ["faroese", "klorsjavs", "faroese_2"])
def test_maskable_ppo_of_stable_baselines_trains_one_seat(rules: str) -> None:
    sb3 = pytest.importorskip("sb3_contrib")
    env = SingleSeatEnv(rules, seat="rotate")
    model = sb3.MaskablePPO(
        "MultiInputPolicy", env, n_steps=128, batch_size=64, n_epochs=2, seed=1, device="cpu"
    )
    before = model.policy.state_dict()["action_net.weight"].clone()
    model.learn(512)
    assert not np.array_equal(before, model.policy.state_dict()["action_net.weight"])
    for seed in range(5):
        observation, _ = env.reset(seed=seed)
        over = False
        while not over:
            masks = env.action_masks()
            action, _ = model.predict(observation, action_masks=masks, deterministic=True)
            assert masks[action]
            observation, _, over, _, _ = env.step(int(action))


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("rules", ["faroese", "auction_sjavs"])
def test_torchrl_collects_masked_rollouts_of_all_seats(rules: str) -> None:
    envs = pytest.importorskip("torchrl.envs")
    env = envs.PettingZooWrapper(
        sjavs_v0.env(rules), use_mask=True, categorical_actions=True, done_on_any=False, seed=1
    )
    assert set(env.possible_agents) == {f"player_{i}" for i in range(len(env.possible_agents))}
    rollout = env.rollout(max_steps=60, break_when_any_done=True)
    assert len(rollout) >= 10
    done = rollout["next", "done"]
    assert bool(done[-1].all())
