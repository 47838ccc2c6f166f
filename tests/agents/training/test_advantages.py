import numpy as np
import pytest

from sjavs_agents.training.advantages import joint_advantages

LAMBDA = 0.9


def slow_advantages(
    values: np.ndarray, rewards: np.ndarray, index: np.ndarray, lam: float
) -> np.ndarray:
    """The definition, one game, one seat and one decision at a time."""
    out = np.zeros_like(values)
    for game in range(index.shape[1]):
        rows = [i for i in index[:, game] if i >= 0]
        for seat in range(values.shape[1]):
            for k, row in enumerate(rows):
                total = 0.0
                for later in range(k, len(rows)):
                    ends = later == len(rows) - 1
                    after = rewards[game, seat] if ends else values[rows[later + 1], seat]
                    total += lam ** (later - k) * (after - values[rows[later], seat])
                out[row, seat] = total
    return out


def random_case(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    made = rng.random((7, 5)) < 0.6
    index = np.full((7, 5), -1)
    index[made] = rng.permutation(made.sum())
    values = rng.normal(size=(made.sum(), 4)).astype(np.float32)
    return values, rng.normal(size=(5, 4)).astype(np.float32), index


@pytest.mark.parametrize("seed", range(5))
def test_advantages_equal_the_definition(seed: int) -> None:
    values, rewards, index = random_case(seed)
    fast = joint_advantages(values, rewards, index, LAMBDA)
    np.testing.assert_allclose(fast, slow_advantages(values, rewards, index, LAMBDA), atol=1e-5)


def test_with_lambda_one_the_target_is_the_final_reward() -> None:
    values, rewards, index = random_case(9)
    targets = values + joint_advantages(values, rewards, index, 1.0)
    for game in range(index.shape[1]):
        for row in index[index[:, game] >= 0, game]:
            np.testing.assert_allclose(targets[row], rewards[game], atol=1e-5)


def test_a_reward_reaches_decisions_of_other_seats_before_it() -> None:
    index = np.array([[0], [1]])
    values = np.zeros((2, 4), np.float32)
    rewards = np.array([[1, -1, 1, -1]], np.float32)
    out = joint_advantages(values, rewards, index, 0.5)
    np.testing.assert_allclose(out, np.array([[0.5, -0.5, 0.5, -0.5], [1, -1, 1, -1]]))
