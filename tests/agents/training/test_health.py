"""What goes wrong in a training is noticed and told while it happens."""

from __future__ import annotations

from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import (
    EventAccumulator,
)

import train
from sjavs_agents.training.config import TrainConfig
from sjavs_agents.training.health import PATIENCE, SIGNS, Watch
from tests.agents.training.tiny import tiny_args

SOUND = {
    "contracts/redealt": 0.2, "contracts/lone": 0.1, "losses/entropy_bid": 0.3,
    "losses/explained_variance": 0.8, "losses/approx_kl_play": 0.01, "losses/approx_kl_bid": 0.02,
}  # fmt: skip
BAD = [
    ("stayed_out", {"contracts/redealt": 0.99}, "raise collect.explore (now 0.0)"),
    ("stayed_out", {"contracts/lone": 1.0}, "100% of the deals are passed out or dropped"),
    ("calls_settled", {"losses/entropy_bid": 1e-7}, "learn.entropy (now 0.03)"),
    ("critic_blind", {"losses/explained_variance": 0.01}, "the critic explains 1%"),
    ("steps_too_large", {"losses/approx_kl_play": 0.5}, "lower learn.learning_rate (now 0.0005)"),
    ("steps_too_large", {"losses/approx_kl_bid": 0.5}, "the policy moves by 0.50 nats"),
]


def watching() -> Watch:
    config = TrainConfig()
    config.collect.explore = config.collect.explore_end = 0.0
    return Watch(config)


@pytest.mark.parametrize(("sign", "values", "text"), BAD)
def test_a_sign_that_stays_is_told_once_with_what_to_change(
    sign: str, values: dict[str, float], text: str
) -> None:
    watch = watching()
    said = [watch.look(SOUND | values) for _ in range(4 * PATIENCE)]
    told = [i for i, (_, texts) in enumerate(said) if texts]
    assert told == [PATIENCE - 1]
    assert len(said[told[0]][1]) == 1
    assert text in said[told[0]][1][0]
    flags = [found[f"health/{sign}"] for found, _ in said]
    assert flags == [0.0] * (PATIENCE - 1) + [1.0] * (3 * PATIENCE + 1)


@pytest.mark.parametrize(("sign", "values", "text"), BAD)
def test_a_sign_is_told_again_only_after_it_was_gone(
    sign: str, values: dict[str, float], text: str
) -> None:
    watch, bad = watching(), SOUND | values
    course = [bad] * PATIENCE + [SOUND] + [bad] * PATIENCE + [SOUND] * PATIENCE + [bad] * PATIENCE
    told = [i for i, now in enumerate(course) if watch.look(now)[1]]
    assert told == [PATIENCE - 1, 4 * PATIENCE]


def test_sound_numbers_and_a_learner_that_says_little_give_no_sign() -> None:
    watch = watching()
    for values in [SOUND] * 10 + [{"contracts/redealt": 0.0}] * 10:
        flags, said = watch.look(values)
        assert flags == {f"health/{name}": 0.0 for name in SIGNS}
        assert said == []


def test_calls_drawn_evenly_are_not_taken_for_steps_of_the_policy() -> None:
    config = TrainConfig()
    config.collect.explore, config.collect.explore_end = 0.0, 0.1
    watch = Watch(config)
    for _ in range(2 * PATIENCE):
        assert watch.look(SOUND | {"losses/approx_kl_bid": 3.0})[1] == []


def test_players_who_learn_to_pass_are_told_of_on_the_console_and_in_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = [
        *tiny_args(tmp_path, iterations=16), "--rules", "klorsjavs", "--collect.explore", "0",
        "--collect.deals", "128", "--learn.learning_rate", "0.02", "--learn.epochs", "4",
    ]  # fmt: skip
    assert train.main(args) == 0
    shown = capsys.readouterr().out
    lines = [line for line in shown.splitlines() if "passed out or dropped" in line]
    assert len(lines) == 1
    assert lines[0].startswith("Iteration ")
    assert lines[0].endswith("raise collect.explore (now 0.0).")
    log = EventAccumulator(str(tmp_path / "tiny")).Reload()
    assert log.Scalars("health/stayed_out")[-1].value == 1.0
    assert log.Tensors("health/text_summary")
