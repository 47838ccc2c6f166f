"""What a card player sees at a glance: who plays with whom, what is out, which card will hold.

``TableReader`` reads views of one game into a ``Sight``: arrays over the R rows, the P seats
(counted from the viewer) and the N cards.  It knows no strategy; agents do the choosing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Bool, Floats, Ints, Words
from sjavs_env import Game, PlayerView
from sjavs_env.rules.tables import NONE, TRICKS_SOME

__all__ = ["Sight", "TableReader"]


class TableReader:
    """The tables of one game, arranged so that positions can be read."""

    def __init__(self, game: Game) -> None:
        t = game.tables
        self.game = game
        self.trump = int(t.cards.class_of.max())  # the class of trumps comes after the plain suits
        self.pack = np.bitwise_or.reduce(t.cards.bit)
        modes, cards = np.arange(t.n_modes)[:, None], np.arange(t.n_cards)
        self.rank: Ints = t.cards.power[
            modes, t.cards.class_of, cards
        ]  # (M, N) strength in its own class
        # (M, N) the cards of its class that are stronger
        self.above: Words = (
            t.cards.beats[modes, t.cards.class_of, self.rank]
            & t.cards.class_set[modes, t.cards.class_of]
        )
        self.most = int(
            np.bitwise_count(t.cards.class_set[:, : self.trump + 1]).max()
        )  # cards of one class
        # (C,) whether the card points taken make a difference to what a deal is worth
        paid = t.result.payoff_change[
            np.arange(len(t.result.payoff_row))[:, None], t.result.payoff_row[:, :, TRICKS_SOME]
        ]
        self.points_matter: Bool = (paid != paid[:, :1]).any(axis=(1, 2)) | bool(t.seats)
        self.may_ruff = t.play.follow == "strict"  # a trump may be played although one could follow
        self.has_sides = game.rules.sides != "alone" or bool(t.auction.n_bids)  # some play together

    def legal_cards(self, mask: NDArray[np.int8]) -> Bool:
        """Return the part of the masks that is about cards (R, N)."""
        return mask[:, : self.game.tables.n_cards].view(np.bool_)


@dataclass(eq=False)
class Sight:
    """R positions in card play, seen by the seat that is to act.  Computed when asked for."""

    reader: TableReader
    view: PlayerView
    legal: Bool  # (R, N)

    # cards

    @cached_property
    def leads(self) -> Bool:
        """The viewer leads (R, 1)."""
        return (self.view.trick_size == 0)[:, None]

    @cached_property
    def points(self) -> Ints:
        """Card points (R, N)."""
        return self.reader.game.tables.cards.worth[self.view.mode]

    @cached_property
    def suit(self) -> Ints:
        """Class (R, N) of each card: the trump suit's for every trump."""
        return self.reader.game.tables.cards.class_of[self.view.mode]

    @cached_property
    def is_trump(self) -> Bool:
        """The card is a trump (R, N)."""
        return self.suit == self.reader.trump

    @cached_property
    def rank(self) -> Ints:
        """Strength (R, N) of each card in a trick of its own class; trumps above plain cards."""
        return self.reader.rank[self.view.mode]

    @cached_property
    def led(self) -> Ints:
        """Class (R, N) that this trick is led with if the viewer plays a card."""
        return np.where(self.leads, self.suit, self.view.led[:, None])

    @cached_property
    def power(self) -> Ints:
        """Strength (R, N) of each card in this trick; 0 cannot win."""
        card = np.arange(self.legal.shape[1])
        return self.reader.game.tables.cards.power[self.view.mode[:, None], self.led, card]

    @cached_property
    def wins_now(self) -> Bool:
        """The card would be winning the trick (R, N)."""
        return self.power > self.view.best_power[:, None]

    @cached_property
    def held(self) -> Bool:
        """Cards in the viewer's hand (R, N)."""
        return self.reader.game.unpack(self.view.hand).view(np.bool_)

    @cached_property
    def length(self) -> Ints:
        """Cards of its class in the viewer's hand (R, N)."""
        of_class = self.reader.game.tables.cards.class_set[self.view.mode[:, None], self.suit]
        return _count(of_class & self.view.hand[:, None])

    @cached_property
    def is_alone(self) -> Bool:
        """No other card of its class is in the viewer's hand (R, N)."""
        return self.length == 1

    @cached_property
    def out(self) -> Words:
        """Cards that the viewer does not have and that may still be played (R, 1)."""
        view = self.view
        gone = np.bitwise_or.reduce(view.played, axis=1) | view.hand | view.laid
        if view.seats is not None:
            dropped = np.where(self.plays, _nothing(view.hand), view.seats.known)
            gone |= view.seats.out | view.seats.aside | np.bitwise_or.reduce(dropped, axis=1)
        return (self.reader.pack & ~gone)[:, None]

    @cached_property
    def shown(self) -> Words:
        """Cards that all know each seat to hold (R, P): face up before it, or seen in its hand."""
        view = self.view
        if view.seats is None:
            return view.open
        return np.where(self.plays, view.seats.known, _nothing(view.hand))

    @cached_property
    def unseen(self) -> Words:
        """Those among them whose place is not known (R, 1)."""
        return self.out & ~np.bitwise_or.reduce(self.shown, axis=1)[:, None]

    @cached_property
    def stronger_out(self) -> Ints:
        """Number of cards of its class that are out and stronger (R, N)."""
        return _count(self.reader.above[self.view.mode] & self.out)

    @cached_property
    def is_master(self) -> Bool:
        """No card of its class that is out beats it (R, N)."""
        return self.stronger_out == 0

    @cached_property
    def trumps_out(self) -> Ints:
        """Number of trumps that are out (R, 1)."""
        return _count(self.out & self._class_set(self.reader.trump))

    @cached_property
    def trumps_unseen(self) -> Ints:
        """Those among them whose place is not known (R, 1)."""
        return _count(self.unseen & self._class_set(self.reader.trump))

    @cached_property
    def points_matter(self) -> Bool:
        """The result depends on card points, not on tricks alone (R, 1)."""
        t, view = self.reader.game.tables, self.view
        return self.reader.points_matter[t.result.column_of[view.best_bid, view.mode]][:, None]

    def _class_set(self, k: int) -> Words:
        """Cards of a class (R, 1)."""
        return self.reader.game.tables.cards.class_set[self.view.mode, k][:, None]

    # seats

    @cached_property
    def plays(self) -> Bool:
        """Seats that take part in the deal (R, P)."""
        seats, trick = self.view.seats, self.view.trick
        return np.ones(trick.shape, dtype=np.bool_) if seats is None else seats.playing == 1

    @cached_property
    def friend(self) -> Bool:
        """Seats of the viewer's side (R, P), the viewer included."""
        view, t = self.view, self.reader.game.tables
        n = t.n_players
        if not self.reader.has_sides:
            return np.broadcast_to(np.arange(n) == 0, (len(view), n))
        seats = (view.seat[:, None] + np.arange(n)) % n
        declarer = np.where(view.declarer < 0, n, (view.declarer + view.seat) % n)
        with_declarer = t.result.ally[declarer[:, None], seats]  # no declarer: the last row
        return with_declarer == with_declarer[:, :1]

    @cached_property
    def behind(self) -> Bool:
        """Seats that have yet to play to this trick after the viewer (R, P)."""
        behind = self.plays & (self.view.trick == NONE)
        behind[:, 0] = False
        return behind

    @cached_property
    def declares(self) -> Bool:
        """The viewer's side has named the trump suit (R, 1)."""
        declarer = self.view.declarer
        ours = self.friend[np.arange(len(declarer)), np.maximum(declarer, 0)]
        return ((declarer >= 0) & ours)[:, None]

    @cached_property
    def ours_now(self) -> Bool:
        """The viewer's side is winning the trick as it lies (R, 1)."""
        winner = self.friend[np.arange(len(self.view)), self.view.winner]
        return (winner & (self.view.trick_size > 0))[:, None]

    @cached_property
    def left(self) -> Ints:
        """Cards each seat still holds unseen by the others (R, P).

        A card face down below one face up is nobody's yet.  Until the end of the trick that a
        seat has played the upper one to, it cannot be told from a card in its hand.
        """
        t, view = self.reader.game.tables, self.view
        to_play = t.n_tricks - _count(view.played) - _count(self.shown)
        return np.where(self.plays, to_play - _count(view.covering), 0)

    @cached_property
    def aside(self) -> NDArray[Any]:
        """Unseen cards in nobody's hand (R,): in the talon, laid away or face down."""
        return np.maximum(_count(self.unseen)[:, 0] - self.left[:, 1:].sum(axis=1), 0)

    def may_hold(self, k: int) -> Floats:
        """Share (R, P) of the unseen cards of a class that each of the others may hold.

        Nothing where a seat has shown to be void of it, but for a card that it need not play.
        """
        excluded = self.reader.game.tables.play.void_excludes[self.view.mode, k][:, None]
        cards = self.unseen & self._class_set(k)
        share = _count(cards & ~excluded) / np.maximum(_count(cards), 1)
        may = np.where(self.view.void >> k & 1, share, 1.0)
        may[:, 0] = 0
        return may

    # chances

    @cached_property
    def chance(self) -> Floats:
        """Chance (R, P, classes) that a given unseen card of a class is in a seat's hand.

        The declarer's trumps are known from what they announced; otherwise every card is as
        likely in every place that may still take it.
        """
        trump, out = self.reader.trump, self.trumps_unseen
        chance = np.zeros((*self.left.shape, trump + 1))
        chance[:, :, trump] = self._trump_chance()
        room = np.maximum(self.left - out * chance[:, :, trump], 0)  # for plain cards
        trumps_aside = out[:, 0] * (1 - chance[:, :, trump].sum(axis=1))
        aside = np.clip(self.aside - trumps_aside, 0, self.aside)
        for k in range(trump):
            chance[:, :, k] = _shares(room * self.may_hold(k), aside)
        return chance

    def _trump_chance(self) -> Floats:
        """Chance (R, P) that a given unseen trump is in a seat's hand."""
        view, t, trump = self.view, self.reader.game.tables, self.reader.trump
        others = self.left * self.may_hold(trump)
        evenly = _shares(others, self.aside)
        if not t.auction.n_bids:
            return evenly
        rows = np.arange(len(view))
        declarer = np.maximum(view.declarer, 0)
        public = view.played[rows, declarer] | self.shown[rows, declarer]
        shown = _count(public & t.cards.class_set[view.mode, trump])
        announced = t.auction.bid_length[view.best_bid]  # no bid: masked below
        known = np.clip(announced - shown, 0, others[rows, declarer])
        share = np.minimum(known / np.maximum(self.trumps_unseen[:, 0], 1), 1.0)
        if (
            not t.auction.name_exact or t.exchange.most_laid or t.deal.n_columns
        ):  # they may hold more than they said
            share = np.maximum(share, evenly[rows, declarer])
        knows = (view.declarer > 0) & (others[rows, declarer] > 0)
        rest = others.astype(np.float64)
        rest[rows[knows], declarer[knows]] = 0
        chance = np.where(knows[:, None], _shares(rest, self.aside) * (1 - share[:, None]), evenly)
        chance[rows[knows], declarer[knows]] = share[knows]
        return chance

    def has_none(self, rows: Ints, seat: int) -> Floats:
        """Chance (R, classes, numbers) that a seat holds none of so many given unseen cards.

        ``rows`` (R,) are the views that are asked about.
        """
        missing = 1 - self.chance[rows, seat]
        none = np.ones((*missing.shape, self.reader.most + 1))
        for n in range(self.reader.most):
            none[..., n + 1] = none[..., n] * missing
        return none

    @cached_property
    def beaten_by(self) -> Floats:
        """Chance (R, P, N) that a seat behind can beat what then wins the trick.

        For each card the viewer may play: it is beaten by a higher card of the class led, or
        by a trump if the seat has none of that class or need not follow with it.
        """
        beaten = np.zeros((*self.behind.shape, self.legal.shape[1]))
        for p in range(1, self.behind.shape[1]):
            rows = np.flatnonzero(self.behind[:, p])
            at, card = np.nonzero(self.legal[rows])  # few: most cards are not in the hand
            if len(at):
                beaten[rows[at], p, card] = self._beaten(p, rows, at, card)
        return beaten

    def _beaten(self, seat: int, rows: Ints, at: Ints, card: Ints) -> Floats:
        """The same (pairs,) of one seat, for the cards ``card`` in the views ``rows[at]``."""
        t, trump, row = self.reader.game.tables, self.reader.trump, rows[at]
        mode, led = self.view.mode[row], self.led[row, card]
        best = np.maximum(self.power[row, card], self.view.best_power[row])
        suit, above = t.cards.class_set[mode, led], t.cards.beats[mode, led, best]
        ruffing = np.where(led == trump, 0, above & t.cards.class_set[mode, trump])
        unseen, shows = self.unseen[row, 0], self.shown[row, seat]
        of_suit, out, trumps = (_count(c & unseen) for c in (above & suit, suit, ruffing))
        none = self.has_none(rows, seat)
        higher = np.where(above & suit & shows, 1, 1 - none[at, led, of_suit])
        ruffs = np.where(ruffing & shows, 1, 1 - none[at, trump, trumps])
        if self.reader.may_ruff:
            is_void = 1 - higher  # or there is no need to beat it with a plain card
        else:
            is_void = np.where(suit & shows, 0, none[at, led, out])
        return higher + is_void * ruffs


def _count(words: Words) -> Ints:
    return np.bitwise_count(words).astype(np.intp)


def _nothing(words: Words) -> Any:
    """The empty set, of the type of these."""
    return words.dtype.type(0)


def _shares(weights: NDArray[Any], aside: NDArray[Any]) -> Floats:
    """Each weight's share (R, P) of its row and what lies aside (R,); 0 where there is none."""
    total = weights.sum(axis=1, keepdims=True) + aside[:, None]
    return np.asarray(weights / np.where(total > 0, total, 1))
