"""The episodes of a file of records: what every deal of each brought every seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sjavs_agents.base import Floats
from sjavs_agents.luck.known_players import KnownPlayers
from sjavs_agents.luck.outcomes import margins, was_played
from sjavs_env import Game, GameState, read_records, replay, rules_from_json
from sjavs_env.records.history import Record

__all__ = ["Episodes", "Played", "episodes_of", "read_episodes"]


@dataclass(frozen=True)
class Played:
    """One deal of an episode."""

    episode: int
    deal: int  # which of the different deals of the file
    counts: bool  # it was played out
    all_in: bool  # all seats took part
    margin: Mapping[str, Floats]  # unit -> (P,)
    part: Floats  # (P,) 1 for seats that took part


@dataclass
class Episodes:
    """The episodes of a file of records, all of one game."""

    game: Game
    players: list[list[str]] = field(default_factory=list)  # (episodes,) each (P,)
    boards: list[int] = field(
        default_factory=list
    )  # (episodes,) those that begin with the same deal
    played: list[Played] = field(default_factory=list)
    dealt: list[tuple[tuple[int, ...], int, bool]] = field(default_factory=list)  # different deals
    broken_off: int = 0  # deals that were not played to the end, and do not count
    drawn: Mapping[str, Floats] | None = None  # unit -> (played, P) luck of known players' draws


def read_episodes(path: Path, known: Callable[[Game], KnownPlayers] | None = None) -> Episodes:
    """Read the records of a file, playing each again by the rules.

    Known players are made for the game of the file, and told by what number each deal stands in
    ``Episodes.played``.

    OSError for a file that cannot be read; ValueError, one line, for a malformed record, for one
    that breaks the rules, for records of several games and for none.
    """
    return episodes_of(read_records(path), str(path), known)


def episodes_of(
    records: Iterable[Record], source: str, known: Callable[[Game], KnownPlayers] | None = None
) -> Episodes:
    """Return the same of records that come from anywhere; ``source`` is where, for messages."""
    found: Episodes | None = None
    players: KnownPlayers | None = None
    rules: dict[str, Any] = {}
    deals: dict[tuple[tuple[int, ...], int, bool], int] = {}
    for line, record in enumerate(records, start=1):
        if found is None:
            found, rules = Episodes(Game(rules_from_json(record["rules"]))), record["rules"]
            players = None if known is None else known(found.game)
        if record["rules"] != rules:
            raise ValueError(f"{source}, line {line}: another game than that of line 1; allowed: "
                             "records of one game")  # fmt: skip
        try:
            _read_episode(found, record, deals, players)
        except ValueError as error:
            raise ValueError(f"{source}, line {line}: {error}") from None
    if found is None:
        raise ValueError(f"{source} holds no record; allowed: one game in each line")
    if players is not None:
        found.drawn = players.luck.of(len(found.played))
    return found


def _read_episode(
    found: Episodes,
    record: Mapping[str, Any],
    deals: dict[tuple[tuple[int, ...], int, bool], int],
    known: KnownPlayers | None,
) -> None:
    game, number = found.game, len(found.players)
    positions = list(replay(dict(record)))
    ends = [p.state for p in positions if p.action is None]
    numbers = []
    all_in: dict[int, int] = {}  # place in the record -> number, where luck is taken out
    for place, (deal, end) in enumerate(zip(record["deals"], ends, strict=True)):
        key = tuple(game.pack.parse_deck(deal["deck"])), int(deal["dealer"]), bool(deal["cut"])
        numbers.append(deals.setdefault(key, len(deals)))
        if numbers[-1] == len(found.dealt):
            found.dealt.append(key)
        if deal["result"]["kind"] == "forfeit":
            found.broken_off += 1
            continue
        found.played.append(_played(game, end, number, numbers[-1]))
        if found.played[-1].all_in:
            all_in[place] = len(found.played) - 1
    seats = [f"seat {seat}" for seat in range(game.tables.n_players)]
    found.players.append(record.get("players") or seats)
    if known is not None:
        known.read(positions, found.players[-1], all_in)
    found.boards.append(numbers[0])


def _played(game: Game, end: GameState, episode: int, deal: int) -> Played:
    part = game.taking_part(end, np.array([0]))
    took = np.ones(game.tables.n_players) if part is None else part[0].astype(np.float64)
    margin = {unit: found[0] for unit, found in margins(game, end).items()}
    return Played(episode, deal, bool(was_played(end)[0]), bool(took.all()), margin, took)
