"""What is taken off results for luck: weights of the values of a deal, and their known means.

A result u of a seat is corrected to u - (w·v - m): v are the values of the deal to the seat
(``DealValues``), w weights fitted to other deals, and m the mean of w·v over random deals for a
seat as far from the dealer.  Since neither w nor m come from the results that are corrected and v
depends on the deal alone, the mean of what is taken off is zero, whoever plays: a control
variate, which changes no expectation.  A poor fit only leaves more of the luck in.

A model may have a crew: an agent whose play is among the values, and by which actions are valued
where players draw (``drawn_actions``).  Of that luck a share is taken off, fitted as well.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sjavs_agents.base import Floats, Ints
from sjavs_agents.luck.outcomes import UNITS
from sjavs_agents.neural.schema import each, mapping, number, one_of, record, text, whole
from sjavs_env import Game, rules_from_json, rules_to_json
from sjavs_env.cli.atomic_files import write_json
from sjavs_env.cli.readable import check_readable
from sjavs_env.errors import shown

__all__ = [
    "FITTED",
    "Correction",
    "LuckModel",
    "fitted_path",
    "places",
    "read_model",
    "write_model",
]

FORMAT, VERSION = "sjavs-luck", 1
MOST_BYTES = 2**20  # of a file
MOST_SEATS, MOST_VALUES = 8, 64
DIGITS = 9  # of stored numbers
FITTED = Path(__file__).parent / "fitted"


@dataclass(frozen=True)
class Correction:
    """What is taken off results in one unit; P seats, told by how far from the dealer they sit."""

    weights: dict[str, float]  # by the name of a value
    mean: list[float]  # (P,) of w·v over random deals; the dealer first
    covariance: list[list[float]]  # (P, P) of the errors of these means
    explained: float  # share of the variance of results, on deals that were left out of the fit
    draws: float = 0.0  # share of the luck of draws that is taken off

    def off(self, names: tuple[str, ...], values: Floats, dealer: Ints) -> Floats:
        """Return what luck brought each seat (R, P), from values (R, P, values) of these names."""
        weight = np.array([self.weights[name] for name in names])
        place = places(dealer, values.shape[1])
        return np.asarray(values @ weight - np.array(self.mean)[place])


@dataclass(frozen=True)
class LuckModel:
    """Corrections for one game, by unit, and how they were made."""

    rules: dict[str, Any]  # as JSON
    made: dict[str, Any]  # agents, deals and seed of the fit; crew, and digests of its files
    corrections: Mapping[str, Correction]

    def check_game(self, game: Game, names: tuple[str, ...]) -> None:
        """ValueError unless the model is for this game and these values of deals."""
        if self.rules != rules_to_json(game.rules):
            raise ValueError(
                f"rules are {shown(rules_to_json(game.rules))}; the luck model allows "
                f"{shown(self.rules)}"
            )
        for correction in self.corrections.values():
            if set(correction.weights) != set(names):
                raise ValueError(
                    f"weights are of {', '.join(correction.weights)}; allowed: {', '.join(names)}"
                )


def places(dealer: Ints, n_players: int) -> Ints:
    """Return how far from the dealer each seat sits (R, P), the dealer being 0."""
    return (np.arange(n_players) - dealer[:, None]) % n_players


def fitted_path(game: Game) -> Path:
    """Return where the model that comes with the program for a game lies, if there is one."""
    return FITTED / f"{game.rules.name}_{game.tables.n_players}.json"


_ROW = each(number(), MOST_SEATS)
_CORRECTION = record(
    {
        "weights": mapping(number(), MOST_VALUES),
        "mean": _ROW,
        "covariance": each(_ROW, MOST_SEATS),
        "explained": number(),
    },
    {"draws": number()},
)
_FILE = record(
    {
        "format": one_of(FORMAT),
        "version": one_of(VERSION),
        "rules": mapping(),
        "made": record(
            {"agents": each(text()), "deals": whole(1), "seed": whole(0, 2**64 - 1)},
            {"crew": text(), "files": each(text())},
        ),
        "corrections": record(dict.fromkeys(UNITS, _CORRECTION)),
    }
)  # fmt: skip


def read_model(path: Path) -> tuple[Game, LuckModel]:
    """Return a stored model and its game.

    OSError for a file that cannot be read; ValueError, one line, for one that holds no model.
    """
    check_readable(path)
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ValueError(f"{path} is longer than {MOST_BYTES} bytes; allowed: up to that")
    try:
        data = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: no JSON: {error}") from None
    if problem := _FILE(data, ""):
        raise ValueError(f"{path}: {problem}")
    try:
        game = Game(rules_from_json(data["rules"]))
        corrections = {unit: _correction(data, unit, game) for unit in UNITS}
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return game, LuckModel(data["rules"], data["made"], corrections)


def _correction(data: Mapping[str, Any], unit: str, game: Game) -> Correction:
    given, n = data["corrections"][unit], game.tables.n_players
    sizes = {len(given["mean"]), len(given["covariance"]), *map(len, given["covariance"])}
    if sizes != {n}:
        raise ValueError(f"corrections.{unit} is for {sorted(sizes)} seats; allowed: {n}")
    known = Correction.__dataclass_fields__
    return Correction(**{name: value for name, value in given.items() if name in known})


def write_model(path: Path, model: LuckModel) -> None:
    """Write a model to a file, whole or not at all."""
    corrections = {unit: _rounded(asdict(c)) for unit, c in model.corrections.items()}
    head = {"format": FORMAT, "version": VERSION, "rules": model.rules, "made": model.made}
    write_json(path, {**head, "corrections": corrections}, indent=1)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {name: _rounded(member) for name, member in value.items()}
    return [_rounded(member) for member in value] if isinstance(value, list) else value
