"""What is said of a deal and of each decision in it; what JSON and text are written from."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["UTILITIES", "Cards", "Decision", "Judgement", "Luck", "Side"]

UTILITIES = ("points", "score")


@dataclass(frozen=True)
class Cards:
    """What each legal card is worth to the one who plays, and what their choice lost.

    Values and losses are by utility: ``"points"``, the card points of their side less those of
    the other; ``"score"``, their reward for the deal in game points.  ``"score"`` is missing in a
    game that has no monotone payoff.
    """

    values: dict[str, dict[str, float]]  # card -> utility -> value
    best: dict[str, list[str]]  # utility -> the cards of the highest value
    loss: dict[str, float]  # utility -> highest value less that of the card played
    worlds: int = 1  # that the values are means over
    exact: bool = True  # these are all worlds, each with its chance; else they were drawn
    error: dict[str, float] = field(default_factory=dict)  # of ``loss``: one standard error


@dataclass(frozen=True)
class Decision:
    """One decision with more than one legal action.

    ``agents``, ``fair``, ``belief`` and ``learned`` come from what the seat knew, ``open_hands``
    from all cards.
    """

    move: int  # actions made before in this deal
    seat: int
    phase: str
    trick: int | None  # from 1, None where no card was played
    action: str
    legal: list[str]
    agents: dict[str, str]  # what each would have done
    fair: Cards | None
    belief: dict[str, dict[str, float]] | None  # hidden card -> holder -> probability
    learned: dict[str, dict[str, float]] | None  # the same, as a learned belief has it
    open_hands: Cards | None


@dataclass(frozen=True)
class Side:
    """A side of a deal, and what its cards lost with open hands, in its own terms."""

    seats: list[int]
    lost: dict[str, float]  # utility -> sum over its decisions


@dataclass(frozen=True)
class Luck:
    """What the cards of a finished deal held with open hands, and what the first side made.

    The first side is the declarer's, or that of seat 0 where nobody declares.  Values are as in
    ``Cards``; ``made`` = ``held`` less what the first side lost, and more by what the other lost.
    """

    seat: int  # whose score it is: the declarer, or seat 0
    held: dict[str, float]  # at the lead
    made: dict[str, float]
    held_points: int  # card points of the side at the lead, what lies aside included
    made_points: int
    sides: tuple[Side, Side]


@dataclass(frozen=True)
class Judgement:
    """Everything about one deal."""

    deal: int  # place in the record, from 1
    dealer: int
    result: dict[str, object]
    luck: Luck | None
    decisions: list[Decision]
    notes: list[str]  # what was not judged, and why
