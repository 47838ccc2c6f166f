"""The cards of a rule set as arrays: classes, strengths, orders and what they are worth."""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sjavs_env.cards import SUITS, Pack
from sjavs_env.rules.ruleset import RuleSet, permanent_cards
from sjavs_env.rules.terms import N_CLASSES, NO_LEAD, NONE, TRUMP, Bool, Ints, Words

__all__ = ["card_tables"]


def card_tables(rules: RuleSet) -> dict[str, Any]:
    """What the cards are, in every trump mode."""
    pack, modes, classes = rules.pack, (None, *SUITS), range(N_CLASSES)
    word = np.uint32 if len(pack) <= 32 else np.uint64
    orders = [_strength_order(rules, trump) for trump in modes]
    class_of = np.array([[_class(rules, c, trump) for c in pack.cards] for trump in modes])
    trump_power = 1 + len(rules.plain_order)  # above every plain card
    power = np.array(
        [_powers(pack, order, class_of[m], trump_power) for m, order in enumerate(orders)]
    )
    bit = np.array([1 << i for i in range(len(pack))], dtype=word)
    class_set = np.array(
        [
            [_set((class_of[m] == k) | (k == NO_LEAD), bit) for k in range(N_CLASSES + 1)]
            for m in range(len(modes))
        ],
        dtype=word,
    )
    strengths = range(int(power.max()) + 1)
    beats = np.array(
        [[[_set(p > s, bit) for s in strengths] for p in by_class] for by_class in power],
        dtype=word,
    )
    arrangements = [
        _arrangement(orders[m], class_of[m], pack, s) for m in range(len(modes)) for s in (0, 1)
    ]
    card_at = np.array([a.cards for a in arrangements], dtype=np.intp)
    trumps = [
        [c for c in orders[m] if class_of[m, pack.ids[c]] == TRUMP] for m in range(len(modes))
    ]
    top_trump = np.array([pack.word(cards[-1:]) for cards in trumps], dtype=word)
    return {
        "bit": bit,
        "class_of": class_of.astype(np.intp),
        "class_set": class_set,
        "power": power.astype(np.intp),
        "beats": beats,
        "trump_power": trump_power,
        "length_set": class_set[1:, TRUMP].copy(),
        "top_trump": top_trump,
        "low_trump": np.array([pack.word(cards[:1]) for cards in trumps], dtype=word),
        "card_worth": np.array([[_worth(rules, c, t) for c in pack.cards] for t in modes], np.intp),
        "follow": rules.follow,
        "shows": np.array([[_shown(rules, a, b) for b in classes] for a in classes], np.intp),
        "void_excludes": _excluded(rules, class_set, top_trump),
        "twins": np.array([a.twins for a in arrangements[::2]], dtype=np.intp),
        "twin_size": np.array([a.twin_size for a in arrangements[::2]], dtype=np.intp),
        "class_place": np.array([a.places for a in arrangements], dtype=np.intp),
        "slot_of": np.argsort(card_at, axis=1).astype(np.intp),
        "card_at": card_at,
        "to_slots": _slot_bytes(card_at, word),
    }


class _Arrangement(NamedTuple):
    cards: list[int]  # by slot
    places: list[int]  # of the classes and of NO_LEAD
    twins: tuple[int, int]
    twin_size: int


def _arrangement(
    order: list[str], class_of: NDArray[Any], pack: Pack, swapped: int
) -> _Arrangement:
    """Lay out the suits of one mode; ``swapped`` exchanges the twins."""
    suits = [[c for c in order if class_of[pack.ids[c]] == k] for k in range(N_CLASSES)]
    plain = [k for k in range(TRUMP) if suits[k]]
    ranks = {k: [c[0] for c in suits[k]] for k in plain}
    named = len(plain) < TRUMP  # before a suit is named, names matter: clubs outbid
    pairs = [(a, b) for a, b in combinations(plain, 2) if named and ranks[a] == ranks[b]]
    twins = pairs[0] if pairs else None
    if twins and swapped:
        a, b = (plain.index(k) for k in twins)
        plain[a], plain[b] = plain[b], plain[a]
    absent = [k for k in range(TRUMP) if not suits[k]]
    laid = [*plain, *absent, TRUMP]
    cards = [pack.ids[c] for k in laid for c in suits[k]]
    starts = [cards.index(pack.ids[suits[k][0]]) for k in twins] if twins else [NONE, NONE]
    places = [laid.index(k) for k in range(N_CLASSES)] + [NO_LEAD]
    size = len(suits[twins[0]]) if twins else 0
    return _Arrangement(cards, places, (starts[0], starts[1]), size)


def _class(rules: RuleSet, card: str, trump: str | None) -> int:
    is_trump = card in permanent_cards(rules) or card[1] == trump
    return TRUMP if is_trump else SUITS.index(card[1])


def _strength_order(rules: RuleSet, trump: str | None) -> list[str]:
    """All cards, plain suits first and trumps last, each weakest first."""
    permanent = permanent_cards(rules)
    ranks = dict.fromkeys(SUITS, rules.plain_order)
    if trump and rules.trump_order:
        ranks[trump] = rules.trump_order
    ordinary = [r + s for s in SUITS for r in reversed(ranks[s])]
    held = [c for c in ordinary if c in rules.pack.ids and c not in permanent]
    plain = [c for c in held if c[1] != trump]
    return plain + [c for c in held if c[1] == trump] + list(reversed(permanent))


def _worth(rules: RuleSet, card: str, trump: str | None) -> int:
    """Card points of a card in a mode."""
    points = dict(rules.points)
    if card[1] == trump:
        points |= dict(rules.trump_points)
    return points.get(card[0], 0)


def _shown(rules: RuleSet, led: int, played: int) -> int:
    """Classes, as bits, of which a seat has shown to hold no card (see ``void_excludes``).

    By the strict rules a trump may be played although one could follow.  By the simple rules
    whoever neither follows nor trumps has no trump either.
    """
    if played == led or (rules.follow == "strict" and played == TRUMP):
        return 0
    no_trump = rules.follow == "simple" and played != TRUMP
    return 1 << led | no_trump << TRUMP


def _excluded(rules: RuleSet, class_set: NDArray[Any], top_trump: NDArray[Any]) -> Words:
    """Cards that a seat cannot hold which has shown a class to be void (M, classes).

    By the strict rules the highest trump need not be played to a trump, so it may still be there.
    """
    excluded = class_set[:, :N_CLASSES].copy()
    if rules.follow == "strict":
        excluded[:, TRUMP] &= ~top_trump
    return excluded


def _powers(pack: Pack, order: list[str], class_of: NDArray[Any], trump_power: int) -> NDArray[Any]:
    """Strength of every card by the class led: 0, plain from 1, trumps from ``trump_power``."""
    power = np.zeros((N_CLASSES + 1, len(pack)), dtype=np.intp)
    suits = [[c for c in order if class_of[pack.ids[c]] == k] for k in range(N_CLASSES)]
    for k in range(TRUMP):
        for strength, card in enumerate(suits[k], start=1):
            power[[k, NO_LEAD], pack.ids[card]] = strength
    for strength, card in enumerate(suits[TRUMP], start=trump_power):
        power[:, pack.ids[card]] = strength
    return power


def _set(member: Bool, bit: NDArray[Any]) -> int:
    return int(np.bitwise_or.reduce(bit[member])) if member.any() else 0


def _slot_bytes(card_at: Ints, word: Any) -> Words:
    """(M, bytes, 256): the slots of the cards that one byte of a word holds."""
    modes, n_cards = card_at.shape
    n_bytes = np.dtype(word).itemsize
    table = np.zeros((modes, n_bytes, 256), dtype=word)
    slot_of = np.argsort(card_at, axis=1)
    values = np.arange(256)
    for m in range(modes):
        for card in range(n_cards):
            holds = (values >> (card % 8) & 1).astype(bool)
            table[m, card // 8, holds] |= word(1 << int(slot_of[m, card]))
    return table
