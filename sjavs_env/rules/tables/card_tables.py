"""The cards of a rule set as arrays: classes, strengths, orders and what they are worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sjavs_env.cards import SUITS, Pack
from sjavs_env.rules.ruleset import RuleSet, permanent_cards
from sjavs_env.rules.terms import N_CLASSES, NO_LEAD, NONE, TRUMP, Bool, Ints, Words

__all__ = ["CardTables", "PlayTables", "SlotTables", "card_tables", "play_tables", "slot_tables"]

MODES = (None, *SUITS)  # the suit that is trumps; none has been named in the first mode


@dataclass(frozen=True, eq=False)
class CardTables:
    """What the cards are, in every trump mode."""

    bit: Words  # (N,) the word of each single card
    class_of: Ints  # (M, N) class of a card
    class_set: Words  # (M, 6) cards of a class; at NO_LEAD the whole pack
    power: Ints  # (M, 6, N) strength by class led, 0 cannot win; at NO_LEAD as if it were led
    beats: Words  # (M, 6, strengths) cards stronger than strength s
    trump_power: int  # from this strength on a card is a trump
    length_set: Words  # (4,) cards that count for the length of each suit
    worth: Ints  # (M, N) card points
    top_trump: Words  # (M,) the highest trump
    low_trump: Words  # (M,) the lowest one

    @property
    def points(self) -> Ints:
        """Card points (N,) in a mode without a trump suit; in most games those of all modes."""
        return self.worth[0]


@dataclass(frozen=True, eq=False)
class SlotTables:
    """The cards in order of strength: plain suits first, trumps last, weakest first.

    Arrangement 2 * mode has the suits in the order of SUITS; in 2 * mode + 1 the twins change
    places: two plain suits with the same ranks, which only their names distinguish.
    """

    twins: Ints  # (M, 2) first slots of the twins, or NONE
    twin_size: Ints  # (M,) cards in each of them
    slot_of: Ints  # (2 M, N) card -> slot
    card_at: Ints  # (2 M, N) slot -> card
    to_slots: Words  # (2 M, bytes, 256) a word's byte -> its cards as slots
    class_place: Ints  # (2 M, 6) class -> its place among the suits as arranged


@dataclass(frozen=True, eq=False)
class PlayTables:
    """What may be played to a trick, and what that shows."""

    follow: str  # what may be played to a trick, a word of the rule set
    # classes proved void, as bits, by class led, strength of the card winning, and card played
    shows: NDArray[np.uint8]  # (M, 5, strengths, N)
    void_excludes: Words  # (M, 5) cards that a seat cannot hold which has shown a class void


def card_tables(rules: RuleSet) -> CardTables:
    """Compile the cards of a rule set."""
    pack = rules.pack
    word = np.uint32 if len(pack) <= 32 else np.uint64
    orders = _orders(rules)
    class_of = _classes(rules)
    trump_power = 1 + len(rules.cards.plain_order)  # above every plain card
    by_mode = list(zip(orders, class_of, strict=True))
    power = np.array([_powers(pack, order, classes, trump_power) for order, classes in by_mode])
    bit: Words = np.array([1 << i for i in range(len(pack))], dtype=word)
    members = [[_members(classes, k) for k in range(N_CLASSES + 1)] for classes in class_of]
    class_set: Words = np.array(
        [[_set(m, bit) for m in by_class] for by_class in members], dtype=word
    )
    strengths = range(int(power.max()) + 1)
    beats = [[[_set(p > s, bit) for s in strengths] for p in by_class] for by_class in power]
    trumps = [[c for c in order if classes[pack.ids[c]] == TRUMP] for order, classes in by_mode]
    return CardTables(
        bit=bit,
        class_of=class_of,
        class_set=class_set,
        power=power,
        beats=np.array(beats, dtype=word),
        trump_power=trump_power,
        length_set=class_set[1:, TRUMP].copy(),
        worth=np.array([[_worth(rules, c, t) for c in pack.cards] for t in MODES], np.intp),
        top_trump=np.array([pack.word(cards[-1:]) for cards in trumps], dtype=word),
        low_trump=np.array([pack.word(cards[:1]) for cards in trumps], dtype=word),
    )


def slot_tables(rules: RuleSet, word: Any) -> SlotTables:
    """Compile the arrangements of the cards of a rule set."""
    arrangements = [
        _arrangement(order, classes, rules.pack, swapped)
        for order, classes in zip(_orders(rules), _classes(rules), strict=True)
        for swapped in (0, 1)
    ]
    card_at = np.array([a.cards for a in arrangements], dtype=np.intp)
    return SlotTables(
        twins=np.array([a.twins for a in arrangements[::2]], dtype=np.intp),
        twin_size=np.array([a.twin_size for a in arrangements[::2]], dtype=np.intp),
        slot_of=np.argsort(card_at, axis=1).astype(np.intp),
        card_at=card_at,
        to_slots=_slot_bytes(card_at, word),
        class_place=np.array([a.places for a in arrangements], dtype=np.intp),
    )


def play_tables(rules: RuleSet, cards: CardTables) -> PlayTables:
    """Compile the duty to follow of a rule set."""
    void_excludes = _excluded(rules, cards.class_set, cards.top_trump)
    return PlayTables(
        follow=rules.follow,
        shows=_shown(rules, cards, void_excludes),
        void_excludes=void_excludes,
    )


def _orders(rules: RuleSet) -> list[list[str]]:
    """The cards by strength in every mode."""
    return [_strength_order(rules, trump) for trump in MODES]


def _classes(rules: RuleSet) -> Ints:
    """The class (M, N) of every card in every mode."""
    return np.array(
        [[_class(rules, c, trump) for c in rules.pack.cards] for trump in MODES], np.intp
    )


def _members(classes: Ints, k: int) -> Bool:
    """The cards (N,) of a class; all of them at NO_LEAD."""
    return (classes == k) | (k == NO_LEAD)


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
    ranks = dict.fromkeys(SUITS, rules.cards.plain_order)
    if trump and rules.cards.trump_order:
        ranks[trump] = rules.cards.trump_order
    ordinary = [r + s for s in SUITS for r in reversed(ranks[s])]
    held = [c for c in ordinary if c in rules.pack.ids and c not in permanent]
    plain = [c for c in held if c[1] != trump]
    return plain + [c for c in held if c[1] == trump] + list(reversed(permanent))


def _worth(rules: RuleSet, card: str, trump: str | None) -> int:
    """Card points of a card in a mode."""
    points = dict(rules.cards.points)
    if card[1] == trump:
        points |= dict(rules.cards.trump_points)
    return points.get(card[0], 0)


def _shown(rules: RuleSet, cards: CardTables, void_excludes: Words) -> NDArray[np.uint8]:
    """Classes (M, 5, strengths, N), as bits, of which a seat has shown to hold no card.

    By mode, class led, strength of the card that was winning, and card played.  What a card
    proves are single cards; a class is marked if these are all that the seat could hold of it
    (``void_excludes``), the two cards of the trick apart.
    """
    modes, n_cards = cards.class_of.shape
    shape = (modes, N_CLASSES, cards.beats.shape[2], n_cards)
    mode, led, best, card = np.indices(shape).reshape(4, -1)
    barred = BARS[rules.follow](cards, mode, led, best, card)
    winning = cards.power[mode, led] == best[:, None]  # (plays, N) one card, none before the lead
    lying = cards.bit[card] | np.bitwise_or.reduce(
        np.where(winning & (best > 0)[:, None], cards.bit, cards.bit.dtype.type(0)), axis=1
    )
    shown = np.zeros(len(mode), dtype=np.uint8)
    for k in range(N_CLASSES):
        could_hold = void_excludes[mode, k] & ~lying
        is_void = (could_hold & barred != 0) & (could_hold & ~barred == 0)
        shown |= is_void.astype(np.uint8) << k
    return shown.reshape(shape)


# What a card proves, as the cards (plays,) that its player cannot hold: by mode, class led,
# strength of the card that was winning, and card played (plays,).


def _off_suit(cards: CardTables, mode: Ints, led: Ints, card: Ints) -> Words:
    """All cards of the class led, if it was not followed."""
    follows = cards.class_of[mode, card] == led
    return np.where(follows, 0, cards.class_set[mode, led]).astype(cards.bit.dtype)


def _bars_if_void(cards: CardTables, mode: Ints, led: Ints, best: Ints, card: Ints) -> Words:
    return _off_suit(cards, mode, led, card)


def _bars_overtrump(cards: CardTables, mode: Ints, led: Ints, best: Ints, card: Ints) -> Words:
    """Whoever does not follow and leaves a trump unbeaten has no higher one."""
    stays = (best >= cards.trump_power) & (led != TRUMP) & (cards.power[mode, led, card] < best)
    stays &= cards.class_of[mode, card] != led
    higher = cards.beats[mode, led, best] & cards.class_set[mode, TRUMP]
    return _off_suit(cards, mode, led, card) | np.where(stays, higher, 0).astype(cards.bit.dtype)


def _bars_beat_or_trump(cards: CardTables, mode: Ints, led: Ints, best: Ints, card: Ints) -> Words:
    """Whoever neither follows nor trumps has no trump; whoever does not beat the trick cannot."""
    played, trumps = cards.class_of[mode, card], cards.class_set[mode, TRUMP]
    loses = cards.power[mode, led, card] < best
    own = cards.class_set[mode, played]
    barred = np.where((played == led) | (played == TRUMP), cards.beats[mode, led, best] & own, 0)
    barred = np.where(loses, barred, 0)
    barred = np.where((played != led) & (played != TRUMP), trumps, barred)
    return _off_suit(cards, mode, led, card) | barred.astype(cards.bit.dtype)


def _bars_follow_or_trump(
    cards: CardTables, mode: Ints, led: Ints, best: Ints, card: Ints
) -> Words:
    """A trump may always be played, but a lower one only from a hand of trumps.

    The highest trump may be kept when a trump is led.
    """
    played, trumps = cards.class_of[mode, card], cards.class_set[mode, TRUMP]
    lower = (played == TRUMP) & (led != TRUMP) & (cards.power[mode, led, card] < best)
    plain = cards.class_set[mode, NO_LEAD] & ~trumps
    kept = np.where(led == TRUMP, cards.top_trump[mode], 0).astype(cards.bit.dtype)
    off_suit = _off_suit(cards, mode, led, card) & ~kept
    barred = np.where(played == TRUMP, np.where(lower, plain, 0), off_suit)
    return barred.astype(cards.bit.dtype)


BARS: dict[str, Callable[[CardTables, Ints, Ints, Ints, Ints], Words]] = {
    "whist": _bars_if_void,
    "must_overtrump": _bars_overtrump,
    "simple": _bars_beat_or_trump,
    "strict": _bars_follow_or_trump,
}


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
