"""Where champions lie: the players that the package ``sjavs-champions`` brings along.

One file of weights for each game and number of players, ``<rules>-<players>.safetensors``, with a
card beside it.  In a checkout they are found where they are made.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from sjavs_env import RuleSet
from sjavs_env.cli.shared import in_checkout

__all__ = [
    "CHAMPION",
    "PACKAGE",
    "SUFFIX",
    "champion_file",
    "champion_files",
    "game_key",
    "own_shelf",
]

CHAMPION = "champion"  # the name by which agents are made
PACKAGE = "sjavs_champions"
SUFFIX = ".safetensors"


def own_shelf() -> Path:
    """Return the folder of a checkout in which champions are made."""
    return Path(__file__).parents[2] / "champions" / PACKAGE


def champion_files() -> dict[str, Path]:
    """Return the files of all champions there are, by ``game_key``, in alphabetical order."""
    found: dict[str, Path] = {}
    for folder in _shelves():
        found = {path.stem: path for path in folder.glob(f"*{SUFFIX}")} | found
    return dict(sorted(found.items()))


def champion_file(rules: RuleSet) -> Path:
    """Return the file of the champion of a game; ValueError, one line, if it has none.

    It is that of the rule set by name and number of players, whatever its other parameters.
    """
    key, found = game_key(rules), champion_files()
    if key in found:
        return found[key]
    game = _in_words(key)
    if not found:
        raise ValueError(
            f"there is no champion of {game}: sjavs-champions is not installed "
            "(pip install sjavs-champions)"
        )
    raise ValueError(f"there is no champion of {game}; allowed: {', '.join(map(_in_words, found))}")


def game_key(rules: RuleSet) -> str:
    """Return what the files of a game are called."""
    return f"{rules.name}-{rules.players}"


def _in_words(key: str) -> str:
    name, _, players = key.rpartition("-")
    return f"{name} for {players}"


def _shelves() -> list[Path]:
    """Return the folders that hold champions, the first of which counts."""
    found = [own_shelf()] if in_checkout() else []
    installed = find_spec(PACKAGE)
    if installed is not None:
        found += map(Path, installed.submodule_search_locations or [])
    return found
