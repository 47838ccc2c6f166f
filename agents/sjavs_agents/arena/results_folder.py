"""The folder of an evaluation, as ``sjavs evaluate --out`` leaves it, to be read by others.

    match.json      what was asked for, so that the same command goes on
    shards/         one file for each shard that was played
    results.json    the results, as ``--json`` writes them
    boards.npz      the results of every board, and what the agents did

``load`` reads the last two.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.arena.array_file import Form, arrays_bytes, form_of, read_arrays
from sjavs_agents.arena.match import EPISODES, MatchResult
from sjavs_agents.arena.shard_file import tally_arrays, tally_of
from sjavs_agents.arena.tally import Tally
from sjavs_env import Game, rules_from_json
from sjavs_env.errors import shown

__all__ = ["BOARDS", "MATCH", "RESULTS", "FolderError", "Results", "boards_bytes", "load",
           "read_object"]  # fmt: skip

MATCH, RESULTS, BOARDS = "match.json", "results.json", "boards.npz"
MOST_BYTES = 2**28  # of a JSON file
_SCORES = {  # of one match, (boards, tables)
    "deals": "<i8", "numbers": "<i8", "game_points": "<f8", "card_points": "<f8",
    "crosses": "<f8",
}  # fmt: skip


class FolderError(ValueError):
    """A folder does not hold the results of an evaluation; the message says which and why."""


@dataclass(frozen=True)
class Results:
    """The results of an evaluation."""

    game: Game
    data: Mapping[str, Any]  # all of ``results.json``
    pairs: tuple[MatchResult, ...]  # in the order of ``data["pairs"]``
    fresh: tuple[MatchResult | None, ...]  # of each pair, measured anew after a sequential test
    table: tuple[MatchResult, ...]  # of an evaluation with ``--table``: one for each agent


def boards_bytes(matches: Mapping[str, MatchResult]) -> bytes:
    """Return ``boards.npz`` of matches by name.  Without CPU times: they are never the same."""
    arrays: dict[str, NDArray[Any]] = {}
    for name, match in matches.items():
        own: dict[str, NDArray[Any]] = {k: getattr(match, k).astype(v) for k, v in _SCORES.items()}
        own |= tally_arrays(match.tally)
        del own["tally_seconds"]
        arrays |= {f"{name}.{k}": v for k, v in own.items()}
    return arrays_bytes(arrays)


def load(path: str | Path) -> Results:
    """Return the results in a folder; FolderError or OSError, one line, if there are none."""
    folder = Path(path)
    data = read_object(folder / RESULTS)
    try:
        game = Game(rules_from_json(data["rules"]))
        _check(data)
        names = _names(data)
        kinds = {name: _forms(game, len(agents)) for name, agents in names.items()}
        forms = {f"{n}.{k}": form for n, own in kinds.items() for k, form in own.items()}
        arrays = read_arrays(folder / BOARDS, forms)
        found = {n: _match(game, data, n, agents, arrays) for n, agents in names.items()}
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise FolderError(f"{folder / RESULTS} is no file of results ({error!r})") from None
    except ValueError as error:
        raise FolderError(f"{folder}: {error}") from None
    n = len(data["pairs"])
    return Results(
        game, data, tuple(found[f"pair_{i}"] for i in range(n)),
        tuple(found.get(f"pair_{i}_fresh") for i in range(n)),
        tuple(match for name, match in found.items() if name.startswith("table_")),
    )  # fmt: skip


def read_object(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file; FolderError for anything else, OSError if it is missing."""
    with path.open("rb") as file:
        text = file.read(MOST_BYTES + 1)
    try:
        if len(text) > MOST_BYTES:
            raise ValueError(f"it is longer than {MOST_BYTES} bytes")
        data = json.loads(text.decode("utf-8"))
        if not isinstance(data, dict):
            raise ValueError(f"it holds {shown(type(data).__name__)}; allowed: an object")
    except (ValueError, RecursionError) as error:
        raise FolderError(f"{path} is damaged or no file of an evaluation: {error}") from None
    return data


def _check(data: Mapping[str, Any]) -> None:
    """ValueError for results of another kind."""
    if data["episode"] not in EPISODES:
        raise ValueError(f"episode is {shown(data['episode'])}; allowed: {', '.join(EPISODES)}")
    if type(data["seed"]) is not int or not 0 <= data["seed"] < 2**64:
        raise ValueError(f"seed is {shown(data['seed'])}; allowed: 0 to {2**64 - 1}")


def _names(data: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the matches of a file by name, with their agents."""
    found: dict[str, tuple[str, ...]] = {}
    for i, pair in enumerate(data["pairs"]):
        agents = tuple(map(str, pair["agents"]))
        found[f"pair_{i}"] = agents
        if "fresh" in pair:
            found[f"pair_{i}_fresh"] = agents
    seated = tuple(str(one["agent"]) for one in data.get("table", {}).get("by_agent", ()))
    return found | {f"table_{i}": seated for i in range(len(seated))}


def _forms(game: Game, agents: int) -> dict[str, Form]:
    forms: dict[str, Form] = {name: (kind, (None, None)) for name, kind in _SCORES.items()}
    tally = tally_arrays(Tally.empty(game, agents))
    return forms | {k: form_of(v) for k, v in tally.items() if k != "tally_seconds"}


def _match(
    game: Game,
    data: Mapping[str, Any],
    name: str,
    agents: tuple[str, ...],
    arrays: Mapping[str, NDArray[Any]],
) -> MatchResult:
    """Return one match of a file; ValueError for arrays that do not fit together."""
    own = {k.rpartition(".")[2]: v for k, v in arrays.items() if k.rpartition(".")[0] == name}
    scores = {k: own[k] for k in _SCORES}
    if len({v.shape for v in scores.values()}) != 1 or not (own["deals"] > 0).all():
        raise ValueError(f"the boards of {name} do not fit together")
    own["tally_seconds"] = np.zeros(len(agents))
    boards = np.arange(len(own["deals"]))
    _, _, i = name.removesuffix("_fresh").partition("_")
    seed = data["pairs"][int(i)]["fresh"]["seed"] if name.endswith("_fresh") else data["seed"]
    return MatchResult(game, agents, seed, data["episode"], boards, **scores, tally=tally_of(own))
