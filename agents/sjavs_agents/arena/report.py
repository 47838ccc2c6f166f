"""A match as JSON values and as lines of text.

Everything but the time is the same whenever the same match is played.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from sjavs_agents.arena.evidence import evidence
from sjavs_agents.arena.match import MatchResult
from sjavs_agents.arena.tally import STANDINGS, Tally
from sjavs_agents.base import Ints
from sjavs_agents.stats.estimates import Estimate
from sjavs_env.cards import SUITS

__all__ = ["SWINGS", "estimates_report", "match_report", "signed", "table_report",
           "timing_report"]  # fmt: skip

ROLES = ("declarer", "defender")
SWINGS = 10  # boards that are listed because most happened on them


def match_report(result: MatchResult) -> dict[str, Any]:
    """Return everything about a match but the time it took, as JSON values."""
    return {
        "agents": list(result.agents),
        "episode": result.episode,
        "boards": len(result.boards),
        "deals": int(result.deals.sum()),
        "redeals": result.tally.redeals,
        "estimates": estimates_report(result),
        "by_agent": [_agent(result, i) for i in range(len(result.agents))],
        "swings": _swings(result),
    }


def table_report(results: Sequence[MatchResult]) -> dict[str, Any]:
    """Return what happened at tables of a different agent in every seat, as JSON values.

    ``results`` are those of each agent in turn.
    """
    first = results[0]
    return {
        "episode": first.episode,
        "boards": len(first.boards),
        "deals": int(first.deals.sum()),
        "redeals": first.tally.redeals,
        "by_agent": [
            {**_agent(result, i), "estimates": estimates_report(result)}
            for i, result in enumerate(results)
        ],
    }


def estimates_report(result: MatchResult) -> dict[str, Any]:
    """Return all estimates of a match, with their evidence, as JSON values."""
    more = evidence(result)
    return {
        name: {**_estimate(estimate), **more.get(name, {})}
        for name, estimate in result.estimates().items()
    }


def timing_report(result: MatchResult) -> list[dict[str, Any]]:
    """Return what the answers of each agent cost, as JSON values."""
    return [
        {
            "agent": name,
            "decisions": int(n),
            "cpu_seconds": float(seconds),
            "ms_per_decision": 1000 * float(seconds) / max(1, int(n)),
            "decisions_per_second": float(n / seconds) if seconds > 0 else None,
        }
        for name, n, seconds in zip(
            result.agents, result.tally.decisions, result.tally.seconds, strict=True
        )
    ]


def signed(estimate: Estimate) -> str:
    """Return ``+1.23 ± 0.05``."""
    if estimate.low is None or estimate.high is None:
        return f"{estimate.mean:+.2f}"
    return f"{estimate.mean:+.2f} ± {(estimate.high - estimate.low) / 2:.2f}"


def _estimate(estimate: Estimate) -> dict[str, Any]:
    interval = None if estimate.low is None else [estimate.low, estimate.high]
    values: dict[str, Any] = {"mean": estimate.mean, "interval": interval}
    if estimate.spread is not None:
        values |= {"spread": estimate.spread, "p_value": estimate.p_value}
    return values


def _agent(result: MatchResult, i: int) -> dict[str, Any]:
    """What one agent did and won; contracts only where somebody can declare one."""
    tally, game = result.tally, result.game
    calls = slice(game.actions.n_cards, None)
    return {
        "agent": result.agents[i],
        "decisions": int(tally.decisions[i]),
        "actions": _counts(game.actions.labels[calls], tally.actions[i, calls]),
        **(_contracts(result, i) if game.tables.auction.n_bids else {}),
        "seats": _seats(tally, i),
        **({"standings": _standings(tally, i)} if game.tables.seats else {}),
    }


def _contracts(result: MatchResult, i: int) -> dict[str, Any]:
    """What one agent declared and made; a deal without a bid counts for seat 0's side."""
    tally, tables = result.tally, result.game.tables
    return {
        "declared": int(tally.bids[i].sum()),
        "suits": _counts(["none", *SUITS], tally.suits[i]),
        "bids": _counts(tables.auction.bid_labels, tally.bids[i]),
        "results": _counts(tables.result.payoff_names, tally.outcomes[i]),
        "roles": {role: _role(tally, i, k) for k, role in enumerate(ROLES)},
    }


def _role(tally: Tally, i: int, k: int) -> dict[str, Any]:
    """What an agent's seats won each in a deal on that side, and the side's card points."""
    deals = int(tally.role_deals[i, k])
    return {
        "deals": deals,
        "game_points": _mean(tally.role_game_points[i, k], deals),
        "card_points": _mean(tally.role_card_points[i, k], deals),
    }


def _seats(tally: Tally, i: int) -> list[dict[str, Any]]:
    """What an agent won in each seat, forehand first, the dealer last."""
    counts, sums = np.roll(tally.seat_deals[i], -1), np.roll(tally.seat_game_points[i], -1)
    return [
        {"deals": int(n), "game_points": _mean(total, int(n))}
        for n, total in zip(counts, sums, strict=True)
    ]


def _standings(tally: Tally, i: int) -> dict[str, Any]:
    """What an agent's seats won each in deals in which they did something (``STANDINGS``)."""
    return {
        name: {
            "deals": int(deals),
            "game_points": _mean(tally.standing_game_points[i, k], int(deals)),
            "card_points": _mean(tally.standing_card_points[i, k], int(deals)),
            "melds": _mean(tally.standing_melds[i, k], int(deals)),
        }
        for k, (name, deals) in enumerate(zip(STANDINGS, tally.standing_deals[i], strict=True))
    }


def _mean(total: float, count: int) -> float | None:
    return float(total / count) if count else None


def _counts(names: Iterable[str], counts: Ints) -> dict[str, int]:
    return {name: int(n) for name, n in zip(names, counts, strict=True)}


def _swings(result: MatchResult) -> list[dict[str, Any]]:
    """The boards with the largest difference, in game points and then in card points."""
    game, cards = result.board_game_points, result.board_card_points
    order = np.lexsort((result.boards, -np.abs(cards), -np.abs(game)))[:SWINGS]
    return [
        {
            "board": int(result.boards[b]),
            "dealer": int(result.boards[b] % result.game.tables.n_players),
            "last_deals": [int(n) for n in result.numbers[b]],
            "game_points": float(game[b]),
            "card_points": float(cards[b]),
        }
        for b in order
    ]
