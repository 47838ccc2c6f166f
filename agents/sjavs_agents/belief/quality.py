"""How good beliefs about hidden cards are: log loss, Brier score and calibration.

At every decision each hidden card is a question: who holds it?  Log loss in nats and Brier score
(the sum over holders of squared errors; Brier 1950) are means over cards.  Skill is 1 - loss /
loss of the exact posterior.  The calibration error is that of 15 bins of equal mass: the mean
distance of chance and frequency.  KL is the mean divergence of a belief from the exact posterior.
The interval is that of the log loss less the exact posterior's, over deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Bool, Floats, Ints
from sjavs_agents.belief.self_play import Moment
from sjavs_agents.stats.estimates import Estimate, estimate_mean
from sjavs_env import Game

__all__ = ["HEAD", "Guesses", "Quality", "by_trick", "calibration_error", "quality"]

BINS = 15
HEAD = "trick  belief      log loss   skill   Brier   calibration      KL   excess log loss"


@dataclass(frozen=True)
class Guesses:
    """Answers to the question who has a hidden card: the chance of each holder by each belief."""

    by_name: dict[str, Floats]  # (cards, H) each
    truth: Ints  # (cards,) the holder
    deal: Ints  # (cards,)
    trick: Ints  # (cards,)

    @classmethod
    def about(
        cls, game: Game, moment: Moment, exact: Floats, chances: Mapping[str, Floats]
    ) -> Guesses:
        """Ask about all hidden cards of some decisions, given the exact chances (R, H, N)."""
        hidden = exact.sum(axis=1) > 0.5
        row, card = np.nonzero(hidden)
        return cls(
            {name: chance[row, :, card] for name, chance in chances.items()},
            moment.holder(game, hidden)[row, card],
            moment.rows[row],
            moment.view.trick_number[row],
        )

    @classmethod
    def joined(cls, parts: Sequence[Guesses]) -> Guesses:
        """Return all questions in one."""
        return cls(
            {name: np.concatenate([p.by_name[name] for p in parts]) for name in parts[0].by_name},
            np.concatenate([p.truth for p in parts]),
            np.concatenate([p.deal for p in parts]),
            np.concatenate([p.trick for p in parts]),
        )

    def __len__(self) -> int:
        return len(self.truth)

    def select(self, at: Bool) -> Guesses:
        """Return some of the questions."""
        chances = {name: chance[at] for name, chance in self.by_name.items()}
        return Guesses(chances, self.truth[at], self.deal[at], self.trick[at])


@dataclass(frozen=True)
class Quality:
    """How good one belief is."""

    log_loss: float
    brier: float
    calibration: float
    divergence: float  # from the exact posterior
    skill: float
    excess: Estimate  # log loss less that of the exact posterior

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {**vars(self), "excess": vars(self.excess)}

    def line(self, trick: str, name: str) -> str:
        """Return a line of a table below ``HEAD``."""
        low, high = self.excess.low or 0.0, self.excess.high or 0.0
        return (
            f"{trick:>5}  {name:10} {self.log_loss:9.4f} {self.skill:7.3f} {self.brier:7.4f}"
            f" {self.calibration:13.4f} {self.divergence:7.4f}   {self.excess.mean:.4f}"
            f" ({low:.4f} to {high:.4f})"
        )


def calibration_error(chance: Floats, happened: Bool) -> float:
    """Return the mean distance of chances (cards,) from frequencies, in 15 bins of equal mass."""
    order = np.argsort(chance, kind="stable")
    bins: Iterator[tuple[NDArray[Any], NDArray[Any]]] = zip(
        np.array_split(chance[order], BINS), np.array_split(happened[order], BINS), strict=True
    )
    gaps = [len(c) * abs(c.mean() - h.mean()) for c, h in bins if len(c)]
    return float(sum(gaps) / len(chance))


def quality(guesses: Guesses, name: str, exact: str) -> Quality:
    """Return how good the belief ``name`` is, beside the one that is called ``exact``."""
    rows, chance = np.arange(len(guesses)), guesses.by_name[name]
    posterior = guesses.by_name[exact]
    loss, exact_loss = (-np.log(p[rows, guesses.truth]) for p in (chance, posterior))
    is_true = np.arange(chance.shape[1]) == guesses.truth[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(posterior > 0, posterior * np.log(posterior / chance), 0.0)
    deals, deal = np.unique(guesses.deal, return_inverse=True)
    excess = np.bincount(deal, loss - exact_loss, len(deals)) / np.bincount(deal)
    base = float(exact_loss.mean())
    return Quality(
        log_loss=float(loss.mean()),
        brier=float(((chance - is_true) ** 2).sum(axis=1).mean()),
        calibration=calibration_error(chance.ravel(), is_true.ravel()),
        divergence=float(terms.sum(axis=1).mean()),
        skill=1 - float(loss.mean()) / base if base else 0.0,
        excess=estimate_mean(excess),
    )


def by_trick(guesses: Guesses, exact: str) -> Iterator[tuple[str, str, Quality]]:
    """Yield trick, name and quality of each belief: over all questions, then trick by trick."""
    tricks = [(str(t + 1), guesses.trick == t) for t in np.unique(guesses.trick)]
    for trick, at in [("all", np.ones(len(guesses), np.bool_)), *tricks]:
        some = guesses.select(at)
        for name in some.by_name:
            yield trick, name, quality(some, name, exact)
