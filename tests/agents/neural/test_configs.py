"""The configurations that come with the project can be used as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.neural.config import load_config
from agents.registry import make_agent
from sjavs_env import PRESETS, Game, make_rules

CONFIGS = sorted(Path("configs").glob("*.yaml"))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_a_configuration_is_sound_and_its_players_know_the_game(path: Path) -> None:
    config, _ = load_config(["--config", str(path)])
    assert config.run.name == path.stem
    game = Game(make_rules(config.rules, **config.overrides))
    for name in config.evaluation.yardsticks:
        assert make_agent(name, game).name == name


def test_there_is_one_for_every_kind_of_game() -> None:
    trained = {load_config(["--config", str(path)])[0].rules for path in CONFIGS}
    like_the_default = {"faroese_smith", "faroese_wiki", "suduroy"}
    assert trained == set(PRESETS) - like_the_default


def test_handjass_can_be_trained_for_two_and_three() -> None:
    for players in (2, 3):
        argv = ["--config", "configs/handjass.yaml", "--overrides", f"{{players: {players}}}"]
        config, _ = load_config(argv)
        assert make_rules(config.rules, **config.overrides).players == players
