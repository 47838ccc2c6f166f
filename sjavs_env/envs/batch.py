"""Many games at once, batched by decision: the environment for trainers.

Every game presents the seat that is to act; one ``step`` answers all of them.  Deals are
numbered, and a deal that nobody bids on is no event (``envs.many_games``).

Autoreset, ``"same_step"`` by default: when an episode ends, the step that ends it reports its
reward and ``done``, and the turn it returns already belongs to the next episode.  With
``"disabled"`` a finished game waits with an all-zero mask and ``seat`` -1, its action is
ignored, and ``reset_games`` restarts it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sjavs_env.engine.game import Game
from sjavs_env.engine.state import GameState
from sjavs_env.envs.episode import Episode, check_crosses
from sjavs_env.envs.many_games import Games, check_count
from sjavs_env.envs.options import check, check_keywords, merged_overrides, whole_number
from sjavs_env.errors import is_one_of, shown
from sjavs_env.observation.encode import CardOrder, Encoder
from sjavs_env.observation.views import view_of
from sjavs_env.rules.games.presets import rules_for
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.tables import NONE, Ints, Phase

__all__ = ["BatchEnv", "Episode", "Turn"]

Autoreset = Literal["same_step", "disabled"]


@dataclass(eq=False)
class Turn:
    """What the seats to act see.  The arrays are the caller's, to keep or change."""

    observation: NDArray[np.uint8]  # (B, F) counts; multiply by ``layout.scale`` for 0..1
    mask: NDArray[np.int8]  # (B, A) 1 = legal
    seat: Ints  # (B,) the seat to act, -1 where the episode is over


class BatchEnv:
    """``num_games`` games of one rule set, stepped together."""

    def __init__(
        self,
        rules: str | RuleSet = "faroese",
        num_games: int = 1024,
        *,
        episode: Episode = "deal",
        crosses: int | None = None,
        autoreset: Autoreset = "same_step",
        card_order: CardOrder = "pack",
        seed: int = 0,
        players: int | None = None,
        num_players: int | None = None,
        **overrides: Any,
    ) -> None:
        """Build the games, ``MOST_GAMES`` or fewer; ValueError for bad rules or options.

        ``crosses`` is how many of them an episode of ``"rubber"`` goes to, None for one rubber.
        ``players`` is for games that several numbers of players can play; ``num_players`` is
        another word for it.
        ``card_order="trump"`` orders cards by strength under the named suit, in
        observations, masks and actions alike (see ``encode``).
        """
        check_keywords(type(self), overrides)
        check_count("num_games", num_games)
        _check_seed(seed)
        check("episode", episode, is_one_of(episode, ("deal", "rubber")), "deal, rubber")
        check("autoreset", autoreset, is_one_of(autoreset, ("same_step", "disabled")),
               "same_step, disabled")  # fmt: skip
        check_crosses(crosses, episode)
        given = merged_overrides(None, overrides, players)
        self.game = Game(rules_for(rules, given, num_players))
        self.encoder = Encoder(self.game, card_order)
        self.layout = self.encoder.layout
        self.actions = self.game.actions
        self.num_games = num_games
        self.episode: Episode = episode
        self.crosses = crosses
        self.autoreset: Autoreset = autoreset
        self._rows = np.arange(num_games)
        self._legal = np.zeros((num_games, self.actions.size), dtype=np.bool_)
        self._games = Games(self.game, num_games, episode, crosses, seed=seed)

    @property
    def state(self) -> GameState:
        """The games themselves, all hands included."""
        return self._games.state

    def reset(self, seed: int | None = None) -> Turn:
        """Start all games afresh.  Without a seed the numbered deals go on where they were."""
        if seed is not None:
            _check_seed(seed)
            self._games.begin(seed)
        else:
            self._games.restart(self._rows)
        return self.turn()

    def reset_games(self, rows: ArrayLike) -> None:
        """Start a new episode in some games, whatever state they are in.

        ``rows`` are their numbers, or one bool for each game; ValueError for anything else.
        """
        self._games.restart(self._checked(rows))

    def _checked(self, rows: ArrayLike) -> Ints:
        """Read rows, or a mask of all games; ValueError before anything changes."""
        found = np.asarray(rows)
        if found.dtype == np.bool_ and found.shape == (self.num_games,):
            return np.flatnonzero(found)
        inside = found.dtype.kind in "iu" and found.ndim == 1
        if not inside or ((found < 0) | (found >= self.num_games)).any():
            raise ValueError(
                f"rows are {shown(rows)}; allowed: numbers from 0 to {self.num_games - 1}, or one "
                "bool for each game"
            )
        return found.astype(np.intp)

    def turn(self) -> Turn:
        """Return observation, mask and seat of every game's decision."""
        state = self.state
        seat = np.where(state.phase == Phase.OVER, NONE, state.seat)
        view = view_of(self.game, state, self._rows, np.maximum(seat, 0))
        self._arranged = self.encoder.arrangement(view)
        observation = self.encoder.encode(view, arranged=self._arranged)
        mask = self.encoder.encode_mask(self.game.legal_actions(state), self._arranged)
        self._legal = mask.astype(np.bool_)  # own: callers may write into their mask
        return Turn(observation, mask, seat)

    def step(self, actions: ArrayLike) -> tuple[Turn, NDArray[np.float32], NDArray[np.bool_]]:
        """Answer every turn; return the next turns, rewards (B, P) and ends of episodes (B,).

        ``actions`` (B,) are in the card order of this environment.  Rewards are by seat at the
        table (``Game.rewards``): in episodes of one deal its game points, in episodes of a
        rubber the crosses, or chips, at its end.  ValueError names the first illegal action;
        nothing is played then.
        """
        action = np.asarray(actions)
        if action.dtype.kind not in "iu":
            raise ValueError(f"actions are of type {action.dtype}; allowed: whole numbers")
        action = action.astype(np.intp, copy=False)
        self._require_legal(action)
        finished, paid = self._games.step(self.in_pack_order(action))
        reward = np.zeros((self.num_games, self.game.tables.n_players), dtype=np.float32)
        done = np.zeros(self.num_games, dtype=np.bool_)
        reward[finished], done[finished] = paid, True
        if self.autoreset == "same_step":
            self._games.restart(finished)
        return self.turn(), reward, done

    def in_pack_order(self, actions: Ints) -> Ints:
        """Return this turn's actions (B,) as ids of ``self.actions``, which labels them."""
        return self.encoder.decode_actions(actions, self._arranged)

    def _require_legal(self, action: Ints) -> None:
        if action.shape != (self.num_games,):
            raise ValueError(f"actions have shape {action.shape}; allowed: ({self.num_games},)")
        inside = (action >= 0) & (action < self.actions.size)
        at = self._rows * self.actions.size + np.where(inside, action, 0)
        legal = self._legal.reshape(-1).take(at) & inside
        if not legal.all():
            self._refuse(action, legal)

    def _refuse(self, action: Ints, legal: NDArray[np.bool_]) -> None:
        """Raise ValueError for the first illegal action of a game that goes on."""
        bad = np.flatnonzero(~legal & (self.state.phase != Phase.OVER))
        if len(bad):
            b = int(bad[0])
            if not self._legal[b].any():  # dealt, and nobody has been told what is legal
                raise ValueError(
                    f"action {action[b]} of game {b} answers no turn; call reset(), or turn() "
                    "after reset_games(), before step()"
                )
            allowed = np.flatnonzero(self._legal[b]).tolist()
            raise ValueError(f"action {action[b]} of game {b} is illegal; allowed: {allowed}")


def _check_seed(seed: int) -> None:
    check("seed", seed, whole_number(seed) is not None and 0 <= seed < 2**64, f"0 to {2**64 - 1}")
