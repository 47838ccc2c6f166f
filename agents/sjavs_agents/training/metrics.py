"""Every logged number, with its explanation, and the TensorBoard log of a run.

A tag that is not in ``METRICS`` cannot be logged, the numbers of a user's learner apart; the page
of the docs is printed from it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from torch.utils.tensorboard import SummaryWriter

from sjavs_agents.arena.match import MatchResult
from sjavs_agents.training.health import SIGNS
from sjavs_agents.training.learners.dmc import Dmc
from sjavs_agents.training.learners.ppo import Ppo
from sjavs_env import REDEAL, Game, GameState

__all__ = ["METRICS", "Log", "contract_metrics", "evaluation_metrics", "metrics_page"]

METRICS: dict[str, str] = {
    "charts/decisions_per_second": "Decisions learned from per second of wall time, end to end.",
    "charts/deals_per_second": "Deals played per second of wall time, end to end.",
    "charts/deals": "Deals played so far.",
    "charts/learning_rate": "Adam step size.",
    "charts/entropy_bonus": "Weight of the policy's entropy in the loss.",
    "charts/pool_won": "Share of deals the learner wins against its older copies (mean).",
    **{f"losses/{name}": text for name, text in {**Ppo.explained, **Dmc.explained}.items()},
    "eval/{opponent}/game_points": "Mean game points per deal more than this opponent, on the "
    "same duplicate boards every time.",
    "eval/{opponent}/game_points_low": "Lower end of its 95 % interval.",
    "eval/{opponent}/game_points_high": "Upper end of its 95 % interval.",
    "eval/{opponent}/card_points": "Mean card points per deal more than this opponent.",
    "eval/{opponent}/boards_won": "Share of boards won against this opponent, ties half.",
    "time/collect": "Share of the iteration spent playing deals.",
    "time/learn": "Share of the iteration spent on critic, advantages and gradient steps.",
    "time/other": "Share of the iteration spent on evaluation, checkpoints and logs.",
    "contracts/redealt": "Share of deals that nobody bid on.",
    "contracts/trump_{suit}": "Share of the deals played with this trump suit.",
    "contracts/bid_{bid}": "Share of the deals played in which this was the highest bid.",
    "contracts/made": "Share of the deals played that the declarers won.",
    "contracts/{result}": "Share of the deals played with this result.",
    **{f"health/{name}": sign.explained for name, sign in SIGNS.items()},
}


def _pattern(tag: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(tag)))


_PATTERNS = [_pattern(tag) for tag in METRICS]


class Log:
    """The TensorBoard log of a run; the x-axis is decisions learned from."""

    def __init__(
        self, folder: Path, resumed_at: int | None, losses: Mapping[str, str] | None = None
    ) -> None:
        """``resumed_at`` hides what was logged after the checkpoint that is resumed.

        ``losses`` explains what the learner of the run returns, if it is not one of ours.
        """
        first_hidden = None if resumed_at is None else resumed_at + 1
        self._writer = SummaryWriter(str(folder), purge_step=first_hidden)
        own = [_pattern(f"losses/{name}") for name in losses or {}]
        self._patterns = [*_PATTERNS, *own]
        self._told: set[str] = set()

    def text(self, name: str, text: str, step: int | None = None) -> None:
        """Log a text."""
        self._writer.add_text(name, text, step)

    def scalars(self, values: Mapping[str, float], step: int) -> list[str]:
        """Log numbers; return a line on each of the learner's that is met first and unexplained.

        KeyError for any other tag that nobody explained.
        """
        said = []
        for tag, value in values.items():
            if tag not in self._told and not any(p.fullmatch(tag) for p in self._patterns):
                kind, _, name = tag.partition("/")
                if kind != "losses":
                    raise KeyError(f"metric {tag!r} has no explanation in METRICS")
                self._told.add(tag)
                said.append(f"the learner does not explain its {name!r}, which is logged as {tag}")
            self._writer.add_scalar(tag, value, step)
        return said

    def close(self) -> None:
        """Flush and close."""
        self._writer.close()


def contract_metrics(game: Game, state: GameState) -> dict[str, float]:
    """Return what was bid, named and made in finished deals."""
    played = np.flatnonzero(state.outcome != REDEAL)
    values = {"contracts/redealt": 1 - len(played) / len(state)}
    if not len(played):
        return values
    suits = np.bincount(state.mode[played], minlength=game.tables.n_modes)
    for name, count in zip(("none", "C", "S", "H", "D"), suits, strict=True):
        values[f"contracts/trump_{name}"] = float(count / len(played))
    bids = state.best_bid[played]
    for k, label in enumerate(game.tables.auction.bid_labels):
        values[f"contracts/bid_{label.replace(' ', '_')}"] = float((bids == k).mean())
    outcome = state.outcome[played]
    for o, name in enumerate(game.tables.result.payoff_names):
        values[f"contracts/{name}"] = float((outcome == o).mean())
    values["contracts/made"] = float((game.tables.result.payoff_winner[outcome] == 0).mean())
    return values


def evaluation_metrics(opponent: str, result: MatchResult) -> dict[str, float]:
    """Return the numbers of one match against a yardstick."""
    found = result.estimates()
    points = found["game_points"]
    assert points.low is not None  # the configuration asks for 2 boards or more
    assert points.high is not None
    return {
        f"eval/{opponent}/game_points": points.mean,
        f"eval/{opponent}/game_points_low": points.low,
        f"eval/{opponent}/game_points_high": points.high,
        f"eval/{opponent}/card_points": found["card_points"].mean,
        f"eval/{opponent}/boards_won": found["boards_won"].mean,
    }


def metrics_page() -> str:
    """Return the page of the docs that explains every tag."""
    rows = [f"| `{tag}` | {text} |" for tag, text in METRICS.items()]
    head = [
        "# Logged metrics",
        "",
        "The x-axis of every curve is the number of decisions learned from. A decision with one "
        "legal action is played but not counted.",
        "",
        "| tag | meaning |",
        "|---|---|",
    ]
    return "\n".join([*head, *rows, ""])
