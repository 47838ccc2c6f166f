"""Who declares, what is bid, named and made, and what seats win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sjavs_agents.reporting.blocks import Missing, Section, Table
from sjavs_agents.reporting.evaluation_file import AgentCounts, Evaluation, Means
from sjavs_agents.reporting.population import Population
from sjavs_agents.reporting.words import percent, share_of, signed_mean
from sjavs_agents.stats.estimates import estimate_share
from sjavs_env import Game
from sjavs_env.cards import SUIT_NAMES

__all__ = ["contracts"]


@dataclass(frozen=True)
class _Agent:
    """What an agent did in all its matches."""

    label: str
    deals: int  # that were played out
    counts: tuple[AgentCounts, ...]

    def total(self, name: str) -> Counter[str]:
        """Add up counts by name."""
        return sum((Counter(getattr(c, name)) for c in self.counts), Counter[str]())


def contracts(evaluation: Evaluation, found: Population) -> Section:
    """Return what agents declared, and what they won as what and where."""
    title = "Contracts and seats"
    if not evaluation.pairs:
        return Section(title, [Missing("Not told: no two agents played each other here.")])
    agents = [_agent(evaluation, i, label) for i, label in enumerate(found.labels)]
    agents = [agent for agent in agents if agent.counts]
    tables = []
    if any(agent.total("bids") for agent in agents):
        tables += [_declared(evaluation.game, agents), _roles(agents)]
        for name, caption in (("bids", "Bids that held"), ("suits", "Trumps declared"),
                              ("results", "Results of declarers")):  # fmt: skip
            tables.append(_shares(agents, name, caption))
    tables.append(_seats(agents, evaluation.game.tables.n_players))
    if any(c.standings for agent in agents for c in agent.counts):
        tables.append(_standings(agents))
    return Section(title, tables)


def _agent(evaluation: Evaluation, i: int, label: str) -> _Agent:
    own = [(pair, pair.by_agent[pair.at.index(i)]) for pair in evaluation.pairs if i in pair.at]
    return _Agent(label, sum(p.deals for p, _ in own), tuple(c for _, c in own))


def _declared(game: Game, agents: Sequence[_Agent]) -> Table:
    """How often each declares, and makes it."""
    result = game.tables.result
    won = {name for name, winner in zip(result.payoff_names, result.payoff_winner, strict=True)
           if winner == 0}  # fmt: skip
    rows = []
    for agent in agents:
        results = agent.total("results")
        n, made = results.total(), sum(count for name, count in results.items() if name in won)
        share = share_of(estimate_share(made / n, n)) if n else "–"
        declared = agent.total("bids").total() / agent.deals if agent.deals else None
        rows.append([agent.label, f"{agent.deals:,}", percent(declared), share])
    head = ["agent", "deals", "declared", "of these made"]
    return Table("declared", "Contracts declared, and made, with 95 % intervals", head, rows)


def _shares(agents: Sequence[_Agent], name: str, caption: str) -> Table:
    """Shares of what each agent declared, a row for each kind that anybody declared."""
    totals = [agent.total(name) for agent in agents]
    kinds = [k for k in getattr(agents[0].counts[0], name) if any(t[k] for t in totals)]
    rows = [
        [_named(kind), *(percent(t[kind] / t.total() if t.total() else None) for t in totals)]
        for kind in kinds
    ]
    head = [name.removesuffix("s"), *(agent.label for agent in agents)]
    raw: list[list[str | int | float | None]] = [list(head)]
    raw += [[kind, *(t[kind] for t in totals)] for kind in kinds]
    return Table(name, f"{caption}, as shares of an agent's contracts", head, rows, 1, raw)


def _named(kind: str) -> str:
    return SUIT_NAMES.get(kind, kind)


def _pooled(found: Iterable[Means | None], name: str) -> tuple[int, float | None]:
    """Deals, and the mean over all of them."""
    known = [m for m in found if m is not None and m.deals and name in m.means]
    deals = sum(m.deals for m in known)
    return deals, sum(m.deals * m.means[name] for m in known) / deals if deals else None


def _mean(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else signed_mean(value, digits)


def _roles(agents: Sequence[_Agent]) -> Table:
    """What agents win as declarers and as defenders."""
    rows = []
    for agent in agents:
        row = [agent.label]
        for role in ("declarer", "defender"):
            own = [c.roles.get(role) for c in agent.counts]
            deals, points = _pooled(own, "game_points")
            row += [f"{deals:,}", _mean(points), _mean(_pooled(own, "card_points")[1], 1)]
        rows.append(row)
    named = ("deals", "game points of a seat", "card points of the side")
    head = ["agent", *(f"{role}: {what}" for role in ("declarer", "defender") for what in named)]
    return Table("roles", "As declarer and as defender, means per deal", head, rows)


def _seats(agents: Sequence[_Agent], n: int) -> Table:
    """What agents win in each seat."""
    heads = ["forehand", *(f"seat {i}" for i in range(2, n)), "dealer"]
    rows = []
    for agent in agents:
        by_seat = [[c.seats[k] if k < len(c.seats) else None for c in agent.counts]
                   for k in range(n)]  # fmt: skip
        rows.append([agent.label, *(_mean(_pooled(own, "game_points")[1]) for own in by_seat)])
    return Table("seats", "Game points of a seat per deal, by seat from forehand",
                 ["agent", *heads], rows)  # fmt: skip


def _standings(agents: Sequence[_Agent]) -> Table:
    """How often seats stay, drop, ..., and what they win then."""
    names = list(_first(c.standings for agent in agents for c in agent.counts))
    rows = []
    for agent in agents:
        row = [agent.label]
        seated = sum(m.deals for c in agent.counts for m in c.seats)
        for name in names:
            own = [c.standings.get(name) for c in agent.counts]
            times = sum(m.deals for m in own if m is not None)
            mean = _pooled(own, "game_points")[1]
            row.append(f"{percent(times / seated if seated else None)}; {_mean(mean)}")
        rows.append(row)
    head = ["agent", *(name.replace("_", " ") for name in names)]
    return Table("standings", "How often a seat did so, and its mean game points then", head, rows)


def _first(found: Iterable[Mapping[str, Means]]) -> Mapping[str, Means]:
    return next(standings for standings in found if standings)
