"""The page of rubbers: what every score is worth, reckoned from stored results of deals."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sjavs_agents.stats.deal_results import DealResults, n_parties
from sjavs_agents.stats.rubber_equity import RubberEquity, match_equity
from sjavs_env import Game, rules_from_json
from sjavs_env.cli.shared import shared_file
from sjavs_env.rules.pages.markdown import in_words, show_table

__all__ = ["rubber_page", "stored_results"]

FORMAT = 1
MOST_CROSSES = 3  # of the matches shown
PENDING = (1, 2)  # ties, beside none
STEPS = 4  # scores shown of games with more than two parties
INTRODUCTION = """\
# What a score is worth

The chance to win a rubber, in percent, at every score: `W(ours, theirs, pending)`, with `pending`
tied deals whose bonus goes to whoever wins next. Scores count down; the rubber is over at 0. Either
side deals with equal chance, except where it says otherwise.

The values are exact for the results of deals that they are reckoned from, by backward induction:
what leaves the scores as they are is solved as linear equations, not repeated until it is close.
The results were counted in numbered deals that one kind of player, `{agent}`, played in all seats
with seed {seed}, {deals} of each game. Such a player looks at nothing but its cards. Players who
take risks when they are behind do better than the table, and it is no table for them.

    python -m benchmarks.deal_results --json docs/deal_results.json
    sjavs docs --write

```python
from sjavs_agents.stats.rubber_equity import RubberEquity
from sjavs_agents.stats.rubber_page import stored_results
from sjavs_env import Game, make_rules

game = Game(make_rules("faroese"))
equity = RubberEquity.of(game, stored_results("faroese").of_equals())
print(equity.win(ours=6, theirs=18), equity.win(6, 18, pending=1, we_deal=True))
```

Results of your own deals are counted by `sjavs_agents.arena.deal_counts.count_deals`, which also
serves two sides that play differently (`DealResults`). A match to several crosses is
`match_equity`. `klorsjavs` and `danish_4` are lost at 0: there, to win is not to lose. They can go
on while the lowest are level; that is solved with a distance of 16 steps between players standing
for all larger ones, which changes no value by more than a billionth.
"""


def stored_results(rules: str) -> DealResults:
    """Return the results behind the page of a preset by its name; ValueError for others."""
    games = {entry["rules"]["name"]: entry for entry in _stored()}
    if rules not in games:
        raise ValueError(f"there are no results of {rules!r}; allowed: {', '.join(games)}")
    entry = games[rules]
    return DealResults.from_json(Game(rules_from_json(entry["rules"])), entry["results"])


def _stored() -> list[dict[str, Any]]:
    data = json.loads(shared_file("docs", "deal_results", ".json").read_text("utf-8"))
    if data["format"] != FORMAT:
        raise ValueError(f"format is {data['format']}; allowed: {FORMAT}")
    return list(data["games"])


def rubber_page() -> str:
    """Return the page as Markdown."""
    entries = _stored()
    first = entries[0]
    introduction = INTRODUCTION.format(
        agent=first["agent"], seed=first["seed"], deals=f"{first['deals']:,}"
    )
    return "\n".join([introduction, *map(_section, entries)])


def _section(entry: Mapping[str, Any]) -> str:
    game = Game(rules_from_json(entry["rules"]))
    results = DealResults.from_json(game, entry["results"]).of_equals()
    equity = RubberEquity.of(game, results)
    of_two = n_parties(game) == 2
    return "\n".join(
        [
            f"## {game.rules.title}",
            "",
            f"`{game.rules.name}`; redealt: {_percent(entry['redeals'] / entry['deals'])} %.",
            "",
            _of_two(game, results, equity) if of_two else _of_more(equity),
        ]
    )


def _of_two(game: Game, results: DealResults, equity: RubberEquity) -> str:
    start = equity.start
    dealt = [_percent(equity.win(start, start, 0, we_deal)) for we_deal in (True, False)]
    ahead = equity.gain(start, start, we_deal=True)
    parts = [
        f"At {start} all the side that deals wins {dealt[0]} % and the other one {dealt[1]} %; the "
        f"side that deals has {ahead:+.4f} crosses more to expect.",
        "",
        *_score_table(equity, 0),
    ]
    for pending in PENDING[: equity.most_pending]:
        head = "With one tied deal pending" if pending == 1 else f"With {pending}"
        parts += [f"{head}:", "", *_score_table(equity, pending)]
    return "\n".join(parts + _match_table(game, results))


def _score_table(equity: RubberEquity, pending: int) -> list[str]:
    scores = range(equity.start, 0, -equity.unit)
    rows = [
        [f"**{ours}**", *(_percent(equity.win(ours, theirs, pending)) for theirs in scores)]
        for ours in scores
    ]
    return [show_table(["ours \\ theirs", *map(str, scores)], rows), ""]


def _match_table(game: Game, results: DealResults) -> list[str]:
    chances = match_equity(game, results, MOST_CROSSES).mean(axis=2)[..., 0]
    lacking = range(1, MOST_CROSSES + 1)
    rows = [[f"**{a}**", *(_percent(chances[a, b]) for b in lacking)] for a in lacking]
    head = ["we lack \\ they lack", *map(str, lacking)]
    return ["Matches of rubbers, by the crosses still to win:", "", show_table(head, rows), ""]


def _of_more(equity: RubberEquity) -> str:
    """Chances of one of several players, as all deal with equal chance."""
    start, n = equity.start // equity.unit, len(equity.wins)
    dealt = in_words([_percent(x) for x in equity.wins[(0, *[start] * n, 0)]])
    scores = range(start, 0, -max(1, start // STEPS))
    wins = equity.wins[..., 0, 0].mean(axis=0)
    others = [(*[a] * (n - 2), b) for a in scores for b in scores if n == 3 or a == b]
    others = [pair for pair in others if pair[0] >= pair[-1]]  # the other order is much alike
    rows = [
        [f"**{ours * equity.unit}**", *(_percent(wins[(ours, *them)]) for them in others)]
        for ours in scores
    ]
    heads = [", ".join(str(score * equity.unit) for score in them) for them in others]
    return "\n".join(
        [
            f"At {equity.start} all the dealer and the others, in turn, win {dealt} %; several "
            "may win together. Some scores of one player against those of the others, who follow "
            "in the order of play:",
            "",
            show_table(["mine \\ theirs", *heads], rows),
            "",
        ]
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
