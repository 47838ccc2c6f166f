"""Many games of one rule set, dealt on within their episodes: what batches of games share.

Deals are numbered: game b plays deals b, b + B, b + 2B, ... of the seed, so the cards of a numbered
deal never depend on what was played before.  A deal that nobody bids on is dealt again with the
game's next number and is no event; after ``most_passed`` of them in a row (``MOST_PASSED``, unless
told otherwise) the episode ends, unpaid.
A game whose episode has ended waits, its phase OVER, until it is restarted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine.game import Game
from sjavs_env.engine.state import REDEAL, GameState
from sjavs_env.envs.episode import MOST_PASSED, Episode, is_over, pays
from sjavs_env.envs.options import check, whole_number
from sjavs_env.rules.tables import Ints, Phase

__all__ = ["Games", "check_count"]

MOST_GAMES = 10**7  # about 20 GB; a larger number is a slip


class Games:
    """B games and their state, which is stepped in place."""

    def __init__(
        self,
        game: Game,
        n_games: int,
        episode: Episode,
        crosses: int | None,
        *,
        seed: int = 0,
        most_passed: int | None = None,
    ) -> None:
        """Deal the first deals of ``seed``; the options are sound (``envs.options``)."""
        self.game = game
        self.episode: Episode = episode
        self.crosses = crosses
        self.most_passed = MOST_PASSED if most_passed is None else most_passed
        self.rows = np.arange(n_games)  # (B,)
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Deal the first deals of a seed in all games; game b is dealt by seat b modulo P."""
        n_games = len(self.rows)
        self._passed = np.zeros(n_games, dtype=np.intp)  # (B,) deals in a row, up to now
        self.state: GameState = self.game.new_games(
            n_games, seed=seed, stride=n_games, dealer=self.rows
        )

    def restart(self, rows: Ints) -> None:
        """Begin new episodes in the games ``rows`` (R,), with their next numbered deals."""
        self._passed[rows] = 0
        self.state.crosses[rows] = 0
        self.state.rubber_over[rows] = 1  # so that the next deal begins a new one
        self.game.next_deal(self.state, rows)

    def step(self, action: Ints, rows: Ints | None = None) -> tuple[Ints, NDArray[np.float32]]:
        """Play legal actions (R,) in the games ``rows``, all by default; deal on where one goes on.

        Returns the games (R,) whose episodes end with that and what each of their seats is paid
        (R, P).  Games that wait stay as they are.
        """
        state, at = self.state, self.rows if rows is None else rows
        waits = state.phase[at] == Phase.OVER
        self.game.step(state, action, rows)
        ended = at[(state.phase[at] == Phase.OVER) & ~waits]
        if not len(ended):
            return ended, np.zeros((0, self.game.tables.n_players), dtype=np.float32)
        return self._settle(ended)

    def _settle(self, ended: Ints) -> tuple[Ints, NDArray[np.float32]]:
        """Deal again after the deals that have just ended, or let their episodes end."""
        state, n = self.state, self.game.tables.n_players
        is_played = state.outcome[ended] != REDEAL
        played = ended[is_played]
        paid = played[is_over(state, self.episode, self.crosses)[played]]
        self._passed[ended] = np.where(is_played, 0, self._passed[ended] + 1)
        unpaid = ended[self._passed[ended] >= self.most_passed]
        finished = np.append(paid, unpaid)
        is_finished = np.zeros(len(self.rows), dtype=np.bool_)
        is_finished[finished] = True
        nothing = np.zeros((len(unpaid), n), dtype=np.float32)
        reward = np.concatenate([self._rewards(paid), nothing])
        self.game.next_deal(state, ended[~is_finished[ended]])
        return finished, reward

    def _rewards(self, rows: Ints) -> NDArray[np.float32]:
        """Return what the seats (R, P) of games are paid for their episodes."""
        won = pays(self.game, self.state, self.episode, self.crosses)[rows]
        return self.rewards(won, rows)

    def rewards(self, won: NDArray[np.float32], rows: Ints) -> NDArray[np.float32]:
        """Return rewards (R, P) for what the seats have won in the games ``rows``."""
        is_deal = self.episode == "deal"  # whose result concerns who was dealt to
        part = self.game.taking_part(self.state, rows) if is_deal else None
        return self.game.rewards(won, part)


def check_count(name: str, value: object) -> None:
    """ValueError unless so many games can be played together."""
    number = whole_number(value)
    enough = number is not None and 1 <= number <= MOST_GAMES
    check(name, value, enough, f"1 to {MOST_GAMES}")
