"""The benchmark of training tells times that fit together, here and against another checkout."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from benchmarks import training_speed
from benchmarks.training_speed import ROOT, main, measure

SMALL = ["--run.threads", "1", "--run.precision", "float32", "--collect.deals", "64"]


def test_parts_are_no_longer_than_what_they_are_parts_of() -> None:
    found = measure("quickstart", 1, [*SMALL, "--run.device", "cpu"])
    spent = found["microseconds"]
    assert 0 < spent["infer"] + spent["encode"] <= spent["collect"]
    assert 0 < spent["critic"] <= spent["learn"]
    assert spent["collect"] + spent["learn"] <= 1.01 * 1e6 / found["per_cpu_second"]
    assert (found["device"], found["precision"]) == ("cpu", "float32")


def test_two_checkouts_take_turns_and_the_ratio_is_that_of_their_medians(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    speeds = iter([30.0, 10.0, 60.0, 20.0, 90.0, 15.0])
    asked = []

    def told(root: Path, config: str, iterations: int, settings: list[str]) -> dict[str, object]:
        asked.append((root, settings))
        speed = next(speeds)
        return {"per_cpu_second": speed, "per_second": speed, "microseconds": {"learn": speed},
                "precision": "float32", "device": "cpu"}  # fmt: skip

    monkeypatch.setattr(training_speed, "in_process", told)
    path = tmp_path / "speed.json"
    args = ["--configs", "quickstart", "--against", str(tmp_path), "--set", "run.threads=1"]
    assert main([*args, "--json", str(path)]) == 0
    assert [root for root, _ in asked] == [ROOT, tmp_path.resolve()] * 3
    assert asked[0][1] == ["--run.threads", "1", "--run.device", "cpu"]
    assert asked[1][1] == ["--run.threads", "1"]  # an older one may know no devices
    assert json.loads(path.read_text())["quickstart"]["ratio"] == 60 / 15
    assert "ratio 4.00" in capsys.readouterr().out


def test_an_accelerator_that_is_not_there_is_skipped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert main(["--device", "cuda"]) == 0
    assert capsys.readouterr().out.startswith("not measured: device is 'cuda'; allowed")


@pytest.mark.parametrize("word", ["threads", "=1"])
def test_a_setting_without_name_or_value_is_refused(
    word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--set", word])
    assert f"setting is {word!r}; allowed: NAME=VALUE" in capsys.readouterr().err
