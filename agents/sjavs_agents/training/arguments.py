"""The command line of a training: which configuration, which game, which settings.

What begins a command line, and what follows ``--config``, may be the name of a configuration that
comes with the program.  Settings are left to ``config``, which needs packages of an extra.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sjavs_env.cli.command import settings_apart
from sjavs_env.cli.shared import shared_file, shared_names
from sjavs_env.rules import ALIASES, RULE_SETS
from sjavs_env.rules.games.presets import plain_name

__all__ = ["TrainArguments", "help_text"]

MOST_SEEDS = 1000
GENERAL = "quickstart"  # the configuration for games that have none of their own
HELP = """usage: {program} [NAME] [--config NAME_OR_FILE] [--rules NAME] [--players N]
       [--set KEY=VALUE] [--seeds N] [--fresh true] [--SETTING VALUE ...]

Train a player by self-play.  The same command goes on where an interrupted one stopped.

  NAME            a configuration:
{configs}
                  or a rule set that has none of its own, trained as {general} is
  --config X      a configuration, or a YAML file with settings
  --rules NAME    the game, whatever the configuration says
  --players N     number of players, where a game has several
  --set KEY=VALUE override a parameter of the rules, as in --set tie=double
  --seeds N       train N players that differ in their seeds alone, and say how good they are
                  as one
  --fresh true    start over, even if the run has checkpoints

Settings and their defaults:

"""


@dataclass(frozen=True)
class TrainArguments:
    """A command line, taken apart."""

    settings: list[str]  # for the parser of settings, configurations by their paths
    players: int | None = None  # instead of what the configuration says
    overrides: tuple[str, ...] = ()  # parameters of the rules, ``KEY=VALUE``
    seeds: int | None = None  # as many trainings, if more than one

    @classmethod
    def read(cls, argv: Sequence[str]) -> TrainArguments:
        """Take words apart; ValueError, one line, for what is not there."""
        words = list(argv)
        settings = _named(words.pop(0)) if words and not words[0].startswith("-") else []
        players, seeds = None, None
        overrides: list[str] = []
        for option, value in _pairs(settings_apart(words)):
            if option == "--players":
                players = _number(option, value)
            elif option == "--seeds":
                seeds = _number(option, value)
                if not 2 <= seeds <= MOST_SEEDS:
                    raise ValueError(f"--seeds is {seeds}; allowed: 2 to {MOST_SEEDS}")
            elif option == "--set":
                overrides.append(_given(option, value))
            elif option == "--config" and value is not None:
                settings += ["--config", str(_path(value))]
            else:
                settings += [option] if value is None else [option, value]
        return cls(settings, players, tuple(overrides), seeds)


OWN = ("--players", "--set", "--seeds", "--config")  # options that are read here


def _pairs(words: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """Yield our options with their values, and every other word as it is."""
    rest = iter(words)
    for word in rest:
        option, equals, value = word.partition("=")
        if option not in OWN:
            yield word, None
        else:
            yield option, value if equals else next(rest, None)


def _given(option: str, value: str | None) -> str:
    if value is None:
        raise ValueError(f"{option} says nothing; allowed: {option} VALUE")
    return value


def _number(option: str, value: str | None) -> int:
    text = _given(option, value)
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise ValueError(f"{option} is {text[:50]!r}; allowed: a whole number")
    return int(text)


def _path(word: str) -> Path:
    """Return the configuration that a word means: a file, or else one that has this name."""
    path = Path(word)
    is_name = re.fullmatch(r"\w+", word) and not path.is_file()
    return shared_file("configs", word, ".yaml") if is_name else path


def _named(word: str) -> list[str]:
    """Return the settings that the first word stands for."""
    plain = plain_name(word)
    name = word if Path(word).is_file() else ALIASES.get(plain, plain)
    own = shared_names("configs", ".yaml")
    if name in RULE_SETS and name not in own:  # also where it is written with letters of its own
        general = shared_file("configs", GENERAL, ".yaml")
        return ["--config", str(general), "--rules", name, "--run.name", name]
    if re.fullmatch(r"\w+", name) and name not in own and not Path(name).is_file():
        allowed = ", ".join([*own, *(other for other in RULE_SETS if other not in own)])
        raise ValueError(
            f"there is no configuration {name!r}; allowed: {allowed}, or the path of a YAML file"
        )
    return ["--config", str(_path(name))]


def help_text(program: str) -> str:
    """Return what ``--help`` says; the settings stand in a page that comes with the program."""
    names = textwrap.fill(", ".join(shared_names("configs", ".yaml")), 76)
    head = HELP.format(program=program, configs=textwrap.indent(names, 18 * " "), general=GENERAL)
    page = shared_file("docs", "configuration", ".md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z_.]+)` \| `(.*?)` \| (.*) \|$", page, re.MULTILINE)
    lines = []
    for name, default, meaning in rows:
        lines.append(f"  --{name} {default}")
        lines.append(textwrap.indent(textwrap.fill(meaning.replace("`", ""), 90), 6 * " "))
    return head + "\n".join([*lines, ""])
