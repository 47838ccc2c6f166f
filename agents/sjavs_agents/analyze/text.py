"""A judged deal as lines of text, at most 100 columns wide."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from sjavs_agents.analyze.judgement import Cards, Decision, Judgement, Luck, Side
from sjavs_env.cli.columns import column_widths, in_columns

__all__ = ["WIDTH", "deal_lines"]

WIDTH = 100
UNITS = {"score": "game points", "points": "card points"}
HEADS = ("move", "trick", "seat", "did", "lost", "(cards)", "better", "open", "(cards)", "better")
HIDDEN = "-"  # where nothing was judged


def deal_lines(judgement: Judgement, *, verbose: bool = False) -> list[str]:
    """Return a summary of the deal and a line for each decision, with ``verbose`` several."""
    lines = [_headline(judgement), f"result: {_result(judgement.result)}"]
    if judgement.luck is not None:
        lines += _luck(judgement.luck)
    lines += _by_seat(judgement.decisions)
    lines += [line for note in judgement.notes for line in wrap(f"note: {note}", WIDTH)]
    if not judgement.decisions:
        return [*lines, "no decision: every action was the only legal one"]
    lines += ["", *_legend(), *_table(judgement.decisions)]
    if verbose:
        for decision in judgement.decisions:
            lines += ["", *_details(decision)]
    return lines


# Summary


def _headline(judgement: Judgement) -> str:
    result = judgement.result
    words = [f"deal {judgement.deal}: dealer seat {judgement.dealer}"]
    if result["declarer"] is not None:
        words.append(f"declarer seat {result['declarer']} ({result['bid']})")
    if result["trump"] is not None:
        words.append(f"trumps {result['trump']}")
    return ", ".join(words)


def _result(result: dict[str, Any]) -> str:
    change = " ".join(map(str, result["score_change"]))
    tricks = " ".join(map(str, result["tricks"]))
    points = " ".join(map(str, result["card_points"]))
    what = result["outcome"] or result["kind"]
    return f"{what}; by seat: card points {points}, tricks {tricks}, score change {change}"


def _luck(luck: Luck) -> list[str]:
    """What the cards held with open hands, and who lost what of it."""
    side = _seats(luck.sides[0])
    lines = [
        f"luck of the deal, all hands open: at the lead {side} held {luck.held_points} card points"
        f"{_score(luck.held)}; made {luck.made_points}{_score(luck.made)}"
    ]
    lost = [
        f"{_seats(side)} {_number(side.lost['points'] / 2)} card points"
        + (f", {_number(side.lost['score'])} game points" if "score" in side.lost else "")
        for side in luck.sides
    ]
    lines.append(f"lost by play, all hands open: {'; '.join(lost)}")
    return [part for line in lines for part in wrap(line, WIDTH, subsequent_indent="  ")]


def _seats(side: Side) -> str:
    word = "seat" if len(side.seats) == 1 else "seats"
    return f"{word} {'+'.join(map(str, side.seats))}"


def _score(values: dict[str, float]) -> str:
    return f" ({values['score']:+.2f})" if "score" in values else ""


def _by_seat(decisions: list[Decision]) -> Iterator[str]:
    """What each seat lost by what it knew."""
    judged = [d for d in decisions if d.fair is not None]
    words = []
    for seat in sorted({d.seat for d in judged}):
        fair = [d.fair for d in judged if d.seat == seat and d.fair is not None]
        lost = [
            f"{_number(sum(cards.loss[u] for cards in fair) / _halves(u))} {UNITS[u]}"
            for u in UNITS
            if u in fair[0].loss
        ]
        words.append(f"seat {seat} {', '.join(lost)} in {len(fair)}")
    if words:
        yield from wrap(
            f"lost by what each knew: {'; '.join(words)} choices", WIDTH, subsequent_indent="  "
        )


def _halves(utility: str) -> int:
    """A card point lost is one gained by the others: two of the difference."""
    return 2 if utility == "points" else 1


def _number(value: float) -> str:
    return f"{abs(value):.2f}".rstrip("0").rstrip(".") if abs(value) > 0.005 else "0"


# Decisions


def _legend() -> list[str]:
    return [
        "lost (cards) better: game and card points lost on average by what the seat knew; the best",
        "card.  open (cards) better: the same with ALL HANDS OPEN, which the seat could not know.",
    ]


def _table(decisions: list[Decision]) -> list[str]:
    names = list(decisions[0].agents)
    rows = [[*HEADS, *names], *([*_cells(d), *_agents(d)] for d in decisions)]
    widths = column_widths(rows)
    fixed = sum(widths[: len(HEADS)]) + len(HEADS)
    room = max(6, (WIDTH - fixed) // max(1, len(names)) - 1)
    widths = [*widths[: len(HEADS)], *(min(w, room) for w in widths[len(HEADS) :])]
    return [line[:WIDTH] for line in in_columns(rows, widths, gap=" ")]


def _cells(decision: Decision) -> list[str]:
    trick = HIDDEN if decision.trick is None else str(decision.trick)
    fair, shown = decision.fair, decision.open_hands
    return [
        str(decision.move + 1), trick, str(decision.seat), _short(decision.action),
        *_losses(fair), _better(fair), *_losses(shown), _better(shown),
    ]  # fmt: skip


def _losses(cards: Cards | None) -> tuple[str, str]:
    """Game points and card points lost; card points alone where there are no others."""
    if cards is None:
        return HIDDEN, HIDDEN
    points = _number(cards.loss["points"] / 2)
    return _number(cards.loss["score"]) if "score" in cards.loss else HIDDEN, f"({points})"


def _better(cards: Cards | None) -> str:
    """The best card where another was played: by game points, or if these are equal by points."""
    if cards is None:
        return HIDDEN
    lost = [u for u in UNITS if _number(cards.loss.get(u, 0.0)) != "0"]
    return cards.best[lost[0]][0] if lost else ""


def _agents(decision: Decision) -> list[str]:
    """What agents would have done, "=" for the same."""
    return ["=" if a == decision.action else _short(a) for a in decision.agents.values()]


def _short(action: str) -> str:
    return action.removeprefix("play ")


def _details(decision: Decision) -> Iterator[str]:
    """Everything about one decision."""
    yield f"move {decision.move + 1}: seat {decision.seat}, {decision.action}"
    if decision.fair is not None:
        kind = "all" if decision.fair.exact else "drawn"
        yield f"  by what the seat knew ({decision.fair.worlds} worlds, {kind}):"
        yield from _values(decision.fair)
    else:
        yield from _indented("legal: " + ", ".join(decision.legal))
    if decision.belief:
        yield "  where hidden cards may be, by what the seat knew:"
        yield from _belief(decision.belief)
    if decision.learned:
        yield "  where they are, as the learned belief has it:"
        yield from _belief(decision.learned)
    if decision.open_hands is not None:
        yield "  with all hands open:"
        yield from _values(decision.open_hands)


def _values(cards: Cards) -> list[str]:
    """The worth of every card: game points and own less their card points."""
    words = [
        f"{card}{_score(value)} {value['points']:+.1f}"
        for card, value in sorted(cards.values.items(), key=lambda item: -item[1]["points"])
    ]
    error = [f"{_number(e)} {UNITS[u]}" for u, e in cards.error.items() if not cards.exact]
    more = [f"standard error of the loss: {', '.join(error)} (difference)"] if error else []
    return [*_indented("; ".join(words)), *(f"    {line}" for line in more)]


def _belief(belief: dict[str, dict[str, float]]) -> Iterator[str]:
    holders = sorted({holder for chances in belief.values() for holder in chances})
    for holder in holders:
        chances = {card: c[holder] for card, c in belief.items() if holder in c}
        shown = sorted(chances.items(), key=lambda item: -item[1])
        yield from _indented(f"{holder}: " + ", ".join(f"{c} {100 * p:.0f}%" for c, p in shown))


def _indented(text: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent="    ", subsequent_indent="      ")
