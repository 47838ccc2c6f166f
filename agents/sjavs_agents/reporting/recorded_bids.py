"""Calibration of bids: how often each bid is made, from the records of games."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from sjavs_agents.reporting.blocks import Figure, Missing, Raw, Section, Table, Text
from sjavs_agents.reporting.checked import Checked, digest_of
from sjavs_agents.reporting.plots import bid_plot
from sjavs_agents.reporting.words import counted, share_of
from sjavs_agents.stats.estimates import Estimate, estimate_share
from sjavs_env import Game, read_records, rules_from_json

__all__ = ["RecordedBids", "bids_made", "holds_records", "read_bids"]

MOST_PLAYERS = 200
MOST_GAMES = 64  # of different rules in one file
_HEAD = 256  # bytes by which a file of records is known


@dataclass(frozen=True)
class RecordedBids:
    """What was bid in the games of one rule set in a file of records, and what was made."""

    source: str
    digests: Mapping[str, str]  # SHA-256 by file
    game: Game
    deals: int  # that were played out
    made: Mapping[tuple[str, str], tuple[int, int]]  # by player and bid: declared, made


def holds_records(path: Path) -> bool:
    """Return whether a file begins as one of records does; OSError if it is not there."""
    with path.open("rb") as file:
        return b'"format":"sjavs-record"' in file.read(_HEAD).replace(b" ", b"")


def read_bids(path: Path) -> list[RecordedBids]:
    """Return the bids of a file by rules; ValueError, one line, for records that are not sound.

    Records are read one after the other, so a file may be of any length.
    """
    games: dict[str, Game] = {}
    deals: dict[str, int] = {}
    made: dict[str, dict[tuple[str, str], tuple[int, int]]] = {}
    for i, value in enumerate(read_records(path), start=1):
        record = Checked(value, f"{path}, line {i}")
        rules = json.dumps(record["rules"].plain(), sort_keys=True)
        if rules not in games:
            games[rules], deals[rules], made[rules] = _game(record), 0, {}
            if len(games) > MOST_GAMES:
                raise ValueError(f"{path} has games of more than {MOST_GAMES} rule sets")
        deals[rules] += _enter(record, games[rules], made[rules])
        if len({player for player, _ in made[rules]}) > MOST_PLAYERS:
            raise ValueError(f"{path} has more than {MOST_PLAYERS} players")
    digests = {path.name: digest_of(path)}
    return [RecordedBids(str(path), digests, games[r], deals[r], made[r]) for r in games]


def _game(record: Checked) -> Game:
    try:
        return Game(rules_from_json(record["rules"].plain()))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{record.where}: its rules make no game: {error}") from None


def _enter(record: Checked, game: Game, made: dict[tuple[str, str], tuple[int, int]]) -> int:
    """Enter the deals of a record; return how many were played out."""
    tables, n = game.tables, game.tables.n_players
    winner = dict(zip(tables.result.payoff_names, tables.result.payoff_winner, strict=True))
    named = record.get("players")
    players = [item.text() for item in named.items(n, n)] if named else []
    count = 0
    for deal in record["deals"].items():
        result = deal.get("result")
        if result is None or result["kind"].text() != "played":
            continue
        count += 1
        declarer, bid = result.get("declarer"), result.get("bid")
        if declarer is None or bid is None:
            continue
        seat, outcome = declarer.count(n - 1), result["outcome"].text()
        if outcome not in winner:
            raise ValueError(f"{result['outcome'].where} is none of {', '.join(winner)}")
        key = (players[seat] if players else f"seat {seat}", bid.text())
        declared, won = made.get(key, (0, 0))
        made[key] = declared + 1, won + int(winner[outcome] == 0)
    return count


def bids_made(found: RecordedBids) -> Section:
    """Return how often each player makes each bid."""
    title = f"Calibration of bids: {found.game.rules.name}"
    if not found.made:
        return Section(title, [Missing("Not told: nobody declared in the recorded games.")])
    labels = [x for x in found.game.tables.auction.bid_labels if any(b == x for _, b in found.made)]
    players = list(dict.fromkeys(player for player, _ in found.made))
    rows: list[list[str]] = []
    raw: Raw = [["player", "bid", "declared", "made", "share", "low", "high"]]
    curves: dict[str, list[Estimate | None]] = {player: [] for player in players}
    for player in players:
        for bid in labels:
            declared, made = found.made.get((player, bid), (0, 0))
            e = estimate_share(made / declared, declared) if declared else None
            curves[player].append(e)
            if e is not None:
                rows.append([player, bid, f"{declared:,}", share_of(e)])
                raw.append([player, bid, declared, made, e.mean, e.low, e.high])
    head = ["player", "bid", "declared", "made"]
    caption = "Share of contracts made by bid, with 95 % intervals"
    best = "; ".join(f"{p}: {_ends(labels, curves[p])}" for p in islice(players, 3))
    return Section(title, [
        Figure(bid_plot(labels, curves), f"{caption}. {best}", caption),
        Table("bids_made", "Contracts by bid, and the share made", head, rows, 2, raw),
        Text(
            f"From {found.source}, {counted(found.deals, 'deal')} played out. Intervals are "
            "Wilson's and take deals for independent; the tables of a board share their cards."
        ),
    ])  # fmt: skip


def _ends(labels: list[str], curve: list[Estimate | None]) -> str:
    known = [(label, e) for label, e in zip(labels, curve, strict=True) if e is not None]
    (first, low), (last, high) = known[0], known[-1]
    return f"{low.mean:.0%} of {first}, {high.mean:.0%} of {last}"
