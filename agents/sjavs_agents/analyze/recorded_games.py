"""Deals of recorded games, as positions that can be judged together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sjavs_agents.base import Ints
from sjavs_env import Game, GameState, Position, deal_result, read_records, replay, rules_from_json

__all__ = ["Deal", "RecordedGame", "read_games"]


@dataclass(eq=False)
class Deal:
    """One deal of a record; R actions."""

    game: Game
    place: int  # in the record, from 0
    state: GameState  # R games: the positions before each action
    action: Ints  # (R,)
    end: GameState  # one game: how the deal ended, or where it was broken off
    number: int | None  # as in the record

    def result(self) -> dict[str, Any]:
        """Return the result of the deal as records have it."""
        return deal_result(self.game, self.end, self.number)

    def choices(self) -> Ints:
        """Return the moves at which there was more than one legal action."""
        mask = self.game.legal_actions(self.state)
        return np.flatnonzero(mask.sum(axis=1, dtype=np.intp) > 1)


@dataclass(eq=False)
class RecordedGame:
    """One line of a file of records."""

    line: int  # from 1
    game: Game
    rules: dict[str, Any]  # as JSON
    players: list[str] | None
    deals: list[Deal]


def read_games(path: Path, line: int | None = None, deal: int | None = None) -> list[RecordedGame]:
    """Return the games of a file, or the one of a line, with all deals or a single one.

    Lines and deals count from 1.  OSError for a file that cannot be read; ValueError for a
    malformed record, one that breaks the rules, and for a line or deal that is not there.
    """
    games, number = [], 0
    for number, record in enumerate(read_records(path), start=1):
        if line is None or line == number:
            try:
                games.append(_read(number, record, deal))
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from None
    if not games:
        if line is None or not number:
            raise ValueError(f"{path} holds no record; allowed: one game in each line")
        raise ValueError(f"line is {line}; {path} allows 1 to {number}")
    return games


def _read(number: int, record: dict[str, Any], deal: int | None) -> RecordedGame:
    n_deals = len(record["deals"])
    if deal is not None and not 1 <= deal <= n_deals:
        raise ValueError(f"deal is {deal}; allowed: 1 to {n_deals}")
    game = Game(rules_from_json(record["rules"]))
    deals = [d for d in _deals(game, record) if deal is None or d.place == deal - 1]
    return RecordedGame(number, game, record["rules"], record.get("players"), deals)


def _deals(game: Game, record: dict[str, Any]) -> Iterator[Deal]:
    before: list[Position] = []
    for position in replay(record):
        if position.action is not None:
            before.append(position)
            continue
        labels = [p.action or "" for p in before]
        yield Deal(
            game=game,
            place=position.deal,
            state=GameState.joined([p.state for p in before])
            if before
            else position.state.select(slice(0)),
            action=np.array([game.actions.parse(label) for label in labels], dtype=np.intp),
            end=position.state,
            number=record["deals"][position.deal].get("deal_number"),
        )
        before = []
