"""The page of champions: how to use them, which there are, and what they were measured to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sjavs_agents.champion.model_card import all_cards, gain_cell
from sjavs_agents.search.budgets import BUDGETS, USUAL_BUDGET
from sjavs_env.rules.pages.markdown import NOTHING, show_table

__all__ = ["LACKING", "card_rows", "champions_page"]

LACKING = "there are no champions: sjavs-champions is not installed (pip install sjavs-champions)"
COLUMNS = ("rules", "expert", "pimc:worlds=20")  # of the table; a card may tell of others
MILLION = 10**6
INTRODUCTION = """\
# Champions

Trained players for the games of the family, so that nobody has to begin with training: something
to play with, to measure against, and to beat. They are a package of their own,

    pip install 'sjavs[train]' sjavs-champions

and in a checkout they are there already. `champion` is an agent like others; it is the one of the
game and of the number of players that are being played:

    sjavs evaluate champion rules --rules klorsjavs
    sjavs evaluate champion champion:temperature=1 --rules handjass --players 3
    sjavs champion list
    sjavs champion card --rules klorsjavs

It sits in the other seats of environments (`SingleSeatEnv("klorsjavs", policy="champion")`), is a
yardstick or an opponent of trainings (`--evaluation.yardsticks '[rules,champion]'`,
`--pool.scripted champion`), and the first weights of others (`--run.init champion`, with networks
of the same sizes). A champion plays the rule set as it stands, and rules that change neither
actions nor observations.

## Search on top

`champion:search=5` searches as well, for about so many milliseconds of one core a card. So does
any trained player: `runs/faroese:search=0.2`. `champion:search` alone is
`champion:search={usual}`. A trained player plays the first tricks better than search in a few
worlds does and counts the last ones worse, so search takes over where the end is near. How much
is searched is fixed, not timed: the same seed gives the same play everywhere.

{budgets}

`pimc` needs two sides; where there are more, `rollout` lets the champion finish the deals.
"""
MAKING = """\
## Making one

    sjavs champion export runs/klorsjavs --processes auto

takes the player of the newest checkpoint of a run, keeps its weights in 16 bits, plays the
matches that its card tells of, and writes weights (`.safetensors`), card (`.json`) and page
(`.md`), together. It may be interrupted; the same command goes on. `--boards` and
`--search-boards` say how many boards there are, `--against` other opponents, `--out` another
folder. Such a file is also an agent by its path.
"""


def champions_page() -> str:
    """Return the page; ValueError or OSError for a bad card."""
    cards = all_cards()
    head, *rows = card_rows(cards)
    about = (
        "Game points per deal, with 95% intervals, on duplicate boards (how many, in brackets);\n"
        "without search. Hours are those of the machines that trained them, which were not alike."
    )
    shipped = f"{about}\n\n{show_table(head, rows)}" if cards else "None yet."
    return "\n".join(
        [
            INTRODUCTION.format(budgets=_budgets(), usual=USUAL_BUDGET),
            f"## Which there are\n\n{shipped}\n",
            MAKING,
        ]
    )


def card_rows(cards: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Return a table of champions, the head first."""
    against = [f"against {name}" for name in COLUMNS]
    rows = [["rules", "players", *against, "decisions", "hours", "MB"]]
    for card in cards:
        game, sittings = card["game"], card["training"]["sittings"]
        hours = [sitting.get("hours") for sitting in sittings]
        rows.append([
            game["rules"]["name"], str(game["players"]),
            *(_gain(card, name) for name in COLUMNS),
            f"{sum(s['decisions'] for s in sittings) / MILLION:.1f} M",
            NOTHING if None in hours else f"{sum(hours):.1f}",
            f"{card['weights']['bytes'] / MILLION:.2f}",
        ])  # fmt: skip
    return rows


def _gain(card: Mapping[str, Any], name: str) -> str:
    for match in card["evaluation"]:
        if match["agent"] == name:
            return f"{gain_cell(match['game_points'])} ({match['boards']:,})"
    return NOTHING


def _budgets() -> str:
    def told(settings: Mapping[str, Any]) -> str:
        return ", ".join(f"{name}={value}" for name, value in settings.items())

    rows = [
        [f"`search={ms}`", f"`pimc:{told(of.pimc)}`", f"`rollout:{told(of.rollout)}`"]
        for ms, of in BUDGETS.items()
    ]
    return show_table(["", "two sides", "more sides"], rows)
