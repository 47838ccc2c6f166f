"""Bad input to environments and records: one clear error, and nothing half done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sjavs_env import SingleSeatEnv, read_records, sjavs_v0, verify_file, write_record


def played(steps: int) -> Any:
    env = sjavs_v0.raw_env()
    env.reset(seed=3)
    for _ in range(steps):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    return env


def finished() -> Any:
    env = played(0)
    while env.agents:
        mask = env.last()[0]["action_mask"]
        env.step(int(np.flatnonzero(mask)[0]) if mask.any() else None)
    return env


@pytest.mark.parametrize("wrong", [None, 3, {}, {"cards": {}}])
def test_a_damaged_state_is_refused_and_the_old_one_stays(wrong: Any) -> None:
    env = played(9)
    before = env.get_state()
    with pytest.raises(ValueError, match=r"allowed|state"):
        env.set_state(wrong)
    assert env.get_state() == before


def test_a_state_with_a_part_missing_changes_nothing() -> None:
    env, good = played(9), played(14).get_state()
    before = env.get_state()
    for key in good:
        damaged = {k: v for k, v in good.items() if k != key}
        with pytest.raises(ValueError, match=r"allowed|state"):
            env.set_state(damaged)
        assert env.get_state() == before, key


def test_a_record_is_a_copy() -> None:
    env = finished()
    record = env.record()
    record["start"]["ties"] = 99
    record["deals"].clear()
    assert env.record()["start"]["ties"] == 0
    assert env.record()["deals"]


def test_a_record_after_a_line_that_was_cut_off_is_on_a_line_of_its_own(tmp_path: Path) -> None:
    path, env = tmp_path / "games.jsonl", finished()
    write_record(path, env.record())
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:40])  # killed while writing
    write_record(path, env.record())
    lines = path.read_text().splitlines()
    assert len(lines) == 3
    assert json.loads(lines[2]) == json.loads(lines[0])


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"[" * 100_000, b"{}\n"])
def test_a_file_of_something_else_is_named_with_its_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(data)
    for read in (verify_file, lambda p: list(read_records(p))):
        with pytest.raises(ValueError, match=r"games\.jsonl, line 1") as caught:
            read(path)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("answer", [999, 33.0, "x", None, True, -1])
def test_a_policy_that_answers_nonsense_is_named(answer: Any) -> None:
    env = SingleSeatEnv(policy=lambda observation, rng: answer, seat=0)

    def fail() -> None:
        for seed in range(20):
            env.reset(seed=seed)
            env.step(int(np.flatnonzero(env.action_masks())[0]))

    with pytest.raises(ValueError, match=r"allowed|illegal|policy"):
        fail()


def test_the_learner_cannot_act_for_a_seat_whose_policy_failed() -> None:
    env = SingleSeatEnv(policy=lambda observation, rng: 999, seat=0)

    def fail() -> None:
        for seed in range(20):
            env.reset(seed=seed)
            env.step(int(np.flatnonzero(env.action_masks())[0]))

    with pytest.raises(ValueError, match="999"):
        fail()
    with pytest.raises(ValueError, match="is to act; allowed: reset"):
        env.step(0)


@pytest.mark.parametrize("overrides", [3, ["tie"], {"rules": "suduroy"}, {"tie": "triple"}])
def test_overrides_are_a_mapping_of_parameters(overrides: Any) -> None:
    with pytest.raises(ValueError, match="allowed"):
        sjavs_v0.env(overrides=overrides)
