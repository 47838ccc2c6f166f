"""The games of a match written down: one record for each of its tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sjavs_agents.base import Ints
from sjavs_env import Game, GameState, History
from sjavs_env.records.files import record_line
from sjavs_env.records.history import Record

__all__ = ["Notes", "records_bytes"]


class Notes:
    """What happens at B tables that are played together."""

    def __init__(self, game: Game, state: GameState) -> None:
        """Begin with games that have just been dealt."""
        self.histories = [History.begin(game, state, row=row) for row in range(len(state))]

    def note(self, rows: Ints, seats: Ints, actions: Ints) -> None:
        """Note what the seats (R,) did at the tables ``rows`` (R,)."""
        for row, seat, action in zip(rows.tolist(), seats.tolist(), actions.tolist(), strict=True):
            self.histories[row].note(action, seat)

    def close(self, state: GameState, rows: Ints) -> None:
        """Note the results of deals that are over, before anything else is dealt."""
        for row in rows.tolist():
            self.histories[row].close_deal(state, row)

    def open(self, state: GameState, rows: Ints) -> None:
        """Go on with deals that have just been dealt."""
        for row in rows.tolist():
            self.histories[row].open_deal(state, row=row)

    def records(self, players: Iterable[Sequence[str]]) -> list[Record]:
        """Return the record of each table; ``players`` names who sat there, seat by seat."""
        return [
            history.record(names) for history, names in zip(self.histories, players, strict=True)
        ]


def records_bytes(records: Iterable[Record]) -> bytes:
    """Return records as they stand in a file, one a line."""
    return b"".join(map(record_line, records))
