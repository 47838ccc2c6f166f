"""The page of ladders: how far apart the players of every game are, and what they cost.

Its numbers stand in ``docs/ladders.json``, which ``benchmarks.all_ladders`` measures.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sjavs_agents.reporting.costs import per_decision
from sjavs_agents.reporting.evaluation_file import Evaluation
from sjavs_agents.reporting.population import Population
from sjavs_agents.reporting.words import interval, milliseconds, percent
from sjavs_agents.stats.estimates import Estimate
from sjavs_env import make_rules, rules_from_json, rules_to_json
from sjavs_env.cli.shared import shared_file
from sjavs_env.rules.pages.markdown import show_table

__all__ = ["FORMAT", "entry_of", "game_of_entry", "ladder_page"]

FORMAT = 1
INTRODUCTION = """\
# Ladders

What players win from each other in every game, in game points per deal (chips in Auction Sjavs),
with 95 % intervals, and the processor time of a decision with a choice. Each pair has played the
same duplicate boards; the fewer there are, the wider the intervals. Means of 100 boards and more
have BCa bootstrap intervals, of fewer Student's t; intervals of ratings are from boards drawn anew.
A rating is what an agent wins more than the mean agent of its table, itself included. Times are of
one core of a shared machine, and for players that search they include loading what is compiled;
they tell orders of magnitude.

Game points of one game are not to be compared with those of another. The players are described
under [evaluation](evaluation.md#players); [results](results.md) tells more of them, and of trained
ones.

A dash stands for what has not been played.

This page is made by `sjavs docs --write` from `ladders.json`, and that by

    make bench-ladders ARGS="--games GAME/PLAYERS --boards N --json docs/ladders.json"

which plays random, greedy, rules and the first of {searching} that knows the game, unless
`--agents` says otherwise, goes on after an interrupt, and keeps what the file has of other games.
"""
SEARCHING = ("pimc:worlds=20,tricks=12", "rollout:policy=rules,worlds=8")


def entry_of(evaluation: Evaluation, found: Population) -> dict[str, Any]:
    """Return what the page tells of the ladder of a game, as JSON values."""
    cost, decisions = per_decision(evaluation)
    return {
        "rules": rules_to_json(evaluation.game.rules),
        "players": evaluation.game.tables.n_players,
        "boards": evaluation.boards,
        "seed": evaluation.seed,
        "versions": dict(evaluation.versions),
        "agents": list(found.labels),
        "ratings": [_numbers(rating) for rating in found.ratings],
        "share": found.share,
        "pairs": [
            {"at": list(pair.at), **_numbers(estimates["game_points"])}
            for pair, estimates in zip(evaluation.pairs, found.estimates, strict=True)
        ],
        "milliseconds": [float(x) for x in cost] if evaluation.costs else None,
        "decisions": [int(n) for n in decisions] if evaluation.costs else None,
    }


def game_of_entry(entry: Mapping[str, Any]) -> str:
    """Return the game of an entry as ``rules/players``."""
    return f"{entry['rules']['name']}/{entry['players']}"


def _numbers(estimate: Estimate) -> dict[str, float | None]:
    return {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}


def ladder_page() -> str:
    """Return the page as Markdown; ValueError for data of another format."""
    data = json.loads(shared_file("docs", "ladders", ".json").read_text("utf-8"))
    if data["format"] != FORMAT:
        raise ValueError(f"format is {data['format']}; allowed: {FORMAT}")
    searching = " and ".join(f"`{name}`" for name in SEARCHING)
    parts = [INTRODUCTION.format(searching=searching), _overview(data["games"])]
    return "\n".join([*parts, *map(_section, data["games"])])


def _overview(entries: Sequence[Mapping[str, Any]]) -> str:
    """Each player against the one before it, game by game."""
    most = max(len(entry["agents"]) for entry in entries)
    rows = []
    for entry in entries:
        n = len(entry["agents"])
        cells = [interval(_seen_from(entry, k, k - 1)) if k < n else "–" for k in range(1, most)]
        rows.append(
            [f"[{_title(entry)}](ladders.md#{_anchor(entry)})", f"{entry['boards']:,}", *cells]
        )
    heads = [f"{_at(entries, k)} over {_at(entries, k - 1)}" for k in range(1, most)]
    return "\n".join(["## Rung by rung", "", show_table(["game", "boards", *heads], rows), ""])


def _at(entries: Sequence[Mapping[str, Any]], place: int) -> str:
    """Return the agents at a place of the ladders."""
    names = [entry["agents"][place] for entry in entries if place < len(entry["agents"])]
    return " or ".join(f"`{name}`" for name in dict.fromkeys(names))


def _seen_from(entry: Mapping[str, Any], ours: int, theirs: int) -> Estimate:
    """What one agent won more than another."""
    for pair in entry["pairs"]:
        mean, low, high = (pair[key] for key in ("mean", "low", "high"))
        if pair["at"] == [ours, theirs]:
            return Estimate(mean, low, high)
        if pair["at"] == [theirs, ours]:
            bounds = (None, None) if low is None or high is None else (-high, -low)
            return Estimate(-mean, *bounds)
    raise ValueError(f"agents {ours} and {theirs} have not met; allowed: all pairs")


def _title(entry: Mapping[str, Any]) -> str:
    rules = rules_from_json(entry["rules"])
    usual = make_rules(rules.name).players == entry["players"]
    count = {2: "two", 3: "three", 4: "four"}[entry["players"]]
    return rules.name + ("" if usual else f" for {count}")


def _anchor(entry: Mapping[str, Any]) -> str:
    """The place of a section, as the pages of repositories name it."""
    return _title(entry).replace(" ", "-")


def _section(entry: Mapping[str, Any]) -> str:
    agents, n = entry["agents"], len(entry["agents"])
    order = sorted(range(n), key=lambda i: -entry["ratings"][i]["mean"])
    rows = []
    for i in order:
        against = ["·" if i == j else interval(_seen_from(entry, i, j)) for j in order]
        cost = "–" if entry["milliseconds"] is None else milliseconds(entry["milliseconds"][i])
        rows.append([f"`{agents[i]}`", interval(Estimate(**entry["ratings"][i])), *against, cost])
    heads = ["player", "rating", *(f"over `{agents[j]}`" for j in order), "CPU ms"]
    about = (
        f"{rules_from_json(entry['rules']).title}: {entry['boards']:,} boards of each pair, seed "
        f"{entry['seed']}; differences of ratings explain {percent(entry['share'])} of the margins."
    )
    return "\n".join([f"## {_title(entry)}", "", about, "", show_table(heads, rows), ""])
