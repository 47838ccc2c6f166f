"""How good a guess where each hidden card lies: log loss, Brier score and calibration.

``python -m benchmarks.belief_quality [--rules NAME] [--deals N] [--worlds K] [--json FILE]``.
The club player plays all seats; at every card that it plays, each hidden card is a question: who
holds it?  Four answers are scored against the truth:

- ``places``: every card in proportion to the hidden cards that each holder has;
- ``voids``: evenly over the deals that agree with the cards played;
- ``calls``: evenly over those that agree with the calls as well, the exact posterior of a player
  who takes calls as hard facts and draws nothing else from them;
- ``K worlds``: as often as in K worlds drawn by the sampler, (k + 1/2) / (K + H/2) for H holders.

Log loss in nats and Brier score (the sum over holders of squared errors) are means over cards.
Skill is 1 - loss / loss of ``calls``.  The calibration error is that of 15 bins of equal mass:
the mean distance of chance and frequency.  ``KL`` is the mean divergence of an answer from
``calls``.  The interval is that of the log loss less that of ``calls``, over deals.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.estimates import Estimate, estimate_mean
from agents.files import write_json
from agents.registry import make_agent
from agents.search.worlds.sampler import Sampler
from benchmarks.arguments import number, writable
from sjavs_env import Game, GameState, Phase, PlayerView, hidden_hands, make_rules, view_of
from sjavs_env.command import OneLineParser, reason, run_command

__all__ = ["Guesses", "Quality", "calibration_error", "main", "quality"]

Floats = NDArray[np.float64]

BINS = 15


@dataclass(frozen=True)
class Guesses:
    """Answers to questions Q: the chance of each holder H by each way to guess."""

    by_name: dict[str, Floats]  # (Q, H) each
    truth: NDArray[np.intp]  # (Q,) the holder
    deal: NDArray[np.intp]  # (Q,)
    trick: NDArray[np.intp]  # (Q,)

    def select(self, at: Any) -> Guesses:
        """Return some of the questions."""
        chances = {name: chance[at] for name, chance in self.by_name.items()}
        return Guesses(chances, self.truth[at], self.deal[at], self.trick[at])


@dataclass(frozen=True)
class Quality:
    """How good one way to guess is."""

    log_loss: float
    brier: float
    calibration: float
    divergence: float  # from the exact posterior
    skill: float
    excess: Estimate  # log loss less that of the exact posterior


def true_holders(game: Game, state: GameState, rows: Any, viewer: Any) -> Any:
    """Return what each holder has in truth (R, H), as the sampler lists them."""
    hidden = hidden_hands(game, state, rows, viewer)
    if not game.tables.n_talon:
        return hidden
    own = state.declarer[rows] == viewer
    laid = np.where(own, 0, state.laid[rows])
    return np.concatenate([hidden[:, :-1], state.talon[rows][:, None], laid[:, None]], axis=1)


def decisions(game: Game, n_deals: int, seed: int) -> Iterator[tuple[Any, PlayerView, Any]]:
    """Yield rows, views and true holders wherever a card is to be played."""
    player, rng = make_agent("rules", game), np.random.default_rng(seed)
    state = game.new_games(n_deals, seed=seed, dealer=np.arange(n_deals))
    while (state.phase != Phase.OVER).any():
        going = np.flatnonzero(state.phase != Phase.OVER)
        seat = state.seat[going]
        view, mask = view_of(game, state, going, seat), game.legal_actions(state, going)
        plays = np.flatnonzero(view.phase == Phase.PLAY)
        if len(plays):
            rows = going[plays]
            yield rows, view.select(plays), true_holders(game, state, rows, seat[plays])
        game.step(state, player.act(view, mask, rng), going)


def guess(game: Game, n_deals: int, worlds: int, seed: int) -> Guesses:
    """Return the answers to all questions of so many deals."""
    exact, voids = Sampler(game), Sampler(game, calls=False)
    rng = np.random.default_rng(seed)
    parts = []
    for rows, view, true in decisions(game, n_deals, seed):
        calls = exact.belief(view)
        cards = np.arange(calls.shape[2], dtype=true.dtype)
        drawn = exact.hands(view, worlds, rng)
        times = (drawn[..., None] >> cards & 1).sum(axis=1)  # (R, H, N)
        room = calls.sum(axis=2, keepdims=True)
        hidden = np.maximum(room.sum(axis=1, keepdims=True), 1)  # nothing is in the last answer
        sampled = f"{worlds} worlds"
        answers = {
            "places": np.broadcast_to(room / hidden, calls.shape),
            "voids": voids.belief(view),
            "calls": calls,
            sampled: (times + 0.5) / (worlds + calls.shape[1] / 2),
        }
        row, card = np.nonzero(calls.sum(axis=1) > 0.5)
        holds = (true[row] >> card.astype(true.dtype)[:, None] & 1) == 1
        chances = {name: chance[row, :, card] for name, chance in answers.items()}
        parts.append(Guesses(chances, holds.argmax(axis=1), rows[row], view.trick_number[row]))
    names = parts[0].by_name
    return Guesses(
        {name: np.concatenate([p.by_name[name] for p in parts]) for name in names},
        np.concatenate([p.truth for p in parts]),
        np.concatenate([p.deal for p in parts]),
        np.concatenate([p.trick for p in parts]),
    )


def calibration_error(chance: Floats, happened: NDArray[np.bool_]) -> float:
    """Return the mean distance of chances (n,) from frequencies, in 15 bins of equal mass."""
    order = np.argsort(chance, kind="stable")
    bins = zip(
        np.array_split(chance[order], BINS), np.array_split(happened[order], BINS), strict=True
    )
    gaps = [len(c) * abs(c.mean() - h.mean()) for c, h in bins if len(c)]
    return float(sum(gaps) / len(chance))


def quality(guesses: Guesses, name: str) -> Quality:
    """Return how good one way to guess is."""
    rows, chance = np.arange(len(guesses.truth)), guesses.by_name[name]
    exact = guesses.by_name["calls"]
    loss, exact_loss = (-np.log(p[rows, guesses.truth]) for p in (chance, exact))
    is_true = np.arange(chance.shape[1]) == guesses.truth[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(exact > 0, exact * np.log(exact / chance), 0.0)
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


def main(argv: list[str] | None = None) -> int:
    """Measure, print, and write the figures; return the exit status."""
    parser = OneLineParser(prog="benchmarks.belief_quality", description=__doc__)
    parser.add_argument("--rules", default="faroese", help="a preset with an auction")
    parser.add_argument("--deals", type=number(1, 10**6), default=400)
    parser.add_argument("--worlds", type=number(1, 10**4), default=64, help="K")
    parser.add_argument("--seed", type=number(0, 2**64 - 1), default=0)
    parser.add_argument("--json", type=writable, metavar="FILE", help="write the figures to FILE")
    args = parser.parse_args(argv)
    try:
        game = Game(make_rules(args.rules))
    except ValueError as error:
        parser.error(reason(error))
    guesses = guess(game, args.deals, args.worlds, args.seed)
    print(f"{args.rules}: {len(guesses.truth)} cards in {args.deals} deals of the club player")
    print("trick  guess       log loss   skill   Brier   calibration      KL   excess log loss")
    results: dict[str, Any] = {}
    tricks = [(str(t + 1), guesses.trick == t) for t in np.unique(guesses.trick)]
    for trick, at in [("all", np.ones(len(guesses.truth), np.bool_)), *tricks]:
        some = guesses.select(at)
        for name in guesses.by_name:
            q = quality(some, name)
            results.setdefault(trick, {})[name] = {**vars(q), "excess": vars(q.excess)}
            low, high = q.excess.low or 0.0, q.excess.high or 0.0
            print(
                f"{trick:>5}  {name:10} {q.log_loss:9.4f} {q.skill:7.3f} {q.brier:7.4f}"
                f" {q.calibration:13.4f} {q.divergence:7.4f}   {q.excess.mean:.4f}"
                f" ({low:.4f} to {high:.4f})"
            )
    if args.json:
        write_json(args.json, results)
    return 0


if __name__ == "__main__":
    sys.exit(run_command("benchmarks.belief_quality", main))
