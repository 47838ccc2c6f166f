"""What a tournament has brought, as JSON values and as tables of text."""

from __future__ import annotations

import platform
from typing import Any

import numpy as np

from sjavs_agents.arena.evidence import correct_pairs
from sjavs_agents.arena.match import MatchResult
from sjavs_agents.arena.report import (
    estimates_report,
    match_report,
    signed,
    table_report,
    timing_report,
)
from sjavs_agents.arena.tournament.bout import Bout
from sjavs_agents.arena.tournament.plan import Plan
from sjavs_env import __version__, rules_to_json

__all__ = ["as_json", "matches", "tables"]

Rows = list[list[str]]

COLUMNS = {  # of the table, by estimate
    "game_points": "game points/deal",
    "card_points": "card points/deal",
    "boards_won": "boards won",
    "rubbers_won": "rubbers won",
    "crosses": "crosses/rubber",
}


def as_json(plan: Plan, bouts: list[Bout], trouble: str | None) -> dict[str, Any]:
    """Return all results so far as JSON values; ``trouble`` tells why there are no more."""
    args = plan.args
    started = [(bout, fresh) for bout, fresh in _with_fresh(bouts) if bout.done]
    pairs = [] if plan.is_mixed else started
    data: dict[str, Any] = {
        "versions": {
            "python": platform.python_version(),
            "sjavs": __version__,
            "numpy": np.__version__,
        },
        "rules": rules_to_json(plan.game.rules),
        "agents": [agent.name for agent in plan.agents],
        "episode": args.episode,
        "seed": args.seed,
        "boards": args.boards,
        "pairs": correct_pairs([_pair(bout, fresh) for bout, fresh in pairs]),
    }
    if plan.is_mixed and started:
        data["table"] = table_report(started[0][0].results())
    if trouble is not None:
        data["stopped"] = trouble
    if args.timings:
        data["timings"] = [timing_report(bout.results()[0]) for bout, _ in started]
    return data


def matches(plan: Plan, bouts: list[Bout]) -> dict[str, MatchResult]:
    """Return the results so far by the names that ``boards.npz`` has for them."""
    found = {}
    for i, (bout, fresh) in enumerate(_with_fresh(bouts)):
        for party, result in enumerate(bout.results()):
            found[f"table_{party}" if plan.is_mixed else f"pair_{i}"] = result
        if fresh is not None and fresh.done:
            found[f"pair_{i}_fresh"] = fresh.results()[0]
    return found


def tables(plan: Plan, bouts: list[Bout]) -> list[tuple[str, Rows]]:
    """Return the tables to be shown, each with its title, the head first."""
    started = [(bout, fresh) for bout, fresh in _with_fresh(bouts) if bout.done]
    args, most = plan.args, max(bout.done for bout, _ in started)
    boards = "1 board" if most == 1 else f"{most} boards"
    title = f"{plan.game.rules.name}, {boards} of one {args.episode}, seed {args.seed}"
    if plan.is_mixed:
        results = started[0][0].results()
        return [(f"{title}: each more than the others, with 95% intervals", _table_rows(results))]
    rows = _pair_rows([bout.results()[0] for bout, _ in started])
    biased = ", biased: the tests stopped there" if plan.sequential is not None else ""
    found = [(f"{title}: A more than B, with 95% intervals{biased}", rows)]
    if plan.sequential is not None:
        head = "Tests, and game points/deal measured anew on fresh boards: these are to be quoted"
        found.append((head, _tests(started)))
    if args.partners:
        found.append((_against(plan), _partner_rows(plan, started)))
    elif len(plan.agents) > 2 and not args.gauntlet:
        found.append(("Game points/deal, row more than column", _cross_rows(plan, started)))
    return found


def _with_fresh(bouts: list[Bout]) -> list[tuple[Bout, Bout | None]]:
    """Return each match with the one that measures it anew, if there is one."""
    fresh = {id(bout.after): bout for bout in bouts if bout.after is not None}
    return [(bout, fresh.get(id(bout))) for bout in bouts if bout.after is None]


def _pair(bout: Bout, fresh: Bout | None) -> dict[str, Any]:
    data = match_report(bout.results()[0])
    if bout.test is not None:
        plan = bout.test.plan
        data["test"] = {
            "delta0": plan.delta0, "delta1": plan.delta1, "alpha": plan.alpha, "beta": plan.beta,
            "every": plan.every, "cap": plan.cap, "boards": bout.test.boards,
            "log_likelihood_ratio": bout.test.llr, "verdict": bout.test.verdict,
        }  # fmt: skip
        for estimate in data["estimates"].values():
            estimate["biased"] = True
    if fresh is not None and fresh.done:
        result = fresh.results()[0]
        estimates = estimates_report(result)
        for estimate in estimates.values():
            estimate["biased"] = False
        data["fresh"] = {"boards": fresh.done, "seed": result.seed, "estimates": estimates}
    return data


def _heads(result: MatchResult) -> dict[str, str]:
    heads = dict(COLUMNS)
    if result.game.tables.match.kind == "deals":
        heads["crosses"] = "chips/rubber"
    return {name: heads[name] for name in result.estimates()}


def _cells(result: MatchResult) -> list[str]:
    return [
        f"{100 * e.mean:.1f} %" if name.endswith("_won") else signed(e)
        for name, e in result.estimates().items()
    ]


def _pair_rows(results: list[MatchResult]) -> Rows:
    found = _heads(results[0]).values()
    rows = [["A", "B", *found, "p", "decisions/s A", "decisions/s B"]]
    for result in results:
        p_value = _p_value(result.estimates()["game_points"].p_value)
        speeds = [t["decisions_per_second"] for t in timing_report(result)]
        shown = [f"{speed:,.0f}" if speed else "-" for speed in speeds]
        rows.append([*result.agents, *_cells(result), p_value, *shown])
    return rows


def _p_value(p_value: float | None) -> str:
    if p_value is None:
        return "-"
    return "<1e-99" if p_value < 1e-99 else f"{p_value:.2g}"


def _table_rows(results: list[MatchResult]) -> Rows:
    rows = [["agent", *_heads(results[0]).values()]]
    return rows + [[r.agents[i], *_cells(r)] for i, r in enumerate(results)]


def _tests(started: list[tuple[Bout, Bout | None]]) -> Rows:
    rows = [["A", "B", "verdict", "boards", "biased", "fresh boards", "unbiased"]]
    for bout, fresh in started:
        assert bout.test is not None
        first = signed(bout.results()[0].estimates()["game_points"])
        anew = fresh.results() if fresh is not None else []
        again = signed(anew[0].estimates()["game_points"]) if anew else "-"
        n = str(fresh.done) if fresh is not None else "-"
        rows.append([*bout.names, bout.test.verdict, str(bout.done), first, n, again])
    return rows


def _quoted(bout: Bout, fresh: Bout | None) -> MatchResult | None:
    """Return the result of a match, after a test that on fresh boards; None without any."""
    source = fresh if bout.test is not None else bout
    return source.results()[0] if source is not None and source.done else None


def _cross_rows(plan: Plan, started: list[tuple[Bout, Bout | None]]) -> Rows:
    """A row and a column for each agent, and the mean of its row."""
    n = len(plan.agents)
    cells, means = [["" for _ in range(n)] for _ in range(n)], np.full((n, n), np.nan)
    for bout, fresh in started:
        if (result := _quoted(bout, fresh)) is None:
            continue
        i, j = bout.leg.sitters
        estimate = result.estimates()["game_points"]
        for row, column, sign in ((i, j, 1), (j, i, -1)):
            means[row, column] = sign * estimate.mean
            cells[row][column] = _signed_by(estimate, sign)
    rows = [["", *(str(i + 1) for i in range(n)), "mean"]]
    for i, agent in enumerate(plan.agents):
        own = means[i][~np.isnan(means[i])]
        mean = f"{own.mean():+.2f}" if len(own) else ""
        rows.append([f"{i + 1} {agent.name}", *cells[i], mean])
    return rows


def _signed_by(estimate: Any, sign: int) -> str:
    text = signed(estimate)
    return (
        text
        if sign > 0
        else f"{-estimate.mean:+.2f}{text[text.find(' ') :] if ' ' in text else ''}"
    )


def _against(plan: Plan) -> str:
    return f"Game points/deal of partners, row and column, against {plan.agents[-1].name} twice"


def _partner_rows(plan: Plan, started: list[tuple[Bout, Bout | None]]) -> Rows:
    """A row and a column for each agent; who is whose partner makes no difference."""
    names = list(dict.fromkeys(name for team in plan.names[:-1] for name in team))
    found = {plan.names[b.leg.sitters[0]]: _quoted(b, fresh) for b, fresh in started}
    won = {team: result.estimates()["game_points"] for team, result in found.items() if result}

    def cell(a: str, b: str) -> str:
        found = won.get((a,) if a == b else (a, b), won.get((b, a)))
        return signed(found) if found else ""

    rows = [["", *(str(i + 1) for i in range(len(names)))]]
    for i, name in enumerate(names):
        rows.append([f"{i + 1} {name}", *(cell(name, other) for other in names)])
    return rows
