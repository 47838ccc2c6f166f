"""Two tables of a board as text: what was the same, where they parted, and how each went on."""

from __future__ import annotations

from itertools import zip_longest
from textwrap import wrap
from typing import Any

from sjavs_env import Game, Position, hidden_hands, render_table, replay, view_of
from sjavs_env.cli.columns import in_columns
from sjavs_env.engine.state import ONLY_GAME
from sjavs_env.records.history import Record

__all__ = ["WIDTH", "board_lines", "parting_text"]

WIDTH = 100


def board_lines(game: Game, tables: tuple[Record, Record], *, plain: bool = False) -> list[str]:
    """Return the first deal at both tables that they played differently.

    The deals before it, if any, were the same: same cards, same actions.  Hands are open;
    ``plain`` writes suits as letters.
    """
    first, second = (list(replay(record)) for record in tables)
    place = _parting(first, second)
    if place is None:
        return ["both tables played alike"]
    here, there = first[place], second[place]
    deal = here.deal
    lines = wrap(f"alike at both tables: {_alike(first[:place], deal)}", WIDTH)
    lines += ["", *_picture(game, here, plain).splitlines(), ""]
    heads = [_head(record) for record in tables]
    rows = zip_longest(
        *(_told(positions[place:], deal, record) for positions, record in
          zip((first, second), tables, strict=True)),
        fillvalue="",
    )  # fmt: skip
    lines += in_columns([heads, *map(list, rows)], gap="  |  ")
    results = [record["deals"][deal]["result"] for record in tables]
    lines += [f"{name}: {_result(result)}" for name, result in zip("12", results, strict=True)]
    assert there.state.phase[0] == here.state.phase[0]  # nothing has told them apart before
    return lines


def parting_text(tables: tuple[Record, Record]) -> str:
    """Return in a sentence or two what both tables did alike, and where and how they parted."""
    first, second = (list(replay(record)) for record in tables)
    place = _parting(first, second)
    if place is None:
        return "Both tables played alike."
    here, there = first[place], second[place]
    names = [record["players"][here.seat] for record in tables]
    results = [_result(record["deals"][here.deal]["result"]) for record in tables]
    return (
        f"Alike at both tables: {_alike(first[:place], here.deal)}. Then seat {here.seat}: "
        f"{here.action} ({names[0]}, table 1), {there.action} ({names[1]}, table 2). "
        f"Table 1 ({_head(tables[0])}): {results[0]}. Table 2 ({_head(tables[1])}): {results[1]}."
    )


def _parting(first: list[Position], second: list[Position]) -> int | None:
    """Return the first place at which the actions differ; None where none does."""
    for place, (here, there) in enumerate(zip(first, second, strict=False)):
        if here.action != there.action:
            return place
    return None


def _alike(before: list[Position], deal: int) -> str:
    deals = f"{deal} deals before, " if deal else ""
    told = [f"{p.seat} {p.action}" for p in before if p.deal == deal and p.action is not None]
    return deals + (", ".join(told) or "nothing")


def _picture(game: Game, position: Position, plain: bool) -> str:
    seat = position.state.seat[ONLY_GAME]
    view = view_of(game, position.state, ONLY_GAME, seat)
    others = hidden_hands(game, position.state, ONLY_GAME, seat)
    return render_table(game, view, others=others, plain=plain)


def _head(record: Record) -> str:
    return ", ".join(f"{seat} {name}" for seat, name in enumerate(record["players"]))


def _told(positions: list[Position], deal: int, record: Record) -> list[str]:
    """What was done from the parting to the end of the deal, one line each."""
    done = [p for p in positions if p.deal == deal and p.action is not None]
    return [f"{p.seat} {record['players'][p.seat]}: {p.action}" for p in done]


def _result(result: dict[str, Any]) -> str:
    what = result["outcome"] or result["kind"]
    points, change = (" ".join(map(str, result[k])) for k in ("card_points", "score_change"))
    return f"{what}; by seat: card points {points}, score change {change}"
