"""Deals played one action at a time, and all other deals that would have looked the same.

The enumeration knows nothing of the sampler: it deals every hand that the cards allow, replays
the actions in the engine, drops a deal as soon as an action is not legal, and keeps those whose
view in the end equals the one at hand in every field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Agent
from sjavs_env import Game, GameState, Phase, PlayerView, view_of

__all__ = [
    "Deal",
    "Story",
    "candidates",
    "decks",
    "differing",
    "look_alikes",
    "replay",
    "tell",
    "view_now",
]

ROW = np.array([0])


@dataclass(frozen=True)
class Deal:
    """Cards as dealt, by seat at the table, and what the declarer lays away later."""

    hands: tuple[frozenset[int], ...]
    talon: tuple[int, ...] = ()
    laid: frozenset[int] = frozenset()
    piles: tuple[frozenset[int], ...] = ()  # the reserve and the dead hand


@dataclass
class Story:
    """One game, from the deal to where it stands."""

    game: Game
    deal: Deal
    dealer: int
    state: GameState
    seats: list[int]
    phases: list[int]
    actions: list[int]


def cards_of(word: Any) -> frozenset[int]:
    """The ids of the cards in a word."""
    return frozenset(i for i in range(64) if int(word) >> i & 1)


def tell(game: Game, agent: Agent, number: int, dealer: int, n_actions: int) -> Story:
    """Deal and play ``n_actions``, or until the deal is over."""
    state = game.new_games(1, seed=5, numbers=[number], dealer=dealer)
    hands = tuple(cards_of(w) for w in state.dealt[0])
    piles = (cards_of(state.talon[0]), cards_of(state.seats.dead[0])) if state.seats else ()
    deal = Deal(hands, tuple(state.aside[0].tolist()), piles=piles)
    story = Story(game, deal, dealer, state, [], [], [])
    rng = np.random.default_rng(number)
    while len(story.actions) < n_actions and state.phase[0] != Phase.OVER:
        view, mask = view_of(game, state, ROW, state.seat.copy()), game.legal_actions(state)
        action = agent.act(view, mask, rng)
        story.seats.append(int(state.seat[0]))
        story.phases.append(int(state.phase[0]))
        story.actions.append(int(action[0]))
        game.step(state, action)
    return story


def view_now(story: Story, viewer: int) -> PlayerView:
    """What a seat at the table sees."""
    return view_of(story.game, story.state, ROW, np.array([viewer]))


def differing(a: Any, b: Any) -> NDArray[np.bool_]:
    """Which of the views (R,) differ from the views (R,) or from one view."""
    wrong: NDArray[np.bool_] = np.zeros(len(a), dtype=np.bool_)
    for part in (None, "seats"):
        x, y = (a, b) if part is None else (a.seats, b.seats)
        for f in fields(x) if x is not None else ():
            if f.name != "seats":
                other = getattr(x, f.name) != getattr(y, f.name)
                wrong |= other.reshape(len(wrong), -1).any(axis=1)
    return wrong


def decks(game: Game, deals: list[Deal], dealer: int, turned: int) -> NDArray[np.intp]:
    """Packs (D, N) that deal these cards."""
    t, n = game.tables, game.tables.n_players
    packs = np.zeros((len(deals), t.n_cards), dtype=np.intp)
    for pack, deal in zip(packs, deals, strict=True):
        if t.seats:
            hands = [deal.hands[(dealer + 1 + i) % n] for i in range(n)]
            piles = [*hands, *(p for p in deal.piles if p)]
            for places, cards in zip(t.seats.piles[1, n], piles, strict=False):
                last = int(t.seats.turned[n])  # the place of the card turned up
                rest = [p for p in places.tolist() if p != last or turned not in cards]
                pack[rest] = sorted(cards - {turned})
                pack[last] = turned
        else:
            for i in range(n):
                pack[t.deal.hand[1, i]] = sorted(deal.hands[(dealer + 1 + i) % n])
            pack[t.deal.talon[1]] = deal.talon
    return packs


def replay(story: Story, deals: list[Deal]) -> tuple[GameState, NDArray[np.intp]]:
    """Play the story on other deals; return those in which it is legal, and which they are."""
    game, t = story.game, story.game.tables
    state = game.new_games(len(deals), dealer=story.dealer)
    turned = int(story.state.seats.turned[0]) if story.state.seats else -1
    game.deal_deck(state, np.arange(len(deals)), decks(game, deals, story.dealer, turned))
    kept, n_laid = np.arange(len(deals)), 0
    for phase, action in zip(story.phases, story.actions, strict=True):
        actions = np.full(len(kept), action)
        first = game.actions.slices[Phase(phase)].start
        if phase == Phase.LAY and action - first < t.n_cards:
            actions = np.array([first + sorted(deals[k].laid)[n_laid] for k in kept], dtype=np.intp)
            n_laid += 1
        legal = game.legal_actions(state)[np.arange(len(kept)), actions] == 1
        legal &= state.phase == phase
        state, kept = state.select(np.flatnonzero(legal)), kept[legal]
        game.step(state, actions[legal])
    return state, kept


def look_alikes(story: Story, viewer: int) -> Counter[tuple[int, ...]]:
    """Every deal, with what is laid away, that the viewer cannot tell from the true one.

    Counted by what the holders have now: the other hands, then what lies apart.
    """
    state, _ = replay(story, list(candidates(story, viewer)))
    n, t = story.game.tables.n_players, story.game.tables
    view = view_of(story.game, state, np.arange(len(state)), np.full(len(state), viewer))
    same = ~differing(view, view_now(story, viewer))
    at = (viewer + np.arange(1, n)) % n
    holders = [state.hand[:, p] for p in at]
    nothing = t.word_type.type(0)
    if t.deal.n_talon:
        own = state.declarer == viewer
        holders += [state.talon, np.where(own, nothing, state.laid)]
    if seats := state.seats:
        own = seats.taker == viewer
        holders += [state.talon, np.where(own, nothing, state.laid), seats.dead]
    return Counter(tuple(int(w) for w in row) for row in np.stack(holders, axis=1)[same])


def candidates(story: Story, viewer: int) -> Iterator[Deal]:
    """Deals in which all were dealt what they have played, cards of the talon apart."""
    state, n = story.state, story.game.tables.n_players
    played = [cards_of(state.dealt[0, p] ^ state.hand[0, p]) for p in range(n)]
    if story.game.tables.seats:
        yield from apart_candidates(story, viewer, played)
        return
    size = len(story.deal.hands[0])
    declarer, taken = int(state.declarer[0]), int(state.taken[0])
    own, talon = story.deal.hands[viewer], story.deal.talon
    exchanged = declarer if taken and declarer != viewer else None
    known = {viewer: own}
    for p in range(n):
        if p != viewer and p != exchanged:
            known[p] = played[p]
    seen = frozenset().union(*known.values())
    own_talon = talon[:taken] if declarer == viewer else ()
    pool = frozenset(range(story.game.tables.n_cards)) - seen - frozenset(own_talon)
    others = [p for p in range(n) if p not in (viewer, exchanged)]
    order = [*others, *([exchanged] if exchanged is not None else [])]
    wanted = [size - len(known.get(p, ())) for p in order]
    barred = played[exchanged] if exchanged is not None else frozenset()
    for split in splits(pool, wanted, barred, len(others)):
        hands = dict(known) | {
            p: known.get(p, frozenset()) | part for p, part in zip(order, split, strict=True)
        }
        rest = pool - frozenset().union(*split)
        in_order = taken == 1 and declarer != viewer
        for aside in permutations(sorted(rest)) if in_order else [tuple(sorted(rest))]:
            dealt = tuple(hands[p] for p in range(n))
            yield from with_laid(story, viewer, Deal(dealt, (*own_talon, *aside)))


def with_laid(story: Story, viewer: int, deal: Deal) -> Iterator[Deal]:
    """The deal with everything that its declarer may have laid away."""
    state, t = story.state, story.game.tables
    laid, declarer = cards_of(state.laid[0]), int(state.declarer[0])
    if declarer == viewer or not laid:
        yield Deal(deal.hands, deal.talon, laid)
        return
    may = deal.hands[declarer] | (frozenset() if t.exchange.lays_blind else frozenset(deal.talon))
    may -= cards_of(state.dealt[0, declarer] ^ state.hand[0, declarer])
    for choice in combinations(sorted(may), len(laid)):
        yield Deal(deal.hands, deal.talon, frozenset(choice))


def splits(
    pool: frozenset[int], wanted: list[int], barred: frozenset[int], n_barred: int
) -> Iterator[list[frozenset[int]]]:
    """Every way to take so many cards for each seat; the first may not have barred ones."""
    if not wanted:
        yield []
        return
    may = pool - barred if n_barred > 0 else pool
    for part in combinations(sorted(may), wanted[0]):
        for rest in splits(pool - set(part), wanted[1:], barred, n_barred - 1):
            yield [frozenset(part), *rest]


def apart_candidates(story: Story, viewer: int, played: list[frozenset[int]]) -> Iterator[Deal]:
    """Deals where cards lie apart; hands that were exchanged are taken as dealt from the story.

    What the viewer has seen of them is in the story's own cards: the hand as dealt, the reserve
    if it was taken, the card turned up.
    """
    state, t = story.state, story.game.tables
    n, seats = t.n_players, state.seat_state
    taker, six_by = int(seats.taker[0]), int(seats.six_by[0])
    turned, low = (
        int(seats.turned[0]),
        int(np.flatnonzero(t.cards.bit == t.cards.low_trump[state.mode[0]])[0]),
    )
    sets: dict[Any, frozenset[int]] = {p: frozenset() for p in range(n)}
    sets[viewer] = story.deal.hands[viewer]
    for p in range(n):
        if p not in (viewer, taker):
            sets[p] = played[p] - ({turned} if p == six_by else frozenset())
            sets[p] |= {low} if p == six_by else frozenset()
    sets["reserve"], sets["dead"] = frozenset(), frozenset()
    if taker == viewer:
        sets["reserve"] = story.deal.piles[0]
    elif taker >= 0:
        sets["reserve"] = played[taker] - ({low} if six_by >= 0 else frozenset())
        sets[taker] |= {low} if six_by == taker else frozenset()
    for name, pile in zip(("reserve", "dead"), story.deal.piles, strict=True):
        sets[name] |= frozenset({turned}) & pile
    for p in range(n):
        sets[p] |= frozenset({turned}) & story.deal.hands[p]
    pool = frozenset(range(t.n_cards)) - frozenset().union(*sets.values())
    full = [*map(len, story.deal.hands), *map(len, story.deal.piles)]
    names: list[Any] = [*range(n), "reserve", "dead"]
    wanted = [size - len(sets[name]) for name, size in zip(names, full, strict=True)]
    for split in splits(pool, wanted, frozenset(), 0):
        whole = [sets[name] | part for name, part in zip(names, split, strict=True)]
        yield Deal(tuple(whole[:n]), piles=(whole[n], whole[n + 1]))
