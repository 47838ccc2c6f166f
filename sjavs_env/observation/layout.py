"""The layout of an observation: named blocks over one flat vector, their places computed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine.game import Game
from sjavs_env.rules.tables import N_CLASSES, Phase, RuleTables
from sjavs_env.rules.tables.meld_tables import UNIT

__all__ = [
    "CHOICES",
    "MAY_BE_NONE",
    "MOST_TIES",
    "MOST_ZEROS",
    "SEAT_CHOICES",
    "Block",
    "ObservationLayout",
    "layout_page",
    "observation_layout",
]

MOST_TIES = 4  # more in a row are as good as unheard of (one deal in 85 is tied)

MOST_ZEROS = 8

# One number each, shown as a one-hot block of the same name; "taken" where there is a talon.
CHOICES = (
    "declarer", "dealer", "mode", "phase", "leader", "winner", "led", "trick_size", "trick_number",
    "taken", "six_by", "taker",
)  # fmt: skip
SEAT_CHOICES = ("six_by", "taker")  # of games in which seats may be out
MAY_BE_NONE = ("declarer", "six_by", "taker")  # their first place stands for nobody


@dataclass(frozen=True)
class Block:
    """A run of features with one meaning."""

    name: str
    shape: tuple[int, ...]
    largest: int  # the value that scales to 1
    meaning: str

    @property
    def size(self) -> int:
        """Number of features."""
        return int(np.prod(self.shape))


@dataclass(frozen=True)
class ObservationLayout:
    """The blocks of an observation in order, with their places computed."""

    blocks: tuple[Block, ...]

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Block name -> its features."""
        ends = np.cumsum([b.size for b in self.blocks])
        starts = ends - [b.size for b in self.blocks]
        return {
            b.name: slice(int(s), int(e)) for b, s, e in zip(self.blocks, starts, ends, strict=True)
        }

    @cached_property
    def size(self) -> int:
        """Number of features."""
        return sum(b.size for b in self.blocks)

    @cached_property
    def scale(self) -> NDArray[np.float32]:
        """Factors (F,) that bring every feature to 0..1."""
        return np.concatenate([np.full(b.size, 1 / b.largest, np.float32) for b in self.blocks])

    def read(self, name: str, observation: NDArray[np.generic]) -> NDArray[np.generic]:
        """Return one block of observations (..., F) in its own shape (..., *shape)."""
        block = next(b for b in self.blocks if b.name == name)
        return observation[..., self.slices[name]].reshape(*observation.shape[:-1], *block.shape)


def observation_layout(game: Game) -> ObservationLayout:
    """Return the layout for a rule set; sizes follow from its tables."""
    t = game.tables
    return ObservationLayout((*_card_blocks(t), *_count_blocks(t), *_choice_blocks(t)))


def _card_blocks(t: RuleTables) -> Iterator[Block]:
    """Sets of cards."""
    p, n = t.n_players, t.n_cards
    yield Block("hand", (n,), 1, "cards the viewer holds")
    yield Block("unseen", (n,), 1, "cards the viewer has not seen: others have them, or nobody")
    yield Block("trick_cards", (n,), 1, "cards in the current trick")
    yield Block("winning_card", (n,), 1, "the card that is winning the current trick")
    yield Block("played", (p, n), 1, "cards each seat has played in this deal")
    if t.exchange.most_laid:
        yield Block("laid", (n,), 1, "cards the viewer has laid away")
    if t.deal.n_columns:
        yield Block("open", (p, n), 1, "cards that lie face up in front of each seat")
        yield Block("covering", (p, n), 1, "those that lie on a card face down")
    if t.seats:
        yield Block("turned", (n,), 1, "the card turned up for trumps")
        yield Block(
            "out", (n,), 1, "cards that all know to be in no hand: on the table or given away"
        )
        yield Block("aside", (n,), 1, "the hand that the viewer has given for the reserve")
        yield Block("known", (p, n), 1, "cards that all know each seat to hold")


def _count_blocks(t: RuleTables) -> Iterator[Block]:
    """Whole numbers; bits come last."""
    p, points = t.n_players, t.total_points
    yield Block("points", (p,), points, "card points each seat has taken")
    yield Block("tricks", (p,), t.n_tricks, "tricks each seat has taken")
    yield Block("score", (p,), _highest_score(t), _score_meaning(t))
    yield Block("pile", (1,), points, "card points in the current trick")
    if not t.seats:
        yield Block("ties", (1,), MOST_TIES, "tied deals not yet paid out, at most that many shown")
    yield Block(
        "fell", (t.n_cards,), t.n_tricks, "1 + number of the trick in which a card fell, else 0"
    )
    if t.seats:
        yield from _seat_blocks(t)
    yield Block("void", (p, N_CLASSES), 1, _void_meaning(t))


def _highest_score(t: RuleTables) -> int:
    """The highest score that is shown, above the least."""
    if t.match.kind == "deals":
        return 255
    highest = t.seats.highest if t.seats else t.match.start
    return min(255, highest - t.match.least)


def _choice_blocks(t: RuleTables) -> Iterator[Block]:
    """One of several each."""
    p, phases = t.n_players, t.course.phases
    if not t.seats:
        calls = 2 + t.auction.n_bids
        yield Block("calls", (p, calls), 1, "what each seat said: nothing yet, pass, the bids")
        yield Block("declarer", (1 + p,), 1, "nobody yet, or the seat that holds the best bid")
    yield Block("dealer", (p,), 1, "seat that dealt")
    yield Block("mode", (t.n_modes,), 1, "trump suit: none named, then C S H D")
    yield Block("phase", (len(phases),), 1, ", ".join(PHASE_NAMES[phase] for phase in phases))
    yield Block("leader", (p,), 1, "seat that leads or led the current trick")
    yield Block("winner", (p,), 1, "seat that is winning the current trick, or leads")
    yield Block("led", (N_CLASSES + 1,), 1, "suit led: C S H D, trumps, or nothing yet")
    yield Block("trick_size", (p,), 1, "cards in the current trick")
    yield Block("trick_number", (1 + t.n_tricks,), 1, "tricks completed")
    if taken := t.deal.n_talon:
        yield Block("taken", (1 + taken,), 1, "cards the declarer has taken from the talon")
    if t.seats:
        yield Block("six_by", (1 + p,), 1, "nobody, or the seat that has swapped the lowest trump")
        yield Block("taker", (1 + p,), 1, "nobody, or the seat that has taken the reserve")
    yield Block("swapped", (1,), 1, "trump order only: the twin suits have changed places")


def _seat_blocks(t: RuleTables) -> list[Block]:
    """Counts of games in which seats may be out."""
    p, one, most = t.n_players, t.seat_rules.melds.largest // UNIT, 400 // UNIT
    return [
        Block("active", (p,), 1, "seats still in the match"),
        Block("playing", (p,), 1, "seats that take part in this deal"),
        Block("zeros", (p,), MOST_ZEROS, "zeros outstanding, at most that many shown"),
        Block("melds", (p,), most, f"points scored for melds, divided by {UNIT}"),
        Block("announced_points", (p,), one, f"points of the best meld announced, by {UNIT}"),
        Block("announced_cards", (p,), 9, "cards of that meld"),
        Block("announced_top", (p,), 9, "its top card, from the lowest rank; 0 if not compared"),
        Block("announced_trump", (p,), 1, "whether it is of trumps"),
    ]


PHASE_NAMES = {
    Phase.AUCTION: "auction",
    Phase.NAME_TRUMP: "naming trumps",
    Phase.PLAY: "play",
    Phase.OVER: "over",
    Phase.TAKE: "taking the talon",
    Phase.LAY: "laying away",
    Phase.CONCEDE: "giving up or not",
    Phase.SIX: "swapping the lowest trump",
    Phase.RESERVE: "taking the reserve",
    Phase.STAY: "staying or dropping out",
}


def _void_meaning(tables: RuleTables) -> str:
    if tables.seats:
        return "suits of which a seat has shown to hold none, see the rules; the last is trumps"
    return "suits a seat has failed to follow; the last is trumps"


def _score_meaning(tables: RuleTables) -> str:
    if tables.match.least == 0:
        return (
            "game points of each seat"
            if tables.seats
            else "what each seat still needs to win the rubber"
        )
    if tables.seats:
        return f"game points of each seat, {-tables.match.least} added"
    what = "chips of each seat" if tables.match.kind == "deals" else "what each seat has left"
    return f"{what}, {-tables.match.least} added"


def layout_page(title: str, layout: ObservationLayout) -> str:
    """Return a page of the docs that shows where every block of an observation is."""
    lines = [
        f"# {title}",
        "",
        f"{layout.size} features. Seats are counted from the viewer (0 = the viewer) in the "
        "direction of play; cards stand in pack order or, if asked for, in trump order. A batch "
        "environment gives whole numbers (`uint8`); multiplied by the block's scale they are "
        "the `float32` values between 0 and 1 of the PettingZoo environment.",
        "",
        "| block | features | shape | scale | meaning |",
        "|---|---|---|---|---|",
    ]
    for block in layout.blocks:
        place, shape = layout.slices[block.name], " × ".join(map(str, block.shape))
        scale = "1" if block.largest == 1 else f"1/{block.largest}"
        lines.append(
            f"| `{block.name}` | {place.start}–{place.stop - 1} | {shape} | {scale} "
            f"| {block.meaning} |"
        )
    return "\n".join([*lines, ""])
