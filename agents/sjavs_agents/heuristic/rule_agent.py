"""Players by maxims: what a club player is taught, and what an expert knows besides.

Every maxim says, in card points, how much it likes or dislikes each card of each hand
(R, N); the card that they like best together is played.  The weights were found by duplicate
matches between players that differ in one weight.

Both count the cards that have fallen, remember who is void of what, and know how many trumps
the declarer announced.  They guess nothing else and look no further than the trick that is
being played.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Floats, Ints
from sjavs_agents.heuristic.bidding import (
    call_longest,
    call_worthwhile,
    name_worthwhile,
    with_trumps,
)
from sjavs_agents.heuristic.contracts import bid_contract, gives_up
from sjavs_agents.heuristic.discards import discard_worthwhile
from sjavs_agents.heuristic.entry import Entry
from sjavs_agents.heuristic.sight import Sight, TableReader
from sjavs_env import Game, Phase, PlayerView
from sjavs_env.errors import shown

__all__ = ["BIDDING", "CLUB", "EXPERT", "RuleAgent", "TrickOdds"]

# What each seat behind is expected to add to the trick, in mean values of a card; where nobody
# has a friend, nobody adds more than they must.
REST = {"partners": 8 / 15, "alone": 1.2}
REST_WITHOUT_FRIENDS = 0.3
# What a trump is worth in hand, and more for the share of the trumps out that it beats: in card
# points to a side.  Who has no friends counts in tricks of mean worth, which they will take with
# it, and its own points come on top: they are not at risk before.
TRUMP, STRONG_TRUMP = 5.0, (3.0, 8.0)
LONE_TRUMP, STRONG_LONE_TRUMP = 1.0, (0.5, 1.0)
TRICK = 20.0  # what a trick is worth, in card points, where tricks alone count
FOE_BEATS = 0.75  # share that an opponent behind takes of the tricks that they could take
FRIEND_BEATS = 0.6  # the same for a friend

BIDDING = ("worthwhile", "longest")


@dataclass(eq=False)
class TrickOdds(Sight):
    """What the player sees, and who is likely to take the trick after each card."""

    @cached_property
    def ours(self) -> Floats:
        """Chance (R, N) that the viewer's side takes the trick if they play a card."""
        ours = (self.wins_now | self.ours_now).astype(np.float64)
        for p in range(1, self.behind.shape[1]):
            beats = self.beaten_by[:, p]
            saved = ours + (1 - ours) * FRIEND_BEATS * beats
            lost = ours * (1 - FOE_BEATS * beats)
            ours = np.where(self.friend[:, p, None], saved, lost)
        return ours

    @cached_property
    def balance(self) -> Floats:
        """Expected share (R, N) of each point in the trick: 1 all ours, -1 all theirs."""
        return 2 * self.ours - 1

    @cached_property
    def mean_trick(self) -> Floats:
        """Card points (R, 1) that a trick holds on the average."""
        return (self.plays.sum(axis=1) * self.points.mean(axis=1))[:, None]


def win_rich_tricks(s: TrickOdds) -> Floats:
    """Take the trick for what lies in it and what the others will add."""
    each = REST[s.reader.game.rules.sides] if s.reader.has_sides else REST_WITHOUT_FRIENDS
    rest = each * s.points.mean(axis=1) * s.behind.sum(axis=1)
    return s.balance * np.where(s.points_matter, (s.view.pile + rest)[:, None], TRICK)


def feed_friends(s: TrickOdds) -> Floats:
    """Where points count, give them to tricks that will be ours and none to the others'.

    So the ten goes on a friend's certain trick, not under an opponent's ace and not on a lead
    that may be beaten or ruffed.
    """
    return s.balance * s.points * s.points_matter


def save_trumps(s: TrickOdds) -> Floats:
    """Do not spend a trump where a plain card does."""
    cost = TRUMP if s.reader.has_sides else LONE_TRUMP * s.mean_trick + s.points
    return -cost * s.is_trump


def save_strong_trumps(s: TrickOdds) -> Floats:
    """Do not spend a trump, least of all a high one, where a lesser card does."""
    beaten = (s.trumps_out - s.stronger_out) / np.maximum(s.trumps_out, 1)
    share = np.where(s.trumps_out > 0, beaten, 1.0)
    if s.reader.has_sides:
        least, more = STRONG_TRUMP
        return -(least + more * share) * s.is_trump
    least, more = STRONG_LONE_TRUMP
    return -(s.mean_trick * (least + more * share) + s.points) * s.is_trump


def keep_masters(s: TrickOdds) -> Floats:
    """Keep the highest card of a plain suit: it may win a trick of its own."""
    return -1.0 * (s.is_master & ~s.is_trump)


def play_low(s: TrickOdds) -> Floats:
    """Among cards that do the same, play the lower one."""
    return -0.1 * s.rank


def draw_trumps(s: TrickOdds) -> Floats:
    """The declarer's side leads trumps while the opponents have some to give."""
    at_foes = np.where(s.friend, 0.0, s.chance[:, :, s.reader.trump]).sum(axis=1, keepdims=True)
    face_up = s.trumps_out - s.trumps_unseen  # in front of opponents, as partners show no cards
    drawn = np.minimum(at_foes * s.trumps_unseen + face_up, 2.0)
    return 5.0 * drawn * (s.leads & s.declares & s.is_trump)


def leave_trumps_alone(s: TrickOdds) -> Floats:
    """The other side does not do the declarer's work."""
    return -5.0 * (s.leads & ~s.declares & s.is_trump) * s.reader.has_sides


def lead_for_a_ruff(s: TrickOdds) -> Floats:
    """Lead a suit that a friend has shown to be void of while they may hold a trump."""
    void = s.view.void[:, :, None] >> s.suit[:, None, :] & 1  # (R, P, N)
    may_ruff = s.friend & (s.chance[:, :, s.reader.trump] > 0)
    can = (void.astype(np.bool_) & may_ruff[:, :, None]).any(axis=1)
    return 4.0 * (s.leads & ~s.is_trump & can)


def discard_singletons(s: TrickOdds) -> Floats:
    """Get rid of the only card of a suit while there is a trump to ruff it with."""
    has_trump = (s.held & s.is_trump).any(axis=1, keepdims=True)
    return 1.5 * (has_trump & s.is_alone & ~s.is_trump & ~s.leads)


Maxim = Callable[[TrickOdds], Floats]

# A decent club player.
CLUB: tuple[Maxim, ...] = (
    win_rich_tricks,
    feed_friends,
    save_trumps,
    keep_masters,
    play_low,
    draw_trumps,
)
# The same, minding how strong a trump is, and with three more ideas.
EXPERT: tuple[Maxim, ...] = (
    *(save_strong_trumps if maxim is save_trumps else maxim for maxim in CLUB),
    leave_trumps_alone,
    lead_for_a_ruff,
    discard_singletons,
)


class RuleAgent:
    """Plays cards by maxims, and lays cards away by some of its own.

    It takes the talon, and gives up only what promises less than giving up costs.  Where seats
    may be out it exchanges, changes hands and stays in as far as that promises more (``Entry``).
    ``bidding="worthwhile"`` bids where the hand is good enough, ``"longest"`` whenever it may.
    """

    def __init__(
        self,
        game: Game,
        bidding: str = "worthwhile",
        *,
        name: str = "rules",
        maxims: tuple[Maxim, ...] = CLUB,
    ) -> None:
        if bidding not in BIDDING:
            raise ValueError(f"bidding is {shown(bidding)}; allowed: {', '.join(BIDDING)}")
        self.name = name if bidding == "worthwhile" else f"{name}:bidding={bidding}"
        self.bidding = bidding
        self.maxims = maxims
        self.reader = TableReader(game)

    @classmethod
    def expert(cls, game: Game, bidding: str = "worthwhile") -> RuleAgent:
        """Return the stronger player."""
        return cls(game, bidding, name="expert", maxims=EXPERT)

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        """Return its actions; nothing is drawn."""
        action = np.empty(len(view), dtype=np.intp)
        for phase, answer in self._answers.items():
            rows = np.flatnonzero(view.phase == phase)
            if len(rows) == len(view):
                return answer(view, mask)
            if len(rows):
                action[rows] = answer(view.select(rows), mask[rows])
        return action

    @cached_property
    def _answers(self) -> dict[Phase, Callable[[PlayerView, NDArray[np.int8]], Ints]]:
        answers = {
            Phase.AUCTION: self._call,
            Phase.NAME_TRUMP: self._name,
            Phase.TAKE: self._take,
            Phase.LAY: self._lay,
            Phase.CONCEDE: self._concede,
            Phase.SIX: self._six,
            Phase.RESERVE: self._reserve,
            Phase.STAY: self._stay,
            Phase.PLAY: self._play,
        }
        return {
            phase: answers[phase]
            for phase in answers
            if phase in self.reader.game.tables.course.phases
        }

    def _call(self, view: PlayerView, mask: NDArray[np.int8]) -> Ints:
        if self.bidding == "longest":
            return call_longest(self.reader, mask)
        if self.reader.game.rules.contracts:
            return bid_contract(self.reader, view, mask)
        return call_worthwhile(self.reader, view, mask)

    def _name(self, view: PlayerView, mask: NDArray[np.int8]) -> Ints:
        return name_worthwhile(self.reader, view, mask)

    def _take(self, view: PlayerView, mask: NDArray[np.int8]) -> Ints:
        """Take the talon: who chooses among more cards has never less."""
        return np.full(len(view), self.reader.game.actions.slices[Phase.TAKE].start)

    def _lay(self, view: PlayerView, mask: NDArray[np.int8]) -> Ints:
        return discard_worthwhile(self.reader, with_trumps(self.reader, view), mask)

    def _concede(self, view: PlayerView, mask: NDArray[np.int8]) -> Ints:
        first = self.reader.game.actions.slices[Phase.CONCEDE].start
        return first + gives_up(self.reader, view).astype(np.intp)

    def _six(self, view: PlayerView, mask: NDArray[np.int8]) -> Ints:
        return self._yes_where(self._entry.swaps(view), Phase.SIX)

    def _reserve(self, view: PlayerView, mask: NDArray[np.int8]) -> Ints:
        return self._yes_where(self._entry.takes_reserve(view), Phase.RESERVE)

    def _stay(self, view: PlayerView, mask: NDArray[np.int8]) -> Ints:
        return self._yes_where(self._entry.stays(view), Phase.STAY)

    @cached_property
    def _entry(self) -> Entry:
        return Entry(self.reader)

    def _yes_where(self, wanted: NDArray[np.bool_], phase: Phase) -> Ints:
        """Return the first of the two actions (R,) of a phase where it is wanted."""
        return self.reader.game.actions.slices[phase].start + (~wanted).astype(np.intp)

    def _play(self, view: PlayerView, mask: NDArray[np.int8]) -> Ints:
        odds = TrickOdds(self.reader, view, self.reader.legal_cards(mask))
        worth = sum(maxim(odds) for maxim in self.maxims)
        return np.where(odds.legal, worth, -np.inf).argmax(axis=1)
