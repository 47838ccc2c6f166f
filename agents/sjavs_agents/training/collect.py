"""Play whole deals with the current policy and keep every real decision of the learner.

All games of an iteration start together and are played to the end, so an iteration needs
no bootstrapping and leaves nothing behind but the rubber scores, which go on.  Decisions with
one legal action are played but not kept.  A deal that nobody bids on ends with reward 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from sjavs_agents.base import Agent, Ints, forced, open_decisions
from sjavs_agents.base.asking import ask
from sjavs_agents.neural.network import Policies, Precision
from sjavs_agents.neural.policy import ILLEGAL, masked_log_probs, sample_actions, split_logits
from sjavs_env import (
    REDEAL,
    Encoder,
    Game,
    GameState,
    Phase,
    PlayerView,
    hidden_hands,
    view_of,
)

__all__ = ["Choosing", "Collector", "DivergedError", "Rollout", "Seating", "can_choose"]

LEARNER = -1
_PROBED = 256  # decisions of a rollout that policies are tried on


class DivergedError(RuntimeError):
    """The weights, or what comes of them, are no numbers to play by any more."""


@dataclass(frozen=True)
class Choosing:
    """How actions are drawn while deals are played for a learner."""

    greedy: bool = False  # the likeliest action, not a sample
    epsilon: float = 0.0  # share of all choices that is drawn evenly from what is legal


@dataclass(eq=False)
class Seating:
    """Who plays which seat: ``player`` (B, P) is LEARNER or an index into ``opponents``."""

    player: Ints
    opponents: Sequence[Agent] = ()

    @classmethod
    def all_learner(cls, n_games: int, n_players: int) -> Seating:
        """Every seat is the learner's."""
        return cls(np.full((n_games, n_players), LEARNER))


@dataclass(eq=False)
class Rollout:
    """D decisions of the learner in B deals."""

    counts: NDArray[np.uint8]  # (D, F + (P - 1) * N) observation, then the hidden hands
    mask: NDArray[np.int8]  # (D, A) in trump order
    action: Ints  # (D,) in trump order
    log_prob: NDArray[np.float32]  # (D,)
    seat: Ints  # (D,) at the table
    is_play: NDArray[np.bool_]  # (D,) a card was played (else a call or a trump suit)
    index: Ints  # (T, B) decision of game b at step t, or -1
    rewards: NDArray[np.float32]  # (B, P) zero-sum, in game points
    state: GameState  # the finished deals

    def __len__(self) -> int:
        return len(self.action)

    def deals(self) -> Ints:
        """Return the game (D,) that each decision was made in."""
        game_of = np.zeros(len(self), np.intp)
        for decision in self.index:
            games = np.flatnonzero(decision >= 0)
            game_of[decision[games]] = games
        return game_of


class _Buffer:
    """Preallocated room for the decisions of one iteration; it grows if it must."""

    def __init__(self, capacity: int, width: int, actions: int) -> None:
        self.size = 0
        self.arrays: dict[str, NDArray[Any]] = {
            "counts": np.zeros((capacity, width), np.uint8),
            "mask": np.zeros((capacity, actions), np.int8),
            "action": np.zeros(capacity, np.intp),
            "log_prob": np.zeros(capacity, np.float32),
            "seat": np.zeros(capacity, np.intp),
            "is_play": np.zeros(capacity, np.bool_),
        }

    def room_for(self, n: int) -> slice:
        """Reserve n rows and return them."""
        rows = slice(self.size, self.size + n)
        if rows.stop > len(self.arrays["action"]):
            self.arrays = {k: np.concatenate([v, np.zeros_like(v)]) for k, v in self.arrays.items()}
        self.size = rows.stop
        return rows


class Collector:
    """Plays deals of one rule set; the rubber scores of its games go on between calls."""

    def __init__(
        self,
        game: Game,
        encoder: Encoder,
        n_games: int,
        seed: int,
        explore: float = 0.0,
        share: range | None = None,
    ) -> None:
        """Play ``share`` (all, if left out) of ``n_games`` games that have one deal each.

        ``explore`` is the share of choices other than cards that is drawn evenly.
        """
        own = np.arange(n_games) if share is None else np.array(share)
        self.game = game
        self.explore = explore
        self.choosing = Choosing()
        self.encoder = encoder
        self.n_games = len(own)
        self.state = game.new_games(len(own), seed=seed, numbers=own, stride=n_games, dealer=own)
        self._is_first = True
        per_deal = 24  # real decisions in an average deal, and some more
        self._buffer = _Buffer(len(own) * per_deal, encoder.oracle_size, game.actions.size)

    def restore(self, state: GameState) -> None:
        """Go on from games whose last deal has been collected."""
        self.state = state
        self._is_first = bool((state.phase != Phase.OVER).any())

    def collect(
        self,
        policies: Policies,
        precision: Precision,
        seating: Seating,
        rng: np.random.Generator,
    ) -> Rollout:
        """Play one deal in every game; draws from ``rng`` for the learner and opponents alike.

        The arrays returned are reused by the next call.
        """
        everywhere = np.arange(self.n_games)
        if not self._is_first:
            self.game.next_deal(self.state, everywhere)
        self._is_first = False
        self._buffer.size = 0
        index = [
            self._step(rows, mask, policies, precision, seating, rng)
            for rows, mask in open_decisions(self.game, self.state)
        ]
        played = self.state.outcome != REDEAL
        gains = self.game.gains(self.state) * played[:, None]
        n = self._buffer.size
        return Rollout(
            **{k: v[:n] for k, v in self._buffer.arrays.items()},
            index=np.stack(index),
            rewards=self.game.rewards(gains, self.game.taking_part(self.state, everywhere)),
            state=self.state,
        )

    def _step(
        self,
        rows: Ints,
        mask: NDArray[np.int8],
        policies: Policies,
        precision: Precision,
        seating: Seating,
        rng: np.random.Generator,
    ) -> Ints:
        """Let every game go on by one action; return the learner's decisions by game."""
        state = self.state
        action, real = forced(mask)
        player = seating.player[rows, state.seat[rows]]
        decisions = np.full(self.n_games, -1)
        for who in np.unique(player[real]):
            at = real[player[real] == who]
            games = rows[at]
            view = view_of(self.game, state, games, state.seat[games])
            if who == LEARNER:
                kept, chosen = self._decide(policies, precision, view, games, mask[at], rng)
                decisions[games] = np.arange(kept.start, kept.stop)
                action[at] = chosen
            else:
                labels = self.game.actions.labels
                action[at] = ask(seating.opponents[who], view, mask[at], rng, labels)
        self.game.step(state, action, rows)
        return decisions

    @torch.inference_mode()
    def _decide(
        self,
        policies: Policies,
        precision: Precision,
        view: PlayerView,
        games: Ints,
        mask: NDArray[np.int8],
        rng: np.random.Generator,
    ) -> tuple[slice, Ints]:
        """Sample the learner's actions; return where they are kept, and the game's actions."""
        kept = self._buffer.room_for(len(games))
        a = self._buffer.arrays
        n_seen = self.encoder.layout.size
        arranged = self.encoder.arrangement(view)
        counts = self.encoder.encode(view, arranged=arranged)
        hidden = hidden_hands(self.game, self.state, games, view.seat)
        a["counts"][kept, :n_seen] = counts
        a["counts"][kept, n_seen:] = self.encoder.hidden_bits(hidden, arranged)
        a["mask"][kept] = self.encoder.encode_mask(mask, arranged)
        a["is_play"][kept] = view.phase == Phase.PLAY
        a["seat"][kept] = view.seat
        legal = torch.from_numpy(a["mask"][kept]).bool()
        is_play = a["is_play"][kept]
        logits = split_logits(policies, torch.from_numpy(counts), is_play, precision)
        log_probs = self._mixed(self._policy(logits, legal), legal, is_play).numpy()
        chosen = sample_actions(log_probs, rng)
        if not _are_sound(log_probs, a["mask"][kept], chosen):
            raise DivergedError(
                "the policies give no probabilities to choose by, for their weights are too "
                "large; allowed: a smaller learn.learning_rate, or other weights in run.init"
            )
        a["action"][kept] = chosen
        a["log_prob"][kept] = log_probs[np.arange(len(chosen)), chosen]
        return kept, self.encoder.decode_actions(chosen, arranged)

    def _policy(self, logits: Tensor, legal: Tensor) -> Tensor:
        """Return the log-probabilities (R, A) that the learner chooses by."""
        log_probs = masked_log_probs(logits, legal)
        if self.choosing.greedy:
            best = log_probs.argmax(dim=1, keepdim=True)
            log_probs = torch.full_like(log_probs, ILLEGAL).scatter_(1, best, 0.0)
        if self.choosing.epsilon > 0:
            mixed = _evenly_mixed(log_probs, legal, self.choosing.epsilon)
            log_probs = torch.where(legal, mixed, log_probs)
        return log_probs

    def _mixed(self, log_probs: Tensor, legal: Tensor, is_play: NDArray[np.bool_]) -> Tensor:
        """Return the log-probabilities (R, A) that actions are drawn with."""
        if self.explore == 0 or is_play.all():
            return log_probs
        mixed = _evenly_mixed(log_probs, legal, self.explore)
        return torch.where(torch.from_numpy(is_play)[:, None] | ~legal, log_probs, mixed)


def _evenly_mixed(log_probs: Tensor, legal: Tensor, share: float) -> Tensor:
    """Return log-probabilities (R, A) where a share of the choices is drawn evenly."""
    evenly = legal / legal.sum(dim=1, keepdim=True)
    return torch.log((1 - share) * log_probs.exp() + share * evenly + 1e-30)


@torch.inference_mode()
def can_choose(policies: Policies, precision: Precision, rollout: Rollout, n_seen: int) -> bool:
    """Return whether policies give probabilities, tried on some decisions of a rollout.

    Weights that are finite may still be so large that no logit is.  ``n_seen`` is F, without the
    hidden hands.
    """
    rows = slice(None, None, 1 + len(rollout) // _PROBED)
    mask, is_play = rollout.mask[rows], rollout.is_play[rows]
    if not len(mask):
        return True
    counts = torch.from_numpy(rollout.counts[rows, :n_seen])
    logits = split_logits(policies, counts, is_play, precision)
    log_probs = masked_log_probs(logits, torch.from_numpy(mask).bool()).numpy()
    return _are_sound(log_probs, mask, log_probs.argmax(axis=1))


def _are_sound(log_probs: NDArray[np.float32], mask: NDArray[np.int8], chosen: Ints) -> bool:
    """Return whether the actions chosen by log-probabilities (R, A) are legal and have some."""
    at = np.arange(len(chosen)), chosen
    return bool(mask[at].all() and np.isfinite(log_probs[at]).all())
