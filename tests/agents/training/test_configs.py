"""The configurations that come with the project can be used as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from sjavs_agents.registry import make_agent
from sjavs_agents.training.config import ConfigError, config_page, load_config
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


def test_the_page_of_the_settings_is_markdown() -> None:
    assert "``" not in config_page()  # which docstrings have, and what is empty would look like


def test_handjass_can_be_trained_for_two_and_three() -> None:
    for players in (2, 3):
        argv = ["--config", "configs/handjass.yaml", "--overrides", f"{{players: {players}}}"]
        config, _ = load_config(argv)
        assert make_rules(config.rules, **config.overrides).players == players


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "rules: faroese\nrules: suduroy\n",
            "x.yaml, line 2: 'rules' is given twice; allowed: once",
        ),
        ("learn: {clip: 0.1}\nrun: {}\nlearn: {epochs: 3}\n", "line 3: 'learn' is given twice"),
        ("learn:\n  clip: 0.1\n  clip: 0.1\n", "line 3: 'clip' is given twice"),
        ("overrides: {tie: double, tie: add_2}\n", "line 1: 'tie' is given twice"),
        ("learn: {clip: 1\n", "x.yaml is no YAML file: "),
        ("learn:\n\tclip: 1\n", "x.yaml is no YAML file: "),
        ("rules: faroese\n---\nrules: suduroy\n", "x.yaml is no YAML file: "),
        ("overrides: &a [*a]\n", "x.yaml: line 1 refers to '*a'; allowed: settings written out"),
        ("a: &a [1]\n" + "".join(f"b{i}: &b{i} [*a]\n" for i in range(9)), "line 2 refers to"),
        ("[" * 60000, "x.yaml: line 1 is 9 levels deep; allowed: 8"),
        ("a:\n" + "".join(" " * i + "- \n" for i in range(1, 99)), "levels deep; allowed: 8"),
        ("#" * 100_000, "x.yaml: settings of more than 65536 bytes; allowed: fewer"),
        ("rules: handjass\noverrides: {players: 99}\n", "players is 99 in handjass; allowed: 2, 3"),
        ("rules: f\udce6r\n", "x.yaml is no YAML file: 'utf-8' codec"),
        ("- rules\n", "- rules"),
        ("learn: {clipp: 1}\n", "'clipp'; allowed: name, epochs, minibatch, "),
        ("lern: {clip: 1}\n", "'lern.clip' is not accepted; allowed: rules, overrides, run, "),
        ("overrides: {3: 4}\n", "faroese has no parameter 3; allowed: "),
        ("overrides: [tie]\n", "overrides"),
        ("learn: 3\n", "learn is 3; allowed: settings"),
        ("learn: {clip: .nan}\n", "learn.clip is nan; allowed: 0 to 1e+30"),
        ("learn: {epochs: true}\n", "learn.epochs"),
        ("evaluation: {final_boards: 1000000000000}\n", "final_boards is 1000000000000; allowed: "),
    ],
)
def test_a_bad_file_is_refused_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    for argv in (["--config", str(path)], [f"--config={path}"]):
        with pytest.raises(ConfigError) as caught:
            load_config(argv)
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_file_that_may_not_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbid(self: Path, encoding: str) -> str:
        raise PermissionError(13, "Permission denied", str(self))

    path = tmp_path / "x.yaml"
    path.touch()
    monkeypatch.setattr(Path, "read_text", forbid)
    with pytest.raises(ConfigError, match=r"x\.yaml: Permission denied"):
        load_config(["--config", str(path)])


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("&a [*a]", "refers to '*a'; allowed: settings written out"),
        ("{a: &a [1], b: *a}", "refers to '*a'"),
        ("[" * 50000, "levels deep; allowed: 8"),
        ("x" * 100_000, "settings of more than 65536 bytes"),
        ("{players: 10000000}", "players is 10000000 in faroese; allowed: 4"),
    ],
)
def test_an_argument_that_is_no_plain_setting_is_refused(value: str, message: str) -> None:
    for argv in (["--overrides", value], [f"--overrides={value}"]):
        with pytest.raises(ConfigError) as caught:
            load_config(argv)
        assert message in str(caught.value)


def test_a_section_of_the_command_line_names_its_settings() -> None:
    with pytest.raises(ConfigError, match=r"--learn\.clipp.*; allowed: name, epochs, minibatch, "):
        load_config(["--learn.clipp", "1"])
