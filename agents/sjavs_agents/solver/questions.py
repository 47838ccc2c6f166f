"""Questions about many positions in one call of compiled code, which holds no lock.

Cards come and go as numbers of the pack.  Everything is said of side 0.
"""

from __future__ import annotations

import numpy as np

from sjavs_agents.compiled.card_sets import highest, lowest, up_to
from sjavs_agents.compiled.compiler import compiled
from sjavs_agents.solver.kernel import search
from sjavs_agents.solver.memory import (
    CARD,
    CHOICE,
    CLASS_OF,
    CLASSES,
    COUNT,
    FRAMES,
    I64,
    MOVES,
    PLACE,
    REST,
    Workspace,
)
from sjavs_agents.solver.moves import distinct, find_moves, legal
from sjavs_agents.solver.position import (
    ALL_BY_ONE,
    POINTS,
    TRICKS,
    Deals,
    Deck,
    load_deal,
    open_root,
)
from sjavs_env.rules.tables import NONE

__all__ = ["answer_card_levels", "answer_card_points", "answer_points", "answer_reaches"]

IMPOSSIBLE = 1 << 20


@compiled
def answer_reaches(
    ws: Workspace, deck: Deck, deals: Deals, rows: I64, measure: int, threshold: I64, out: I64
) -> None:
    """Write 1 into ``out`` (R,) where side 0 takes at least ``threshold`` (R,) in all, else 0."""
    for row in rows:
        _enter(ws, deck, deals, row, measure)
        out[row] = _reaches(ws, threshold[row] - _taken(deals, row, measure))


@compiled
def answer_points(ws: Workspace, deck: Deck, deals: Deals, rows: I64, out: I64) -> None:
    """Write the card points (R,) that side 0 takes in all."""
    for row in rows:
        _enter(ws, deck, deals, row, POINTS)
        out[row] = _exact(ws, _guess(ws)) + deals.points[row]


@compiled
def answer_card_points(ws: Workspace, deck: Deck, deals: Deals, rows: I64, out: I64) -> None:
    """Write the card points (R, N) that side 0 takes in all after each card, NONE if illegal."""
    w, stand_in = ws.memory, np.zeros(out.shape[1], np.int64)
    for row in rows:
        _enter(ws, deck, deals, row, POINTS)
        _find_stand_ins(w, stand_in)
        cards = _distinct(w)
        guess = _exact(ws, _guess(ws))  # of the best card; most others are worth the same
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            _only(w, card)
            out[row, w[CARD + card]] = _exact(ws, guess) + deals.points[row]
        out[row] = out[row][stand_in]


@compiled
def answer_card_levels(
    ws: Workspace, deck: Deck, deals: Deals, rows: I64, measures: I64, thresholds: I64, out: I64
) -> None:
    """Write the highest level (R, N) that side 0 reaches after each card, NONE if illegal.

    Level k is to take ``thresholds[row, k]`` of ``measures[row, k]`` and implies all lower ones;
    level 0 is always reached.  Levels that a row does not have are measured as NONE.
    """
    top, stand_in = np.zeros(out.shape[1], np.int64), np.zeros(out.shape[1], np.int64)
    for row in rows:
        low, n_levels = out[row], 0
        for k in range(measures.shape[1]):
            if measures[row, k] != NONE:
                n_levels = k
        for measure in (POINTS, TRICKS, ALL_BY_ONE):
            is_open = measure == POINTS
            for card in range(len(low)):
                for k in range(low[card] + 1, top[card] + 1 if low[card] != NONE else 0):
                    is_open |= measures[row, k] == measure
            if not is_open:
                continue
            _enter(ws, deck, deals, row, measure)
            if measure == POINTS:
                _find_stand_ins(ws.memory, stand_in)
                _open_all(ws.memory, low, top, n_levels)
            taken = _taken(deals, row, measure)
            _narrow(ws, measure, measures[row], thresholds[row] - taken, low, top)
        out[row] = low[stand_in]


@compiled
def _open_all(w: I64, low: I64, top: I64, n_levels: int) -> None:
    cards = _distinct(w)
    top[:] = 0
    while cards:
        card = w[CARD + lowest(cards)]
        cards &= cards - 1
        low[card], top[card] = 0, n_levels


@compiled
def _narrow(ws: Workspace, measure: int, measures: I64, needs: I64, low: I64, top: I64) -> None:
    """Ask about the levels (levels,) of one measure until none is open for any card (N,).

    Most cards come to the level of the one before: it is asked about first, then the next one.
    """
    likely = NONE
    for card in range(len(low)):
        while low[card] != NONE:
            first = last = 0
            for k in range(low[card] + 1, top[card] + 1):
                if measures[k] == measure:
                    first = k if first == 0 else first
                    last = k
            if first == 0:
                break
            k = (first + last) // 2
            if first <= likely <= last:
                k = likely
            elif low[card] == likely:
                k = first
            _only(ws.memory, ws.memory[PLACE + card])
            if _reaches(ws, needs[k]):
                low[card] = k
            else:
                top[card] = k - 1
        if low[card] != NONE:
            likely = low[card]


@compiled
def _enter(ws: Workspace, deck: Deck, deals: Deals, row: int, measure: int) -> None:
    load_deal(ws, deck, deals, row, measure)
    open_root(ws.memory, deals, row)
    _list_moves(ws.memory, NONE)


@compiled
def _legal(w: I64) -> int:
    """Return the cards that may be played at the root."""
    return legal(w, FRAMES)


@compiled
def _distinct(w: I64) -> int:
    """Return those of them that are searched."""
    return distinct(w, FRAMES, legal(w, FRAMES))


@compiled
def _list_moves(w: I64, first: int) -> None:
    find_moves(w, FRAMES, first)


@compiled
def _only(w: I64, card: int) -> None:
    """Leave one card to play at the root."""
    w[FRAMES + MOVES] = card
    w[FRAMES + COUNT] = 1


@compiled
def _taken(deals: Deals, row: int, measure: int) -> int:
    """Return what side 0 has of a measure."""
    if measure == POINTS:
        return deals.points[row]
    if measure == TRICKS:
        return deals.tricks[row]
    return deals.number[row] if deals.alone[row] == deals.number[row] else -IMPOSSIBLE


@compiled
def _reaches(ws: Workspace, need: int) -> bool:
    if need <= 0:
        return True
    return need <= ws.memory[FRAMES + REST] and search(ws, need) >= need


@compiled
def _guess(ws: Workspace) -> int:
    return (ws.memory[FRAMES + REST] + 1) // 2


@compiled
def _exact(ws: Workspace, guess: int) -> int:
    """Return what side 0 takes from the root on.

    Starts at a guess, goes on in growing steps, and halves what is left once that is less.
    """
    w = ws.memory
    low, high = 0, w[FRAMES + REST]
    need, step = min(max(guess, 1), high), 1
    while low < high:
        value = search(ws, need)
        if w[FRAMES + COUNT] > 1:
            _list_moves(w, w[FRAMES + CHOICE])
        step *= 2
        if value >= need:
            low = value
            need = min(low + step, (low + high + 1) // 2)
        else:
            high = value
            need = max(high - step + 1, (low + high + 1) // 2)
    return low


@compiled
def _find_stand_ins(w: I64, stand_in: I64) -> None:
    """Note which card is searched in the place of each card of the pack (N,).

    Itself, or the next higher one that is worth as much in the same hand (``distinct``).
    """
    cards = _legal(w)
    rest = cards & ~_distinct(w)
    for card in range(len(stand_in)):
        stand_in[card] = card
    while rest:
        card = highest(rest)
        rest ^= 1 << card
        other = lowest(cards & w[CLASSES + w[CLASS_OF + card]] & ~up_to(card))
        stand_in[w[CARD + card]] = stand_in[w[CARD + other]]
